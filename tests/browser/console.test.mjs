// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { adminKey, ask, assertNoFaults, startBrowser, tokens } from "./server.mjs";
import { acquire, campaign, openConsole, patience, resign, startConsoleServer, startReceiver }
    from "./console.mjs";

let server;
let browser;
before(async () => {
    server = await startConsoleServer({ more: ["webhooks.egress.allow.cidrs = 127.0.0.0/8"] });
    browser = await startBrowser();
});
after(async () => {
    await browser?.close();
    await server?.remove();
});

test("the page loads without a credential and is small", async () => {
    const home = await fetch(`${server.url}/admin`, { redirect: "manual" });
    assert.equal(home.status, 308);
    assert.equal(new URL(home.headers.get("location"), `${server.url}/admin`).pathname, "/admin/");
    const page = await fetch(`${server.url}/admin/`);
    assert.match(page.headers.get("content-security-policy"), /default-src 'none'/);
    assert.match(page.headers.get("etag"), /^"/);
    const text = await page.text();
    let size = text.length;
    for (const [, asset] of text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)) {
        const answer = await fetch(`${server.url}/admin/${asset}`, { headers: { "accept-encoding": "gzip" } });
        assert.equal(answer.status, 200);
        if (/-[0-9A-Z]{8}\./.test(asset)) assert.match(answer.headers.get("cache-control"), /immutable/);
        size += Number(answer.headers.get("content-length"));
    }
    assert.ok(size < 120_000, `${size} bytes`);
});

test("a wrong key is refused and a right one leads to the overview", async () => {
    const { page, context, faults } = await openConsole(browser, server);
    await page.getByRole("heading", { name: "Overview" }).waitFor(patience);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Credential").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("does not know this credential").waitFor(patience);
    assert.equal(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })
        .includes("the-admin-key")), false);
    await page.getByLabel("Credential").fill(adminKey);
    await page.getByLabel("Keep me signed in").check();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor(patience);
    await page.reload();
    await page.getByRole("heading", { name: "Overview" }).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("a change of leader appears without a reload", async () => {
    const won = await campaign(server, "room-live-1", "node-a");
    const { page, context, faults } = await openConsole(browser, server, { place: "#/elections" });
    const row = page.getByRole("row", { name: /room-live-1/ });
    await row.getByText("node-a").waitFor(patience);
    await page.getByLabel("Refresh every").selectOption("0");
    await page.locator(".live.good").waitFor(patience);
    await resign(server, "room-live-1", won.leader_token);
    await campaign(server, "room-live-1", "node-b");
    await row.getByText("node-b").waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("a lock is released with the keyboard alone", async () => {
    await acquire(server, "keyboard/job");
    const { page, context, faults } = await openConsole(browser, server, { place: "#/locks?q=keyboard" });
    await page.getByRole("link", { name: "keyboard/job" }).waitFor(patience);
    await page.locator("body").press("j");
    await page.keyboard.press("Enter");
    const button = page.getByRole("button", { name: "Force release" });
    await button.waitFor(patience);
    for (let tabs = 0; tabs < 30 && !await button.evaluate((it) => it === document.activeElement); ++tabs)
        await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor(patience);
    // The way out has the focus; the fields are before it.
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Cancel");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("stuck since the deploy");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("keyboard/job");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached", ...patience });
    await page.getByText("Nobody holds it.").waitFor(patience);
    const lock = await ask(server, "GET", "/locks/keyboard%2Fjob", { admin: true });
    assert.equal(lock.json.status, "free");
    await page.getByText("stuck since the deploy").waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("a leader that came in the meantime keeps the room", async () => {
    const won = await campaign(server, "room-changing", "old-leader");
    const { page, context, faults } =
        await openConsole(browser, server, { place: "#/elections/room-changing" });
    await page.getByRole("button", { name: "Force step-down" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/Type room-changing/).fill("room-changing");
    await dialog.getByLabel("Reason").fill("it hangs");
    await resign(server, "room-changing", won.leader_token);
    await campaign(server, "room-changing", "new-leader");
    await dialog.getByRole("button", { name: "Force step-down" }).click();
    await dialog.getByText("Refused, nothing was changed").waitFor(patience);
    const room = await ask(server, "GET", "/elections/room-changing");
    assert.equal(room.json.leader.candidate_id, "new-leader");
    assertNoFaults(faults);
    await context.close();
});

test("an observer sees everything and is offered no act", async () => {
    await acquire(server, "observed");
    const { page, context, faults } =
        await openConsole(browser, server, { place: "#/locks/observed", token: tokens.observer });
    await page.getByText("alice").first().waitFor(patience);
    const offered = page.getByRole("button", { name: /^(Force|End|Edit|Reload|Download|New|Rotate)/ });
    for (const place of ["#/locks/observed", "#/system", "#/webhooks", "#/sessions"]) {
        await page.goto(`${server.url}/admin/${place}`);
        await page.getByRole("heading", { level: 1 }).waitFor(patience);
        assert.equal(await offered.count(), 0, place);
    }
    assertNoFaults(faults);
    await context.close();
});

test("a plain account is not let in", async () => {
    const { openPage } = await import("./server.mjs");
    const { page, context } = await openPage(browser, server);
    await page.goto(`${server.url}/admin/`);
    await page.getByLabel("Token").check();
    await page.getByLabel("Credential").fill(tokens.alice);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("neither an administrator nor an observer").waitFor(patience);
    await context.close();
});

test("a failed delivery is looked into and sent again", async () => {
    const receiver = await startReceiver(500);
    const made = await ask(server, "POST", "/webhooks", { admin: true,
        body: { url: receiver.url, events: ["election.*"], elections: ["room-hooked"], format: "octostore" } });
    assert.equal(made.status, 201, JSON.stringify(made.json));
    await campaign(server, "room-hooked", "node-a");
    const { page, context, faults } =
        await openConsole(browser, server, { place: `#/webhooks/${made.json.id}` });
    const retrying = page.getByRole("row", { name: /retrying/ });
    await page.getByLabel("Refresh every").selectOption("5");
    await retrying.waitFor(patience);
    await retrying.getByRole("link").click();
    await page.getByRole("button", { name: "Redeliver" }).waitFor(patience);
    await page.locator(".attempt summary").first().click();
    await page.getByText(/webhook-signature/).first().waitFor(patience);
    receiver.status = 200;
    await page.getByRole("button", { name: "Redeliver" }).click();
    await page.locator(".facts").getByText("succeeded").waitFor(patience);
    const ids = new Set(receiver.got.map((call) => call.headers["webhook-id"]));
    assert.equal(ids.size, 1);
    assertNoFaults(faults);
    await context.close();
    receiver.stop();
});

test("a stopped server is shown, and its return is noticed", async () => {
    let own = await startConsoleServer();
    const { page, context } = await openConsole(browser, own);
    await page.getByRole("heading", { name: "Latest" }).waitFor(patience);
    await own.stop();
    await page.getByText("The server does not answer.").first().waitFor(patience);
    own = await startConsoleServer({ folder: own.folder, port: own.port });
    await page.getByText("The server does not answer.").first().waitFor({ state: "detached", ...patience });
    await page.locator(".live.good").waitFor(patience);
    await acquire(own, "after-the-return");
    await page.getByText("after-the-return").first().waitFor(patience);
    await context.close();
    await own.remove();
});
