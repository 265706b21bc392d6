// SPDX-License-Identifier: MIT
// A list page: opened by the filters in the URL, refreshed by polls and by events.
import { useEffect, useMemo } from "preact/hooks";
import { usePoll, useThrottled } from "../model/hooks";
import { PagedList } from "../model/list";
import { place } from "../model/route";

export interface ListPage<T extends object> { list: PagedList<T>; touch: () => void }

export function useList<T extends object>(path: string, keyOf: (row: T) => string,
    defaultSort: string): ListPage<T> {
    const list = useMemo(() => new PagedList<T>(path, keyOf), [path]);
    const params = place.value.params;
    const q = params.get("q") ?? "";
    const sort = params.get("sort") ?? defaultSort;
    useEffect(() => {
        // A letter more is typed soon: ask once for all of them.
        const timer = setTimeout(() => list.open({ q, sort }), list.loaded.peek() ? 150 : 0);
        return () => clearTimeout(timer);
    }, [list, q, sort]);
    usePoll(() => { if (list.loaded.peek() || list.error.peek()) list.refresh(); });
    // Ten thousand rows are not read again every second.
    const pause = () => Math.max(1000, list.items.peek().length);
    return { list, touch: useThrottled(() => list.refresh(), pause) };
}
