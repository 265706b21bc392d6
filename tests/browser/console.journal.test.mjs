// SPDX-License-Identifier: MIT
// The past and the present of the journal: it is found behind renewals, read further back, and
// nothing is lost where reading and the stream meet.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shareServerAndBrowser } from "./fixture.mjs";
import { ask, assertNoFaults } from "./server.mjs";
import { acquire, campaign, openConsole, patience, resign, startConsoleServer } from "./console.mjs";

const renewals = 1100;
let server;
let browser;
shareServerAndBrowser(async (...both) => {
    [server, browser] = both;
    await acquire(server, "before/renewals");
    const { leader_token } = await campaign(server, "room-renewed", "node-a");
    const renew = () => ask(server, "POST", "/elections/room-renewed/renew", { body: { leader_token } });
    for (let left = renewals; left > 0; left -= 50) {
        const answers = await Promise.all(Array.from({ length: 50 }, renew));
        assert.ok(answers.every(({ status }) => status === 200));
    }
}, startConsoleServer);

test("events are found behind more than a thousand renewals", async () => {
    const { json } = await ask(server, "GET", "/admin/servers", { admin: true });
    assert.ok(json.items[0].revision > renewals, "a renewal takes a sequence number");
    const { page, context, faults } = await openConsole(browser, server);
    await page.getByRole("region", { name: "Latest" }).getByText("before/renewals").waitFor(patience);
    await page.goto(`${server.url}/admin/#/journal`);
    const rows = page.getByRole("group", { name: "Journal" });
    await rows.getByText("before/renewals").waitFor(patience);
    await rows.getByText("room-renewed").waitFor(patience);
    await page.getByText("nothing is older").waitFor(patience);
    await page.goto(`${server.url}/admin/#/elections/room-renewed`);
    await page.getByRole("region", { name: "History" }).getByText("leader elected").waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("a kind is asked for at the server, and the journal goes back as far as there is one", async () => {
    for (let turn = 0; turn < 120; ++turn) {
        const { leader_token: token } = await campaign(server, "room-of-turns", "node-a");
        await resign(server, "room-of-turns", token);
    }
    const { page, context, faults } = await openConsole(browser, server, { place: "#/journal" });
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).searchParams.get("resource")));
    const rows = page.getByRole("group", { name: "Journal" }).locator("tbody tr");
    await rows.nth(199).waitFor(patience);
    assert.equal(await rows.count(), 200);
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByRole("link", { name: "before/renewals" }).waitFor(patience);
    assert.ok(await rows.count() > 240);
    assert.equal(await page.getByRole("button", { name: "Older" }).count(), 0);

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
