// SPDX-License-Identifier: MIT
// How webhooks and deliveries look in a row.
import { duration } from "../model/clock";
import type { Delivery, Webhook } from "../model/types";
import { Badge, When, type Tone } from "../view/Parts";

const deliveryTones: Record<string, Tone> = {
    succeeded: "good", pending: "plain", retrying: "warn", exhausted: "bad", expired: "bad",
    cancelled: "bad",
};

export function WebhookState(props: { webhook: Webhook }) {
    const { webhook } = props;
    if (webhook.disabled_reason) return <Badge tone="bad">disabled: {webhook.disabled_reason}</Badge>;
    if (!webhook.active) return <Badge tone="plain">paused</Badge>;
    if (webhook.stats?.breaker_open) return <Badge tone="bad">breaker open</Badge>;
    if (webhook.stats?.failing_since) return <Badge tone="warn">failing</Badge>;
    return <Badge tone="good">active</Badge>;
}

export function DeliveryState(props: { delivery: Delivery }) {
    const { state, reason, status } = props.delivery;
    return (
        <Badge tone={deliveryTones[state] ?? "plain"}>
            {state}{state !== "succeeded" && reason ? ` · ${reason}` : ""}
            {status ? <span class="num"> {status}</span> : null}
        </Badge>
    );
}

export function percent(ratio: number | null | undefined): string {
    if (ratio === null || ratio === undefined) return "–";
    return `${(ratio * 100).toFixed(ratio === 0 || ratio === 1 ? 0 : 1)} %`;
}

export function backlog(webhook: Webhook): string {
    if (!webhook.stats) return "–";
    return `${webhook.stats.pending}${webhook.stats.more_in_journal ? "+" : ""}`;
}

export function NextTry(props: { webhook: Webhook }) {
    const at = props.webhook.stats?.next_retry_at;
    if (!at) return <span class="faint">–</span>;
    return Date.parse(at) > Date.now()
        ? <time dateTime={at} title={at} class="num">in {duration(Date.parse(at) - Date.now())}</time>
        : <When time={at} />;
}
