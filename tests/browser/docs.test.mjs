// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ask, assertNoFaults, openPage, startBrowser, startServer, tokens } from "./server.mjs";

const patience = { timeout: 60_000 }; // a guard against hangs
const pictures = process.env.OCTOSTORE_TEST_PICTURES ?? "pictures";
let server;
let browser;

before(async () => {
    await mkdir(pictures, { recursive: true });
    server = await startServer();
    browser = await startBrowser();
});
after(async () => {
    await browser?.close();
    await server?.remove();
});

test("a reader authorizes, acquires a lock from the page and sees the answer", async () => {
    const { page, context, faults } = await openPage(browser, server);
    await page.goto(`${server.url}/docs`);
    await page.locator("#operations-Locks-acquireLock").waitFor(patience);
    await page.screenshot({ path: join(pictures, "docs.png") });

    await page.locator("button.authorize").first().click();
    await page.locator(".auth-container input").first().fill(tokens.alice);
    await page.locator(".auth-container button.authorize").first().click();
    await page.locator(".auth-container button.btn-done").first().click();

    const operation = page.locator("#operations-Locks-acquireLock");
    await operation.locator(".opblock-summary-control").click();
    await operation.locator("input[placeholder=name]").fill("from-the-page");
    await operation.locator("button.execute").click();
    const answer = operation.locator(".live-responses-table .response");
    await answer.first().waitFor(patience);
    assert.match(await answer.first().innerText(), /"status": "acquired"/);
    await page.screenshot({ path: join(pictures, "docs-acquired.png") });
    const lock = await ask(server, "GET", "/locks/from-the-page", { token: tokens.alice });
    assert.equal(lock.json.status, "held");
    assertNoFaults(faults);
    await context.close();
});

test("a link cannot make the page show another description", async () => {
    const { page, context, faults } = await openPage(browser, server);
    await page.goto(`${server.url}/docs?url=https://example.org/evil.json&configUrl=https://example.org/evil`);
    await page.locator("#operations-Locks-acquireLock").waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("the page follows the colours its reader likes", async () => {
    for (const colorScheme of ["light", "dark"]) {
        const { page, context, faults } = await openPage(browser, server, { colorScheme });
        await page.goto(`${server.url}/docs`);
        await page.locator("#operations-Locks-acquireLock").waitFor(patience);
        const dark = await page.evaluate(() => document.documentElement.classList.contains("dark-mode"));
        assert.equal(dark, colorScheme === "dark");
        await page.screenshot({ path: join(pictures, `docs-${colorScheme}.png`) });
        assertNoFaults(faults);
        await context.close();
    }
});

test("the start page leads to what there is", async () => {
    const { page, context, faults } = await openPage(browser, server);
    await page.goto(`${server.url}/`);
    await page.screenshot({ path: join(pictures, "start.png") });
    await page.getByRole("link", { name: "API reference" }).click();
    await page.waitForURL(`${server.url}/docs`);
    assertNoFaults(faults);
    await context.close();
});
