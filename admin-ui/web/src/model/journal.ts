// SPDX-License-Identifier: MIT
// What happened before the page was opened.
import { get, query } from "./http";
import type { JournalEvent, Page, Server } from "./types";

interface Answer { events: JournalEvent[]; next_since: number; reset?: boolean }

const mostRequests = 40;

/** `resource`: KIND:NAME. */
export interface EventFilter { resource?: string }

/** The newest events, newest last: walks from `back` sequence numbers ago. */
export async function latest(back: number, filter: EventFilter = {}): Promise<JournalEvent[]> {
    const { revision } = (await get<Page<Server>>("admin/servers")).items[0];
    let since = Math.max(0, revision - back);
    const all: JournalEvent[] = [];
    for (let requests = 0; requests < mostRequests; ++requests) {
        const answer = await get<Answer>("events" + query({ ...filter, since, limit: 1000 }));
        all.push(...answer.events);
        if (answer.next_since <= since || answer.next_since >= revision) break;
        since = answer.next_since;
    }
    return all;
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
