// SPDX-License-Identifier: MIT
// What the details of locks and rooms share: the queue and the past.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiError, get, query } from "../model/http";
import { useDocument, useEvents } from "../model/hooks";
import { latest } from "../model/journal";
import type { JournalEvent, Page, Server, Waiter } from "../model/types";
import { EventRows } from "../view/EventRows";
import { Badge, Loading, Panel, Problem, When } from "../view/Parts";
import { Timeline } from "../view/Timeline";

/** How far back the past is searched, in events of all names. */
const searched = 20000;
const kept = 500;

export function Queue(props: { path: string }) {
    const queue = useDocument<Page<Waiter>>(props.path);
    const waiters = queue.value.value?.items;
    return (
        <Panel title="Queue" aside={waiters && <span class="num faint">{waiters.length}</span>}>
            {queue.error.value && !waiters ? <Problem error={queue.error.value} what="The queue" />
                : !waiters ? <Loading />
                    : waiters.length === 0 ? <p class="faint pad">Nobody waits.</p> : (
                        <ol class="queue">
                            {waiters.slice(0, 200).map((waiter) => (
                                <li key={`${waiter.position} ${waiter.label}`}>
                                    <span class="num faint">{waiter.position}</span>
                                    <span class="mono">{waiter.label}</span>
                                    <span class="faint">{waiter.kind}</span>
                                    {waiter.present ? <Badge tone="good">here</Badge>
                                        : <Badge tone="warn">place kept</Badge>}
                                    <When time={waiter.since} />
                                </li>
                            ))}
                        </ol>
                    )}
        </Panel>
    );
}

/** The events of one thing, newest last, live. */
export function usePast(kind: string, name: string) {
    const events = useSignal<JournalEvent[] | null>(null);
    const error = useSignal<ApiError | null>(null);
    useEffect(() => {
        let gone = false;
        const read = async () => {
            const server = (await get<Page<Server>>("admin/servers")).items[0];
            const found = await latest(server.revision, searched, { resource: `${kind}:${name}` });
            const known = events.peek() ?? [];
            const newest = found.at(-1)?.sequence ?? 0;
            if (!gone)
                events.value = [...found, ...known.filter((event) => event.sequence > newest)].slice(-kept);
        };
        read().catch((problem: unknown) => {
            if (problem instanceof ApiError && !gone) error.value = problem;
        });
        return () => { gone = true; };
    }, [kind, name]);
    useEvents((batch) => {
        const mine = batch.filter(({ resource }) => resource.kind === kind && resource.name === name);
        const newest = events.peek()?.at(-1)?.sequence ?? 0;
        const fresh = mine.filter((event) => event.sequence > newest);
        if (fresh.length) events.value = [...events.peek() ?? [], ...fresh].slice(-kept);
    });
    return { events, error };
}

export function Past(props: { past: ReturnType<typeof usePast>; terms: boolean }) {
    const events = props.past.events.value;
    const error = props.past.error.value;
    return (
        <Panel title="History" class="wide">
            {error && !events ? <Problem error={error} what="The history" /> : !events ? <Loading /> : (
                <>
                    {props.terms && <Timeline events={events} />}
                    {events.length === 0 ? <p class="faint pad">Nothing in the recent journal.</p>
                        : <EventRows events={events.slice(-100).reverse()} compact what="History" />}
                </>
            )}
        </Panel>
    );
}

export const queuePath = (name: string) => "admin/queues" + query({ name });
export const roomQueuePath = (election: string) => "admin/queues" + query({ election });
