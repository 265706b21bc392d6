// SPDX-License-Identifier: MIT
// A way to the server on which streams can fall silent.
import { createServer, request } from "node:http";

/// `url` leads to the server. `silence()`: what is streamed now goes on without a word from then on;
/// whoever asks anew is answered.
export async function startProxy(server) {
    const streams = new Set();
    const http = createServer((asked, answer) => {
        const { method, url: path, headers } = asked;
        const passed = request({ host: "127.0.0.1", port: server.port, method, path, headers }, (got) => {
            const { connection, "transfer-encoding": coding, ...rest } = got.headers;
            answer.writeHead(got.statusCode, rest);
            const stream = { silent: false };
            streams.add(stream);
            got.on("data", (part) => { if (!stream.silent) answer.write(part); });
            got.on("close", () => {
                streams.delete(stream);
                answer.end();
            });
        });
        passed.on("error", () => answer.destroy());
        answer.on("close", () => passed.destroy());
        asked.pipe(passed);
    });
    await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
    return {
        url: `http://127.0.0.1:${http.address().port}`,
        silence: () => streams.forEach((stream) => { stream.silent = true; }),
        stop: () => {
            http.closeAllConnections();
            http.close();
        },
    };
}
