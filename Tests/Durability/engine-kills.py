#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kills or stops the engine that plays, again and again, and counts how often that is audible.

    engine-kills.py BUILD_DIR [COUNT] [--how kill|stop] [--seed N] [--kind KIND ...]

Plays books of several kinds, whose sound carries its own position, into a private sound server. The time between two
kills is random, so that they come while the engine renders, while it waits for room, and soon after the last one. The
whole recording is searched: a gap of 2 ms, a jump of 0.2 ms or a repetition counts as audible. Prints each kill with
the milliseconds until another process had the book open, each fault with its milliseconds, and a summary. Exits with 1
if more than one kill, and more than one in a hundred, was audible, or if the session died.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'Tests' / 'Listening'))
import placecode  # noqa: E402
from analysis import Recording  # noqa: E402
from material import book_part, samples  # noqa: E402
from player import Player  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402

CACHE = ROOT / '.cache' / 'engine-kills-1'
BOOK_RATE, BOOK_SECONDS = 44100, 300
# How each is made; the mp3 says nothing of its length and has no table of places.
KINDS = {
    'wav': ['-c:a', 'pcm_s16le'], 'flac': ['-c:a', 'flac'],
    'm4b': ['-c:a', 'aac', '-aac_ms', '1', '-b:a', '128k', '-f', 'ipod'],
    'mp3': ['-c:a', 'libmp3lame', '-q:a', '2', '-write_xing', '0'],
    'ogg': ['-c:a', 'libvorbis', '-q:a', '6'],
}
SEGMENT = 10       # hurts at most until the recording is looked through
RING = 12.0        # s until what was rendered when it was hurt has been heard, with what the server holds
GAP, JUMP = 0.002, 0.0002
FIRST = 5.0        # s into the book


def book(kind):
    path = CACHE / f'book.{kind}'
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = CACHE / f'part-{os.getpid()}.{kind}'
        encoder = subprocess.Popen(
            ['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 's16le', '-ar', str(BOOK_RATE), '-ac', '2', '-i', 'pipe:0',
             *KINDS[kind], str(part)], stdin=subprocess.PIPE)
        for k in range(0, BOOK_SECONDS, 10):
            encoder.stdin.write(samples(BOOK_RATE, k, 10))
        encoder.stdin.close()
        if encoder.wait():
            raise SystemExit(f'engine-kills: ffmpeg could not make the {kind}')
        # A run beside this one may play its own by now: the first one stands.
        try:
            os.link(part, path)
        except FileExistsError:
            pass
        part.unlink()
    return str(path)


def players(session, path):
    """Returns the processes of engines that have the book open."""
    found = []
    for task in pathlib.Path(f'/proc/{session}/task').iterdir():
        try:
            children = (task / 'children').read_text().split()
        except OSError:
            continue
        for pid in children:
            try:
                if any(os.readlink(fd) == path for fd in pathlib.Path(f'/proc/{pid}/fd').iterdir()):
                    found.append(int(pid))
            except OSError:
                continue
    return found


def faults(x, start):
    """Returns [(time, kind, milliseconds)] for a recording that begins at `start`; what is heard at one joint counts once."""
    r = Recording(book_part(x), RATE)
    end, found, at = len(r.x) / RATE, [], 0.0
    while at < end and (gap := r.silence(at, least=GAP)) is not None:
        last = gap[1] is None
        found.append((gap[0], 'gap', ((end if last else gap[1]) - gap[0]) * 1e3))
        if last:
            break
        at = gap[1] + 0.001
    # From gap to gap it must go on steadily.
    edges = [0.0] + [time + length / 1e3 + 0.02 for time, _, length in found] + [end + 0.02]
    stops = [time - 0.02 for time, _, _ in found] + [end - 0.02]
    lines = []
    for first, last in zip(edges, stops):
        if last - first < 0.2:
            continue
        for time, jump in r.jumps(first, last, least=JUMP):
            found.append((time, 'jump' if jump > 0 else 'repetition', jump * 1e3))
        lines.append((r.line(first, first + 0.2), r.line(last - 0.2, last)))
    for (_, before), (after, _) in zip(lines, lines[1:]):
        # A gap that keeps the place is a pause; what it skips or repeats is told, too.
        if before is not None and after is not None:
            lost = after.offset - before.offset
            found.append((after.start, 'moved over the gap', lost * 1e3))
    found.sort()
    joints = []
    for time, kind, length in found:
        if joints and time - joints[-1][0] < 0.5:
            joints[-1][2].append((kind, length))
        else:
            joints.append((time, start + time, [(kind, length)]))
    return [(time, heard) for _, time, heard in joints]


def sounds(recorder):
    now = recorder.now
    x = book_part(recorder.samples(now - 0.3))
    return len(x) > RATE // 10 and not np.isnan(placecode.read(x, RATE, [len(x) - RATE // 20])).any()


def hurt(server, player, path, how, wait):
    """Returns when, which process, and how long until another one had the book."""
    recorder = server.recorder
    recorder.wait(wait)
    session = player.session()
    until(lambda: len(players(session, path)) == 1, 30, 'one engine that plays')
    pid = players(session, path)[0]
    at = recorder.now
    os.kill(pid, signal.SIGSTOP if how == 'stop' else signal.SIGKILL)
    until(lambda: player.session() != session or players(session, path) not in ([], [pid]), 40, 'another engine')
    if player.session() != session:
        raise RuntimeError('the session died')
    return at, pid, recorder.now - at


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('build')
    arguments.add_argument('count', nargs='?', type=int, default=30)
    arguments.add_argument('--how', choices=['kill', 'stop'], default='kill')
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--kind', choices=sorted(KINDS), action='append')
    given = arguments.parse_args()
    dice, kinds = random.Random(given.seed), given.kind or sorted(KINDS)
    number, heard, died = 0, 0, None
    with Server() as server:
        player, recorder = Player(given.build, server.environment), server.recorder
        try:
            turn = 0
            while number < given.count:
                kind = kinds[turn % len(kinds)]
                path = book(kind)
                turn += 1
                player.attach('play', path, '--at', str(FIRST))
                until(lambda: sounds(recorder), 30, f'the {kind}')
                recorder.wait(1.0)
                start = recorder.now - 0.5
                hurts = []
                for _ in range(min(SEGMENT, -(-given.count // len(kinds)), given.count - number)):
                    number += 1
                    hurts.append(hurt(server, player, path, given.how, dice.uniform(0.1, 4.0)))
                    at, pid, took = hurts[-1]
                    print(f'{number:4d}  {kind:4s}  process {pid}, another one after {took * 1e3:5.0f} ms', flush=True)
                recorder.wait(RING)
                found = faults(recorder.samples(start), start)
                # A joint is heard at most a ring's worth after its hurt; several faults there are one.
                for time, what in found:
                    before = sum(at <= time for at, _, _ in hurts)
                    words = ', '.join(f'{name} {length:.1f} ms' for name, length in what)
                    print(f'      heard {time - start:6.2f} s into it, after number {number - len(hurts) + before}: {words}',
                          flush=True)
                heard += min(len(found), len(hurts))
                recorder.forget(recorder.now - 1)
                player('stop')
                until(lambda: not sounds(recorder), 20, 'silence')
        except (RuntimeError, TimeoutError, OSError) as error:
            died = error
            print(f'FAIL  {type(error).__name__}: {error}')
            log = server.environment['XDG_STATE_HOME'] + '/rostrum/transitions.jsonl'
            if os.path.exists(log):
                kept = f'/tmp/engine-kills-{os.getpid()}.jsonl'
                pathlib.Path(kept).write_bytes(pathlib.Path(log).read_bytes())
                print(f'the log is {kept}')
        finally:
            player.end()
    print(f'{given.how}: {heard} of {number} heard')
    return 1 if died or heard > max(1, number / 100) else 0


if __name__ == '__main__':
    sys.exit(main())
