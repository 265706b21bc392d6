// SPDX-License-Identifier: MIT
import { useSignal } from "@preact/signals";
import { mayAct } from "../model/credentials";
import { ApiError, apiUrl, get } from "../model/http";
import { useEvents, usePoll, useThrottled } from "../model/hooks";
import { link } from "../model/route";
import type { Webhook } from "../model/types";
import { ActionButton } from "../view/ActionDialog";
import { Heading } from "../view/Heading";
import { Command, Empty, Loading, Problem } from "../view/Parts";
import { createWebhook } from "./webhookActions";
import { backlog, NextTry, percent, WebhookState } from "./webhookParts";

/** The list tells no figures; those of so many are asked for one by one. */
const mostFigures = 50;

async function readAll(): Promise<Webhook[]> {
    const all = await get<Webhook[]>("webhooks?all=true");
    const first = await Promise.all(all.slice(0, mostFigures).map((webhook) => webhook.stats
        ? webhook : get<Webhook>(`webhooks/${webhook.id}`).catch(() => webhook)));
    return [...first, ...all.slice(mostFigures)];
}

function Rows(props: { webhooks: Webhook[] }) {
    return (
        <div class="panel"><div class="scroll" role="group" aria-label="Webhooks" tabIndex={0}>
            <table class="dense" aria-label="Webhooks">
                <thead><tr><th scope="col">Endpoint</th><th scope="col">State</th>
                    <th scope="col" class="right roomy">24 h</th><th scope="col" class="right roomy">p95</th>
                    <th scope="col" class="right">Backlog</th><th scope="col" class="right roomy">Next try</th>
                    <th scope="col" class="roomy">Owner</th><th scope="col" class="roomy">Events</th></tr></thead>
                <tbody>{props.webhooks.map((webhook) => (
                    <tr key={webhook.id}>
                        <td class="name"><a class="row-link mono" href={link("webhooks", webhook.id)}>{webhook.url}</a>
                            {webhook.description && <div class="faint">{webhook.description}</div>}</td>
                        <td><WebhookState webhook={webhook} /></td>
                        <td class="right num roomy">{percent(webhook.stats?.success_24h)}</td>
                        <td class="right num roomy">{webhook.stats?.p95_ms != null ? `${webhook.stats.p95_ms} ms` : "–"}</td>
                        <td class="right num">{backlog(webhook)}</td>
                        <td class="right roomy"><NextTry webhook={webhook} /></td>
                        <td class="mono roomy">{webhook.user_name}</td>
                        <td class="faint mono roomy">{webhook.events.join(", ")}</td>
                    </tr>
                ))}</tbody>
            </table>
        </div></div>
    );
}

export function Webhooks() {
    const webhooks = useSignal<Webhook[] | null>(null);
    const error = useSignal<ApiError | null>(null);
    const read = () => {
        readAll().then((all) => {
            webhooks.value = all;
            error.value = null;
        }, (problem: unknown) => { if (problem instanceof ApiError) error.value = problem; });
    };
    usePoll(read);
    const soon = useThrottled(read, () => 1000);
    useEvents((batch) => { if (batch.some((event) => event.resource.kind === "webhook")) soon(); });
    const all = webhooks.value;
    const curl = `curl -X POST ${apiUrl("webhooks")} -H "Authorization: Bearer $TOKEN" \\\n` +
        `  -H 'Content-Type: application/json' \\\n` +
        `  -d '{"url":"https://example.org/hook","events":["election.*"]}'`;
    return (
        <>
            <Heading title="Webhooks">
                {mayAct.value && <div class="actions">
                    <ActionButton action={() => createWebhook}>New webhook</ActionButton></div>}
            </Heading>
            {error.value && !all ? <Problem error={error.value} what="Webhooks" /> : !all ? <Loading />
                : all.length === 0 && !mayAct.value ? <Empty title="No webhook of yours">
                    <p>Those of other accounts are shown to administrators.</p></Empty>
                : all.length === 0 ? <Empty title="No webhook yet">
                    <p>A webhook is told of every change, signed, at least once.</p>
                    <Command text={curl} what="the command that makes a webhook" /></Empty>
                    : <Rows webhooks={all} />}
        </>
    );
}
