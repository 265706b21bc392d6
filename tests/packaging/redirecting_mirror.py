#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A mirror of a folder, that redirects what begins with /away to itself: redirecting_mirror.py FOLDER
Prints its port."""
import functools, http.server, sys


class Mirror(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if not self.path.startswith("/away/"):
            return super().do_GET()
        self.send_response(302)
        port = self.server.server_address[1]
        self.send_header("location", f"http://127.0.0.1:{port}{self.path.removeprefix('/away')}")
        self.end_headers()

    def log_message(self, *_):
        pass


with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Mirror, directory=sys.argv[1])) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
