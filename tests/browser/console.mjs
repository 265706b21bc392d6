// SPDX-License-Identifier: MIT
// What the tests of the console share: signing in, a receiver of webhooks, axe.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { adminKey, ask, openPage, startServer, tokens } from "./server.mjs";

export const patience = { timeout: 240_000 }; // a guard against hangs

const plugins = ["accounts", "admin-api", "admin-ui", "api-docs", "auth-static", "coordination-api",
    "health", "metrics", "watches", "webhooks"];

/// A server with everything the console shows, or `without` one of the plugins.
export function startConsoleServer({ without, more = [], ...options } = {}) {
    const enabled = plugins.filter((name) => name !== without).join(", ");
    return startServer({ ...options, more: [`plugins.enabled = ${enabled}`, ...more] });
}

/// A page that is signed in: as administrator, or with a token. It polls every `refresh` seconds.
/// `clock`: its time can be told to pass.
export async function openConsole(browser, server,
    { place = "#/overview", token, refresh = 0.25, clock = false, ...options } = {}) {
    const opened = await openPage(browser, server, options);
    const { page, context, faults } = opened;
    await context.addInitScript((seconds) => {
        localStorage.setItem("octostore.refresh", JSON.stringify(seconds));
    }, refresh);
    page.on("console", (message) => {
        // What the server refuses is also reported by the browser; the tests mean such answers.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
            faults.push(`console: ${message.text()}`);
    });
    if (clock) await page.clock.install();
    await page.goto(`${server.url}/admin/${place}`);
    if (token) await page.getByLabel("Token").check();
    await page.getByLabel("Credential").fill(token ?? adminKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator("nav").waitFor({ state: "attached", ...patience });
    return opened;
}

/// Opens the dialog of a button, fills in its fields by their labels and confirms with `verb`.
export async function fillDialog(page, button, fields = {}, verb = button) {
    await page.getByRole("button", { name: button, exact: true }).click();
    const dialog = page.getByRole("dialog");
    for (const [label, value] of Object.entries(fields)) {
        const field = dialog.getByLabel(label);
        if (typeof value === "boolean") await field.setChecked(value);
        else await field.fill(value);
    }
    await dialog.getByRole("button", { name: verb, exact: true }).click();
    return dialog;
}

/// What the journal has of this type and resource, oldest first, once there are as many as that: it
/// may be a moment behind the answers.
export async function journal(server, type, resource, least = 1) {
    const filter = new URLSearchParams({ type, limit: 1000, ...resource && { resource } });
    return eventually(async () => {
        const answer = await ask(server, "GET", `/events?${filter}`, { admin: true });
        assert.equal(answer.status, 200, JSON.stringify(answer.json));
        return answer.json.events.length >= least && answer.json.events;
    });
}

/// Waits until `look` answers with something, and answers that.
export async function eventually(look) {
    const end = Date.now() + patience.timeout;
    for (;;) {
        const found = await look();
        if (found || Date.now() > end) {
            assert.ok(found, "it did not happen");
            return found;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

const require = createRequire(import.meta.url);

const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
const everyRule = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/// axe finds nothing; `options` are its own.
export async function assertAccessible(page, what, options = {}) {
    if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
    const found = await page.evaluate((run) => window.axe.run(document, run),
        { runOnly: everyRule, ...options });
    assert.deepEqual(found.violations.map(({ id, nodes }) =>
        `${what}: ${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`), []);
}

export async function acquire(server, name, { token = tokens.alice, ...body } = {}) {
    const answer = await ask(server, "POST", `/locks/${encodeURIComponent(name)}/acquire`,
        { token, body: { ttl_seconds: 600, ...body } });
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    return answer.json;
}

export async function campaign(server, room, candidate, body = {}) {
    const answer = await ask(server, "POST", `/elections/${room}/campaign`,
        { body: { candidate_id: candidate, ttl_seconds: 300, ...body } });
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    return answer.json;
}

export async function resign(server, room, leaderToken) {
    const answer = await ask(server, "POST", `/elections/${room}/resign`,
        { body: { leader_token: leaderToken } });
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
}

/// Leads with one candidate after the other and leaves the last one leading.
export async function lead(server, room, candidates) {
    let token;
    for (const candidate of candidates) {
        if (token) await resign(server, room, token);
        token = (await campaign(server, room, candidate)).leader_token;
    }
    return token;
}

/// Answers webhooks with `status`, which may be changed at any time.
export async function startReceiver(status) {
    const receiver = { status, got: [] };
    const http = createServer((request, response) => {
        let body = "";
        request.on("data", (part) => { body += part; });
        request.on("end", () => {
            receiver.got.push({ headers: request.headers, body });
            response.writeHead(receiver.status).end("noted");
        });
    });
    await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
    receiver.url = `http://127.0.0.1:${http.address().port}/hook`;
    receiver.stop = () => {
        http.closeAllConnections();
        http.close();
    };
    return receiver;
}
