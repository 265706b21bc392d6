#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Leads a room while it may: leader.mjs URL ROOM CANDIDATE RESOURCE   (Node 18 or newer)
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [url, room, candidate, resource] = process.argv.slice(2);
const ttl = Number(process.env.TTL ?? 15);
const now = () => performance.now() / 1000;

function end(why) {
  console.error(why);
  process.exit(1);
}

// The status and the answer; 0 when there is none.
async function post(action, body, seconds) {
  try {
    const response = await fetch(`${url}/elections/${room}/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(seconds * 1000))),
    });
    return { status: response.status, answer: await response.json() };
  } catch {
    return { status: 0, answer: {} };
  }
}
const isFinal = (status) => status >= 400 && status < 500 && status !== 429;

async function campaign() {
  // With the key a lost answer can be asked for again.
  const key = randomBytes(32).toString("base64url");
  const body = { candidate_id: candidate, candidate_key: key, ttl_seconds: ttl, wait_seconds: 20 };
  for (;;) {
    const { status, answer } = await post("campaign", body, 30);
    if (answer.status === "leader") return { term: answer.leader.term, token: answer.leader_token };
    if (isFinal(status)) end(`campaign: ${status}`);
    if (status !== 200) await sleep(1000);
  }
}

// One short step. The resource remembers the highest term and refuses lower ones; a database does
// that in one statement: UPDATE ... SET term = :term WHERE term <= :term.
function work(term) {
  const seen = existsSync(resource) ? Number(readFileSync(resource, "utf8").split(" ")[0]) : 0;
  if (seen > term) end(`refused: term ${seen} has begun`);
  // Aside, then renamed: who is stopped in between leaves a whole file.
  const aside = `${resource}.${candidate}`;
  writeFileSync(aside, `${term} ${candidate}\n`);
  renameSync(aside, resource);
}

const { term, token } = await campaign();
let stopping = false;
process.on("SIGTERM", () => (stopping = true));
console.log(`leader ${term}`);
// When the campaign waited, the time of sending it says nothing: renew first.
let deadline = now() + 0.8 * ttl;
let renewAt = 0;
while (!stopping && now() < deadline) {
  const sent = now();
  if (sent >= renewAt) {
    const body = { leader_token: token, ttl_seconds: ttl };
    const { status } = await post("renew", body, deadline - sent);
    if (status === 200) {
      deadline = sent + 0.8 * ttl;
      renewAt = sent + 0.4 * ttl;
    } else if (isFinal(status)) end("lost");
  }
  if (renewAt > 0 && now() < deadline) work(term);
  await sleep(200);
}
if (!stopping) end("lost");
const { status } = await post("resign", { leader_token: token }, 5);
process.exit(status === 200 ? 0 : 1);
