// SPDX-License-Identifier: MIT
import { apiUrl } from "../model/http";
import { useEvents } from "../model/hooks";
import { duration } from "../model/clock";
import { link } from "../model/route";
import type { Session } from "../model/types";
import { Filter, Heading } from "../view/Heading";
import { Command, Countdown, Empty, Tally } from "../view/Parts";
import { Table, type Column } from "../view/Table";
import { useList } from "./useList";

const columns: Column<Session>[] = [
    { title: "Session", sort: "id", class: "name", cell: (row) => <span class="mono">{row.id}</span> },
    { title: "Account", sort: "account", class: "name", cell: (row) => <span class="mono">{row.account}</span> },
    { title: "Locks", sort: "lock_count", class: "right roomy", cell: (row) => <Tally of={row.lock_count} /> },
    { title: "Left", sort: "expires_at", class: "right", cell: (row) => <Countdown row={row} /> },
    { title: "Time to live", class: "right roomy", cell: (row) => <span class="num">{duration(row.ttl_ms)}</span> },
];

export function Sessions() {
    const { list, touch } = useList<Session>("admin/sessions", (row) => row.id, "id");
    useEvents((batch) => {
        if (batch.some((event) => event.resource.kind === "session" || event.resource.kind === "lock")) touch();
    });
    const curl = `curl -X POST ${apiUrl("sessions")} \\\n` +
        `  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{}'`;
    return (
        <>
            <Heading title="Sessions"><Filter label="Session or account" /></Heading>
            <Table list={list} columns={columns} what="Sessions" defaultSort="id"
                link={(row) => link("sessions", row.id)}
                empty={<Empty title="No session is open">
                    <p>A session is for locks that go when their process goes.</p>
                    <Command text={curl} what="the command that opens a session" /></Empty>} />
        </>
    );
}
