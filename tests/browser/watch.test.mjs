// SPDX-License-Identifier: MIT
// A browser's own EventSource and curl follow one election through three leaders, and the browser
// takes the stream up again when the server was away.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { shareServerAndBrowser } from "./fixture.mjs";
import { ask, assertNoFaults, openPage, startServer } from "./server.mjs";

const room = "a-room-that-three-lead";
const patience = { timeout: 240_000 }; // a guard against hangs
let server;
let browser;
shareServerAndBrowser((...both) => { [server, browser] = both; });

async function lead(candidate) {
    const body = { candidate_id: candidate, ttl_seconds: 300 };
    const won = await ask(server, "POST", `/elections/${room}/campaign`, { body });
    assert.equal(won.json.status, "leader");
    return won.json.leader_token;
}

async function resign(token) {
    const body = { leader_token: token };
    assert.equal((await ask(server, "POST", `/elections/${room}/resign`, { body })).status, 200);
}

/// Collects what the election says, in the page, as `candidate` or `vacant`.
async function follow(page) {
    await page.goto(`${server.url}/`);
    await page.evaluate((path) => {
        window.seen = [];
        window.source = new EventSource(path);
        window.source.addEventListener("state", (event) => {
            const state = JSON.parse(event.data);
            window.seen.push(state.leader ? state.leader.candidate_id : "vacant");
        });
    }, `/elections/${room}/watch`);
    await page.waitForFunction(() => window.seen.length === 1, null, patience);
}

function startCurl() {
    const child = spawn("curl", ["-sN", `${server.url}/elections/${room}/watch`]);
    const curl = { child, text: "" };
    child.stdout.setEncoding("utf8").on("data", (part) => { curl.text += part; });
    return curl;
}

function statesIn(text) {
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => {
        const { leader } = JSON.parse(data);
        return leader ? leader.candidate_id : "vacant";
    });
}

async function until(holds) {
    const end = Date.now() + patience.timeout;
    while (!holds() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(holds());
}

test("EventSource and curl see three leaders, each once and in order", async () => {
    const { page, context, faults } = await openPage(browser, server);
    await follow(page);
    const curl = startCurl();
    await until(() => statesIn(curl.text).length === 1);
    for (const candidate of ["one", "two", "three"]) await resign(await lead(candidate));
    const expected = ["vacant", "one", "vacant", "two", "vacant", "three", "vacant"];
    await page.waitForFunction((count) => window.seen.length >= count, expected.length, patience);
    assert.deepEqual(await page.evaluate(() => window.seen), expected);
    await until(() => statesIn(curl.text).length >= expected.length);
    assert.deepEqual(statesIn(curl.text), expected);
    curl.child.kill();
    assertNoFaults(faults);
    await context.close();
});

test("EventSource misses nothing while the server is away", async () => {
    const { page, context } = await openPage(browser, server);
    const token = await lead("before");
    await follow(page);
    const { port, folder } = server;
    await resign(token);
    await page.waitForFunction(() => window.seen.at(-1) === "vacant", null, patience);
    await server.stop();
    server = await startServer({ folder, port });
    await resign(await lead("after"));
    const expected = ["before", "vacant", "after", "vacant"];
    await page.waitForFunction((count) => window.seen.length >= count, expected.length, patience);
    assert.deepEqual(await page.evaluate(() => window.seen), expected);
    await context.close();
});
