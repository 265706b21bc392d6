// SPDX-License-Identifier: MIT
import { count } from "../model/clock";
import { place, setParam } from "../model/route";
import type { JournalEvent } from "../model/types";
import { EventRows } from "../view/EventRows";
import { Filter, Heading } from "../view/Heading";
import { Empty, Loading, Problem } from "../view/Parts";
import { useRecent } from "./recent";

const kept = 1000;
const shown = 200;
const kinds = ["lock", "election", "session", "acl", "webhook", "account", "config", "server", "backup"];

function fits(event: JournalEvent, kind: string, text: string, acts: boolean): boolean {
    if (kind && event.resource.kind !== kind) return false;
    if (acts && event.actor.kind !== "admin" && !event.reason) return false;
    if (!text) return true;
    return [event.type, event.resource.name, event.actor.name, event.reason ?? "", event.request_id ?? "",
        event.previous?.holder ?? "", event.current?.holder ?? ""]
        .some((part) => part.toLowerCase().includes(text));
}

function save(events: JournalEvent[]): void {
    const lines = events.map((event) => JSON.stringify(event) + "\n");
    const url = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = "octostore-journal.ndjson";
    anchor.click();
    URL.revokeObjectURL(url);
}

export function Journal() {
    const { events, error } = useRecent({ keep: kept, back: kept });
    const params = place.value.params;
    const kind = params.get("kind") ?? "";
    const acts = params.get("acts") === "1";
    const text = (params.get("q") ?? "").toLowerCase();
    const all = events.value;
    const found = all?.filter((event) => fits(event, kind, text, acts)) ?? [];
    return (
        <>
            <Heading title="Journal">
                <Filter label="Type, name, actor, reason" />
                <label class="visually-hidden" for="kind">Kind</label>
                <select id="kind" value={kind} onChange={(event) => setParam("kind", event.currentTarget.value)}>
                    <option value="">All kinds</option>
                    {kinds.map((name) => <option key={name} value={name}>{name}</option>)}
                </select>
                <label class="check"><input type="checkbox" checked={acts}
                    onChange={(event) => setParam("acts", event.currentTarget.checked ? "1" : "")} />
                    By administrators</label>
                <button type="button" disabled={!found.length} onClick={() => save(found)}>Save NDJSON</button>
            </Heading>
            {error.value && !all ? <Problem error={error.value} what="The journal" /> : !all ? <Loading />
                : all.length === 0 ? <Empty title="The journal is empty">
                    <p>Every change is written here, with who made it and why.</p></Empty>
                    : found.length === 0 ? <Empty title="Nothing fits this filter"><p><button type="button"
                        onClick={() => { setParam("q", ""); setParam("kind", ""); setParam("acts", ""); }}>
                        Clear the filter</button></p></Empty>
                        : (
                            <div class="table-frame">
                                <EventRows events={found.slice(0, shown)} what="Journal" />
                                <footer class="table-foot"><span class="num">
                                    {count(Math.min(shown, found.length))} of the newest {count(all.length)} events
                                </span></footer>
                            </div>
                        )}
        </>
    );
}
