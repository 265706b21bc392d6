// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { shareServerAndBrowser } from "./fixture.mjs";
import { ask, assertNoFaults, openPage, tokens } from "./server.mjs";

const patience = { timeout: 240_000 }; // a guard against hangs
const pictures = process.env.OCTOSTORE_TEST_PICTURES ?? "pictures";
let server;
let browser;

before(() => mkdir(pictures, { recursive: true }));
shareServerAndBrowser((...both) => { [server, browser] = both; });

/// The page takes seconds to draw, so each test looks at more than one thing.
async function openDocs(colorScheme, query = "") {
    const opened = await openPage(browser, server, { colorScheme });
    const { page } = opened;
    await page.goto(`${server.url}/docs${query}`);
    await page.locator("#operations-Locks-acquireLock").waitFor(patience);
    const dark = await page.evaluate(() => document.documentElement.classList.contains("dark-mode"));
    assert.equal(dark, colorScheme === "dark");
    await page.screenshot({ path: join(pictures, `docs-${colorScheme}.png`) });
    return opened;
}

test("a reader authorizes, acquires a lock from the page and sees the answer", async () => {
    const { page, context, faults } = await openDocs("light");

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

test("a link cannot make the page show another description, dark as its reader likes it", async () => {
    const evil = "https://example.org/evil";
    const { context, faults } = await openDocs("dark", `?url=${evil}.json&configUrl=${evil}`);
    assertNoFaults(faults);
    await context.close();
});

test("the start page leads to what there is", async () => {
    const { page, context, faults } = await openPage(browser, server);
    await page.goto(`${server.url}/`);
    await page.screenshot({ path: join(pictures, "start.png") });
    await page.getByRole("link", { name: "API reference" }).click();
    await page.waitForURL(`${server.url}/docs`, { waitUntil: "commit" });
    assertNoFaults(faults);
    await context.close();
});
