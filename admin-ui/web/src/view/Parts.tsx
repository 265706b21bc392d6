// SPDX-License-Identifier: MIT
// The small pieces every page is made of.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { absolute, ago, count, duration, now } from "../model/clock";
import type { ApiError } from "../model/http";
import { deadlineOf } from "../model/list";
import { serverUp } from "../model/http";
import { announce } from "./Announcer";

export type Tone = "good" | "warn" | "bad" | "plain";
const marks: Record<Tone, string> = { good: "●", warn: "▲", bad: "■", plain: "○" };

/** Tone is shape as well as colour. */
export function Badge(props: { tone: Tone; children: ComponentChildren }) {
    return (
        <span class={`badge ${props.tone}`}>
            <span class="mark" aria-hidden="true">{marks[props.tone]}</span>{props.children}
        </span>
    );
}

export function When(props: { time: string | null | undefined }) {
    if (!props.time) return <span class="faint">–</span>;
    void now.value;
    return <time dateTime={props.time} title={absolute(props.time)}>{ago(props.time)}</time>;
}

/** What is left of a lease, counted down here between two answers. */
export function Countdown(props: { row: { ttl_remaining_ms?: number | null } }) {
    const deadline = deadlineOf(props.row);
    if (deadline === null) return <span class="faint">–</span>;
    const left = deadline - now.value;
    return <span class={left < 5000 ? "num warn-text" : "num"}>{duration(left)}</span>;
}

/** A count in which nothing is meant to be passed over. */
export function Tally(props: { of: number }) {
    return <span class={props.of ? "num strong" : "num faint"}>{count(props.of)}</span>;
}

export function CopyButton(props: { text: string; what: string }) {
    const done = useSignal(false);
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(props.text);
            done.value = true;
            announce(`Copied: ${props.what}`);
            setTimeout(() => { done.value = false; }, 1500);
        } catch {
            announce("The browser does not let this page copy. Select the text instead.");
        }
    };
    return (
        <button type="button" class="quiet copy" onClick={copy} aria-label={`Copy ${props.what}`}>
            {done.value ? "Copied" : "Copy"}
        </button>
    );
}

export function Command(props: { text: string; what: string }) {
    return (
        <div class="command">
            <pre tabIndex={0} aria-label={props.what}><code>{props.text}</code></pre>
            <CopyButton text={props.text} what={props.what} />
        </div>
    );
}

export function Facts(props: { rows: [string, ComponentChildren][] }) {
    return (
        <dl class="facts">
            {props.rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
        </dl>
    );
}

export function Panel(props: {
    title: string; aside?: ComponentChildren; children: ComponentChildren; class?: string;
}) {
    return (
        <section class={`panel ${props.class ?? ""}`} aria-label={props.title}>
            <header><h2>{props.title}</h2>{props.aside}</header>
            {props.children}
        </section>
    );
}

/** Nothing here: none yet, none that fits, or not for you. */
export function Empty(props: { title: string; children?: ComponentChildren }) {
    return (
        <div class="empty">
            <p class="strong">{props.title}</p>
            {props.children}
        </div>
    );
}

export function Problem(props: { error: ApiError; what: string }) {
    const { status, requestId, message } = props.error;
    if (status === 0)
        return <Empty title="The server does not answer"><p>This page goes on trying.</p></Empty>;
    if (status === 404)
        return (
            <Empty title={`${props.what}: switched off or gone`}>
                <p>The server has nothing under this address. The plugin that serves it may not be
                    in <code>plugins.enabled</code>, or it ended in the meantime.</p>
            </Empty>
        );
    if (status === 403)
        return <Empty title={`${props.what}: not permitted`}><p>{message}</p></Empty>;
    return (
        <Empty title={`${props.what} could not be read`}>
            <p>{message}{requestId && <> <span class="faint">{requestId}</span></>}</p>
        </Empty>
    );
}

export function Loading() {
    return <p class="loading" aria-hidden="true">{serverUp.value === false ? "" : "Reading…"}</p>;
}
