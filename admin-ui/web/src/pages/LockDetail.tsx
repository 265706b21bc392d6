// SPDX-License-Identifier: MIT
import { absolute } from "../model/clock";
import { mayAct } from "../model/credentials";
import { act, apiUrl, get, segment } from "../model/http";
import { useDocument } from "../model/hooks";
import { Mistake } from "../model/quantity";
import { link } from "../model/route";
import type { Lock } from "../model/types";
import { ActionButton, ask, type Action } from "../view/ActionDialog";
import { complain } from "../view/Announcer";
import { DetailHeading } from "../view/Heading";
import { Badge, Command, Countdown, Facts, Loading, Panel, Problem, When } from "../view/Parts";
import { Past, Queue, queuePath } from "./detail";
import { useOne } from "./one";

interface LockStatus { status: string; acl?: { acquire: string[] } }

function forceRelease(lock: Lock): Action {
    return {
        title: "Force the release of a lock",
        verb: "Force release",
        danger: true,
        consequences: [
            <><b class="mono">{lock.holder}</b> does not hold it from then on. It believes it does until its
                next renewal, which is refused.</>,
            lock.waiters > 0 ? `The first of ${lock.waiters} waiters gets it at once, unless it has a lock delay.`
                : "Nobody waits: the lock is free.",
            <>The next fencing token is larger than {lock.fencing_token}: who checks tokens refuses the old
                holder.</>,
            <>Only token {lock.fencing_token} is ended. If the holder changes before, nothing happens.</>,
        ],
        typed: lock.name,
        reason: true,
        run: async ({ reason }) => {
            await act("POST", `admin/locks/${segment(lock.name)}/force-release`,
                { term: lock.fencing_token, reason });
            return <><span class="mono">{lock.name}</span>, token {lock.fencing_token}, is released.
                {" "}<a href="#/journal">Journal</a></>;
        },
    };
}

function principalsOf(status: LockStatus): string[] {
    return status.acl?.acquire ?? [];
}

/** What somebody else wrote in the meantime is not written over. */
async function saveAcl(path: string, shown: string[], entries: string[], reason: string): Promise<void> {
    const now = principalsOf(await get<LockStatus>(path));
    if (JSON.stringify(now) !== JSON.stringify(shown))
        throw new Mistake("Nothing was saved: somebody has changed the list in the meantime. " +
            "Cancel, and edit it as it is now.");
    if (entries.length) await act("PUT", `${path}/acl`, { acl: { acquire: entries }, reason });
    else if (now.length) await act("DELETE", `${path}/acl`, { reason });
}

async function editAcl(name: string): Promise<void> {
    const path = `locks/${segment(name)}`;
    const principals = principalsOf(await get<LockStatus>(path));
    const hidden = principals.filter((entry) => entry.startsWith("token:")).length;
    ask({
        title: "Who may acquire this lock",
        verb: "Save",
        consequences: [
            "Only these may acquire it from now on; administrators always may. Who holds it keeps it.",
            ...hidden ? [`${hidden} token entries cannot be shown. They are dropped unless you enter the ` +
                "tokens again."] : [],
        ],
        fields: [{ name: "acquire", label: "One to a line: user:NAME or token:TOKEN", type: "area",
            hint: "Empty: no list, whoever has an account may acquire it.",
            value: principals.filter((entry) => !entry.startsWith("token:")).join("\n") }],
        reason: true,
        run: async ({ acquire, reason }) => {
            const entries = acquire.split("\n").map((line) => line.trim()).filter(Boolean);
            await saveAcl(path, principals, entries, reason);
            return `The access list of ${name} is ${entries.length ? "saved" : "removed"}.`;
        },
    });
}

function Holder(props: { lock: Lock | null | undefined }) {
    const { lock } = props;
    if (lock === undefined) return <Loading />;
    if (lock === null)
        return <p class="pad"><Badge tone="plain">free</Badge> Nobody holds it.</p>;
    return (
        <Facts rows={[
            ["Holder", <Badge tone="good"><span class="mono">{lock.holder}</span></Badge>],
            ["Session", lock.session_id
                ? <a class="mono" href={link("sessions", lock.session_id)}>{lock.session_id}</a> : "none"],
            ["Fencing token", <span class="num">{lock.fencing_token}</span>],
            ["Lease left", <Countdown row={lock} />],
            ["Expires", absolute(lock.expires_at)],
            ["Held since", <When time={lock.acquired_at} />],
            ["Ends with its session", lock.ephemeral ? "yes" : "no"],
            ["Metadata", lock.metadata ? <span class="mono break">{lock.metadata}</span> : "–"],
        ]} />
    );
}

function AccessList(props: { name: string }) {
    const status = useDocument<LockStatus>(`locks/${segment(props.name)}`);
    const principals = status.value.value && principalsOf(status.value.value);
    const edit = mayAct.value &&
        <button type="button" onClick={() => void editAcl(props.name).catch(complain)}>Edit</button>;
    return (
        <Panel title="Access list" aside={edit}>
            {!principals ? <Loading /> : principals.length === 0
                ? <p class="faint pad">None: whoever has an account may acquire it.</p>
                : <ul class="lines">{principals.map((entry, at) => <li key={at} class="mono">{entry}</li>)}</ul>}
        </Panel>
    );
}

export function LockDetail(props: { name: string }) {
    const { name } = props;
    const { row, error } = useOne<Lock>("admin/locks", name, "name", (item) => item.name,
        (event) => event.resource.kind === "lock" && event.resource.name === name);
    const lock = row.value;
    return (
        <>
            <DetailHeading page="locks" title="Locks" name={name}>
                {mayAct.value && lock &&
                    <ActionButton danger action={() => forceRelease(lock)}>Force release</ActionButton>}
            </DetailHeading>
            {error.value && lock === undefined ? <Problem error={error.value} what="The lock" /> : (
                <div class="columns">
                    <Panel title="Holder"><Holder lock={lock} /></Panel>
                    <div class="stack">
                        <Queue path={queuePath(name)} />
                        <AccessList name={name} />
                        <Panel title="From a shell">
                            <Command text={`curl ${apiUrl(`locks/${segment(name)}`)} \\\n` +
                                `  -H "Authorization: Bearer $TOKEN"`} what="the command that reads this lock" />
                        </Panel>
                    </div>
                    <Past kind="lock" name={name} terms />
                </div>
            )}
        </>
    );
}
