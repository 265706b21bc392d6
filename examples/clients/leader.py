#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Leads a room while it may: leader.py URL ROOM CANDIDATE RESOURCE"""
import json, os, secrets, signal, sys, time, urllib.error, urllib.request

URL, ROOM, CANDIDATE, RESOURCE = sys.argv[1:]
TTL = int(os.environ.get("TTL", "15"))
stopping = False


def now():
    return time.clock_gettime(time.CLOCK_BOOTTIME)  # goes on while the machine sleeps


def post(action, body, timeout):
    """The status and the answer; 0 when there is none."""
    text = json.dumps(body).encode()
    request = urllib.request.Request(
        f"{URL}/elections/{ROOM}/{action}", text, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, {}
    except OSError:
        return 0, {}


def campaign():
    # With the key a lost answer can be asked for again.
    body = {"candidate_id": CANDIDATE, "candidate_key": secrets.token_urlsafe(32),
            "ttl_seconds": TTL, "wait_seconds": 20}
    while True:
        status, answer = post("campaign", body, 30)
        if answer.get("status") == "leader":
            return answer["leader"]["term"], answer["leader_token"]
        if 400 <= status < 500 and status != 429:
            sys.exit(f"campaign: {status}")
        time.sleep(0 if status == 200 else 1)


def work(term):
    """One short step. The resource remembers the highest term and refuses lower ones; a database
    does that in one statement: UPDATE ... SET term = :term WHERE term <= :term."""
    seen = int(open(RESOURCE).read().split()[0]) if os.path.exists(RESOURCE) else 0
    if seen > term:
        sys.exit(f"refused: term {seen} has begun")
    # Aside, then renamed: who is stopped in between leaves a whole file.
    aside = f"{RESOURCE}.{CANDIDATE}"
    with open(aside, "w") as file:
        file.write(f"{term} {CANDIDATE}\n")
    os.replace(aside, RESOURCE)


def lead(term, token):
    print(f"leader {term}", flush=True)
    # When the campaign waited, the time of sending it says nothing: renew first.
    deadline, renew_at = now() + 0.8 * TTL, 0
    while not stopping and now() < deadline:
        sent = now()
        if sent >= renew_at:
            status, _ = post("renew", {"leader_token": token, "ttl_seconds": TTL}, deadline - sent)
            if status == 200:
                deadline, renew_at = sent + 0.8 * TTL, sent + 0.4 * TTL
            elif 400 <= status < 500 and status != 429:
                sys.exit("lost")
        if renew_at and now() < deadline:
            work(term)
        time.sleep(0.2)
    if not stopping:
        sys.exit("lost")
    # Between two steps, never within one: nothing is written after this.
    status, _ = post("resign", {"leader_token": token}, 5)
    sys.exit(status != 200)


def stop(*_):
    global stopping
    stopping = True


term, token = campaign()
signal.signal(signal.SIGTERM, stop)
lead(term, token)
