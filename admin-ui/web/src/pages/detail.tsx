// SPDX-License-Identifier: MIT
// What the details of locks and rooms share: the queue and the past.
import { count } from "../model/clock";
import { query } from "../model/http";
import { useDocument } from "../model/hooks";
import type { Page, Waiter } from "../model/types";
import { EventRows } from "../view/EventRows";
import { Badge, Loading, Panel, Problem, When } from "../view/Parts";
import { Timeline } from "../view/Timeline";
import { useRecent } from "./recent";

const kept = 500;
const shown = 100;

export function Queue(props: { path: string }) {
    const queue = useDocument<Page<Waiter>>(props.path);
    const waiters = queue.value.value?.items;
    return (
        <Panel title="Queue" aside={waiters && <span class="num faint">{count(queue.value.value!.total)}</span>}>
            {queue.error.value && !waiters ? <Problem error={queue.error.value} what="The queue" />
                : !waiters ? <Loading />
                    : waiters.length === 0 ? <p class="faint pad">Nobody waits.</p> : (
                        <ol class="queue">
                            {waiters.map((waiter) => (
                                <li key={`${waiter.position} ${waiter.label}`}>
                                    <span class="num faint">{waiter.position + 1}</span>
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

/** What happened to one thing; `terms`: also who held it when. */
export function Past(props: { kind: string; name: string; terms?: boolean }) {
    const { events, reach, error, older } =
        useRecent({ keep: kept, filter: { resource: `${props.kind}:${props.name}` } });
    const all = events.value;
    return (
        <Panel title="History" class="wide">
            {error.value && !all ? <Problem error={error.value} what="The history" />
                : !all ? <Loading /> : (
                    <>
                        {props.terms && <Timeline events={[...all].reverse()} />}
                        {all.length === 0 ? <p class="faint pad">Nothing in the journal
                            {!reach.value?.whole && `, searched back to ${count((reach.value?.from ?? 0) + 1)}`}.</p>
                            : <EventRows events={all.slice(0, shown)} compact oneResource what="History" />}
                        {all.length < shown && reach.value && !reach.value.whole &&
                            <footer class="table-foot"><button type="button" onClick={older}>
                                Search further back</button></footer>}
                    </>
                )}
        </Panel>
    );
}

export const queuePath = (name: string) => "admin/queues" + query({ name, limit: shown });
export const roomQueuePath = (election: string) => "admin/queues" + query({ election, limit: shown });
