// SPDX-License-Identifier: MIT
// What every browser test needs: the real server on a free port, a page of a real browser, and a
// record of everything that must not happen. Node's own test runner runs the *.test.mjs files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const adminKey = "the-admin-key";
export const tokens = { alice: "alice-token", observer: "observer-token" };

/// Starts the program of OCTOSTORE_TEST_PROGRAM; `more` are lines of its configuration.
/// `folder`: of a server that ran before. `stop()` ends it; `remove()` its files as well.
export async function startServer({ more = [], folder, port = 0 } = {}) {
    const home = folder ?? (await mkdtemp(join(tmpdir(), "octostore-browser-")));
    const configuration = join(home, "octostore.properties");
    await writeFile(configuration, [
        `server.bind = 127.0.0.1:${port}`,
        `storage.database = ${join(home, "octostore.db")}`,
        `auth.admin_key = ${adminKey}`,
        `auth.static.alice.token = ${tokens.alice}`,
        `auth.static.observer.token = ${tokens.observer}`,
        "auth.static.observer.role = observer",
        "log.format = json",
        ...more,
    ].join("\n") + "\n", { mode: 0o600 });
    const child = spawn(process.env.OCTOSTORE_TEST_PROGRAM, ["--config", configuration],
        { cwd: home, stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const address = await servingAddress(child);
    const stop = async () => {
        child.kill("SIGTERM");
        await ended;
    };
    return {
        url: `http://${address}`,
        port: Number(address.split(":").pop()),
        folder: home,
        stop,
        remove: async () => {
            await stop();
            await rm(home, { recursive: true, force: true });
        },
    };
}

function servingAddress(child) {
    return new Promise((resolve, reject) => {
        const said = [];
        const look = (line) => {
            said.push(line);
            const entry = line.startsWith("{") ? JSON.parse(line) : {};
            if (entry.msg === "serving") resolve(entry.address);
        };
        for (const stream of [child.stdout, child.stderr])
            createInterface({ input: stream }).on("line", look);
        child.once("exit", (code) =>
            reject(new Error(`the server ended with ${code}:\n${said.join("\n")}`)));
    });
}

export function startBrowser() {
    return chromium.launch({
        executablePath: process.env.OCTOSTORE_TEST_CHROMIUM ?? "/usr/bin/chromium",
        // Root has no sandbox; only our own server is ever visited.
        args: process.getuid() === 0 ? ["--no-sandbox"] : [],
    });
}

/// A page that records violations of its policy, requests to other origins and errors.
export async function openPage(browser, server, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const faults = [];
    await context.exposeBinding("reportViolation", (_, what) => faults.push(`policy: ${what}`));
    await context.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) =>
            window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`));
    });
    const page = await context.newPage();
    page.on("request", (request) => {
        const { protocol, origin } = new URL(request.url());
        const own = origin === server.url || protocol === "data:" || protocol === "blob:";
        if (!own) faults.push(`request to ${request.url()}`);
    });
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    return { page, context, faults };
}

/// Asks the server directly, as a script would.
export async function ask(server, method, path, { token, admin, body } = {}) {
    const headers = {};
    if (token) headers.authorization = `Bearer ${token}`;
    if (admin) headers["x-admin-key"] = adminKey;
    if (body !== undefined) headers["content-type"] = "application/json";
    const answer = await fetch(server.url + path,
        { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, json: text ? JSON.parse(text) : undefined };
}

export function assertNoFaults(faults) {
    assert.deepEqual(faults, []);
}
