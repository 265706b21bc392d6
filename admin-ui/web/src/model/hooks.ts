// SPDX-License-Identifier: MIT
// How pages keep fresh.
import { signal, useSignal, useSignalEffect, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError, getChanged } from "./http";
import { paused, refreshSeconds } from "./settings";
import { gaps, listen } from "./stream";
import type { JournalEvent } from "./types";

/** Moved by the `r` key and after actions. */
export const refreshNow = signal(0);

function quiet(): boolean {
    return document.hidden || paused.peek() || document.querySelector("dialog[open]") !== null;
}

/** Calls now, at the chosen interval while the page is looked at, and when asked to. */
export function usePoll(poll: () => void): void {
    const latest = useRef(poll);
    latest.current = poll;
    useSignalEffect(() => {
        void refreshNow.value;
        void gaps.value;
        const seconds = refreshSeconds.value;
        latest.current();
        if (!seconds) return;
        const timer = setInterval(() => { if (!quiet()) latest.current(); }, seconds * 1000);
        return () => clearInterval(timer);
    });
    useEffect(() => {
        const seen = () => { if (!quiet()) latest.current(); };
        document.addEventListener("visibilitychange", seen);
        return () => document.removeEventListener("visibilitychange", seen);
    }, []);
}

/** Events as they come, a batch for each drawn frame. */
export function useEvents(take: (events: JournalEvent[]) => void): void {
    const latest = useRef(take);
    latest.current = take;
    useEffect(() => listen((events) => latest.current(events)), []);
}

/** Calls soon after the first of many requests, at most once in `pause()` milliseconds. */
export function useThrottled(run: () => void, pause: () => number): () => void {
    const state = useRef({ timer: 0, last: 0 });
    useEffect(() => () => clearTimeout(state.current.timer), []);
    return () => {
        const held = state.current;
        if (held.timer) return;
        held.timer = window.setTimeout(() => {
            held.timer = 0;
            held.last = performance.now();
            run();
        }, Math.max(50, held.last + pause() - performance.now()));
    };
}

/** Calls one after the other: asked for in the meantime, it is done once more. */
export function useSingly(work: () => Promise<void>): () => void {
    const latest = useRef(work);
    latest.current = work;
    const state = useRef({ busy: false, again: false });
    const run = async (): Promise<void> => {
        const held = state.current;
        held.again = held.busy;
        if (held.busy) return;
        held.busy = true;
        try {
            do {
                held.again = false;
                await latest.current();
            } while (held.again);
        } finally {
            held.busy = false;
        }
    };
    return () => void run();
}

export interface Loaded<T> {
    value: Signal<T | null>;
    error: Signal<ApiError | null>;
    reload: () => void;
}

/** One document of the API, polled. */
export function useDocument<T>(path: string): Loaded<T> {
    const value = useSignal<T | null>(null);
    const error = useSignal<ApiError | null>(null);
    const asked = useRef(path);
    if (asked.current !== path) {
        asked.current = path;
        value.value = null;
    }
    const etags = useRef(new Map<string, string>());
    const reload = useSingly(async () => {
        // What is not shown any more is asked for anew.
        if (!value.peek()) etags.current.clear();
        try {
            const answer = await getChanged<T>(path, etags.current);
            if (asked.current !== path) return;
            if (answer) value.value = answer;
            error.value = null;
        } catch (problem) {
            if (!(problem instanceof ApiError)) throw problem;
            if (asked.current === path) error.value = problem;
        }
    });
    usePoll(reload);
    const first = useRef(true);
    useEffect(() => {
        if (!first.current) reload();
        first.current = false;
    }, [path]);
    return { value, error, reload };
}
