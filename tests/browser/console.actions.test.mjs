// SPDX-License-Identifier: MIT
// Every act of an administrator but those on leases and webhooks: done in the browser, with its
// consequences, and looked up on the server afterwards.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { shareServerAndBrowser } from "./fixture.mjs";
import { ask, assertNoFaults, startServer, tokens } from "./server.mjs";
import { acquire, fillDialog, journal, openConsole, patience, startConsoleServer }
    from "./console.mjs";

let server;
let browser;
shareServerAndBrowser((...both) => { [server, browser] = both; }, startConsoleServer);

test("a session is ended, and its locks with it", async () => {
    const opened = await ask(server, "POST", "/sessions",
        { token: tokens.alice, body: { ttl_seconds: 300 } });
    const session = opened.json.session_id;
    await acquire(server, "ends/with-it", { session_id: session, ephemeral: true });
    await acquire(server, "outlives/it", { session_id: session });
    const { page, context, faults } =
        await openConsole(browser, server, { place: `#/sessions/${session}` });
    await page.getByRole("link", { name: "ends/with-it" }).waitFor(patience);

    await page.getByRole("button", { name: "End session" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("go to the first who waits").waitFor(patience);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached", ...patience });
    const still = await ask(server, "GET", `/sessions/${session}`, { token: tokens.alice });
    assert.equal(still.json.active, true);

    await fillDialog(page, "End session", { Reason: "its machine burnt" });
    await page.getByText("There is no such session now.").waitFor(patience);
    const gone = await ask(server, "GET", `/sessions/${session}`, { token: tokens.alice });
    assert.equal(gone.status, 404);
    assert.equal((await ask(server, "GET", "/locks/ends/with-it", { admin: true })).json.status, "free");
    assert.equal((await ask(server, "GET", "/locks/outlives/it", { admin: true })).json.status, "held");
    const [closed] = await journal(server, "session.closed", `session:${session}`);
    assert.equal(closed.reason, "its machine burnt");
    assert.equal(closed.actor.kind, "admin");
    assertNoFaults(faults);
    await context.close();
});

test("an access list is edited: it binds newcomers and not the holder", async () => {
    const held = await acquire(server, "guarded/door");
    await ask(server, "PUT", "/locks/guarded/door/acl", { admin: true,
        body: { acl: { acquire: ["user:alice", "user:bob", `token:${tokens.bob}`] } } });
    const { page, context, faults } =
        await openConsole(browser, server, { place: "#/locks/guarded%2Fdoor" });
    const panel = page.getByRole("region", { name: "Access list" });
    await panel.getByText("user:bob").waitFor(patience);

    const dialog = await fillDialog(page, "Edit", { "One to a line": "no principal", Reason: "a slip" }, "Save");
    await dialog.getByRole("alert").filter({ hasText: /./ }).waitFor(patience);
    await dialog.getByText("1 token entries cannot be shown").waitFor(patience);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached", ...patience });
    const before = await ask(server, "GET", "/locks/guarded/door", { admin: true });
    assert.equal(before.json.acl.acquire.length, 3);

    await fillDialog(page, "Edit", { "One to a line": "user:alice", Reason: "bob has left" }, "Save");
    await panel.getByText("user:bob").waitFor({ state: "detached", ...patience });
    const after = await ask(server, "GET", "/locks/guarded/door", { admin: true });
    assert.deepEqual(after.json.acl.acquire, ["user:alice"]);
    assert.equal(after.json.status, "held");
    await ask(server, "POST", "/locks/guarded/door/release",
        { token: tokens.alice, body: { lease_id: held.lease_id } });
    const refused =
        await ask(server, "POST", "/locks/guarded/door/acquire", { token: tokens.bob, body: {} });
    assert.equal(refused.status, 403);
    const reasons = async (least) =>
        (await journal(server, "acl.changed", undefined, least)).map(({ reason }) => reason);
    assert.deepEqual(await reasons(2), [undefined, "bob has left"]);

    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await dialog.getByLabel("One to a line").fill("user:bob");
    await dialog.getByLabel("Reason").fill("bob is back");
    await ask(server, "PUT", "/locks/guarded/door/acl",
        { admin: true, body: { acl: { acquire: ["user:carol"] } } });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("somebody has changed the list").waitFor(patience);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached", ...patience });
    await panel.getByText("user:carol").waitFor(patience);
    await fillDialog(page, "Edit", { "One to a line": "", Reason: "open to all" }, "Save");
    await panel.getByText("whoever has an account may acquire it").waitFor(patience);
    assert.equal((await ask(server, "GET", "/locks/guarded/door", { admin: true })).json.acl, undefined);
    assert.deepEqual(await reasons(4), [undefined, "bob has left", undefined, "open to all"]);
    await page.getByRole("link", { name: "Journal", exact: true }).first().click();
    await page.getByRole("row", { name: /acl.*guarded\/door.*open to all/ }).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("a backup is downloaded: a whole store, known to the journal", async () => {
    const { page, context, faults } = await openConsole(browser, server, { place: "#/system" });
    const started = page.waitForEvent("download", patience);
    await fillDialog(page, "Download backup", { Reason: "before the upgrade" }, "Download");
    const download = await started;
    assert.match(download.suggestedFilename(), /^octostore-.*\.sqlite$/);
    const content = await readFile(await download.path());
    assert.equal(content.subarray(0, 15).toString(), "SQLite format 3");
    const [taken] = await journal(server, "backup.taken");
    assert.equal(taken.reason, "before the upgrade");
    assert.equal(taken.resource.name, createHash("sha256").update(content).digest("hex"));
    await page.getByText(/A backup of .* is saved/).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("the configuration is reloaded, and with a mistake it stays", async () => {
    const { page, context, faults } =
        await openConsole(browser, server, { place: "#/system?q=locks.per_principal_max" });
    const row = page.getByRole("row", { name: /locks.per_principal_max/ });
    await row.getByText("100", { exact: true }).waitFor(patience);
    const limit = async () => (await ask(server, "GET", "/admin/config", { admin: true })).json.items
        .find(({ key }) => key === "locks.per_principal_max").value;

    await server.configure(["locks.per_principal_max = none"]);
    const dialog = await fillDialog(page, "Reload configuration", { Reason: "more locks" }, "Reload");
    await dialog.getByText(/Refused, nothing was changed: .*locks.per_principal_max/).waitFor(patience);
    assert.equal(await limit(), "100");

    await server.configure(["locks.per_principal_max = 250"]);
    await dialog.getByRole("button", { name: "Reload" }).click();
    await row.getByText("250", { exact: true }).waitFor(patience);
    assert.equal(await limit(), "250");
    const reloaded = await journal(server, "config.reloaded");
    assert.deepEqual(reloaded.map(({ reason }) => reason), ["more locks"]);
    assertNoFaults(faults);
    await context.close();
});

test("a token of the configuration is not rotated", async () => {
    await server.configure(["locks.per_principal_max = 250", "auth.static.bob.role = admin"]);
    const reload = await ask(server, "POST", "/admin/reload",
        { admin: true, body: { reason: "a new admin" } });
    assert.equal(reload.status, 200, JSON.stringify(reload.json));
    const { page, context, faults } =
        await openConsole(browser, server, { place: "#/system", token: tokens.bob });
    const dialog = await fillDialog(page, "Rotate token", { Reason: "a trial" }, "Rotate");
    await dialog.getByText("Refused, nothing was changed").waitFor(patience);
    assert.equal((await ask(server, "GET", "/admin/me", { token: tokens.bob })).json.role, "admin");
    assertNoFaults(faults);
    await context.close();
});

/// No route makes an account of the store an administrator; a store that was carried over has some.
const makeAdministrator = `
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
changed = store.execute("""UPDATE record SET value = json_set(value, '$.role', 'admin')
    WHERE json_extract(value, '$.name') = ? AND json_extract(value, '$.role') = 'user'""",
    sys.argv[2:3])
assert changed.rowcount == 1
store.commit()
`;

test("a token of the store is rotated, and the page goes on with the new one", async (t) => {
    const open = await startServer({ accounts: ["auth.local_registration = true"] });
    const made = await ask(open, "POST", "/auth/register", { body: { username: "root-ann" } });
    assert.ok(made.json.token, JSON.stringify(made.json));
    await open.stop();
    execFileSync("python3", ["-c", makeAdministrator, join(open.folder, "octostore.db"), "root-ann"]);
    const own = await startConsoleServer({ folder: open.folder });
    t.after(() => own.remove());
    const { page, context, faults } =
        await openConsole(browser, own, { place: "#/system", token: made.json.token });

    await fillDialog(page, "Rotate token", { Reason: "it was in a log" }, "Rotate");
    const shown = page.getByRole("dialog", { name: "Your new token" });
    const token = (await shown.locator("code").innerText(patience)).trim();
    await shown.getByRole("button", { name: "I have stored it" }).click();
    await shown.waitFor({ state: "detached", ...patience });
    assert.notEqual(token, made.json.token);
    assert.equal((await ask(own, "GET", "/admin/me", { token: made.json.token })).status, 401);
    assert.equal((await ask(own, "GET", "/admin/me", { token })).json.name, "root-ann");
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByText("No session is open").waitFor(patience);
    await page.locator(".live.good").waitFor(patience);
    const rotated = await journal(own, "token.rotated");
    assert.deepEqual(rotated.map(({ reason }) => reason), ["it was in a log"]);
    assertNoFaults(faults);
    await context.close();
});
