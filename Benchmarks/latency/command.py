#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the time from a command on the control socket to its state on a subscriber's, while a session plays.

    command.py FILE [COUNT]        with a running session that plays FILE detached

The time runs from the moment when the command is handed to the socket to the moment when its state is read from the
other one. It does not include writing and reading JSON in this script. Prints median, p95, p99 and maximum, in
milliseconds, for each command, and as `floor` the same for a process that only answers one line with another, which is
what the machine itself needs at that time. Quote a figure only from a machine that has nothing else to do, with its
floor.
"""
import json
import os
import socket
import sys
import time


class Client:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect(os.environ['XDG_RUNTIME_DIR'] + '/rostrum/session.sock')
        self.rest = b''
        self.id = 0
        self.sent = self.received = 0.0

    def send(self, method, **params):
        self.id += 1
        message = {'jsonrpc': '2.0', 'id': self.id, 'method': method}
        if params:
            message['params'] = params
        line = json.dumps(message).encode() + b'\n'
        self.sent = time.perf_counter()
        self.socket.sendall(line)

    def line(self):
        while b'\n' not in self.rest:
            part = self.socket.recv(65536)
            if not part:
                raise SystemExit('command: the session is gone')
            self.rest += part
            self.received = time.perf_counter()
        line, self.rest = self.rest.split(b'\n', 1)
        return json.loads(line)

    def call(self, method, **params):
        self.send(method, **params)
        while (answer := self.line()).get('id') != self.id:
            pass
        if 'error' in answer:
            raise SystemExit(f'command: {method}: {answer["error"]["message"]}')


class Floor:
    """A process that only answers; no session can be faster."""

    def __init__(self):
        self.ask, asked = socket.socketpair()
        self.told, tell = socket.socketpair()
        if os.fork() == 0:
            for end in self.ask, self.told:
                end.close()
            while asked.recv(4096):
                tell.sendall(b'x' * 640)
            os._exit(0)

    def take(self):
        begin = time.perf_counter()
        self.ask.sendall(b'x' * 64)
        self.told.recv(4096)
        return (time.perf_counter() - begin) * 1e3


def main():
    file, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    floor = Floor()
    commander, watcher = Client(), Client()
    watcher.call('subscribe', topics=['status'])
    commander.call('play', items=[file])
    # A command always requests a change; otherwise nothing would be reported.
    commander.call('volume', volume=1.0)
    steps = {
        'pause': (dict(), lambda s: s['status'] == 'paused'),
        'resume': (dict(), lambda s: s['status'] == 'playing'),
        'volume': (None, None),
        'seek': (None, None),
    }
    taken = {name: [] for name in [*steps, 'floor']}
    for n in range(count):
        for name in steps:
            if name == 'volume':
                wanted = 0.5 + n % 2 * 0.25
                params, shows = {'volume': wanted}, lambda s: s['volume'] == wanted
            elif name == 'seek':
                place = 5 + n % 50
                params, shows = {'to': str(place)}, lambda s: s['position']['ms'] in range(place * 1000, place * 1000 + 900)
            else:
                params, shows = steps[name]
            # Between commands the session is at rest: it only plays.
            time.sleep(0.03)
            commander.send(name, **params)
            while True:
                message = watcher.line()
                if message.get('method') == 'status' and shows(message['params']):
                    break
            taken[name].append((watcher.received - commander.sent) * 1e3)
            while commander.line().get('id') != commander.id:
                pass
        time.sleep(0.03)
        taken['floor'].append(floor.take())
    for name, values in taken.items():
        values.sort()
        at = lambda q: values[min(len(values) - 1, int(q * len(values)))]
        print(f'{name:<8} n={len(values)}  median {at(.5):.2f}  p95 {at(.95):.2f}  p99 {at(.99):.2f}  max {values[-1]:.2f} ms')
    commander.call('stop')


if __name__ == '__main__':
    main()
