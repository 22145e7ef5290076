#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A web server on loopback that misbehaves on request. Usage: http-server.py FOLDER

Prints its port on the first line, and ends when its standard input is closed.

  /file/NAME        with ranges           /plain/NAME    without ranges
  /redirect/NAME    302 to /file/NAME     /auth/NAME     wants the header X-Token: open sesame
  /worn/NAME        in parts of 20000 bytes; each X-Token is good for two requests, then 401
  /early/NAME       half of the body, then the connection ends, every time
  /once/NAME        the same, but only the first time
  /slow/NAME        in pieces, slower than a disk
  /hang/NAME        never answers         /stall/NAME    half of the body, then nothing more
  /status/CODE      that status
"""
import http.server
import os
import sys
import threading
import time

folder = sys.argv[1]
broken_once = set()
tokens_used = {}
ending = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.close_connection = True
        kind, _, name = self.path.split("?")[0].lstrip("/").partition("/")
        if kind == "status":
            return self.empty(int(name))
        if kind == "redirect":
            return self.empty(302, ("Location", "/file/" + name))
        if kind == "hang":
            ending.wait()
            return None
        if kind == "auth" and self.headers.get("X-Token") != "open sesame":
            return self.empty(401)
        if kind == "worn":
            token = self.headers.get("X-Token")
            tokens_used[token] = tokens_used.get(token, 0) + 1
            if tokens_used[token] > 2:
                return self.empty(401)
        if self.headers.get("User-Agent") != "Rostrum/1":
            return self.empty(400)
        try:
            with open(os.path.join(folder, os.path.basename(name)), "rb") as file:
                body = file.read()
        except OSError:
            return self.empty(404)
        return self.send(kind, name, body)

    def empty(self, code, *headers):
        self.send_response(code)
        for header in headers:
            self.send_header(*header)
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()

    def send(self, kind, name, body):
        start, size = 0, len(body)
        wanted = self.headers.get("Range")
        if wanted and kind != "plain":
            start = int(wanted.removeprefix("bytes=").split("-")[0])
            if start >= size:
                return self.empty(416, ("Content-Range", f"bytes */{size}"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        else:
            self.send_response(200)
        if kind != "plain":
            self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(size - start))
        self.send_header("Connection", "close")
        self.end_headers()
        end = size
        if kind in ("early", "stall") or (kind == "once" and name not in broken_once):
            broken_once.add(name)
            end = max(start, size // 2)
        if kind == "worn":
            end = min(size, start + 20000)
        try:
            if kind == "slow":
                for place in range(start, end, 8192):
                    self.wfile.write(body[place:min(place + 8192, end)])
                    time.sleep(0.005)
            else:
                self.wfile.write(body[start:end])
            self.wfile.flush()
            if kind == "stall":
                ending.wait()
        except OSError:
            pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
ending.set()
