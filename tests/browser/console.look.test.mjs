// SPDX-License-Identifier: MIT
// Every page in both themes and two widths: axe finds nothing, nothing is wider than the window,
// plots say what they show. The pictures are those of docs/console/.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, assertNoFaults, startBrowser, tokens } from "./server.mjs";
import { acquire, assertAccessible, eventually, lead, openConsole, patience, startConsoleServer,
    startReceiver } from "./console.mjs";
import { startTraffic } from "./traffic.mjs";

const pictures = process.env.OCTOSTORE_TEST_PICTURES ?? "pictures";
/// How long there is traffic before the pictures are taken: for docs/console/ some minutes.
const seconds = Number(process.env.OCTOSTORE_TEST_TRAFFIC_SECONDS ?? 0);
/// As people have it: it is in the pictures.
const refresh = 5;
/// What can differ in dark colours, and in a narrow window.
const darkRules = { runOnly: ["color-contrast"] };
const narrowRules = { rules: { "color-contrast": { enabled: false } } };
let server;
let browser;
let receivers;
let endTraffic;
let pages;

async function makeWebhook(receiver, more) {
    const made = await ask(server, "POST", "/webhooks",
        { admin: true, body: { url: receiver.url, format: "octostore", ...more } });
    assert.equal(made.status, 201, JSON.stringify(made.json));
    return made.json.id;
}

async function someLife() {
    receivers = [await startReceiver(503), await startReceiver(200)];
    const webhook = await makeWebhook(receivers[0], { description: "Deployment dashboard",
        events: ["election.*"], elections: ["billing-scheduler"] });
    await makeWebhook(receivers[1], { description: "Audit trail", events: ["lock.*"] });
    await lead(server, "billing-scheduler", ["billing-1", "billing-2", "billing-1"]);
    await lead(server, "report-writer", ["report-a"]);
    await lead(server, "cache-warmer", ["warm-eu", "warm-us"]);
    const opened = await ask(server, "POST", "/sessions",
        { token: tokens.alice, body: { ttl_seconds: 300 } });
    const session = opened.json.session_id;
    await acquire(server, "deploy/production/api",
        { metadata: "release 4.12", session_id: session, ephemeral: true });
    for (const name of ["deploy/staging/api", "deploy/staging/web", "nightly/backup", "nightly/index",
        "repos/acme/app/issues/1842"]) await acquire(server, name);
    await acquire(server, "billing/close-month",
        { metadata: "november", acl: { acquire: ["user:alice", "user:bob"] } });
    // Nobody looks at these answers: they wait for as long as the test runs.
    for (const wait of [300, 299])
        ask(server, "POST", "/locks/billing/close-month/acquire",
            { token: tokens.bob, body: { wait_seconds: wait } }).catch(() => {});
    endTraffic = startTraffic(server);
    return { webhook, session };
}

async function firstDelivery(webhook) {
    const found = await eventually(async () => {
        const { json } = await ask(server, "GET", `/webhooks/${webhook}/deliveries`, { admin: true });
        return json.items?.find((delivery) => delivery.attempts > 0);
    });
    return found.id;
}

before(async () => {
    await mkdir(pictures, { recursive: true });
    server = await startConsoleServer({ more: ["webhooks.egress.allow.cidrs = 127.0.0.0/8"] });
    browser = await startBrowser();
    const { webhook, session } = await someLife();
    const delivery = await firstDelivery(webhook);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
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
    const ended = endTraffic?.();
    await server?.remove();
    await ended;
    receivers?.forEach((receiver) => receiver.stop());
});

async function settled(page) {
    await page.getByRole("heading", { level: 1 }).waitFor(patience);
    await page.waitForFunction(() => !document.querySelector(".loading"), null, patience);
}

async function visit(page, name, picture, rules) {
    await page.goto(`${server.url}/admin/${pages[name]}`);
    await page.mouse.move(0, 0); // rows under the pointer are held
    await settled(page);
    await assertAccessible(page, `${name} ${picture}`, rules);
    const over = await page.evaluate(() =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${name} is ${over} px wider than the window`);
    await page.screenshot({ path: join(pictures, `${name}-${picture}.png`) });
}

for (const [colorScheme, rules] of [["light", {}], ["dark", darkRules]])
    test(`every page is readable in ${colorScheme} colours`, async () => {
        const { page, context, faults } = await openConsole(browser, server, { colorScheme, refresh });
        for (const name of Object.keys(pages)) await visit(page, name, colorScheme, rules);
        assertNoFaults(faults);
        await context.close();
    });

test("every page fits a telephone", async () => {
    const { page, context, faults } =
        await openConsole(browser, server, { viewport: { width: 375, height: 760 }, refresh });
    for (const name of Object.keys(pages)) await visit(page, name, "375", narrowRules);
    await page.goto(`${server.url}/admin/${pages.journal}`);
    await page.locator(".events .by").filter({ hasText: "alice" }).first().waitFor(patience);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Locks" }).click();
    await page.getByRole("heading", { name: "Locks" }).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("dialogs are readable, and Escape leaves them", async () => {
    const { page, context, faults } =
        await openConsole(browser, server, { place: pages.lock, colorScheme: "dark", refresh });
    await page.getByRole("button", { name: "Force release" }).click();
    await page.getByRole("dialog").waitFor(patience);
    await assertAccessible(page, "force release");
    const described = await page.getByRole("dialog").getAttribute("aria-describedby");
    assert.match(await page.locator(`#${described}`).innerText(), /does not hold it from then on/);
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

test("plots tell in words and in numbers what they show", async () => {
    const { page, context, faults } = await openConsole(browser, server);
    const plot = page.getByRole("figure", { name: /^Requests/ });
    await plot.getByText(/requests now [\d.]+ \/s, [\d.]+ \/s to [\d.]+ \/s/).waitFor(patience);
    await plot.locator("canvas").waitFor(patience);
    for (const [title, words] of [
        ["Latency", /requests now .*commits now/], ["Leases", /held now \d+.*waiting now/],
        ["Changes of leader", /changes now \d+/], ["Webhooks, delivered", /delivered(:| now)/],
        ["Webhooks, backlog", /backlog now \d+/],
    ])
        await page.getByRole("figure", { name: title }).getByText(words).waitFor(patience);
    await plot.getByText("As a table").click();
    const [time, rate] = await plot.locator("tbody tr").first().locator("td").allInnerTexts();
    assert.match(time, /^\d\d:\d\d:\d\d$/);
    assert.match(rate, /^[\d.]+ \/s$/);
    await assertAccessible(page, "plots");
    assertNoFaults(faults);
    await context.close();
});

test("the table beside a plot has the numbers the server has, newest first", async () => {
    const { page, context, faults } = await openConsole(browser, server);
    const plot = page.getByRole("figure", { name: /^Latency/ });
    await plot.getByText("As a table").click();
    const rows = plot.locator("tbody tr");
    await rows.nth(2).waitFor(patience);
    assert.deepEqual(await plot.locator("thead th").allInnerTexts(), ["Time", "requests", "commits"]);
    const shown = await rows.evaluateAll((all) =>
        all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    const { json } =
        await ask(server, "GET", "/admin/metrics/timeseries?range=10m", { admin: true });
    const text = (value) => value === null ? "–" : `${value.toFixed(1)} ms`;
    const known = json.timestamps.map((seconds, at) => [
        new Date(seconds * 1000).toLocaleTimeString("en-GB"),
        text(json.series.request_p99_ms[at]), text(json.series.commit_p99_ms[at])]).reverse();
    const start = known.findIndex(([time]) => time === shown[0][0]);
    assert.ok(start >= 0, `${shown[0]} is not among ${known}`);
    assert.deepEqual(shown, known.slice(start, start + shown.length));
    await plot.getByText("As a table").click();
    await rows.first().waitFor({ state: "detached", ...patience });
    assertNoFaults(faults);
    await context.close();
});
