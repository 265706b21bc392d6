#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands in for the socket on which systemd hears of its services: prints what comes, a datagram a
line: notify_socket.py PATH"""
import os, socket, sys

listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o666)
while True:
    print(listener.recv(65536).decode().replace("\n", " "), flush=True)
