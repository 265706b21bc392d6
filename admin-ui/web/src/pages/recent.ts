// SPDX-License-Identifier: MIT
// Events as pages show them: what the journal has, and then what comes live.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../model/http";
import { useEvents, usePoll, useSingly } from "../model/hooks";
import { fitsFilter, readBack, type EventFilter } from "../model/journal";
import { gaps } from "../model/stream";
import type { JournalEvent } from "../model/types";

interface Wanted {
    /** How many are kept, and how many older() adds. */
    keep: number;
    filter?: EventFilter;
}

/** How far the journal was read: behind `from`, or all of it. */
export interface Reach { from: number; whole: boolean }

interface Memory {
    key: string;
    /** How many are kept now. */
    keep: number;
    /** What came live before the journal had answered. */
    early: JournalEvent[];
    /** The gap that was last read over; -1: nothing was read yet. */
    readOver: number;
    goBack: boolean;
}

/** Newest first; null until the journal has answered. */
export function useRecent({ keep, filter = {} }: Wanted) {
    const events = useSignal<JournalEvent[] | null>(null);
    const reach = useSignal<Reach | null>(null);
    const error = useSignal<ApiError | null>(null);
    const key = filter.resource ?? "";
    const fresh = (): Memory => ({ key, keep, early: [], readOver: -1, goBack: false });
    const memory = useRef<Memory>(fresh());
    if (memory.current.key !== key) {
        memory.current = fresh();
        events.value = null;
        reach.value = null;
    }

    /** What is not kept can be read again. */
    const show = (all: JournalEvent[], read: Reach | null) => {
        const { keep: most } = memory.current;
        events.value = all.slice(0, most);
        reach.value = all.length > most ? { from: all[most - 1].sequence - 1, whole: false } : read;
    };
    const readNewest = async (mine: Memory) => {
        const gap = gaps.peek();
        const past = await readBack(mine.keep, filter);
        if (memory.current !== mine) return;
        const newest = past.events.at(-1)?.sequence ?? 0;
        const newer = (events.peek() ?? mine.early).filter(({ sequence }) => sequence > newest);
        show([...newer, ...past.events.reverse()], past);
        mine.readOver = gap;
    };
    const readOlder = async (mine: Memory) => {
        const before = reach.peek()?.from;
        mine.goBack = false;
        if (!before) return;
        const past = await readBack(keep, filter, before);
        // Meanwhile events may have come, and pushed out the oldest.
        if (memory.current !== mine || reach.peek()?.from !== before) return;
        mine.keep += keep;
        show([...events.peek() ?? [], ...past.events.reverse()], past);
    };
    const read = useSingly(async () => {
        const mine = memory.current;
        try {
            // Once is enough, as long as the stream has no gap; but a server that was away is asked again.
            while (memory.current === mine && mine.readOver !== gaps.peek()) await readNewest(mine);
            if (memory.current === mine && mine.goBack) await readOlder(mine);
            error.value = null;
        } catch (problem) {
            if (!(problem instanceof ApiError)) throw problem;
            error.value = problem;
        }
    });
    usePoll(() => { if (memory.current.readOver !== gaps.peek()) read(); });
    useEffect(() => {
        if (memory.current.readOver < 0) read();
    }, [key]);
    useEffect(() => () => { memory.current = fresh(); }, []);
    useEvents((batch) => {
        const mine = memory.current;
        const known = events.peek() ?? mine.early;
        const newest = known[0]?.sequence ?? 0;
        const later = batch.filter((event) => event.sequence > newest && fitsFilter(event, filter)).reverse();
        if (!later.length) return;
        if (events.peek()) show([...later, ...known], reach.peek());
        else mine.early = [...later, ...known].slice(0, mine.keep);
    });
    const older = () => {
        memory.current.goBack = true;
        read();
    };
    return { events, reach, error, older };
}
