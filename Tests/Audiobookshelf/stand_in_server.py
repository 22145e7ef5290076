#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that behaves as Audiobookshelf does, and misbehaves on request.

Usage: stand_in_server.py [--media FOLDER] [--books N] [--podcasts N --episodes N] [--version 2.36.0] [--port 0]
                          [--base /books] [--access-life S] [--refresh-life S] [--grace S] [--rate-limit N]

Prints its address on the first line, and ends when its standard input is closed. FOLDER has books/AUTHOR/TITLE/FILES
and podcasts/TITLE/FILES. The users are root (rootpass), listener (listenpass) and limited (limitedpass).

`POST /stand-in` takes the orders of a test, see `World.control` and `stand_in_faults`. Its log has the requests
without tokens: what a URL says behind `token=` is left out, and of the fields only `Range` and `If-Range` are kept.
"""
import argparse
import email.utils
import http.server
import json
import re
import sys
import threading
import time

import stand_in_media
import stand_in_user_routes  # noqa: F401: enters its routes
from stand_in_answers import Answer, json_answer
from stand_in_routes import Request, answer
from stand_in_world import World

PIECE = 16_384


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    world = None
    timeout = 120

    def log_message(self, *arguments):
        pass

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except ConnectionError:
            self.close_connection = True

    def respond(self):
        length = int(self.headers.get('Content-Length') or 0)
        body = self.rfile.read(length) if length else b''
        world = self.world
        if self.path == '/stand-in':
            return self.control(body)
        request = Request(world, self.command, self.path, self.headers, body, self.client_address[0])
        with world.lock:
            fault = request.fault = world.faults.take(self.command, self.path)
        if fault.get('delay'):
            time.sleep(fault['delay'])
        if fault.get('hang'):
            time.sleep(fault['hang'])
        if fault.get('drop') or fault.get('hang'):
            self.close_connection = True
            return self.note(request, 0, 0)
        if fault.get('status'):
            text = http.server.BaseHTTPRequestHandler.responses.get(fault['status'], ('Error',))[0]
            result = Answer(fault['status'], 'text/plain; charset=utf-8', text.encode(), fault.get('after', ()))
        else:
            with world.lock:
                result = answer(request)
        return self.send(request, result, fault)

    do_GET = do_HEAD = do_POST = do_PATCH = do_DELETE = respond

    def control(self, body):
        with self.world.lock:
            try:
                result = json_answer(self.world.control(json.loads(body)))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                result = json_answer({'error': repr(error)}, 400)
        self.send(None, result, {})

    def note(self, request, status, sent):
        if not request:
            return
        with self.world.lock:
            self.world.sent += sent
            self.world.log.append({
                'method': request.method, 'path': re.sub(r'token=[^&]*', 'token=…', request.target), 'status': status,
                'sent': sent, 'range': request.headers.get('Range'), 'ifRange': request.headers.get('If-Range'),
                'user': request.user.name if request.user else None})

    def send(self, request, result, fault):
        self.send_response_only(result.status)
        fields = [("Content-Security-Policy", "frame-ancestors 'self'"), ('Referrer-Policy', 'no-referrer')]
        if result.kind:
            fields.append(('Content-Type', result.kind))
        fields += result.fields
        fields.append(('Date', email.utils.formatdate(self.world.clock(), usegmt=True)))
        for name, value in fields:
            self.send_header(name, value)
        length = result.length + fault.get('length', 0)
        if result.chunked:
            self.send_header('Transfer-Encoding', 'chunked')
        elif result.status != 304:
            self.send_header('Content-Length', str(length))
        closes = any(name in fault for name in ('cut', 'stall', 'length'))
        self.send_header('Connection', 'close' if closes else 'keep-alive')
        self.end_headers()
        if closes:
            self.close_connection = True
        sent = 0
        if self.command != 'HEAD' and result.status != 304:
            sent = self.send_body(result, fault)
        self.note(request, result.status, sent)

    def send_body(self, result, fault):
        if result.chunked:
            body = result.read(0, result.length)
            self.wfile.write(b'%x\r\n%s\r\n0\r\n\r\n' % (len(body), body) if body else b'0\r\n\r\n')
            return len(body)
        end = min([result.length] + [fault[name] for name in ('cut', 'stall') if name in fault])
        rate = fault.get('rate')
        sent = 0
        try:
            while sent < end:
                piece = result.read(sent, min(PIECE, end - sent, max(256, int(rate / 20)) if rate else PIECE))
                if not piece:
                    break
                place = fault.get('garble')
                if place is not None and sent <= place < sent + len(piece):
                    at = place - sent
                    piece = piece[:at] + bytes([piece[at] ^ 0xff]) + piece[at + 1:]
                self.wfile.write(piece)
                sent += len(piece)
                if rate:
                    self.wfile.flush()
                    time.sleep(len(piece) / rate)
            self.wfile.flush()
            if 'stall' in fault:
                time.sleep(fault.get('seconds', 60))
        except ConnectionError:
            self.close_connection = True
        return sent


class StandIn:
    """A running stand-in server, for a check in the same process."""

    def __init__(self, world, port=0):
        handler = type('BoundHandler', (Handler,), {'world': world})
        self.world = world
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', port), handler)
        self.server.daemon_threads = True
        self.address = f'http://127.0.0.1:{self.server.server_address[1]}{world.base}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--media')
    for name in ('--books', '--podcasts', '--port'):
        parser.add_argument(name, type=int, default=0)
    parser.add_argument('--episodes', type=int, default=10)
    parser.add_argument('--version', default='2.36.0')
    parser.add_argument('--base', default='')
    parser.add_argument('--access-life', type=float, default=3600)
    parser.add_argument('--refresh-life', type=float, default=30 * 86400)
    parser.add_argument('--grace', type=float, default=600)
    parser.add_argument('--rate-limit', type=int, default=40)
    wanted = parser.parse_args()
    world = World(wanted.version, wanted.base, access=wanted.access_life, refresh=wanted.refresh_life,
                  grace=wanted.grace, limit=wanted.rate_limit)
    if wanted.media:
        stand_in_media.scan(world.catalog, wanted.media)
    if wanted.books or wanted.podcasts:
        stand_in_media.synthesize(world.catalog, wanted.books, wanted.podcasts, wanted.episodes)
    world.populate_users()
    running = StandIn(world, wanted.port)
    print(running.address, flush=True)
    sys.stdin.read()
    running.stop()


if __name__ == '__main__':
    main()
