// SPDX-License-Identifier: MIT
// The journal, live: one stream for the page, read with fetch since EventSource has no headers.
import { effect, signal } from "@preact/signals";
import { credential, me } from "./credentials";
import { send } from "./http";
import { paused } from "./settings";
import type { JournalEvent } from "./types";

export type StreamState = "off" | "connecting" | "live" | "waiting" | "unavailable";

export const streamState = signal<StreamState>("off");
/** Counts gaps: whoever shows a history reads it again. */
export const gaps = signal(0);

type Listener = (events: JournalEvent[]) => void;
const listeners = new Set<Listener>();
let buffer: JournalEvent[] = [];
let frame = 0;
let lastId = "";

/** The server says something every 15 s, if only that it is there. */
const longestSilence = 40000;

/** Calls back once for each drawn frame with what came since; returns how to stop. */
export function listen(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

function flush(): void {
    frame = 0;
    if (paused.peek()) return;
    const batch = buffer;
    buffer = [];
    for (const listener of listeners) listener(batch);
}

/** A hidden page draws no frames; what it missed beyond this is read from the journal instead. */
const longestBuffer = 5000;

function push(event: JournalEvent): void {
    if (buffer.length === longestBuffer) {
        buffer = [];
        ++gaps.value;
    }
    buffer.push(event);
    if (!frame && !paused.peek()) frame = requestAnimationFrame(flush);
}

effect(() => {
    if (!paused.value && buffer.length && !frame) frame = requestAnimationFrame(flush);
});

function takeFrame(text: string): void {
    let data = "";
    let type = "";
    for (const line of text.split("\n")) {
        if (line.startsWith("data:")) data += line.slice(5).trimStart();
        else if (line.startsWith("event:")) type = line.slice(6).trim();
        else if (line.startsWith("id:")) lastId = line.slice(3).trim();
    }
    if (type === "reset" || type === "lagged") ++gaps.value;
    else if (data) push(JSON.parse(data) as JournalEvent);
}

/** Ends with the stream; `heard()` is told of each sign of life. */
async function readStream(response: Response, heard: () => void): Promise<void> {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        heard();
        const frames = (rest + value).split("\n\n");
        rest = frames.pop()!;
        frames.forEach(takeFrame);
    }
}

/** A client error does not mend itself by asking again soon. */
function isFinal(status: number): boolean {
    return status >= 400 && status < 500 && status !== 429 && status !== 409;
}

/** One stream, until it ends or says nothing any more. Answers the status it had. */
async function connect(abort: AbortSignal): Promise<number> {
    const silent = new AbortController();
    let timer = 0;
    const heard = () => {
        clearTimeout(timer);
        timer = window.setTimeout(() => silent.abort(), longestSilence);
    };
    heard();
    try {
        const headers: Record<string, string> = { Accept: "text/event-stream" };
        if (lastId) headers["Last-Event-ID"] = lastId;
        const response = await send("events", { headers, signal: AbortSignal.any([abort, silent.signal]) });
        if (!response.ok) return response.status;
        streamState.value = "live";
        if (!lastId) ++gaps.value; // nobody sends what came before this stream
        await readStream(response, heard);
        return response.status;
    } finally {
        clearTimeout(timer);
    }
}

async function follow(abort: AbortSignal): Promise<void> {
    let wait = 500;
    while (!abort.aborted) {
        streamState.value = "connecting";
        try {
            if (isFinal(await connect(abort))) {
                streamState.value = "unavailable";
                return;
            }
        } catch {
            // No connection, or it ended: we come back.
        }
        if (abort.aborted) return;
        if (streamState.peek() === "live") wait = 500;
        streamState.value = "waiting";
        await new Promise((done) => setTimeout(done, wait + Math.random() * wait));
        wait = Math.min(wait * 2, 10000);
    }
}

// Follows whoever is signed in.
effect(() => {
    if (!credential.value || !me.value) return;
    const abort = new AbortController();
    lastId = "";
    void follow(abort.signal);
    return () => {
        abort.abort();
        streamState.value = "off";
    };
});
