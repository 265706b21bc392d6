// SPDX-License-Identifier: MIT
// The past and the present of the journal: it is found behind renewals, read further back, and
// nothing is lost where reading and the stream meet.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shareServerAndBrowser } from "./fixture.mjs";
import { ask, assertNoFaults } from "./server.mjs";
import { acquire, campaign, eventually, lead, openConsole, patience, resign, startConsoleServer }
    from "./console.mjs";
import { startProxy } from "./proxy.mjs";

const renewals = 1100;
let server;
let browser;
shareServerAndBrowser(async (...both) => {
    [server, browser] = both;
    await acquire(server, "before/renewals");
    const { leader_token } = await campaign(server, "room-renewed", "node-a");
    const body = { leader_token };
    const renew = () => ask(server, "POST", "/elections/room-renewed/renew", { body });
    for (let left = renewals; left > 0; left -= 50) {
        const answers = await Promise.all(Array.from({ length: 50 }, renew));
        assert.ok(answers.every(({ status }) => status === 200));
    }
}, startConsoleServer);

async function countEvents() {
    let count = 0;
    for (let since = 0; ;) {
        const path = `/events?since=${since}&limit=1000`;
        const { json } = await ask(server, "GET", path, { admin: true });
        count += json.events.length;
        if (!json.events.length) return count;
        since = json.next_since;
    }
}

test("events are found behind more than a thousand renewals", async () => {
    const { json } = await ask(server, "GET", "/admin/servers", { admin: true });
    assert.ok(json.items[0].revision > renewals, "a renewal takes a sequence number");
    const { page, context, faults } = await openConsole(browser, server);
    const latest = page.getByRole("region", { name: "Latest" });
    await latest.getByText("before/renewals").waitFor(patience);
    await page.goto(`${server.url}/admin/#/journal`);
    const rows = page.getByRole("group", { name: "Journal" });
    await rows.getByText("before/renewals").waitFor(patience);
    await rows.getByText("room-renewed").waitFor(patience);
    await page.getByText("nothing is older").waitFor(patience);
    await page.goto(`${server.url}/admin/#/elections/room-renewed`);
    const history = page.getByRole("region", { name: "History" });
    await history.getByText("leader elected").waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("the server is asked for a kind, and the journal goes back to its begin", async () => {
    await Promise.all(Array.from({ length: 10 }, async (_, room) => {
        const name = `room-of-turns-${room}`;
        for (let turn = 0; turn < 60; ++turn)
            await resign(server, name, await lead(server, name, ["node-a"]));
    }));
    const { page, context, faults } = await openConsole(browser, server, { place: "#/journal" });
    const asked = [];
    page.on("request", (request) =>
        asked.push(new URL(request.url()).searchParams.get("resource")));
    const rows = page.getByRole("group", { name: "Journal" }).locator("tbody tr");
    await rows.nth(199).waitFor(patience);
    assert.equal(await rows.count(), 200);
    const older = page.getByRole("button", { name: "Older" });
    for (let shown = 200; shown < 1200; shown += 200) {
        await older.click();
        await rows.nth(shown).waitFor(patience);
    }
    await older.click();
    await older.waitFor({ state: "detached", ...patience });
    await page.getByRole("link", { name: "before/renewals" }).waitFor(patience);
    assert.equal(await rows.count(), await countEvents());

    await page.getByLabel("Kind").selectOption("lock");
    await page.waitForFunction(() => document.querySelectorAll(".events tbody tr").length === 1,
        null, patience);
    assert.ok(asked.includes("lock:*"));
    await acquire(server, "comes/live");
    await page.getByRole("link", { name: "comes/live" }).waitFor(patience);
    await campaign(server, "room-not-shown", "node-a");
    await acquire(server, "comes/later");
    await page.getByRole("link", { name: "comes/later" }).waitFor(patience);
    assert.equal(await rows.count(), 3);
    assertNoFaults(faults);
    await context.close();
});

test("what happens between reading and the first stream is not lost", async () => {
    const { page, context, faults } = await openConsole(browser, server, { refresh: 0 });
    await page.getByRole("button", { name: "Sign out" }).click();
    let open;
    const opened = new Promise((resolve) => { open = resolve; });
    await page.route("**/events", async (route) => {
        await opened;
        await route.continue();
    });
    await page.getByLabel("Credential").fill("the-admin-key");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("region", { name: "Latest" }).getByRole("table").waitFor(patience);
    await acquire(server, "in/between");
    open();
    await page.getByRole("link", { name: "in/between" }).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("a stream that falls silent is opened anew, and nothing is lost", async (t) => {
    const proxy = await startProxy(server);
    t.after(() => proxy.stop());
    const { page, context, faults } = await openConsole(browser, proxy,
        { place: "#/journal", refresh: 0, clock: true });
    const asked = new Set();
    page.on("request", (request) => asked.add(request));
    for (const end of ["requestfinished", "requestfailed"])
        page.on(end, (request) => asked.delete(request));
    const live = page.locator(".live.good");
    await live.waitFor(patience);
    const rows = page.getByRole("group", { name: "Journal" });
    await page.clock.pauseAt(await page.evaluate(() => Date.now()) + 1000);
    /// Lets time pass in the page, a little at a time.
    const sees = (text) => eventually(async () => {
        await page.clock.runFor(20);
        return await page.locator("#app").getByText(text).count() > 0;
    });
    await acquire(server, "last/heard");
    await sees("last/heard");

    proxy.silence();
    await acquire(server, "in/silence");
    // What is being asked would be given up when time leaps.
    await eventually(() => [...asked].every((request) => request.url().endsWith("/events")));
    await page.clock.fastForward(30_000);
    assert.equal(await live.count(), 1, "the server may say nothing for that long");
    await page.clock.fastForward(10_000);
    await sees("Reconnecting");
    assert.equal(await rows.getByText("in/silence").count(), 0);
    await page.clock.resume();
    await rows.getByText("in/silence").waitFor(patience);
    await live.waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("a server that hangs is not shown as live", async (t) => {
    const own = await startConsoleServer();
    t.after(() => own.remove());
    const { page, context, faults } = await openConsole(browser, own);
    await page.locator(".live.good").waitFor(patience);
    own.freeze();
    await page.getByText("The server does not answer.").first().waitFor(patience);
    assert.equal(await page.locator(".live.good").count(), 0);
    await page.locator(".live").getByText("No answer").waitFor(patience);
    own.thaw();
    await page.locator(".live.good").waitFor(patience);
    await acquire(own, "after-the-thaw");
    await page.getByText("after-the-thaw").first().waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});
