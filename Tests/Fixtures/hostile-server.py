#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Web servers on loopback that lie. Usage: hostile-server.py FOLDER

Prints `NAME PORT` for each, in one line, and ends when its standard input is closed:

  plain        http                     elsewhere    http, another origin
  good         https, for 127.0.0.1, signed by Certificates/authority.pem
  other        the same, for another name            expired      the same, until 2020
  self         self-signed, for another name

  /file/NAME            with ranges          /auth/NAME      wants the headers that the tests send
  /bare/NAME            refuses who sends one of those
  /to/ORIGIN/PATH       302 to that server's /PATH           /relative/NAME   302 to ../file/NAME
  /to-file/NAME         302 to a file: address               /circle          302 to itself, for ever
  /line                 a header line that never ends        /fields          header fields without end
  /drip                 a header, a byte a second            /body/NAME       NAME, then silence for ever (no length)
  /endless/NAME         NAME, and again and again, for ever  /chunks/NAME     in chunks
  /chunk/NAME           a chunk larger than memory           /lengths/NAME    two lengths
  /longer/NAME          a length that is too long            /shorter/NAME    one that is too short
  /shifted/NAME         another range than was asked for     /total/NAME      another total each time, after a break
  /zip/NAME             compressed, unasked        /close/NAME        no length, and the connection ends behind it
  /cut/NAME             the same, cut in the middle of it, without TLS's farewell
"""
import gzip
import http.server
import os
import socket
import ssl
import sys
import threading
import time

folder = sys.argv[1]
certificates = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Certificates")
ending = threading.Event()
ports = {}
secrets = {"X-Token": "open sesame", "Authorization": "Basic cmVhZGVyOmh1bnRlcjI=", "Cookie": "id=hunter2"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.close_connection = True
        kind, _, name = self.path.split("?")[0].lstrip("/").partition("/")
        try:
            self.answer(kind.replace("-", "_"), name)
        except OSError:
            pass

    def answer(self, kind, name):
        if kind == "to":
            origin, _, path = name.partition("/")
            scheme = "http" if origin in ("plain", "elsewhere") else "https"
            return self.head(302, ("Location", f"{scheme}://127.0.0.1:{ports[origin]}/{path}"), ("Content-Length", "0"))
        if kind == "relative":
            return self.head(302, ("Location", f"../x/./../file/{name}?a=b"), ("Content-Length", "0"))
        if kind == "to_file":
            return self.head(302, ("Location", "file://" + os.path.join(folder, name)), ("Content-Length", "0"))
        if kind == "circle":
            return self.head(302, ("Location", "/circle"), ("Content-Length", "0"))
        if kind == "line":
            return self.forever(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 4096, 0)
        if kind == "fields":
            return self.forever(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 100, 0)
        if kind == "drip":
            return self.forever(b"HTTP/1.1 200 OK\r\n", b"x", 1)
        sent = [field for field, value in secrets.items() if self.headers.get(field) == value]
        if kind == "auth" and len(sent) < len(secrets) or kind == "bare" and sent:
            return self.head(401, ("Content-Length", "0"))
        try:
            with open(os.path.join(folder, os.path.basename(name)), "rb") as file:
                body = file.read()
        except OSError:
            return self.head(404, ("Content-Length", "0"))
        return getattr(self, kind, self.file)(body)

    def head(self, code, *fields):
        self.send_response(code)
        for field in fields:
            self.send_header(*field)
        self.send_header("Connection", "close")
        self.end_headers()

    def forever(self, start, more, pause):
        self.wfile.write(start)
        while not ending.wait(pause) if pause else not ending.is_set():
            self.wfile.write(more)

    def start(self):
        return int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])

    def file(self, body, shift=0, total=None, end=None):
        start = self.start()
        total = total or len(body)
        self.head(
            206, ("Content-Range", f"bytes {start + shift}-{total - 1}/{total}"),
            ("Content-Length", str(total - start - shift)), ("Accept-Ranges", "bytes"))
        self.wfile.write(body[start + shift:end])

    def body(self, body):
        self.head(200)
        self.wfile.write(body)
        self.wfile.flush()
        ending.wait()

    def close(self, body):
        self.head(200)
        self.wfile.write(body)

    def cut(self, body):
        self.head(200)
        self.wfile.write(body[:len(body) // 2])
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def endless(self, body):
        self.head(200)
        while not ending.is_set():
            self.wfile.write(body)

    def chunks(self, body):
        self.head(200, ("Transfer-Encoding", "chunked"))
        for place in range(0, len(body), 10_007):
            part = body[place:place + 10_007]
            self.wfile.write(b"%X;a=b\r\n%s\r\n" % (len(part), part))
        self.wfile.write(b"0\r\nX-Trailer: y\r\n\r\n")

    def chunk(self, body):
        self.head(200, ("Transfer-Encoding", "chunked"))
        self.wfile.write(b"FFFFFFFFFFFFFFFFFFFF\r\n" + body)

    def lengths(self, body):
        self.head(200, ("Content-Length", str(len(body))), ("Content-Length", str(len(body) // 2)))
        self.wfile.write(body)

    def longer(self, body):
        self.file(body, total=2 * len(body))

    def shorter(self, body):
        self.head(200, ("Content-Length", str(len(body) // 2)))
        self.wfile.write(body)

    def shifted(self, body):
        self.file(body, shift=4096)

    def total(self, body):
        start = self.start()
        self.file(body, total=len(body) - (1 if start else 0), end=max(start, len(body) // 2) if not start else None)

    def zip(self, body):
        packed = gzip.compress(body, 1)
        self.head(200, ("Content-Encoding", "gzip"), ("Content-Length", str(len(packed))))
        self.wfile.write(packed)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    context = None

    def handle_error(self, request, client_address):
        pass

    def finish_request(self, request, client_address):
        # On the thread of the request: a client that says nothing holds up nobody.
        if self.context:
            request = self.context.wrap_socket(request, server_side=True)
        super().finish_request(request, client_address)
        if self.context:
            try:
                request.unwrap()
            except (OSError, ValueError):
                pass  # Or nothing of TLS is left.
            request.close()


for server_name in ("plain", "elsewhere", "good", "other", "expired", "self"):
    server = Server(("127.0.0.1", 0), Handler)
    if server_name not in ("plain", "elsewhere"):
        server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.context.load_cert_chain(os.path.join(certificates, server_name + ".pem"))
    ports[server_name] = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
print(*(f"{server_name} {port}" for server_name, port in ports.items()), flush=True)
sys.stdin.read()
ending.set()
