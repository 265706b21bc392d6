// SPDX-License-Identifier: MIT
// What the console tells people to type works as it stands there: it is copied with its button and
// given to a shell.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { shareServerAndBrowser } from "./fixture.mjs";
import { ask, assertNoFaults, tokens } from "./server.mjs";
import { acquire, campaign, eventually, openConsole, patience, startConsoleServer, startReceiver }
    from "./console.mjs";

const permissions = ["clipboard-read", "clipboard-write"];
let server;
let browser;
shareServerAndBrowser((...both) => { [server, browser] = both; }, () =>
    startConsoleServer({ more: ["webhooks.egress.allow.cidrs = 127.0.0.0/8"] }));

/// Runs what the button copies; what it prints.
async function typeCopied(page, what) {
    await page.getByRole("button", { name: `Copy ${what}` }).click();
    await page.getByText(`Copied: ${what}`).waitFor({ state: "attached", ...patience });
    const command = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(command, await page.getByLabel(what, { exact: true }).textContent());
    const env = { ...process.env, TOKEN: tokens.alice };
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { env });
    return stdout;
}

test("what an empty page proposes makes the first of its things", async () => {
    const { page, context, faults } = await openConsole(browser, server, { permissions });
    for (const [place, what, name] of [
        ["locks", "the command that acquires a lock", "name"],
        ["elections", "the command that starts an election", "election_id"],
        ["sessions", "the command that opens a session", "session_id"],
        ["webhooks", "the command that makes a webhook", "url"],
    ]) {
        await page.goto(`${server.url}/admin/#/${place}`);
        const made = JSON.parse(await typeCopied(page, what));
        assert.equal(made.error, undefined, JSON.stringify(made));
        const row = page.getByRole("row", { name: new RegExp(made[name] ?? "my-") });
        await row.first().waitFor(patience);
    }
    const lock = await ask(server, "GET", "/locks/my-job", { admin: true });
    assert.equal(lock.json.status, "held");
    assertNoFaults(faults);
    await context.close();
});

test("what the page of a thing says reads that thing", async () => {
    await acquire(server, "shell/job");
    await campaign(server, "room-shell", "node-a");
    const opened = await ask(server, "POST", "/sessions", { token: tokens.alice, body: {} });
    const session = opened.json.session_id;
    const { page, context, faults } = await openConsole(browser, server, { permissions });
    for (const [place, what, look] of [
        ["locks/shell%2Fjob", "the command that reads this lock", ({ name, status }) => [name, status]],
        ["elections/room-shell", "the command that reads this room", ({ leader }) => leader.candidate_id],
        [`sessions/${session}`, "the command that reads this session", ({ session_id: id }) => id],
    ]) {
        await page.goto(`${server.url}/admin/#/${place}`);
        const expected = { locks: ["shell/job", "held"], elections: "node-a", sessions: session };
        const read = JSON.parse(await typeCopied(page, what));
        assert.deepEqual(look(read), expected[place.split("/")[0]], JSON.stringify(read));
    }
    assertNoFaults(faults);
    await context.close();
});

test("a delivery is sent again by hand, as it was signed", async (t) => {
    const receiver = await startReceiver(200);
    t.after(() => receiver.stop());
    const made = await ask(server, "POST", "/webhooks", { token: tokens.alice,
        body: { url: receiver.url, events: ["lock.*"], format: "octostore" } });
    const { page, context, faults } =
        await openConsole(browser, server, { place: `#/webhooks/${made.json.id}`, permissions });
    const read = JSON.parse(await typeCopied(page, "the command that reads this webhook"));
    assert.equal(read.url, receiver.url);
    await acquire(server, "shell/told");
    await eventually(() => receiver.got.length === 1);
    await page.getByRole("row", { name: /lock\.acquired.*succeeded/ }).getByRole("link").click();
    assert.equal(await typeCopied(page, "the command that sends this again"), "noted");
    const [first, again] = receiver.got;
    assert.equal(again.body, first.body);
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type"])
        assert.equal(again.headers[name], first.headers[name], name);
    assertNoFaults(faults);
    await context.close();
});
