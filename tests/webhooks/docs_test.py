#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Goal: what docs/webhooks.md tells people to type works and prints what it says.
Method: its marked blocks run in one shell, in order, against a real server and a receiver that
takes everything: docs_test.py PROGRAM SOURCE
"""
import http.server, os, re, subprocess, sys, tempfile, threading, time

PROGRAM, SOURCE = (os.path.abspath(word) for word in sys.argv[1:3])
sys.path.insert(0, os.path.join(SOURCE, "tests", "readme"))
from blocks import blocks_of

PROPERTIES = """server.bind = 127.0.0.1:0
storage.database = {0}/octostore.db
auth.static.tokens = alice:alice-secret
log.format = json
webhooks.egress.allow.cidrs = 127.0.0.0/8
webhooks.retry = 100ms, 100ms, 100ms
"""
PATIENCE = 120  # seconds; only what never comes is found by it


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def start(directory):
    """The server, and its URL once it serves."""
    configuration = os.path.join(directory, "octostore.properties")
    with open(os.open(configuration, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
        file.write(PROPERTIES.format(directory))
    log = os.path.join(directory, "log")
    with open(log, "w") as file:
        server = subprocess.Popen([PROGRAM, "--config", configuration], stdout=file, stderr=file)
    for _ in range(PATIENCE * 20):
        with open(log) as file:
            found = re.search(r'"msg":"serving","address":"([^"]+)"', file.read())
        if found:
            return server, "http://" + found.group(1)
        time.sleep(0.05)
    server.kill()
    sys.exit(open(log).read())


def run(url, hook, blocks):
    script = f"set -eu -o pipefail\nURL={url}\nHOOK={hook}\n" + "".join(
        block.commands + f"echo; echo '@@ {number}'\n" for number, block in enumerate(blocks))
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode != 0:
        sys.exit(f"the shell stopped:\n{done.stdout}{done.stderr}")
    return done.stdout


def check(blocks, printed):
    for number, block in enumerate(blocks):
        text, _, printed = printed.partition(f"\n@@ {number}\n")
        for expected in block.expected:
            if expected not in text:
                sys.exit(f"line {block.line}: `{expected}` is not in:\n{text}")
            text = text[text.index(expected) + len(expected):]


def main():
    with open(os.path.join(SOURCE, "docs", "webhooks.md")) as file:
        blocks = [block for block in blocks_of(file.read()) if block.mark == "test"]
    assert len(blocks) >= 8, "docs/webhooks.md shows every operation"
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as directory:
        server, url = start(directory)
        try:
            check(blocks, run(url, f"http://127.0.0.1:{receiver.server_port}/hook", blocks))
        finally:
            server.kill()
            server.wait()
    print("docs/webhooks.md: ok")


main()
