// SPDX-License-Identifier: MIT
import { mayAct } from "../model/credentials";
import { apiUrl, query, segment } from "../model/http";
import { useDocument } from "../model/hooks";
import { spanText } from "../model/quantity";
import { link, place, setParam } from "../model/route";
import type { Delivery, Webhook } from "../model/types";
import { ActionButton } from "../view/ActionDialog";
import { DetailHeading } from "../view/Heading";
import { Command, Facts, Loading, Panel, Problem, When } from "../view/Parts";
import { WorkButton } from "../view/WorkButton";
import * as actions from "./webhookActions";
import { backlog, DeliveryState, NextTry, percent, WebhookState } from "./webhookParts";

interface DeliveryPage { items: Delivery[]; next: string | null }
const states = [
    "pending", "delivering", "retrying", "succeeded", "exhausted", "expired", "cancelled",
];

function Actions(props: { webhook: Webhook }) {
    const { webhook } = props;
    return (
        <>
            <WorkButton verb="Ping" run={() => actions.ping(webhook)} />
            <ActionButton action={() => actions.recover(webhook)}>Recover</ActionButton>
            <ActionButton action={() => actions.editWebhook(webhook)}>Edit</ActionButton>
            <ActionButton action={() => actions.rotateSecret(webhook)}>Rotate secret</ActionButton>
            <ActionButton action={() => actions.setActive(webhook)}>{webhook.active ? "Pause" : "Resume"}</ActionButton>
            <ActionButton danger action={() => actions.removeWebhook(webhook)}>Delete</ActionButton>
        </>
    );
}

function Settings(props: { webhook: Webhook }) {
    const { webhook } = props;
    return (
        <Facts rows={[
            ["State", <WebhookState webhook={webhook} />],
            ["Owner", <span class="mono">{webhook.user_name}</span>],
            ["Events", <span class="mono break">{webhook.events.join(", ")}</span>],
            ["Locks", webhook.lock_pattern ? <span class="mono">{webhook.lock_pattern}</span> : "all it may see"],
            ["Rooms", webhook.elections.length ? <span class="mono break">{webhook.elections.join(", ")}</span> : "none"],
            ["Order", webhook.ordered ? "strict" : "as it comes"],
            ["Format", webhook.format],
            ["Dropped after", webhook.max_age_seconds ? spanText(webhook.max_age_seconds) : "the server's limit"],
            ["Signed", webhook.secret ? "yes" : "no"],
            ["Made", <When time={webhook.created_at} />],
        ]} />
    );
}

function Figures(props: { webhook: Webhook }) {
    const { webhook } = props;
    const stats = webhook.stats;
    if (!stats) return <p class="faint pad">No figures.</p>;
    return (
        <Facts rows={[
            ["Delivered in 24\u00a0h", <span class="num">{percent(stats.success_24h)} of {stats.attempts_24h}</span>],
            ["95th percentile", stats.p95_ms === null ? "–" : <span class="num">{stats.p95_ms} ms</span>],
            ["Backlog", <span class="num">{backlog(webhook)}</span>],
            ["In flight", <span class="num">{stats.in_flight}</span>],
            ["Next try", <NextTry webhook={webhook} />],
            ["Failing since", <When time={stats.failing_since} />],
        ]} />
    );
}

function Deliveries(props: { id: string }) {
    const state = place.value.params.get("state") ?? "";
    const after = place.value.params.get("after") ?? "";
    const page = useDocument<DeliveryPage>(
        `webhooks/${props.id}/deliveries` + query({ state, after, limit: 50 }));
    const answer = page.value.value;
    const choice = (
        <span class="choice">
            <label for="state" class="visually-hidden">State</label>
            <select id="state" value={state} onChange={(event) => {
                setParam("after", "");
                setParam("state", event.currentTarget.value);
            }}>
                <option value="">All states</option>
                {states.map((name) => <option key={name} value={name}>{name}</option>)}
            </select>
        </span>
    );
    return (
        <Panel title="Deliveries" class="wide" aside={choice}>
            {!answer ? page.error.value ? <Problem error={page.error.value} what="Deliveries" /> : <Loading />
                : answer.items.length === 0 ? <p class="faint pad">{state ? "None in this state." : "None yet."}</p> : (
                    <div class="scroll" role="group" aria-label="Deliveries" tabIndex={0}>
                        <table class="dense">
                            <thead><tr><th scope="col">Delivery</th><th scope="col">Event</th>
                                <th scope="col" class="roomy">Resource</th><th scope="col">State</th>
                                <th scope="col" class="right roomy">Attempts</th>
                                <th scope="col" class="roomy">Last change</th></tr></thead>
                            <tbody>{answer.items.map((delivery) => (
                                <tr key={delivery.id}>
                                    <td><a class="row-link mono" href={link("webhooks", props.id, delivery.id)}>
                                        {delivery.id}</a></td>
                                    <td class="mono">{delivery.type}</td>
                                    <td class="mono roomy">{delivery.resource}</td>
                                    <td><DeliveryState delivery={delivery} /></td>
                                    <td class="right num roomy">{delivery.attempts}</td>
                                    <td class="roomy"><When time={delivery.updated_at} /></td>
                                </tr>
                            ))}</tbody>
                        </table>
                    </div>
                )}
            {answer && (after || answer.next) && <footer class="table-foot">
                {after && <button type="button" onClick={() => setParam("after", "")}>Newest</button>}
                {answer.next && <button type="button" onClick={() => setParam("after", answer.next!)}>Older</button>}
            </footer>}
        </Panel>
    );
}

export function WebhookDetail(props: { id: string }) {
    const webhook = useDocument<Webhook>(`webhooks/${props.id}`);
    const answer = webhook.value.value;
    if (!answer)
        return webhook.error.value ? <Problem error={webhook.error.value} what="This webhook" /> : <Loading />;
    return (
        <>
            <DetailHeading page="webhooks" title="Webhooks" name={answer.url}>
                {mayAct.value && <Actions webhook={answer} />}
            </DetailHeading>
            {answer.description && <p class="faint">{answer.description}</p>}
            <div class="columns">
                <Panel title="Settings"><Settings webhook={answer} /></Panel>
                <div class="stack">
                    <Panel title="Figures"><Figures webhook={answer} /></Panel>
                    <Panel title="From a shell">
                        <Command text={`curl ${apiUrl(`webhooks/${segment(props.id)}`)} \\\n` +
                            `  -H "Authorization: Bearer $TOKEN"`} what="the command that reads this webhook" />
                    </Panel>
                </div>
                <Deliveries id={props.id} />
            </div>
        </>
    );
}
