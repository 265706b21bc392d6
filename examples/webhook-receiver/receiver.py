#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Receives webhooks of OctoStore: checks signatures, drops duplicates, refuses stale terms.

Usage: WEBHOOK_SECRET=whsec_... receiver.py [PORT]     (0: any; the port is printed)
"""
import base64, hashlib, hmac, json, os, sys, time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

TOLERANCE = 300  # seconds, each way
KNOWN_MAX = 100_000
KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
known, places, lock = OrderedDict(), {}, Lock()


def verified(headers, body):
    """Constant time for the comparison; any one of several signatures will do (rotation)."""
    sent = headers.get("webhook-timestamp", "")
    if not sent.isdigit() or abs(time.time() - int(sent)) > TOLERANCE:
        return False
    content = f"{headers.get('webhook-id', '')}.{sent}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest()).decode()
    entries = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(entry.encode(), wanted.encode()) for entry in entries)


def handle(event):
    """What this receiver is there for. An old leader must never overrule a newer one, nor may the
    news that it went away: that has only the term of the leader who was there before."""
    kind = event.get("type") or event.get("event")
    data = event.get("data", {})  # the legacy format has none
    current = data.get("current")
    name = f"{data['resource']['kind']}:{data['resource']['name']}" if "resource" in data else None
    term = (current or data.get("previous") or {}).get("term")
    if term is not None:
        place = (term, data.get("sequence", 0))
        if place <= places.get(name, (0, 0)):
            print(f"stale {kind} {name} term {term}", flush=True)
            return
        places[name] = place
    print(f"took {kind} {name} {current and current['holder']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        status = 204
        if not verified(self.headers, body):
            status = 401
        else:
            with lock:
                name = self.headers["webhook-id"]
                if name not in known:  # redeliveries have the same id
                    handle(json.loads(body))
                    known[name] = True
                    if len(known) > KNOWN_MAX:
                        known.popitem(last=False)
                else:
                    print(f"duplicate {name}", flush=True)
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8080), Receiver)
    print(f"port {server.server_port}", flush=True)
    server.serve_forever()
