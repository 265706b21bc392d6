// SPDX-License-Identifier: MIT
// Many rows and many changes at once: the page stays responsive. Figures are printed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertNoFaults, startBrowser } from "./server.mjs";
import { campaign, openConsole, patience, resign, startConsoleServer } from "./console.mjs";

const rooms = Array.from({ length: 1000 }, (_, at) => `flood-room-${String(at).padStart(4, "0")}`);
const together = 50;
let server;
let browser;

before(async () => {
    server = await startConsoleServer();
    browser = await startBrowser();
});
after(async () => {
    await browser?.close();
    await server?.remove();
});

async function forAll(act) {
    const answers = [];
    for (let at = 0; at < rooms.length; at += together)
        answers.push(...await Promise.all(rooms.slice(at, at + together)
            .map((room, offset) => act(room, at + offset))));
    return answers;
}

test("a thousand elections that all change leave the page responsive", async () => {
    const won = await forAll((room) => campaign(server, room, "node-a"));
    const { page, context, faults } = await openConsole(browser, server, { place: "#/elections" });
    await page.locator(".table-foot").waitFor(patience);
    await page.evaluate(() => {
        window.longTasks = [];
        new PerformanceObserver((list) => window.longTasks.push(
            ...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ["longtask"] });
    });
    const begin = performance.now();
    await forAll(async (room, at) => {
        await resign(server, room, won[at].leader_token);
        await campaign(server, room, "node-b");
    });
    const seconds = (performance.now() - begin) / 1000;
    await page.getByRole("row", { name: /flood-room-0000/ }).getByText("node-b").waitFor(patience);
    const long = await page.evaluate(() => window.longTasks);
    const rows = await page.locator("tbody tr").count();
    console.log(`${(2 * rooms.length / seconds).toFixed(0)} changes/s, ${long.length} long tasks, ` +
        `the longest ${Math.max(0, ...long)} ms, ${rows} rows in the page`);
    assert.ok(rows < 200, `${rows} rows`);
    assertNoFaults(faults);
    await context.close();
});
