// SPDX-License-Identifier: MIT
// One row of a list that is searched by a part of the name: there is no route for just one.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError, get, query } from "../model/http";
import { useEvents, usePoll, useThrottled } from "../model/hooks";
import { received } from "../model/list";
import type { JournalEvent, Page } from "../model/types";

/** undefined: not known yet; null: there is none. */
export function useOne<T extends object>(path: string, name: string, keyOf: (row: T) => string,
    concerns: (event: JournalEvent) => boolean) {
    const row = useSignal<T | null | undefined>(undefined);
    const error = useSignal<ApiError | null>(null);
    const asked = useRef(0);
    const read = async () => {
        const mine = ++asked.current;
        try {
            let after: string | undefined;
            let found: T | undefined;
            do {
                const page: Page<T> = await get<Page<T>>(path + query({ q: name, limit: 1000, after }));
                found = page.items.find((item) => keyOf(item) === name);
                after = page.next ?? undefined;
            } while (!found && after);
            if (mine !== asked.current) return;
            row.value = found ? received(found) : null;
            error.value = null;
        } catch (problem) {
            if (!(problem instanceof ApiError)) throw problem;
            error.value = problem;
        }
    };
    usePoll(() => void read());
    const soon = useThrottled(() => void read(), () => 300);
    useEvents((batch) => { if (batch.some(concerns)) soon(); });
    useEffect(() => () => { ++asked.current; }, []);
    return { row, error };
}
