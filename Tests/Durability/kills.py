#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the session with SIGKILL at random moments, and checks what the next session knows.

    kills.py BUILD_DIR [COUNT] [--seed N] [--output OUT]

Plays, pauses, seeks in and switches between a book and a text; every second session also imports a folder of books.
After each kill the library must be undamaged, and a book in it complete. No place may have become 0, and the place of
the book may lie at most 250 ms before what was audible last. At the end an import must add exactly the books that are
missing. OUT is `null` (default; keeps real time) or another output of `rostrum play`. Prints one line for each fault,
and a summary with the losses; exits with 1 if there was a fault. Several may run side by side, each with a seed of its
own.
"""
import argparse
import json
import os
import random
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import wave

import numpy as np

LIMIT = 250         # ms of audible sound that may be lost
BOOK_SECONDS = 1200
SHELF_FILES = 3     # of each book that is imported
WORDS = 'the lamp went out and the ship came in with the tide while nobody on the quay said a word'.split()


def make_book(path):
    rate = 22050
    with wave.open(path, 'wb') as w:
        w.setparams((1, 2, rate, 0, 'NONE', ''))
        second = (np.sin(np.arange(rate) * (2 * np.pi * 220 / rate)) * 3000).astype('<i2').tobytes()
        for _ in range(BOOK_SECONDS):
            w.writeframes(second)


def make_text(path, rng):
    with open(path, 'w') as f:
        for _ in range(400):
            f.write(' '.join(rng.choice(WORDS) for _ in range(12)).capitalize() + '. ')


def make_shelf(folder, count):
    """Makes books of a few short files, each with a sound of its own."""
    rate = 8000
    for book in range(count):
        os.makedirs(f'{folder}/book {book:04}')
        for part in range(SHELF_FILES):
            with wave.open(f'{folder}/book {book:04}/{part}.wav', 'wb') as w:
                w.setparams((1, 2, rate, 0, 'NONE', ''))
                tone = np.arange(rate // 4) * (2 * np.pi * (200 + book + part / 4) / rate)
                w.writeframes((np.sin(tone) * 3000).astype('<i2').tobytes())


class Connection:
    """The control socket, as an application uses it."""

    def __init__(self, run):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(15)
        self.socket.connect(run + '/rostrum/session.sock')
        self.rest = b''
        self.id = 0

    def send(self, method, **params):
        self.id += 1
        message = {'jsonrpc': '2.0', 'id': self.id, 'method': method, 'params': params}
        self.socket.sendall(json.dumps(message).encode() + b'\n')

    def call(self, method, **params):
        self.send(method, **params)
        while True:
            while b'\n' not in self.rest:
                part = self.socket.recv(65536)
                if not part:
                    raise ConnectionError('the session is gone')
                self.rest += part
            line, self.rest = self.rest.split(b'\n', 1)
            answer = json.loads(line)
            if answer.get('id') == self.id:
                return answer.get('result'), answer.get('error')


TORN = f'''SELECT uri, files, (SELECT count(*) FROM track WHERE track.book = book.number) AS there
FROM book WHERE there <> files OR files <> {SHELF_FILES}'''


class Trial:
    def __init__(self, build, output, seed, count=0):
        self.rng = random.Random(seed)
        self.output = output
        self.folder = tempfile.mkdtemp(prefix='rostrum-kills-')
        self.environment = dict(os.environ)
        for name in ['RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME']:
            path = f'{self.folder}/{name.lower()}'
            os.mkdir(path, 0o700)
            self.environment['XDG_' + name] = path
        # A step back after a while would look like a loss.
        os.mkdir(self.environment['XDG_CONFIG_HOME'] + '/rostrum', 0o700)
        with open(self.environment['XDG_CONFIG_HOME'] + '/rostrum/settings.json', 'w') as f:
            f.write('{"autoRewind": 0}')
        self.run = self.environment['XDG_RUNTIME_DIR']
        self.data = self.environment['XDG_DATA_HOME'] + '/rostrum'
        self.program = os.path.join(build, 'rostrum')
        self.book = self.folder + '/book.wav'
        self.text = self.folder + '/text.txt'
        make_book(self.book)
        make_text(self.text, self.rng)
        self.shelf = self.folder + '/shelf'
        self.books = 10 * count
        make_shelf(self.shelf, self.books)
        self.imports = 0
        self.losses, self.faults = [], []
        self.expected, self.left, self.sought, self.since, self.rate = [], [], [], 0, 1
        # The command that was under way when the session was killed.
        self.last = None
        # Where the last seek went, in milliseconds.
        self.target = None

    def start(self, *arguments):
        r = subprocess.run([self.program, *arguments, '--detach', '--output', self.output], env=self.environment,
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
        if r.returncode:
            raise RuntimeError(f'rostrum {" ".join(arguments)} exited {r.returncode}: {r.stderr.strip()}')

    def pid(self):
        with open(self.run + '/rostrum/session.lock') as f:
            return int(f.read())

    def kill(self):
        """Kills the session, and returns when it is gone and its socket with it."""
        pid = self.pid()
        handle = os.pidfd_open(pid)
        os.kill(pid, signal.SIGKILL)
        select.select([handle], [], [], 10)
        os.close(handle)

    def status(self, session):
        """Returns a status, and the time at which it was true."""
        before = time.monotonic()
        status, _ = session.call('status')
        return status, (before + time.monotonic()) / 2

    def round(self, number):
        """Runs one session: checks what the last one left, plays with it, then kills it."""
        rng = self.rng
        began = time.monotonic()
        self.start('play', self.book)
        session = Connection(self.run)
        status, at = self.status(session)
        self.check(number, status, self.played(began, at))
        importer = self.begin_import() if rng.random() < 0.5 else None
        end = time.monotonic() + rng.uniform(0.05, 2.5)
        while time.monotonic() < end:
            method, params = self.command(session)
            if method:
                _, error = session.call(method, **params)
                if error:
                    self.faults.append(f'round {number}: {method} {params}: {error["message"]}')
            time.sleep(min(max(0, end - time.monotonic()), rng.uniform(0, 0.6)))
        before = self.status(session)
        self.expected = self.audible(before)
        if before[0]['position']['provenance'] != 'heard' or self.is_fresh(before):
            # Nothing sounds there yet, or not for as long as may be lost: what was audible before is as good.
            self.expected += self.sought
        self.last = None
        if rng.random() < 0.5:
            # In the middle of a command: either what was before it or what it asks for.
            method, params = self.command(session)
            if method:
                self.last = method
                session.send(method, **params)
                if method == 'seek':
                    self.expected += [float(params['to']) * 1000]
                time.sleep(rng.uniform(0, 0.03))
        killed = time.monotonic()
        self.kill()
        session.socket.close()
        if importer:
            importer.socket.close()
        self.since = killed - before[1] if before[0]['status'] == 'playing' else 0
        self.rate = before[0]['rate']
        self.library(number)

    def command(self, session):
        rng = self.rng
        method = rng.choice(['seek', 'seek', 'pause', 'resume', 'rate', 'read', 'play', None, None])
        if method == 'seek':
            self.sought = self.audible(self.status(session))
            to = rng.randrange(60, BOOK_SECONDS - 60)
            self.target = to * 1000
            return method, {'to': str(to)}
        if method == 'rate':
            return method, {'rate': rng.choice([0.75, 1.0, 1.5, 2.0])}
        if method == 'read':
            # From here on the place of the book is the one that it is left at.
            self.left = self.audible(self.status(session))
            return method, {'items': [self.text]}
        if method == 'play':
            return method, {'items': [self.book]}
        return method, {}

    def is_fresh(self, status):
        """Returns True if the position that was sought last has been audible for less than `LIMIT`."""
        status, _ = status
        at = status['position']['ms']
        return self.target is not None and at is not None and 0 <= at - self.target < LIMIT * status['rate']

    def audible(self, status):
        """Returns the position in the book in milliseconds; while the text is read, where the book was left."""
        status, _ = status
        if status['item'] and status['item']['uri'].endswith('book.wav') and status['position']['ms'] is not None:
            return [status['position']['ms']]
        return list(self.left)

    def played(self, since, at):
        """Returns the milliseconds between the first sound of the session that was started at `since` and `at`, from its log."""
        path = self.environment['XDG_STATE_HOME'] + '/rostrum/transitions.jsonl'
        while time.monotonic() < at + 5:
            with open(path, 'rb') as log:
                log.seek(max(0, log.seek(0, 2) - (1 << 17)))
                told = [json.loads(line) for line in log.read().split(b'\n')[1:-1] if b'"event":"started"' in line]
            begun = [record['t'] / 1e9 for record in told if record['t'] / 1e9 > since]
            if begun:
                return max(0, at - begun[0]) * 1000
            time.sleep(0.05)
        self.faults.append(f'the log does not tell of the sound of a session that was started at {since}')
        return 0

    def check(self, number, status, played):
        """Compares what this session begins with to what was audible when the one before was killed."""
        if not self.expected:
            return
        found = status['position']['ms']
        if found and status['status'] == 'playing':
            found -= played * status['rate']
        wanted = [ms + self.since * 1000 * self.rate for ms in self.expected]
        if self.last in ('pause', 'read'):
            # It may have fallen silent at once, however late the kill came after that.
            wanted = [min(max(found or 0, ms), late) for ms, late in zip(self.expected, wanted)]
        if not found and min(wanted) > LIMIT:
            self.faults.append(f'round {number}: the place is {found}, it was {wanted}')
            return
        loss = min((ms - found for ms in wanted), key=abs) / self.rate
        self.losses.append(loss)
        if loss > LIMIT:
            self.faults.append(f'round {number}: {loss:.0f} ms are lost: {found:.0f} instead of {wanted}, '
                               f'{self.since * 1000:.0f} ms after the last status, {self.last} was under way')
        if loss < -1000:
            self.faults.append(f'round {number}: {-loss:.0f} ms are skipped: {found:.0f} instead of {wanted}, '
                               f'{self.since * 1000:.0f} ms after the last status, {self.last} was under way')

    def library(self, number):
        """Checks a copy of the library that the kill left."""
        copy = self.folder + '/copy'
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.data, copy)
        with sqlite3.connect(copy + '/library.sqlite') as database:
            told = database.execute('PRAGMA integrity_check').fetchall()
            if told != [('ok',)]:
                self.faults.append(f'round {number}: the library is damaged: {told[:3]}')
            torn = database.execute(TORN).fetchall()
            if torn:
                self.faults.append(f'round {number}: books without all of their files: {torn[:3]}')
            shelved = database.execute('SELECT count(*) FROM book').fetchone()[0]
        database.close()
        return shelved

    def begin_import(self):
        importer = Connection(self.run)
        importer.send('library', action='add', items=[self.shelf])
        self.imports += 1
        return importer

    def end_import(self):
        """Adds what the kills left out, and checks that nothing is added twice."""
        self.start('play', self.book)
        there = self.library('end')
        session = Connection(self.run)
        session.socket.settimeout(600)
        told, error = session.call('library', action='add', items=[self.shelf])
        session.socket.close()
        if error:
            self.faults.append(f'end: import: {error["message"]}')
        elif told['added'] != self.books - there:
            self.faults.append(f'end: of {self.books} books {there} were there, and {told} came of the import')
        if self.library('end') != self.books:
            self.faults.append('end: there are not as many books as folders')
        return there


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('count', type=int, nargs='?', default=20)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--output', default='null')
    options = parser.parse_args()
    trial = Trial(os.path.abspath(options.build), options.output, options.seed, options.count)
    try:
        for number in range(options.count):
            trial.round(number)
        shelved = trial.end_import()
    finally:
        try:
            handle = os.pidfd_open(trial.pid())
            signal.pidfd_send_signal(handle, signal.SIGTERM)
            select.select([handle], [], [], 10)
        except (OSError, ValueError):
            pass
        shutil.rmtree(trial.folder, ignore_errors=True)
    for fault in trial.faults:
        print(fault)
    losses = sorted(trial.losses) or [0]
    at = lambda q: losses[min(len(losses) - 1, int(q * len(losses)))]
    print(f'{options.count} kills, {len(trial.losses)} places compared: lost median {at(.5):.0f}, p99 {at(.99):.0f}, '
          f'most {losses[-1]:.0f} ms; {trial.imports} beside an import, {shelved} of {trial.books} books were in then; '
          f'{len(trial.faults)} faults')
    return 1 if trial.faults else 0


if __name__ == '__main__':
    sys.exit(main())
