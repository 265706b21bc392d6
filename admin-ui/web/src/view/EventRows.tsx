// SPDX-License-Identifier: MIT
// Events as a list.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { absolute, clockTime } from "../model/clock";
import { eventTone, typeText } from "../model/journal";
import { link } from "../model/route";
import { narrow } from "../model/settings";
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
    const small = narrow.value;
    // A new event moves all others down: they are not drawn again.
    return useMemo(() => (
        <tr>
            <td><time class="num faint" dateTime={event.time} title={absolute(event.time)}>
                {clockTime(event.time)}</time></td>
            <td><Badge tone={eventTone(event.type)}>{typeText(event.type)}</Badge>
                {small && !oneResource && <div><ResourceLink {...event.resource} /></div>}</td>
            {!compact && !small && <td class="faint">{event.resource.kind}</td>}
            {!oneResource && !small && <td><ResourceLink {...event.resource} /></td>}
            <td><Change event={event} />{small && <div class="faint by">{by(event)}</div>}</td>
            {!small && <td class="faint" title={event.request_id ?? ""}>{by(event)}</td>}
        </tr>
    ), [event, compact, oneResource, small]);
}

export function EventRows(props: Shape & { events: JournalEvent[]; what: string }) {
    const { events, what, ...shape } = props;
    const small = narrow.value;
    return (
        <div class="events-box" role="group" aria-label={what} tabIndex={0}>
            <table class="events">
                <thead class={shape.compact ? "visually-hidden" : ""}>
                    <tr><th scope="col">Time</th><th scope="col">What</th>
                        {!shape.compact && !small && <th scope="col">Kind</th>}
                        {!shape.oneResource && !small && <th scope="col">Resource</th>}
                        <th scope="col">Change</th>{!small && <th scope="col">By</th>}</tr>
                </thead>
                <tbody>
                    {events.map((event) => <EventRow key={event.sequence} event={event} {...shape} />)}
                </tbody>
            </table>
        </div>
    );
}
