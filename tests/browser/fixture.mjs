// SPDX-License-Identifier: MIT
// A server and a browser for all tests of a file.
import { after, before } from "node:test";
import { startBrowser, startServer } from "./server.mjs";

/// `start()` starts the server; `use` is given both, and awaited, before the first test. They end
/// behind the last. What else is to be there belongs into `use`: hooks need not wait for each other.
export function shareServerAndBrowser(use, start = startServer) {
    let server;
    let browser;
    before(async () => {
        server = await start();
        browser = await startBrowser();
        await use(server, browser);
    });
    after(async () => {
        await browser?.close();
        await server?.remove();
    });
}
