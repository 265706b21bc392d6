// SPDX-License-Identifier: MIT
// What every browser test needs: the real server on a free port, a page of a real browser, and a
// record of everything that must not happen. Node's own test runner runs the *.test.mjs files.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const adminKey = "the-admin-key";
export const tokens = { alice: "alice-token", bob: "bob-token", observer: "observer-token" };

const staticAccounts = [
    ...Object.entries(tokens).map(([name, token]) => `auth.static.${name}.token = ${token}`),
    "auth.static.observer.role = observer",
];

/// Starts the program of OCTOSTORE_TEST_PROGRAM; `more` are lines of its configuration.
/// `accounts`: those that configure who there is. `folder`: of a server that ran before.
/// `configure()` writes the file anew with other lines; `stop()` ends the server, `remove()` its
/// files as well; `freeze()` leaves it there without a sign of life until `thaw()`.
export async function startServer({ more = [], accounts = staticAccounts, folder, port = 0 } = {}) {
    const home = folder ?? (await mkdtemp(join(tmpdir(), "octostore-browser-")));
    const configuration = join(home, "octostore.properties");
    const configure = (lines) => writeFile(configuration, [
        `server.bind = 127.0.0.1:${port}`,
        `storage.database = ${join(home, "octostore.db")}`,
        `auth.admin_key = ${adminKey}`,
        "log.format = json",
        ...accounts,
        ...lines,
    ].join("\n") + "\n", { mode: 0o600 });
    await configure(more);
    const child = spawn(process.env.OCTOSTORE_TEST_PROGRAM, ["--config", configuration],
        { cwd: home, stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const address = await servingAddress(child);
    const stop = async () => {
        child.kill("SIGCONT");
        child.kill("SIGTERM");
        await ended;
    };
    return {
        url: `http://${address}`,
        port: Number(address.split(":").pop()),
        folder: home,
        configure: (lines) => configure([...more, ...lines]),
        stop,
        freeze: () => child.kill("SIGSTOP"),
        thaw: () => child.kill("SIGCONT"),
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
        timeout: 240_000,
    });
}

/// A page that records violations of its policy, requests to other origins and errors.
export async function openPage(browser, server, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(240_000); // guards against hangs
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

// fetch takes three times as long, and some tests ask ten thousand times.
const agent = new Agent({ keepAlive: true });

/// Asks the server directly, as a script would. A server that stood still says that there is too
/// much to do: nothing was changed, and it is asked again.
export async function ask(server, method, path, options = {}) {
    const end = Date.now() + 60_000;
    for (;;) {
        const answer = await askOnce(server, method, path, options);
        if (answer.status !== 503 || answer.json?.reason !== "overloaded" || Date.now() > end)
            return answer;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

function askOnce(server, method, path, { token, admin, body }) {
    const headers = {};
    if (token) headers.authorization = `Bearer ${token}`;
    if (admin) headers["x-admin-key"] = adminKey;
    if (body !== undefined) headers["content-type"] = "application/json";
    return new Promise((resolve, reject) => {
        const asked = request(server.url + path, { method, headers, agent }, (answer) => {
            let text = "";
            answer.setEncoding("utf8").on("data", (part) => { text += part; });
            answer.on("error", reject).on("end", () =>
                resolve({ status: answer.statusCode, json: text ? JSON.parse(text) : undefined }));
        });
        asked.on("error", reject);
        asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

export function assertNoFaults(faults) {
    assert.deepEqual(faults, []);
}
