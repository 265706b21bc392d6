// SPDX-License-Identifier: MIT
// What an operator does most: signs in, looks on, ends a lease, loses the server and gets it back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shareServerAndBrowser } from "./fixture.mjs";
import { adminKey, ask, assertNoFaults, openPage, tokens } from "./server.mjs";
import { acquire, assertAccessible, campaign, eventually, journal, openConsole, patience,
    resign, startConsoleServer } from "./console.mjs";

let server;
let browser;
shareServerAndBrowser((...both) => { [server, browser] = both; }, startConsoleServer);

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
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    await page.reload();
    await page.getByRole("heading", { name: "Overview" }).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("a change of leader appears without a reload", async () => {
    const won = await campaign(server, "room-live-1", "node-a");
    const { page, context, faults } = await openConsole(browser, server, { place: "#/elections", refresh: 0 });
    const row = page.getByRole("row", { name: /room-live-1/ });
    await row.getByText("node-a").waitFor(patience);
    await page.evaluate(() => { window.notReloaded = true; });
    await page.locator(".live.good").waitFor(patience);
    await resign(server, "room-live-1", won.leader_token);
    await campaign(server, "room-live-1", "node-b");
    await row.getByText("node-b").waitFor(patience);
    assert.equal(await page.evaluate(() => window.notReloaded), true);
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
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    const lock = await ask(server, "GET", "/locks/keyboard%2Fjob", { admin: true });
    assert.equal(lock.json.status, "free");
    await page.getByText("stuck since the deploy").waitFor(patience);
    const [released] = await journal(server, "lock.force_released", "lock:keyboard/job");
    assert.equal(released.reason, "stuck since the deploy");
    assert.deepEqual(released.actor, { kind: "admin", name: "admin" });
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
    await campaign(server, "room-observed", "node-a");
    const { page, context, faults } =
        await openConsole(browser, server, { place: "#/locks/observed", token: tokens.observer });
    await page.getByText("alice").first().waitFor(patience);
    const offered = page.getByRole("button", { name: /^(Force|End|Edit|Reload|Download|New|Rotate)/ });
    for (const [place, sight] of [["#/locks/observed", "alice"], ["#/elections/room-observed", "node-a"],
        ["#/system", "coordination-api"], ["#/webhooks", "No webhook of yours"],
        ["#/sessions", "No session is open"], ["#/journal", "observed"]]) {
        await page.goto(`${server.url}/admin/${place}`);
        await page.locator("main").getByText(sight).first().waitFor(patience);
        assert.equal(await offered.count(), 0, place);
    }
    const body = { term: 1, reason: "an observer tries" };
    for (const [method, path] of [["POST", "/admin/locks/observed/force-release"],
        ["POST", "/admin/elections/room-observed/force-resign"], ["POST", "/admin/reload"],
        ["POST", "/admin/backup"]]) {
        const { status } = await ask(server, method, path, { token: tokens.observer, body });
        assert.equal(status, 403, path);
    }
    assertNoFaults(faults);
    await context.close();
});

test("a plain account is not let in", async () => {
    const { page, context, faults } = await openPage(browser, server);
    await page.goto(`${server.url}/admin/`);
    await assertAccessible(page, "sign-in");
    await page.getByLabel("Token").check();
    await page.getByLabel("Credential").fill(tokens.alice);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("neither an administrator nor an observer").waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("a stopped server is shown, and its return is noticed", async (t) => {
    let own = await startConsoleServer();
    t.after(() => own.remove());
    const { page, context, faults } = await openConsole(browser, own);
    await page.getByRole("heading", { name: "Latest" }).waitFor(patience);
    await own.stop();
    await page.getByText("The server does not answer.").first().waitFor(patience);
    own = await startConsoleServer({ folder: own.folder, port: own.port });
    await page.getByText("The server does not answer.").first().waitFor({ state: "detached", ...patience });
    // The stream has no name of an event yet: what comes before it is back must not be lost.
    await acquire(own, "after-the-return");
    await page.locator(".live.good").waitFor(patience);
    await page.getByText("after-the-return").first().waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("rows hold still under the pointer and under the focus", async () => {
    await campaign(server, "room-still-2", "node-a");
    const { page, context, faults } =
        await openConsole(browser, server, { place: "#/elections?q=room-still" });
    const rows = page.locator("tbody a.row-link");
    await rows.first().waitFor(patience);
    await rows.first().hover();
    await campaign(server, "room-still-1", "node-a");
    const show = page.getByRole("button", { name: /changes, show/ });
    await show.waitFor(patience);
    assert.deepEqual(await rows.allInnerTexts(), ["room-still-2"]);
    await show.click();
    await rows.nth(1).waitFor(patience);
    assert.deepEqual(await rows.allInnerTexts(), ["room-still-1", "room-still-2"]);
    await page.mouse.move(0, 0);
    await rows.first().focus();
    await campaign(server, "room-still-0", "node-a");
    await show.waitFor(patience);
    assert.deepEqual(await rows.allInnerTexts(), ["room-still-1", "room-still-2"]);
    assertNoFaults(faults);
    await context.close();
});

test("nothing yet, nothing that fits and switched off are told apart", async (t) => {
    const small = await startConsoleServer({ without: "webhooks" });
    t.after(() => small.remove());
    const { page, context, faults } = await openConsole(browser, small, { place: "#/locks" });
    await page.getByText("No lock is held").waitFor(patience);
    await page.getByText("/locks/my-job/acquire").waitFor(patience);
    await acquire(small, "the-only-lock");
    await page.getByRole("link", { name: "the-only-lock" }).waitFor(patience);
    await page.getByLabel("A part of the name").fill("another");
    await page.getByText("Nothing fits this filter").waitFor(patience);
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByRole("link", { name: "the-only-lock" }).waitFor(patience);
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("Webhooks: switched off or gone").waitFor(patience);
    await assertAccessible(page, "switched off");
    assertNoFaults(faults);
    await context.close();
});

test("theme, motion and keys are as the reader likes them, also after a reload", async () => {
    const { page, context, faults } = await openConsole(browser, server,
        { place: "#/elections", colorScheme: "light", reducedMotion: "reduce" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByLabel("Theme").selectOption("dark");
    await eventually(async () => await ground() !== light);
    assert.match(await page.locator("button").first()
        .evaluate((button) => getComputedStyle(button).transitionDuration), /^0s(, 0s)*$/);

    await page.locator("body").press("?");
    await page.getByLabel("Single letters are shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached", ...patience });
    await page.keyboard.press("?");
    assert.equal(await page.getByRole("dialog").count(), 0);

    await page.reload();
    await page.getByLabel("Credential").waitFor(patience);
    assert.notEqual(await ground(), light);
    assertNoFaults(faults);
    await context.close();
});

test("a credential that was kept once goes with a sign-in that keeps none", async () => {
    const { page, context, faults } = await openConsole(browser, server);
    const kept = () => page.evaluate(() => sessionStorage.getItem("octostore.credential"));
    await page.evaluate(() => sessionStorage.setItem("octostore.credential",
        JSON.stringify({ kind: "token", secret: "of yesterday" })));
    await page.reload();
    await page.getByText("does not know this credential").waitFor(patience);
    assert.match(await kept(), /of yesterday/);
    await page.getByLabel("Credential").fill(adminKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor(patience);
    assert.equal(await kept(), null);
    assertNoFaults(faults);
    await context.close();
});

test("an address that is none leads to no page, and from there to the overview", async () => {
    const { page, context, faults } = await openConsole(browser, server, { place: "#/locks/%E0%A4%A" });
    await page.getByText("There is no such page").waitFor(patience);
    await page.locator("main").getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("the finder keeps what is chosen in sight", async () => {
    const { page, context, faults } =
        await openConsole(browser, server, { viewport: { width: 800, height: 240 } });
    await page.keyboard.press("Control+k");
    const options = page.getByRole("listbox", { name: "Found" }).getByRole("option");
    await options.nth(6).waitFor({ state: "attached", ...patience });
    const last = options.nth(6);
    const inSight = () => last.evaluate((option) => {
        const [one, list] = [option, option.parentElement].map((it) => it.getBoundingClientRect());
        return one.top >= list.top - 1 && one.bottom <= list.bottom + 1;
    });
    assert.equal(await inSight(), false);
    for (let step = 0; step < 6; ++step) await page.keyboard.press("ArrowDown");
    await eventually(inSight);
    assert.equal(await last.getAttribute("aria-selected"), "true");
    assertNoFaults(faults);
    await context.close();
});
