// SPDX-License-Identifier: MIT
// Verifies deliveries with the library of Standard Webhooks: one JSON object
// {"secret","headers","body"} on standard input. Ends with 1 if it refuses.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const { secret, headers, body } = JSON.parse(readFileSync(0, "utf8"));
const webhook = new Webhook(secret);
webhook.verify(body, headers);
try {
    webhook.verify(body + " ", headers);
} catch {
    console.log("verified");
    process.exit(0);
}
console.error("a changed body was accepted");
process.exit(1);
