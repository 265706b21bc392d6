// SPDX-License-Identifier: MIT
// Events as pages show them: what the journal has, and then what comes live.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../model/http";
import { useEvents } from "../model/hooks";
import { latest, type EventFilter } from "../model/journal";
import { gaps } from "../model/stream";
import type { JournalEvent } from "../model/types";

interface Wanted {
    /** How many are kept. */
    keep: number;
    /** How far back the journal is read, in sequence numbers. */
    back: number;
    filter?: EventFilter;
}

function fits(event: JournalEvent, filter: EventFilter): boolean {
    const { kind, name } = event.resource;
    return filter.resource === undefined || filter.resource === `${kind}:${name}`;
}

/** Newest first; null until the journal has answered. */
export function useRecent({ keep, back, filter = {} }: Wanted) {
    const events = useSignal<JournalEvent[] | null>(null);
    const error = useSignal<ApiError | null>(null);
    /** What came live before the journal had answered. */
    const early = useRef<JournalEvent[]>([]);
    const gap = gaps.value;
    useEffect(() => {
        let gone = false;
        latest(back, filter).then((found) => {
            if (gone) return;
            const newest = found.at(-1)?.sequence ?? 0;
            const newer = (events.peek() ?? early.current).filter(({ sequence }) => sequence > newest);
            events.value = [...newer, ...found.reverse()].slice(0, keep);
            error.value = null;
        }, (problem: unknown) => {
            if (problem instanceof ApiError && !gone) error.value = problem;
        });
        return () => { gone = true; };
    }, [gap, filter.resource]);
    useEvents((batch) => {
        const known = events.peek() ?? early.current;
        const newest = known[0]?.sequence ?? 0;
        const fresh = batch.filter((event) => event.sequence > newest && fits(event, filter)).reverse();
        if (!fresh.length) return;
        const all = [...fresh, ...known].slice(0, keep);
        if (events.peek()) events.value = all;
        else early.current = all;
    });
    return { events, error };
}
