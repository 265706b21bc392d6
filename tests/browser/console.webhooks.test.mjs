// SPDX-License-Identifier: MIT
// The life of a webhook, by way of the console: each act is looked up on the server and at the
// receiver.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { beforeEach, afterEach, test } from "node:test";
import { shareServerAndBrowser } from "./fixture.mjs";
import { ask, assertNoFaults } from "./server.mjs";
import { campaign, eventually, fillDialog, journal, lead, openConsole, patience, resign,
    startConsoleServer, startReceiver } from "./console.mjs";

let server;
let browser;
let receiver;
shareServerAndBrowser((...both) => { [server, browser] = both; }, () =>
    startConsoleServer({ more: [
        "webhooks.egress.allow.cidrs = 127.0.0.0/8", "webhooks.retry = 100ms"] }));
beforeEach(async () => { receiver = await startReceiver(200); });
afterEach(() => receiver.stop());

async function makeWebhook(rooms, more = {}) {
    const made = await ask(server, "POST", "/webhooks", { admin: true, body: { url: receiver.url,
        events: ["election.*"], elections: rooms, format: "octostore", ...more } });
    assert.equal(made.status, 201, JSON.stringify(made.json));
    return made.json;
}

async function show(id) {
    return (await ask(server, "GET", `/webhooks/${id}`, { admin: true })).json;
}

async function deliveries(id) {
    return (await ask(server, "GET", `/webhooks/${id}/deliveries`, { admin: true })).json.items;
}

/// What administrators said when they did this to a webhook.
async function reasons(type, id, least = 1) {
    return (await journal(server, type, `webhook:${id}`, least)).map(({ reason }) => reason);
}

/// The rooms that deliveries told of.
function roomsTold() {
    return receiver.got.map(({ body }) => JSON.parse(body).data.resource?.name);
}

/// Whether one of the signatures of a call was made with `secret`.
function isSigned({ headers, body }, secret) {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const signature = "v1," + createHmac("sha256", key).update(signed).digest("base64");
    return headers["webhook-signature"].split(" ").includes(signature);
}

/// The secret that is shown once.
async function storeSecret(page, title) {
    const dialog = page.getByRole("dialog", { name: title });
    const secret = (await dialog.locator("code").innerText(patience)).trim();
    await dialog.getByRole("button", { name: "I have stored it" }).click();
    await dialog.waitFor({ state: "detached", ...patience });
    return secret;
}

test("a webhook is created: its secret is shown once and signs what is sent", async () => {
    const { page, context, faults } = await openConsole(browser, server, { place: "#/webhooks" });
    await page.getByText("No webhook yet").waitFor(patience);
    const fields = { URL: "ftp://example.org/", Description: "Deployments",
        "Events, one to a line": "election.*", "Rooms, one to a line": "room-created",
        Reason: "deployments are watched" };
    const dialog = await fillDialog(page, "New webhook", fields, "Create");
    await dialog.getByRole("alert").filter({ hasText: /./ }).waitFor(patience);
    assert.deepEqual((await ask(server, "GET", "/webhooks", { admin: true })).json, []);
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByRole("button", { name: "Create" }).click();
    const secret = await storeSecret(page, "The secret of this webhook");
    await page.getByRole("heading", { name: receiver.url }).waitFor(patience);

    const [made] = (await ask(server, "GET", "/webhooks", { admin: true })).json;
    assert.deepEqual([made.url, made.description, made.events, made.elections, made.secret, made.active],
        [receiver.url, "Deployments", ["election.*"], ["room-created"], "****", true]);
    await campaign(server, "room-created", "node-a");
    const call = await eventually(() => receiver.got[0]);
    assert.ok(isSigned(call, secret));
    assert.deepEqual(await reasons("webhook.created", made.id), ["deployments are watched"]);
    await page.getByRole("row", { name: /room-created.*succeeded/ }).waitFor(patience);
    assertNoFaults(faults);
    await context.close();
});

test("edited settings count at once; paused, nothing is sent until it is resumed", async () => {
    const { id } = await makeWebhook(["room-before"]);
    const { page, context, faults } =
        await openConsole(browser, server, { place: `#/webhooks/${id}` });
    await fillDialog(page, "Edit",
        { "Rooms, one to a line": "room-after", Description: "Moved", "Drop what": "90 m",
            Reason: "the room moved" }, "Save");
    await page.getByText("room-after").waitFor(patience);
    const edited = await show(id);
    assert.deepEqual([edited.elections, edited.description, edited.max_age_seconds, edited.format],
        [["room-after"], "Moved", 5400, "octostore"]);
    await campaign(server, "room-before", "node-a");
    const token = await lead(server, "room-after", ["node-a"]);
    await eventually(() => receiver.got.length);
    assert.deepEqual(roomsTold(), ["room-after"]);

    await page.locator("main").getByRole("button", { name: "Pause" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Nothing is sent until it is resumed.").waitFor(patience);
    await dialog.getByLabel("Reason").fill("too loud");
    await dialog.getByRole("button", { name: "Pause" }).click();
    await page.locator(".facts").getByText("paused").waitFor(patience);
    assert.equal((await show(id)).active, false);
    const paused = receiver;
    receiver = await startReceiver(200);
    await makeWebhook(["room-after"], { description: "A witness" });
    await resign(server, "room-after", token);
    await campaign(server, "room-after", "node-b");
    await eventually(() => receiver.got.length === 2);
    assert.equal(paused.got.length, 1);
    assert.deepEqual(await reasons("webhook.changed", id, 2), ["the room moved", "too loud"]);
    await fillDialog(page, "Resume", { Reason: "quiet again" });
    await eventually(() => paused.got.length === 3);
    paused.stop();
    assert.equal((await show(id)).active, true);
    assertNoFaults(faults);
    await context.close();
});

test("a ping says what the receiver answers", async () => {
    const { id } = await makeWebhook(["room-pinged"]);
    const { page, context, faults } =
        await openConsole(browser, server, { place: `#/webhooks/${id}` });
    await page.getByRole("button", { name: "Ping" }).click();
    await page.getByText(/It answered 200 after \d+ ms/).waitFor(patience);
    receiver.status = 500;
    await page.getByRole("button", { name: "Ping" }).click();
    await page.getByText("It did not take the ping: 500").waitFor(patience);
    assert.equal(receiver.got.length, 2);
    assert.deepEqual(await deliveries(id), []);
    assertNoFaults(faults);
    await context.close();
});

test("a rotated secret signs beside the old one, and is not rotated again by accident", async () => {
    const { id, secret } = await makeWebhook(["room-rotated"]);
    const { page, context, faults } =
        await openConsole(browser, server, { place: `#/webhooks/${id}` });
    const rotation = await fillDialog(page, "Rotate secret",
        { "Hours that the old one stays good": "a while", Reason: "it leaked" }, "Rotate");
    await rotation.getByText("“a while” is no time").waitFor(patience);
    await rotation.getByLabel("Hours that the old one stays good").fill("8 d");
    await rotation.getByRole("button", { name: "Rotate" }).click();
    await rotation.getByText("From 0 s to 7 d; this is 8 d.").waitFor(patience);
    await rotation.getByLabel("Hours that the old one stays good").fill("0,5");
    const asked = page.waitForRequest(/rotate-secret/, patience);
    await rotation.getByRole("button", { name: "Rotate" }).click();
    assert.equal((await asked).postDataJSON().grace_seconds, 1800);
    const fresh = await storeSecret(page, "The new secret");
    assert.notEqual(fresh, secret);
    await page.getByRole("button", { name: "Ping" }).click();
    const call = await eventually(() => receiver.got[0]);
    assert.ok(isSigned(call, secret) && isSigned(call, fresh));

    const dialog = await fillDialog(page, "Rotate secret", { Reason: "it leaked again" }, "Rotate");
    await dialog.getByText("Refused, nothing was changed").waitFor(patience);
    await dialog.getByLabel("Even while an older one is still good").check();
    await dialog.getByRole("button", { name: "Rotate" }).click();
    const newest = await storeSecret(page, "The new secret");
    await page.getByRole("button", { name: "Ping" }).click();
    const last = await eventually(() => receiver.got[1]);
    assert.ok(isSigned(last, newest) && isSigned(last, fresh));
    assert.deepEqual(await reasons("webhook.changed", id, 2), ["it leaked", "it leaked again"]);
    assertNoFaults(faults);
    await context.close();
});

test("a failed delivery is looked into and sent again", async () => {
    receiver.status = 500;
    const { id } = await makeWebhook(["room-failed"]);
    await campaign(server, "room-failed", "node-a");
    const { page, context, faults } =
        await openConsole(browser, server, { place: `#/webhooks/${id}` });
    const failed = page.getByRole("row", { name: /exhausted/ });
    await failed.waitFor(patience);
    await failed.getByRole("link").click();
    await page.locator(".attempt summary").first().click();
    await page.getByText(/webhook-signature/).first().waitFor(patience);
    receiver.status = 200;
    await page.getByRole("button", { name: "Redeliver" }).click();
    await page.locator(".facts").getByText("succeeded").waitFor(patience);
    await page.locator(".attempt").nth(2).waitFor(patience);
    const [delivery] = await deliveries(id);
    assert.equal(delivery.state, "succeeded");
    assert.equal(receiver.got.length, 3);
    assert.equal(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size, 1);
    assertNoFaults(faults);
    await context.close();
});

test("what was given up is recovered, with the same names", async () => {
    receiver.status = 503;
    const { id } = await makeWebhook(["room-recovered"]);
    await lead(server, "room-recovered", ["node-a", "node-b"]);
    const givenUp = async () =>
        (await deliveries(id)).filter(({ state }) => state === "exhausted").length;
    await eventually(async () => await givenUp() === 3);
    const names = () => new Set(receiver.got.map(({ headers }) => headers["webhook-id"]));
    const before = names();
    receiver.status = 200;
    const { page, context, faults } =
        await openConsole(browser, server, { place: `#/webhooks/${id}` });
    const dialog = await fillDialog(page, "Recover", { "Hours back": "since noon" });
    await dialog.getByText("“since noon” is no time").waitFor(patience);
    await dialog.getByLabel("Hours back").fill("24h");
    await dialog.getByRole("button", { name: "Recover" }).click();
    await page.getByText("3 deliveries are sent again.").waitFor(patience);
    await page.waitForFunction(() => [...document.querySelectorAll("tbody tr")]
        .filter((row) => row.textContent.includes("succeeded")).length === 3, null, patience);
    assert.deepEqual((await deliveries(id)).map(({ state }) => state), Array(3).fill("succeeded"));
    assert.deepEqual(names(), before);
    assertNoFaults(faults);
    await context.close();
});

test("a deleted webhook is gone and is sent nothing", async () => {
    const { id } = await makeWebhook(["room-deleted"], { description: "To be deleted" });
    const { page, context, faults } =
        await openConsole(browser, server, { place: `#/webhooks/${id}` });
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete" }).click(); // the browser asks for the reason
    assert.equal(await dialog.getByLabel("Reason").evaluate((field) => field.validity.valueMissing), true);
    assert.equal((await show(id)).id, id);
    await dialog.getByLabel("Reason").fill("nobody listens");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Webhooks" }).waitFor(patience);
    await page.getByText("To be deleted").waitFor({ state: "detached", ...patience });
    assert.equal((await ask(server, "GET", `/webhooks/${id}`, { admin: true })).status, 404);
    assert.deepEqual(await reasons("webhook.removed", id), ["nobody listens"]);
    await campaign(server, "room-deleted", "node-a");
    await makeWebhook(["room-deleted-after"]);
    await campaign(server, "room-deleted-after", "node-a");
    await eventually(() => receiver.got.length);
    assert.deepEqual(roomsTold(), ["room-deleted-after"]);
    assertNoFaults(faults);
    await context.close();
});
