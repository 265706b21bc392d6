// SPDX-License-Identifier: MIT
// What happened before the page was opened.
import { get, query } from "./http";
import type { JournalEvent, Page, Server } from "./types";

interface Answer { events: JournalEvent[]; next_since: number; reset?: boolean }

const mostRequests = 24;
const page = 1000;

/** `resource`: KIND:NAME or KIND:PREFIX*. */
export interface EventFilter { resource?: string }

export function fitsFilter({ resource: { kind, name } }: JournalEvent, { resource }: EventFilter): boolean {
    if (resource === undefined) return true;
    const own = `${kind}:${name}`;
    return resource.endsWith("*") ? own.startsWith(resource.slice(0, -1)) : own === resource;
}

export interface Past {
    /** Oldest first. */
    events: JournalEvent[];
    /** The journal was searched back to behind this sequence number. */
    from: number;
    /** There is nothing older. */
    whole: boolean;
}

async function newest(): Promise<number> {
    return (await get<Page<Server>>("admin/servers")).items[0].revision;
}

/** The events behind `from` up to `upTo`; null when they are too many to read them all. */
async function readWindow(from: number, upTo: number, filter: EventFilter, ask: () => boolean) {
    const events: JournalEvent[] = [];
    let trimmed = false;
    for (let since = from; since < upTo;) {
        if (!ask()) return null;
        const answer = await get<Answer>("events" + query({ ...filter, since, limit: page }));
        if (answer.events.length === page && answer.next_since < upTo && upTo - from > 4 * page) return null;
        events.push(...answer.events.filter(({ sequence }) => sequence <= upTo));
        trimmed ||= answer.reset === true;
        // The server looks at so many for one answer, and says how far it came.
        if (answer.next_since <= since) break;
        since = answer.next_since;
    }
    return { events, trimmed };
}

/**
 * At least `wanted` events, if there are so many, that end at the sequence number `upTo`. Renewals
 * take sequence numbers as well and are no events: windows grow while they find little, and shrink
 * where they find too much.
 */
export async function readBack(wanted: number, filter: EventFilter = {}, upTo?: number): Promise<Past> {
    const found: Past = { events: [], from: upTo ?? await newest(), whole: false };
    let requests = 0;
    const mayAsk = () => ++requests <= mostRequests;
    let width = Math.min(page, 4 * wanted);
    while (found.from > 0 && found.events.length < wanted && requests < mostRequests) {
        const from = Math.max(0, found.from - width);
        const part = await readWindow(from, found.from, filter, mayAsk);
        if (part) {
            found.events = [...part.events, ...found.events];
            found.from = part.trimmed ? 0 : from;
        }
        width = part ? 2 * width : Math.floor(width / 4);
    }
    return { ...found, whole: found.from === 0 };
}

const words: Record<string, string> = {
    "lock.acquired": "acquired",
    "lock.released": "released",
    "lock.expired": "expired",
    "lock.force_released": "force-released",
    "lock.handed_over": "handed over",
    "election.leader_elected": "leader elected",
    "election.leader_resigned": "leader resigned",
    "election.leader_expired": "leader expired",
    "election.leader_removed": "leader removed",
    "election.leader_changed": "leader changed",
};

export function typeText(type: string): string {
    return words[type] ?? type.replace(".", " ").replaceAll("_", " ");
}

export function eventTone(type: string): "good" | "warn" | "bad" | "plain" {
    if (/force|removed|disabled|exhausted|gap/.test(type)) return "bad";
    if (/expired|failing|resigned/.test(type)) return "warn";
    if (/acquired|elected|handed_over|changed|created|started/.test(type)) return "good";
    return "plain";
}
