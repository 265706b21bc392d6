// SPDX-License-Identifier: MIT
import { apiUrl } from "../model/http";
import { useEvents } from "../model/hooks";
import { received } from "../model/list";
import { link } from "../model/route";
import type { Election, JournalEvent } from "../model/types";
import { Filter, Heading } from "../view/Heading";
import { Badge, Command, Countdown, Empty, Tally, When } from "../view/Parts";
import { Table, type Column } from "../view/Table";
import { useList } from "./useList";

const columns: Column<Election>[] = [
    { title: "Room", sort: "election_id", class: "name", cell: (row) => <span class="mono">{row.election_id}</span> },
    { title: "Leader", sort: "candidate_id", class: "name", cell: (row) => row.candidate_id === null
        ? <Badge tone="warn">vacant</Badge> : <Badge tone="good"><span class="mono">{row.candidate_id}</span></Badge> },
    { title: "Term", sort: "term", class: "right roomy", cell: (row) => <span class="num">{row.term ?? "–"}</span> },
    { title: "Left", sort: "expires_at", class: "right", cell: (row) => <Countdown row={row} /> },
    { title: "Candidates", sort: "candidates", class: "right roomy", cell: (row) => <Tally of={row.candidates} /> },
    { title: "Since", sort: "since", class: "roomy", cell: (row) => <When time={row.since} /> },
];

/** What the row is like after the event, before the server is asked. */
function after(row: Election, event: JournalEvent): Election {
    const { current } = event;
    const ends = current?.expires_at ?? null;
    return received({
        ...row,
        candidate_id: current?.holder ?? null,
        term: current?.term ?? null,
        since: current ? event.time : null,
        expires_at: ends,
        ttl_remaining_ms: ends ? Date.parse(ends) - Date.parse(event.time) : null,
    });
}

export function Elections() {
    const { list, touch } = useList<Election>("admin/elections", (row) => row.election_id, "election_id");
    useEvents((batch) => {
        const changed = new Map(batch.filter((event) => event.resource.kind === "election")
            .map((event) => [event.resource.name, event]));
        if (!changed.size) return;
        if (list.items.peek().some((row) => changed.has(row.election_id)))
            list.patch((row) => {
                const event = changed.get(row.election_id);
                return event ? after(row, event) : row;
            });
        touch();
    });
    const curl = `curl -X POST ${apiUrl("elections/my-service-leader/campaign")} \\\n` +
        `  -H 'Content-Type: application/json' -d '{"candidate_id":"node-1"}'`;
    return (
        <>
            <Heading title="Elections"><Filter label="Room or candidate" /></Heading>
            <Table list={list} columns={columns} what="Elections" defaultSort="election_id"
                link={(row) => link("elections", row.election_id)}
                empty={<Empty title="No election yet">
                    <p>A room begins with the first campaign in it; it needs no account.</p>
                    <Command text={curl} what="the command that starts an election" /></Empty>} />
        </>
    );
}
