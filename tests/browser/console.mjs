// SPDX-License-Identifier: MIT
// What the tests of the console share: signing in, a receiver of webhooks, axe.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { adminKey, ask, openPage, startServer, tokens } from "./server.mjs";

export const patience = { timeout: 60_000 }; // a guard against hangs

const plugins = "plugins.enabled = accounts, admin-api, admin-ui, api-docs, auth-static, " +
    "coordination-api, health, metrics, watches, webhooks";

/// A server with everything the console shows.
export function startConsoleServer(options = {}) {
    return startServer({ ...options, more: [plugins, ...options.more ?? []] });
}

/// A page that is signed in: as administrator, or with a token.
export async function openConsole(browser, server, { place = "#/overview", token, ...options } = {}) {
    const opened = await openPage(browser, server, options);
    const { page, faults } = opened;
    page.on("console", (message) => {
        // What the server refuses is also reported by the browser; the tests mean such answers.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
            faults.push(`console: ${message.text()}`);
    });
    await page.goto(`${server.url}/admin/${place}`);
    if (token) await page.getByLabel("Token").check();
    await page.getByLabel("Credential").fill(token ?? adminKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator("nav").waitFor({ state: "attached", ...patience });
    return opened;
}

const require = createRequire(import.meta.url);

export async function assertAccessible(page, what) {
    const source = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
    await page.evaluate(source);
    const found = await page.evaluate(() => window.axe.run(document, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }));
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
