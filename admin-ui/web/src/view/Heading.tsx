// SPDX-License-Identifier: MIT
// The top of a page, and its filter.
import type { ComponentChildren } from "preact";
import { link, place, setParam } from "../model/route";
import { CopyButton } from "./Parts";

export function Heading(props: { title: string; children?: ComponentChildren }) {
    return <div class="heading"><h1>{props.title}</h1>{props.children}</div>;
}

/** Of one thing: where it belongs, its name to copy, what can be done with it. */
export function DetailHeading(props: {
    page: string; title: string; name: string; children?: ComponentChildren;
}) {
    return (
        <div class="heading detail">
            <div>
                <p class="crumb"><a href={link(props.page)}>{props.title}</a></p>
                <h1 class="mono">{props.name}<CopyButton text={props.name} what={`the name ${props.name}`} /></h1>
            </div>
            <div class="actions">{props.children}</div>
        </div>
    );
}

export function Filter(props: { label: string }) {
    return (
        <>
            <label class="visually-hidden" for="filter">{props.label}</label>
            <input id="filter" type="search" placeholder={props.label} autocomplete="off"
                spellcheck={false} value={place.value.params.get("q") ?? ""}
                onInput={(event) => setParam("q", event.currentTarget.value)} />
        </>
    );
}
