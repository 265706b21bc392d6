// SPDX-License-Identifier: MIT
import { useSignal } from "@preact/signals";
import { absolute } from "../model/clock";
import { mayAct } from "../model/credentials";
import { segment } from "../model/http";
import { useDocument } from "../model/hooks";
import { link } from "../model/route";
import type { Attempt, Delivery, Webhook } from "../model/types";
import { Badge, Command, CopyButton, Facts, Loading, Panel, Problem } from "../view/Parts";
import { WorkButton } from "../view/WorkButton";
import { redeliver } from "./webhookActions";
import { DeliveryState } from "./webhookParts";

function pretty(text: string): string {
    try {
        return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
        return text;
    }
}

function Text(props: { text: string; label: string }) {
    const raw = useSignal(false);
    if (!props.text) return <p class="faint">empty</p>;
    return (
        <>
            <div class="text-head">
                <button type="button" class="quiet" aria-pressed={raw.value}
                    onClick={() => { raw.value = !raw.value; }}>Raw</button>
                <CopyButton text={props.text} what={props.label} />
            </div>
            <pre class="text" tabIndex={0} aria-label={props.label}>{raw.value ? props.text : pretty(props.text)}</pre>
        </>
    );
}

function AttemptRow(props: { attempt: Attempt }) {
    const { attempt } = props;
    const good = attempt.status >= 200 && attempt.status < 300;
    const headers = Object.entries(attempt.request_headers ?? {})
        .map(([name, value]) => `${name}: ${value}`).join("\n");
    return (
        <details class="attempt">
            <summary>
                <span class="num faint">{attempt.number}</span>
                <Badge tone={good ? "good" : "bad"}>{attempt.status || attempt.reason}</Badge>
                <span class="num">{attempt.took_ms} ms</span>
                <span class="faint">{absolute(attempt.at)}</span>
                {attempt.detail && <span class="faint">{attempt.detail}</span>}
            </summary>
            <h3>Request headers</h3>
            <Text text={headers} label={`the request headers of attempt ${attempt.number}`} />
            <h3>Response</h3>
            <Text text={attempt.response} label={`the response to attempt ${attempt.number}`} />
        </details>
    );
}

function curlOf(delivery: Delivery, url: string): string {
    const headers = delivery.attempt_log?.at(-1)?.request_headers ?? {};
    const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    return [`curl -X POST ${quote(url)}`,
        ...Object.entries(headers).filter(([name]) => !/^(host|content-length|connection)$/i.test(name))
            .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
        `--data-raw ${quote(delivery.body ?? "")}`].join(" \\\n  ");
}

export function DeliveryDetail(props: { webhook: string; delivery: string }) {
    const path = `webhooks/${props.webhook}`;
    const answer = useDocument<Delivery>(`${path}/deliveries/${segment(props.delivery)}`);
    const webhook = useDocument<Webhook>(path);
    const delivery = answer.value.value;
    const attempts = delivery?.attempt_log ?? []; // a redelivery numbers them anew
    const url = webhook.value.value?.url ?? "";
    if (!delivery)
        return answer.error.value ? <Problem error={answer.error.value} what="This delivery" /> : <Loading />;
    return (
        <>
            <div class="heading detail">
                <div>
                    <p class="crumb"><a href={link("webhooks")}>Webhooks</a> / <a class="mono"
                        href={link("webhooks", props.webhook)}>{url || props.webhook}</a></p>
                    <h1 class="mono">{delivery.id}<CopyButton text={delivery.id} what="the delivery's name" /></h1>
                </div>
                <div class="actions">{mayAct.value &&
                    <WorkButton primary verb="Redeliver"
                        run={() => redeliver(props.webhook, delivery.id)} />}</div>
            </div>
            <div class="columns">
                <div class="stack">
                    <Panel title="Delivery">
                        <Facts rows={[
                            ["State", <DeliveryState delivery={delivery} />],
                            ["Event", <span class="mono">{delivery.type}</span>],
                            ["Resource", <span class="mono">{delivery.resource}</span>],
                            ["Sequence", <span class="num">{delivery.sequence}</span>],
                            ["Happened", absolute(delivery.event_time)],
                            ["Next attempt", delivery.next_attempt_at ? absolute(delivery.next_attempt_at) : "none"],
                        ]} />
                    </Panel>
                    <Panel title={`Attempts (${attempts.length})`}>
                        {attempts.map((attempt, at) => <AttemptRow key={at} attempt={attempt} />)}
                        {!attempts.length && <p class="faint pad">None yet.</p>}
                    </Panel>
                </div>
                <Panel title="Body">{delivery.body == null ? <p class="faint pad">Not kept any more.</p>
                    : <Text text={delivery.body} label="the body" />}</Panel>
                {delivery.body != null && attempts.length > 0 && (
                    <Panel title="From a shell" class="wide">
                        <Command text={curlOf(delivery, url)} what="the command that sends this again" />
                    </Panel>
                )}
            </div>
        </>
    );
}
