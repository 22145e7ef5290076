#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what a power cut leaves: replays the recorded writes of a session, cut at every sync.

    powerloss.py BUILD_DIR [SECONDS] [--seed N] [--images N]

Records a session under strace. For each interval between two syncs, it makes two images of the session's files: those
of a disk that keeps nothing unsynced, and those of one that also has everything written since, in order. On each image
(or on `--images` of them, spread evenly) it asks a new session where the book resumes. The library must be undamaged,
no place may have become 0, and at most 250 ms of what was audible then may be lost (plus the time until the next sync).
Needs strace.
"""
import argparse
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

from kills import BOOK_SECONDS, LIMIT, Connection, Trial

CALLS = 'openat,write,pwrite64,io_submit,fsync,fdatasync,ftruncate,fallocate,rename,unlink'
LINE = re.compile(r'^(\d+\s+)?(\d+\.\d+) (\w+)\((.*)\)\s+= (-?\d+)')
# A write that nobody waits for. Its descriptor is opened with O_DSYNC.
DIRECT = re.compile(r'PWRITE, aio_fildes=(.*), aio_buf="([^"]*)", aio_nbytes=(\d+), aio_offset=(\d+)')


def record(trial, seconds, seed):
    """Plays with a session under strace; returns its files before, its calls, and what was audible when."""
    trace = trial.folder + '/trace'
    trial.start('play', trial.book)
    # Nothing is written while strace begins and the files are copied as they are then.
    Connection(trial.run).call('pause')
    time.sleep(0.5)
    strace = subprocess.Popen(['strace', '-f', '-ttt', '-y', '-xx', '-s', '200000', '-e', 'trace=' + CALLS, '-o', trace,
                               '-p', str(trial.pid())], stderr=subprocess.PIPE, text=True)
    strace.stderr.readline()
    start = Files(trial.data)
    audible, over = [], threading.Event()

    def watch():
        session = Connection(trial.run)
        while not over.is_set():
            status, _ = session.call('status')
            if status['item'] and status['item']['uri'].endswith('book.wav') and status['position']['ms'] is not None:
                audible.append((time.time(), status['position']['ms'], status['status'], status['rate']))
            over.wait(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    rng, session = random.Random(seed), Connection(trial.run)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        what = rng.choice(['seek', 'pause', 'resume', 'resume', None, None])
        if what == 'seek':
            session.call('seek', to=str(rng.randrange(60, BOOK_SECONDS - 60)))
        elif what:
            session.call(what)
        time.sleep(rng.uniform(0.1, 1.2))
    over.set()
    watcher.join()
    trial.kill()
    strace.wait(20)
    return start, trace, audible


class Files:
    """The files of the data folder as they were written, and as they are certain to be on the disk."""

    def __init__(self, folder):
        self.folder = folder
        self.now, self.sure = {}, {}
        for name in os.listdir(folder):
            with open(f'{folder}/{name}', 'rb') as f:
                self.now[name] = bytearray(f.read())
        self.sure = {name: bytes(content) for name, content in self.now.items()}

    def put(self, name, offset, data):
        content = self.now.setdefault(name, bytearray())
        if len(content) < offset + len(data):
            content.extend(b'\0' * (offset + len(data) - len(content)))
        content[offset:offset + len(data)] = data


def unescape(text):
    return bytes.fromhex(text.replace('\\x', ''))


def calls(trace):
    """Returns the lines of a trace, each call whole: strace breaks one in two when another thread makes a call meanwhile."""
    begun = {}
    with open(trace) as f:
        for line in f:
            thread = line.split(None, 1)[0]
            if line.rstrip().endswith('<unfinished ...>'):
                begun[thread] = line[:line.rindex('<unfinished')].rstrip()
            elif ' resumed>' in line:
                yield begun.pop(thread, '') + line[line.index(' resumed>') + len(' resumed>'):]
            else:
                yield line


def images(trace, start, folder):
    """Returns (time, files) at each sync: before it, after it, and with what was not synced."""
    files = start
    for line in calls(trace):
        match = LINE.match(line)
        if not match or int(match[5]) < 0:
            continue
        at, call, rest = float(match[2]), match[3], match[4]
        if call == 'unlink':
            name = unescape(rest.strip('"')).decode()
            if name.startswith(folder):
                files.now.pop(os.path.basename(name), None)
                files.sure.pop(os.path.basename(name), None)
            continue
        direct = DIRECT.search(rest) if call == 'io_submit' else None
        path = re.match(r'\d+<([^>]*)>', direct[1] if direct else rest)
        if not path:
            continue
        name = unescape(path[1]).decode() if path[1].startswith('\\x') else path[1]
        if not name.startswith(folder + '/') or name.endswith('-shm'):
            continue
        name = os.path.basename(name)
        arguments = rest[path.end():].lstrip(', ')
        if direct:
            data = unescape(direct[2])
            if len(data) != int(direct[3]):
                raise SystemExit('powerloss: a write was recorded in part')
            yield at, 'unsynced lost', dict(files.sure)
            files.put(name, int(direct[4]), data)
            files.sure[name] = bytes(files.now[name])
            yield at, 'after', dict(files.sure)
        elif call == 'pwrite64':
            data, size, offset = re.match(r'"([^"]*)", (\d+), (\d+)', arguments).groups()
            data = unescape(data)
            if len(data) != int(size):
                raise SystemExit('powerloss: a write was recorded in part')
            files.put(name, int(offset), data)
        elif call == 'ftruncate':
            size = int(arguments)
            content = files.now.setdefault(name, bytearray())
            del content[size:]
            content.extend(b'\0' * (size - len(content)))
        elif call == 'fallocate':
            _, offset, size = re.findall(r'\d+', arguments)[-3:]
            content = files.now.setdefault(name, bytearray())
            content.extend(b'\0' * max(0, int(offset) + int(size) - len(content)))
        elif call in ('fsync', 'fdatasync'):
            yield at, 'unsynced kept', {n: bytes(c) for n, c in files.now.items()}
            yield at, 'unsynced lost', dict(files.sure)
            if name in files.now:
                files.sure[name] = bytes(files.now[name])
            yield at, 'after', dict(files.sure)


def heard_at(audible, at):
    """Returns what was audible last at a time, in milliseconds; None before the first sound."""
    before = [a for a in audible if a[0] <= at]
    if not before:
        return None
    moment, ms, state, rate = before[-1]
    return ms + (at - moment) * 1000 * rate if state == 'playing' else ms


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('seconds', type=float, nargs='?', default=20)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--images', type=int, default=200)
    options = parser.parse_args()
    if not shutil.which('strace'):
        raise SystemExit('powerloss: strace is not there; install it: apt-get install strace')
    trial = Trial(os.path.abspath(options.build), 'null', options.seed)
    faults, losses = [], []
    try:
        # A library that is there before anything is recorded.
        trial.start('play', trial.book)
        time.sleep(1)
        subprocess.run([trial.program, 'stop'], env=trial.environment, check=True, stdout=subprocess.DEVNULL)
        os.kill(trial.pid(), signal.SIGTERM)
        while os.path.exists(f'/proc/{trial.pid()}') and trial_is_alive(trial):
            time.sleep(0.05)
        start, trace, audible = record(trial, options.seconds, options.seed)
        cuts = list(images(trace, start, trial.data))
        step = max(1, len(cuts) // options.images)
        for at, kind, content in cuts[::step]:
            wanted = heard_at(audible, at)
            if wanted is None:
                continue
            shutil.rmtree(trial.data)
            os.mkdir(trial.data, 0o700)
            for name, data in content.items():
                with open(f'{trial.data}/{name}', 'wb') as f:
                    f.write(data)
            trial.start('play', trial.book)
            found, _ = trial.status(Connection(trial.run))
            found = found['position']['ms']
            trial.kill()
            with sqlite3.connect(trial.data + '/library.sqlite') as database:
                if database.execute('PRAGMA integrity_check').fetchall() != [('ok',)]:
                    faults.append(f'{at:.3f} {kind}: the library is damaged')
            database.close()
            # Or what was audible a moment before or after: a seek may have been on its way, and its place written already.
            near = [heard_at(audible, at + shift / 1000) for shift in (0, -LIMIT, LIMIT)]
            loss = min((w - found for w in near if w is not None), key=abs)
            losses.append(loss)
            if not found and wanted > LIMIT or loss > LIMIT + 50:
                faults.append(f'{at:.3f} {kind}: {found} instead of {wanted:.0f}')
    finally:
        try:
            os.kill(trial.pid(), signal.SIGKILL)
        except (OSError, ValueError):
            pass
        shutil.rmtree(trial.folder, ignore_errors=True)
    for fault in faults:
        print(fault)
    losses.sort()
    print(f'{len(cuts)} images, {len(losses)} tried: lost median {losses[len(losses) // 2]:.0f}, most {losses[-1]:.0f} ms; '
          f'{len(faults)} faults')
    return 1 if faults else 0


def trial_is_alive(trial):
    try:
        with open(f'/proc/{trial.pid()}/comm') as f:
            return f.read().strip() == 'rostrumd'
    except OSError:
        return False


if __name__ == '__main__':
    sys.exit(main())
