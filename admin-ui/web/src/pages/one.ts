// SPDX-License-Identifier: MIT
// One row of a list that is searched by a part of the name: there is no route for just one.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError, get, query } from "../model/http";
import { useEvents, usePoll, useSingly, useThrottled } from "../model/hooks";
import { received } from "../model/list";
import type { JournalEvent, Page } from "../model/types";

const encoder = new TextEncoder();

/** As the server orders names: by their bytes. */
function isBehind(name: string, other: string): boolean {
    const [one, two] = [encoder.encode(name), encoder.encode(other)];
    const at = one.findIndex((byte, position) => byte !== two[position]);
    return at >= 0 && (at >= two.length || one[at] > two[at]);
}

/** In the order of their names it is known soon that there is none of this one. */
async function find<T>(path: string, name: string, sort: string, keyOf: (row: T) => string) {
    let after: string | undefined;
    for (;;) {
        const page: Page<T> = await get<Page<T>>(path + query({ q: name, sort, limit: 1000, after }));
        const found = page.items.find((item) => keyOf(item) === name);
        const last = page.items.at(-1);
        after = page.next ?? undefined;
        if (found || !after || !last || isBehind(keyOf(last), name)) return found;
    }
}

/** undefined: not known yet; null: there is none. */
export function useOne<T extends object>(path: string, name: string, sort: string, keyOf: (row: T) => string,
    concerns: (event: JournalEvent) => boolean) {
    const row = useSignal<T | null | undefined>(undefined);
    const error = useSignal<ApiError | null>(null);
    const gone = useRef(false);
    const read = useSingly(async () => {
        try {
            const found = await find<T>(path, name, sort, keyOf);
            if (gone.current) return;
            row.value = found ? received(found) : null;
            error.value = null;
        } catch (problem) {
            if (!(problem instanceof ApiError)) throw problem;
            error.value = problem;
        }
    });
    usePoll(read);
    const soon = useThrottled(read, () => 300);
    useEvents((batch) => { if (batch.some(concerns)) soon(); });
    useEffect(() => () => { gone.current = true; }, []);
    return { row, error };
}
