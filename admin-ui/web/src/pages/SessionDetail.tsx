// SPDX-License-Identifier: MIT
import { useSignal } from "@preact/signals";
import { absolute, duration } from "../model/clock";
import { mayAct } from "../model/credentials";
import { act, ApiError, apiUrl, get, query, segment } from "../model/http";
import { usePoll, useSingly } from "../model/hooks";
import { received } from "../model/list";
import { link } from "../model/route";
import type { Lock, Page, Session } from "../model/types";
import { ActionButton, type Action } from "../view/ActionDialog";
import { DetailHeading } from "../view/Heading";
import { Badge, Command, Countdown, Facts, Loading, Panel, Problem } from "../view/Parts";
import { Past } from "./detail";
import { useOne } from "./one";

function endSession(session: Session): Action {
    return {
        title: "End a session",
        verb: "End session",
        danger: true,
        consequences: [
            `The locks that live as long as it (of ${session.lock_count} in all) are released, or go to the ` +
                "first who waits.",
            <><b class="mono">{session.account}</b> learns of it at its next keepalive, which is refused.</>,
            "Locks that only name the session stay until their own time is over.",
        ],
        reason: true,
        run: async ({ reason }) => {
            await act("DELETE", `admin/sessions/${session.id}`, { reason });
            return <>The session <span class="mono">{session.id}</span> is over.</>;
        },
    };
}

/** Searched in the newest locks until all are found: the list has no filter for a session. */
function HeldLocks(props: { session: Session }) {
    const { id, lock_count: expected } = props.session;
    const locks = useSignal<Lock[] | null>(null);
    const error = useSignal<ApiError | null>(null);
    const read = useSingly(async () => {
        try {
            const mine: Lock[] = [];
            let after: string | undefined;
            let more = expected > 0;
            while (more) {
                const page: Page<Lock> = await get<Page<Lock>>("admin/locks" +
                    query({ sort: "-acquired_at", limit: 1000, after }));
                mine.push(...page.items.filter((lock) => lock.session_id === id).map(received));
                after = page.next ?? undefined;
                more = after !== undefined && mine.length < expected;
            }
            locks.value = mine;
            error.value = null;
        } catch (problem) {
            if (!(problem instanceof ApiError)) throw problem;
            error.value = problem;
        }
    });
    usePoll(read);
    return (
        <Panel title="Holds">
            {error.value && !locks.value ? <Problem error={error.value} what="Locks" />
                : !locks.value ? <Loading />
                    : locks.value.length === 0 ? <p class="faint pad">No lock.</p> : (
                        <ul class="lines rows">
                            {locks.value.map((lock) => (
                                <li key={lock.name}>
                                    <a class="mono row-link" href={link("locks", lock.name)}>{lock.name}</a>
                                    <span class="num faint">{lock.fencing_token}</span>
                                    <Countdown row={lock} />
                                    {lock.ephemeral && <span class="tag">ends with it</span>}
                                </li>
                            ))}
                        </ul>
                    )}
        </Panel>
    );
}

export function SessionDetail(props: { id: string }) {
    const { id } = props;
    const { row, error } = useOne<Session>("admin/sessions", id, "id", (item) => item.id,
        (event) => event.resource.kind === "session" && event.resource.name === id);
    const session = row.value;
    return (
        <>
            <DetailHeading page="sessions" title="Sessions" name={id}>
                {mayAct.value && session &&
                    <ActionButton danger action={() => endSession(session)}>End session</ActionButton>}
            </DetailHeading>
            {error.value && session === undefined ? <Problem error={error.value} what="The session" /> : (
                <div class="columns">
                    <Panel title="Session">
                        {session === undefined ? <Loading />
                            : session === null ? <p class="pad"><Badge tone="plain">over</Badge> There is no such
                                session now.</p>
                                : <Facts rows={[
                                    ["Account", <span class="mono">{session.account}</span>],
                                    ["Left", <Countdown row={session} />],
                                    ["Expires", absolute(session.expires_at)],
                                    ["Time to live", duration(session.ttl_ms)],
                                    ["Locks", <span class="num">{session.lock_count}</span>],
                                ]} />}
                    </Panel>
                    <div class="stack">
                        {session && <HeldLocks session={session} />}
                        <Panel title="From a shell">
                            <Command text={`curl ${apiUrl(`sessions/${segment(id)}`)} \\\n` +
                                `  -H "Authorization: Bearer $TOKEN"`} what="the command that reads this session" />
                        </Panel>
                    </div>
                    <Past kind="session" name={id} />
                </div>
            )}
        </>
    );
}
