// SPDX-License-Identifier: MIT
import { useSignal } from "@preact/signals";
import { count } from "../model/clock";
import { place, setParam } from "../model/route";
import type { JournalEvent } from "../model/types";
import { EventRows } from "../view/EventRows";
import { Filter, Heading } from "../view/Heading";
import { Empty, Loading, Problem } from "../view/Parts";
import { useRecent, type Reach } from "./recent";

/** How many are read, and shown, at a time. */
const kept = 1000;
const shownAtOnce = 200;
const kinds = ["lock", "election", "session", "acl", "webhook", "account", "config", "server", "backup"];

function fits(event: JournalEvent, text: string, acts: boolean): boolean {
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

/** How many there are, and how far back was searched. */
function Reached(props: { shown: number; found: number; all: number; reach: Reach }) {
    const { shown, found, all, reach } = props;
    return (
        <span class="num">
            {count(shown)} of {count(found)}{found < all && ` that fit, of ${count(all)}`} read; {reach.whole
                ? "nothing is older" : `searched back to ${count(reach.from + 1)}`}
        </span>
    );
}

export function Journal() {
    const params = place.value.params;
    const kind = params.get("kind") ?? "";
    const acts = params.get("acts") === "1";
    const text = (params.get("q") ?? "").toLowerCase();
    const { events, reach, error, older } =
        useRecent({ keep: kept, filter: kind ? { resource: `${kind}:*` } : {} });
    const most = useSignal(shownAtOnce);
    const all = events.value;
    const found = all?.filter((event) => fits(event, text, acts)) ?? [];
    const rows = found.slice(0, most.value);
    const more = rows.length < found.length || (reach.value !== null && !reach.value.whole);
    const goBack = () => {
        most.value = Math.max(shownAtOnce, rows.length) + shownAtOnce;
        if (found.length < most.value) older();
    };
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
                <div class="actions"><button type="button" disabled={!found.length}
                    onClick={() => save(found)}>Save NDJSON</button></div>
            </Heading>
            {error.value && !all ? <Problem error={error.value} what="The journal" /> : !all ? <Loading />
                : all.length === 0 && !kind && reach.value?.whole ? <Empty title="The journal is empty">
                    <p>Every change is written here, with who made it and why.</p></Empty> : (
                    <div class="table-frame">
                        {found.length ? <EventRows events={rows} what="Journal" />
                            : <Empty title="Nothing fits this filter"><p><button type="button"
                                onClick={() => { setParam("q", ""); setParam("kind", ""); setParam("acts", ""); }}>
                                Clear the filter</button></p></Empty>}
                        <footer class="table-foot">
                            {reach.value && <Reached shown={rows.length} found={found.length} all={all.length}
                                reach={reach.value} />}
                            {more && <button type="button" onClick={goBack}>Older</button>}
                        </footer>
                    </div>
                )}
        </>
    );
}
