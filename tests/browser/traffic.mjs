// SPDX-License-Identifier: MIT
// Clients that come and go, so that there is something to see.
import { campaign, resign } from "./console.mjs";
import { ask, tokens } from "./server.mjs";

const services = ["orders", "billing", "search", "mail"];

function sleep(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
}

/// One client: takes a lock for a while, over and over. In waves, so that plots have a shape.
async function work(server, state, number) {
    const name = `${services[number % services.length]}/shard-${number % 6}`;
    const token = number % 2 ? tokens.alice : tokens.bob;
    while (!state.ended) {
        const wave = 1 + Math.sin(Date.now() / 25_000 + number / 4);
        const got = await ask(server, "POST", `/locks/${name}/acquire`,
            { token, body: { ttl_seconds: 30, wait_seconds: 5, metadata: `worker ${number}` } });
        await sleep(60 + 250 * wave * Math.random());
        if (got.json.lease_id)
            await ask(server, "POST", `/locks/${name}/release`,
                { token, body: { lease_id: got.json.lease_id } });
        await sleep(100 + 400 * wave * Math.random());
    }
}

/// Hands a room on from candidate to candidate, every few seconds.
async function takeTurns(server, state) {
    for (let turn = 1; !state.ended; turn += 1) {
        const { leader_token: token } =
            await campaign(server, "search-indexer", `indexer-${turn % 3}`);
        await sleep(1000 + 4000 * Math.random());
        await resign(server, "search-indexer", token);
    }
}

/// Starts `clients` of them, and a room that changes hands. The answer ends them.
export function startTraffic(server, clients = 10) {
    const state = { ended: false };
    const locks = Array.from({ length: clients }, (_, number) => work(server, state, number));
    const working = [...locks, takeTurns(server, state)].map((one) => one.catch((problem) => {
        if (!state.ended) throw problem;
    }));
    return async () => {
        state.ended = true;
        await Promise.all(working);
    };
}
