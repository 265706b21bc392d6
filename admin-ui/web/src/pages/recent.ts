// SPDX-License-Identifier: MIT
// Events as pages show them: what the journal has, and then what comes live.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../model/http";
import { useEvents, usePoll } from "../model/hooks";
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
    /** The gap that was last read over; -1: nothing was read yet. */
    const readOver = useRef(-1);
    const state = useRef({ busy: false, gone: false });
    const read = async () => {
        const gap = gaps.peek();
        state.current.busy = true;
        try {
            const found = await latest(back, filter);
            if (state.current.gone) return;
            const newest = found.at(-1)?.sequence ?? 0;
            const newer = (events.peek() ?? early.current).filter(({ sequence }) => sequence > newest);
            events.value = [...newer, ...found.reverse()].slice(0, keep);
            error.value = null;
            readOver.current = gap;
        } catch (problem) {
            if (!(problem instanceof ApiError)) throw problem;
            error.value = problem;
        } finally {
            state.current.busy = false;
        }
    };
    // Once is enough, as long as the stream has no gap; but a server that was away is asked again.
    usePoll(() => { if (readOver.current !== gaps.peek() && !state.current.busy) void read(); });
    useEffect(() => () => { state.current.gone = true; }, []);
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
