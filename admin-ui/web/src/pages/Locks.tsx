// SPDX-License-Identifier: MIT
import { apiUrl } from "../model/http";
import { useEvents } from "../model/hooks";
import { link, place, setParam } from "../model/route";
import type { Lock } from "../model/types";
import { Filter, Heading } from "../view/Heading";
import { Command, Countdown, Empty, Tally, When } from "../view/Parts";
import { Table, type Column } from "../view/Table";
import { LockTree } from "./LockTree";
import { useList } from "./useList";

const columns: Column<Lock>[] = [
    { title: "Name", sort: "name", class: "name", cell: (row) => <span class="mono">{row.name}</span> },
    { title: "Holder", sort: "holder", class: "name", cell: (row) => <span class="mono">{row.holder}</span> },
    { title: "Token", sort: "fencing_token", class: "right roomy", cell: (row) => <span class="num">{row.fencing_token}</span> },
    { title: "Left", sort: "expires_at", class: "right", cell: (row) => <Countdown row={row} /> },
    { title: "Waiters", sort: "waiters", class: "right roomy", cell: (row) => <Tally of={row.waiters} /> },
    { title: "Held since", sort: "acquired_at", class: "roomy", cell: (row) => <When time={row.acquired_at} /> },
    { title: "Notes", class: "roomy", cell: (row) => <>
        {row.ephemeral && <span class="tag">session</span>}{row.acl && <span class="tag">access list</span>}</> },
];

function LockTable() {
    const { list, touch } = useList<Lock>("admin/locks", (row) => row.name, "name");
    useEvents((batch) => { if (batch.some((event) => event.resource.kind === "lock")) touch(); });
    const curl = `curl -X POST ${apiUrl("locks/my-job/acquire")} \\\n` +
        `  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{}'`;
    return (
        <Table list={list} columns={columns} what="Locks" defaultSort="name"
            link={(row) => link("locks", row.name)}
            empty={<Empty title="No lock is held">
                <p>A lock appears here while somebody holds it.</p>
                <Command text={curl} what="the command that acquires a lock" /></Empty>} />
    );
}

export function Locks() {
    const tree = place.value.params.get("view") === "tree";
    return (
        <>
            <Heading title="Locks">
                {!tree && <Filter label="A part of the name" />}
                <div class="choice" role="group" aria-label="View">
                    <button type="button" aria-pressed={!tree} onClick={() => setParam("view", "")}>List</button>
                    <button type="button" aria-pressed={tree} onClick={() => setParam("view", "tree")}>Tree</button>
                </div>
            </Heading>
            {tree ? <LockTree /> : <LockTable />}
        </>
    );
}
