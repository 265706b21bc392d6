// SPDX-License-Identifier: MIT
import { mayAct } from "../model/credentials";
import { absolute } from "../model/clock";
import { act, apiUrl, segment } from "../model/http";
import type { Election } from "../model/types";
import { ActionButton, type Action } from "../view/ActionDialog";
import { DetailHeading } from "../view/Heading";
import { Badge, Command, Countdown, Facts, Loading, Panel, Problem, When } from "../view/Parts";
import { Past, Queue, roomQueuePath } from "./detail";
import { useOne } from "./one";

function forceResign(room: Election): Action {
    return {
        title: "Force the leader to step down",
        verb: "Force step-down",
        danger: true,
        consequences: [
            <><b class="mono">{room.candidate_id}</b> is no leader of this room from then on. It believes it
                is until its next renewal, which is refused.</>,
            room.candidates > 0 ? `The first of ${room.candidates} waiting candidates leads next.`
                : "Nobody waits: the room is vacant until somebody campaigns.",
            <>The next term is larger than {room.term}: who checks terms refuses the old leader.</>,
            <>Only term {room.term} is ended. If the leader changes before, nothing happens.</>,
        ],
        typed: room.election_id,
        reason: true,
        run: async ({ reason }) => {
            await act("POST", `admin/elections/${segment(room.election_id)}/force-resign`,
                { term: room.term, reason });
            return <>Term {room.term} of <span class="mono">{room.election_id}</span> is over.
                {" "}<a href="#/journal">Journal</a></>;
        },
    };
}

function Leader(props: { room: Election | null | undefined }) {
    const { room } = props;
    if (room === undefined) return <Loading />;
    if (room === null || room.candidate_id === null)
        return <p class="pad"><Badge tone="warn">vacant</Badge> Nobody leads this room.</p>;
    return (
        <Facts rows={[
            ["Leader", <Badge tone="good"><span class="mono">{room.candidate_id}</span></Badge>],
            ["Term", <span class="num">{room.term}</span>],
            ["Lease left", <Countdown row={room} />],
            ["Expires", room.expires_at ? absolute(room.expires_at) : "–"],
            ["Leads since", <When time={room.since} />],
            ["Metadata", room.metadata ? <span class="mono break">{room.metadata}</span> : "–"],
        ]} />
    );
}

export function ElectionDetail(props: { id: string }) {
    const { id } = props;
    const { row, error } = useOne<Election>("admin/elections", id, "election_id", (item) => item.election_id,
        (event) => event.resource.kind === "election" && event.resource.name === id);
    const room = row.value;
    return (
        <>
            <DetailHeading page="elections" title="Elections" name={id}>
                {mayAct.value && room?.candidate_id &&
                    <ActionButton danger action={() => forceResign(room)}>Force step-down</ActionButton>}
            </DetailHeading>
            {error.value && room === undefined ? <Problem error={error.value} what="The room" /> : (
                <div class="columns">
                    <Panel title="Leader"><Leader room={room} /></Panel>
                    <div class="stack">
                        <Queue path={roomQueuePath(id)} />
                        <Panel title="From a shell">
                            <Command text={`curl ${apiUrl(`elections/${segment(id)}`)}`}
                                what="the command that reads this room" />
                        </Panel>
                    </div>
                    <Past kind="election" name={id} terms />
                </div>
            )}
        </>
    );
}
