// SPDX-License-Identifier: MIT
import { useSignal } from "@preact/signals";
import { bytes, count, duration } from "../model/clock";
import { query, send } from "../model/http";
import { useDocument, usePoll } from "../model/hooks";
import { link } from "../model/route";
import type { Page, Series, Server } from "../model/types";
import { EventRows } from "../view/EventRows";
import { Heading } from "../view/Heading";
import { Badge, Empty, Loading, Panel, Problem } from "../view/Parts";
import { Plot } from "../view/Plot";
import { useRecent } from "./recent";

const shownEvents = 20;
const ranges = { "10m": "10 min", "1h": "1 h", "8h": "8 h", "24h": "24 h" };

function Figure(props: { name: string; value: string; to?: string; note?: string }) {
    const inner = (
        <>
            <span class="figure-name">{props.name}</span>
            <span class="figure-value num">{props.value}</span>
            <span class="faint">{props.note ?? ""}</span>
        </>
    );
    return props.to ? <a class="figure" href={props.to}>{inner}</a> : <div class="figure">{inner}</div>;
}

function Figures(props: { server: Server }) {
    const { server } = props;
    return (
        <div class="figures">
            <Figure name="Elections" value={count(server.elections)} to={link("elections")} note="rooms led" />
            <Figure name="Locks" value={count(server.locks)} to={link("locks")} note="held" />
            <Figure name="Sessions" value={count(server.sessions)} to={link("sessions")} note="open" />
            <Figure name="Waiters" value={count(server.waiters)} note="in queues" />
            <Figure name="Journal" value={count(server.revision)} to={link("journal")} note="last sequence" />
            <Figure name="Store" value={bytes(server.database_bytes)} note={server.backend} />
            <Figure name="Up" value={duration(server.uptime_seconds * 1000)} note={server.version} />
        </div>
    );
}

function Warnings(props: { server: Server }) {
    const { grants_at: grantsAt } = props.server;
    if (!grantsAt || Date.parse(grantsAt) < Date.now()) return null;
    return (
        <p class="banner"><Badge tone="warn">Restored</Badge> Nothing is granted before {grantsAt}: leases
            of the time before the restore may still be held.</p>
    );
}

function Plots() {
    const range = useSignal("10m");
    const series = useDocument<Series>("admin/metrics/timeseries" + query({ range: range.value }));
    const answer = series.value.value;
    const choice = (
        <div class="choice" role="group" aria-label="Time shown">
            {Object.entries(ranges).map(([value, name]) => (
                <button key={value} type="button" aria-pressed={range.value === value}
                    onClick={() => { range.value = value; }}>{name}</button>
            ))}
        </div>
    );
    if (!answer)
        return (
            <Panel title="Figures" aside={choice}>
                {series.error.value ? <Problem error={series.error.value} what="Figures" /> : <Loading />}
            </Panel>
        );
    const times = answer.timestamps;
    const line = (name: string, key: string) => ({ name, values: answer.series[key] ?? [] });
    const ratio = { name: "delivered", values: (answer.series.webhook_success_ratio ?? [])
        .map((value) => value === null ? null : value * 100) };
    return (
        <Panel title="Figures" aside={choice}>
            <div class="plots">
                <Plot title="Requests" unit="/s" digits={1} times={times}
                    lines={[line("requests", "requests_per_second")]} />
                <Plot title="Latency, 99th percentile" unit="ms" digits={1} times={times}
                    lines={[line("requests", "request_p99_ms"), { ...line("commits", "commit_p99_ms"), dashed: true }]} />
                <Plot title="Leases" unit="" times={times}
                    lines={[line("held", "held_locks"), { ...line("waiting", "waiters"), dashed: true }]} />
                <Plot title="Changes of leader" unit="" times={times}
                    lines={[line("changes", "leader_changes")]} />
                <Plot title="Webhooks, delivered" unit="%" most={100} times={times} lines={[ratio]} />
                <Plot title="Webhooks, backlog" unit="" times={times} lines={[line("backlog", "webhook_backlog")]} />
            </div>
        </Panel>
    );
}

function LatestEvents() {
    const { events, error } = useRecent({ keep: shownEvents });
    return (
        <Panel title="Latest" aside={<a href={link("journal")}>Journal</a>}>
            {error.value && !events.value ? <Problem error={error.value} what="The journal" />
                : !events.value ? <Loading />
                    : events.value.length === 0
                        ? <Empty title="Nothing has happened yet"><p>Every change of a lock, room or session
                            appears here as it happens.</p></Empty>
                        : <EventRows events={events.value} compact what="Latest events" />}
        </Panel>
    );
}

function Checks() {
    const lines = useSignal<string[]>([]);
    usePoll(() => {
        send("readyz?verbose").then((response) => response.text())
            .then((text) => { lines.value = text.split("\n").filter((line) => /^\[[+-]\]/.test(line)); },
                () => { lines.value = ["[-]server does not answer"]; });
    });
    return (
        <div class="checks">
            {lines.value.map((line) => (
                <Badge key={line} tone={line.startsWith("[+]") ? "good" : "bad"}>
                    {line.slice(3).replace(/ ok$/, "")}</Badge>
            ))}
        </div>
    );
}

export function Overview() {
    const servers = useDocument<Page<Server>>("admin/servers");
    const server = servers.value.value?.items[0];
    return (
        <>
            <Heading title="Overview">
                {server && <span class="faint mono">{server.id}</span>}
                <Checks />
            </Heading>
            {server ? <><Warnings server={server} /><Figures server={server} /></>
                : servers.error.value ? <Problem error={servers.error.value} what="The server" /> : <Loading />}
            <Plots />
            <LatestEvents />
        </>
    );
}
