// SPDX-License-Identifier: MIT
// A server and a browser for all tests of a file.
import { after, before } from "node:test";
import { startBrowser, startServer } from "./server.mjs";

/// `start()` starts the server; `use` is given both before the first test. They end behind the last.
export function shareServerAndBrowser(use, start = startServer) {
    let server;
    let browser;
    before(async () => {
        server = await start();
        browser = await startBrowser();
        use(server, browser);
    });
    after(async () => {
        await browser?.close();
        await server?.remove();
    });
}
