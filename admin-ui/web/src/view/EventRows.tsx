// SPDX-License-Identifier: MIT
// Events as a list.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { absolute, clockTime } from "../model/clock";
import { eventTone, typeText } from "../model/journal";
import { link } from "../model/route";
import type { Holding, JournalEvent } from "../model/types";
import { Badge } from "./Parts";

const pages: Record<string, string> = {
    lock: "locks", acl: "locks", election: "elections", session: "sessions", webhook: "webhooks",
};

function ResourceLink(props: { kind: string; name: string }) {
    const page = pages[props.kind];
    if (!page) return <span class="mono">{props.name || props.kind}</span>;
    return <a class="mono" href={link(page, props.name)}>{props.name}</a>;
}

function holding(held: Holding): ComponentChildren {
    return <><span class="mono">{held.holder}</span>{held.term !== undefined &&
        <span class="num faint"> {held.term}</span>}</>;
}

function Change(props: { event: JournalEvent }) {
    const { previous, current, reason } = props.event;
    return (
        <span class="change">
            {previous && <del>{holding(previous)}</del>}
            {previous && current && <span aria-label="then"> → </span>}
            {current && <ins>{holding(current)}</ins>}
            {reason && <q>{reason}</q>}
        </span>
    );
}

function by({ actor, cause }: JournalEvent): string {
    return `${actor.name || actor.kind}${cause ? ` · ${cause}` : ""}`;
}

interface Shape {
    /** Without kinds and a visible head. */
    compact?: boolean;
    /** All are of one thing, which needs no column. */
    oneResource?: boolean;
}

function EventRow(props: Shape & { event: JournalEvent }) {
    const { event, compact, oneResource } = props;
    // A new event moves all others down: they are not drawn again.
    return useMemo(() => (
        <tr>
            <td><time class="num faint" dateTime={event.time} title={absolute(event.time)}>
                {clockTime(event.time)}</time></td>
            <td><Badge tone={eventTone(event.type)}>{typeText(event.type)}</Badge></td>
            {!compact && <td class="faint roomy">{event.resource.kind}</td>}
            {!oneResource && <td><ResourceLink {...event.resource} /></td>}
            <td><Change event={event} /><div class="faint narrow">{by(event)}</div></td>
            <td class="faint roomy" title={event.request_id ?? ""}>{by(event)}</td>
        </tr>
    ), [event, compact, oneResource]);
}

export function EventRows(props: Shape & { events: JournalEvent[]; what: string }) {
    const { events, what, ...shape } = props;
    return (
        <div class="events-box" role="group" aria-label={what} tabIndex={0}>
            <table class="events">
                <thead class={shape.compact ? "visually-hidden" : ""}>
                    <tr><th scope="col">Time</th><th scope="col">What</th>
                        {!shape.compact && <th scope="col" class="roomy">Kind</th>}
                        {!shape.oneResource && <th scope="col">Resource</th>}
                        <th scope="col">Change</th><th scope="col" class="roomy">By</th></tr>
                </thead>
                <tbody>
                    {events.map((event) => <EventRow key={event.sequence} event={event} {...shape} />)}
                </tbody>
            </table>
        </div>
    );
}
