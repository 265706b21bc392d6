// SPDX-License-Identifier: MIT
// Every page in both themes and two widths: axe finds nothing, nothing is wider than the window.
// The pictures are those of docs/console/.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, assertNoFaults, startBrowser, tokens } from "./server.mjs";
import { acquire, assertAccessible, campaign, openConsole, patience, resign, startConsoleServer,
    startReceiver } from "./console.mjs";

const pictures = process.env.OCTOSTORE_TEST_PICTURES ?? "pictures";
let server;
let browser;
let receiver;
let pages;

async function someLife() {
    receiver = await startReceiver(503);
    const made = await ask(server, "POST", "/webhooks", { admin: true, body: { url: receiver.url,
        description: "Deployment dashboard", events: ["election.*"], elections: ["billing-scheduler"],
        format: "octostore" } });
    assert.equal(made.status, 201, JSON.stringify(made.json));
    for (const [room, candidates] of [["billing-scheduler", ["billing-1", "billing-2", "billing-1"]],
        ["report-writer", ["report-a"]], ["cache-warmer", ["warm-eu", "warm-us"]]]) {
        let token;
        for (const candidate of candidates) {
            if (token) await resign(server, room, token);
            token = (await campaign(server, room, candidate)).leader_token;
        }
    }
    const session = await ask(server, "POST", "/sessions", { token: tokens.alice, body: { ttl_seconds: 300 } });
    await acquire(server, "deploy/production/api", { metadata: "release 4.12", session_id: session.json.session_id,
        ephemeral: true });
    for (const name of ["deploy/staging/api", "deploy/staging/web", "nightly/backup", "nightly/index",
        "repos/acme/app/issues/1842"]) await acquire(server, name);
    await acquire(server, "billing/close-month", { acl: { acquire: ["user:alice", "user:observer"] } });
    return { webhook: made.json.id, session: session.json.session_id };
}

async function firstDelivery(webhook) {
    for (;;) {
        const { json } = await ask(server, "GET", `/webhooks/${webhook}/deliveries`, { admin: true });
        const failed = json.items?.find((delivery) => delivery.attempts > 0);
        if (failed) return failed.id;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

before(async () => {
    await mkdir(pictures, { recursive: true });
    server = await startConsoleServer({ more: ["webhooks.egress.allow.cidrs = 127.0.0.0/8"] });
    browser = await startBrowser();
    const { webhook, session } = await someLife();
    const delivery = await firstDelivery(webhook);
    pages = {
        overview: "#/overview",
        elections: "#/elections",
        election: "#/elections/billing-scheduler",
        locks: "#/locks",
        tree: "#/locks?view=tree",
        lock: "#/locks/billing%2Fclose-month",
        sessions: "#/sessions",
        session: `#/sessions/${session}`,
        webhooks: "#/webhooks",
        webhook: `#/webhooks/${webhook}`,
        delivery: `#/webhooks/${webhook}/${encodeURIComponent(delivery)}`,
        journal: "#/journal",
        system: "#/system",
    };
});
after(async () => {
    await browser?.close();
    receiver?.stop();
    await server?.remove();
});

async function settled(page) {
    await page.getByRole("heading", { level: 1 }).waitFor(patience);
    await page.waitForFunction(() => !document.querySelector(".loading"), null, patience);
}

async function visit(page, name, picture) {
    await page.goto(`${server.url}/admin/${pages[name]}`);
    await settled(page);
    await assertAccessible(page, `${name} ${picture}`);
    const over = await page.evaluate(() =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${name} is ${over} px wider than the window`);
    await page.screenshot({ path: join(pictures, `${name}-${picture}.png`) });
}

for (const colorScheme of ["light", "dark"])
    test(`every page is readable in ${colorScheme} colours`, async () => {
        const { page, context, faults } = await openConsole(browser, server, { colorScheme });
        for (const name of Object.keys(pages)) await visit(page, name, colorScheme);
        assertNoFaults(faults);
        await context.close();
    });

test("every page fits a telephone", async () => {
    const { page, context, faults } =
        await openConsole(browser, server, { viewport: { width: 375, height: 760 } });
    for (const name of Object.keys(pages)) await visit(page, name, "375");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Locks" }).click();
    await page.getByRole("heading", { name: "Locks" }).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("dialogs are readable, and Escape leaves them", async () => {
    const { page, context, faults } =
        await openConsole(browser, server, { place: pages.lock, colorScheme: "dark" });
    await page.getByRole("button", { name: "Force release" }).click();
    await page.getByRole("dialog").waitFor(patience);
    await assertAccessible(page, "force release");
    await page.screenshot({ path: join(pictures, "dialog-dark.png") });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached", ...patience });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find" }).fill("billing");
    await page.getByRole("option", { name: /billing-scheduler/ }).waitFor(patience);
    await assertAccessible(page, "finder");
    await page.getByRole("option", { name: /billing-scheduler/ }).click();
    await page.getByRole("heading", { name: /billing-scheduler/ }).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});
