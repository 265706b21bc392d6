// SPDX-License-Identifier: MIT
// Events as a list.
import type { ComponentChildren } from "preact";
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

interface Props {
    events: JournalEvent[];
    what: string;
    /** Without kinds and a visible head. */
    compact?: boolean;
    /** All are of one thing, which needs no column. */
    oneResource?: boolean;
}

export function EventRows(props: Props) {
    return (
        <div class="events-box" role="group" aria-label={props.what} tabIndex={0}>
            <table class="events">
                <thead class={props.compact ? "visually-hidden" : ""}>
                    <tr><th scope="col">Time</th><th scope="col">What</th>
                        {!props.compact && <th scope="col" class="roomy">Kind</th>}
                        {!props.oneResource && <th scope="col">Resource</th>}
                        <th scope="col">Change</th><th scope="col" class="roomy">By</th></tr>
                </thead>
                <tbody>
                    {props.events.map((event) => (
                        <tr key={event.sequence}>
                            <td><time class="num faint" dateTime={event.time} title={absolute(event.time)}>
                                {clockTime(event.time)}</time></td>
                            <td><Badge tone={eventTone(event.type)}>{typeText(event.type)}</Badge></td>
                            {!props.compact && <td class="faint roomy">{event.resource.kind}</td>}
                            {!props.oneResource && <td><ResourceLink {...event.resource} /></td>}
                            <td><Change event={event} /></td>
                            <td class="faint roomy" title={event.request_id ?? ""}>{event.actor.name || event.actor.kind}
                                {event.cause && ` · ${event.cause}`}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}
