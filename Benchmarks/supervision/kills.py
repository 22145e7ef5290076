#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kills, stops or blocks the engine that plays, at random moments, and listens to the effect on the sound.

    kills.py BUILD_DIR HOW [COUNT] [--seed N]

HOW is kill, segv, stop, loop (an endless loop in the engine's thread) or bomb (the engine takes all memory that it can
get). The last two need an engine that does so on a signal, which is compiled from `hurt.c` beside this file.
Prints one line for each time, and a summary. Exits with 1 if the session died, or less than 99 % recovered in time.
"""
import argparse
import ctypes
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import wave

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'Tests' / 'Listening'))
import placecode  # noqa: E402
from analysis import Recording  # noqa: E402
from material import book_part  # noqa: E402
from player import Player  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402

BOOK_RATE, BOOK_SECONDS = 44100, 200
SIGNALS = {'kill': signal.SIGKILL, 'segv': signal.SIGSEGV, 'stop': signal.SIGSTOP,
           'loop': signal.SIGUSR1, 'bomb': signal.SIGUSR2}
BACK = 500      # ms of silence, with a warm engine
REPEATED = 1.0  # s
RING = 10.0     # s after which all that was rendered at that moment has been heard, with what the server holds


def book():
    path = HERE.parents[1] / '.cache' / 'supervision-2' / 'book.wav'
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f'.{os.getpid()}')
        with wave.open(str(part), 'wb') as w:
            w.setparams((2, 2, BOOK_RATE, 0, 'NONE', ''))
            for second in range(0, BOOK_SECONDS, 10):
                x = placecode.signal(second + np.arange(10 * BOOK_RATE) / BOOK_RATE)
                left = np.round(x * 32767).astype('<i2')
                w.writeframes(np.stack([left, -left], axis=1).tobytes())
        os.replace(part, path)
    return str(path)


def hurt_engine(build, folder):
    """Makes a folder beside the built engines, with an engine that harms itself on a signal; returns its path."""
    home = folder + '/engines/hurt.engine'
    os.makedirs(home)
    os.chmod(folder + '/engines', 0o700)
    root = HERE.parents[1]
    subprocess.run(['cc', '-std=c11', '-O1', '-shared', '-fPIC', '-fvisibility=hidden',
                    '-I', str(root / 'Sources/Contract/EngineABI/include'), str(HERE / 'hurt.c'),
                    '-o', home + '/hurt.so', '-lpthread'], check=True)
    manifest = {'schema': 1, 'id': 'hurt', 'name': 'Hurts itself', 'version': '1', 'vendor': 'test',
                'license': 'Apache-2.0', 'abi': '1.0', 'module': 'hurt.so', 'kinds': ['audio'], 'extensions': [],
                'schemes': [], 'hosting': 'isolated', 'permissions': []}
    pathlib.Path(home + '/manifest.json').write_text(json.dumps(manifest))
    return folder + '/engines'


def players(session, path):
    """Returns the pids of engines that have the book open."""
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


def engine_thread(pid):
    for task in pathlib.Path(f'/proc/{pid}/task').iterdir():
        if (task / 'comm').read_text().strip() == 'engine':
            return int(task.name)
    raise RuntimeError('the runner has no thread of the engine')


def hurt(pid, how):
    if how in ('kill', 'stop'):
        os.kill(pid, SIGNALS[how])
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(234, pid, engine_thread(pid), int(SIGNALS[how])):  # tgkill
        raise OSError(ctypes.get_errno(), 'tgkill')


class Ear:
    """The recording from a time on, which avoids a search through an hour of it each time."""

    def __init__(self, recorder, start):
        self.start = max(0.0, start)
        self.r = Recording(book_part(recorder.samples(self.start)), RATE)
        self.end = self.start + len(self.r.x) / RATE

    def line(self, start, end):
        line = self.r.line(max(0.0, start - self.start), min(end, self.end) - self.start - 0.002)
        if line is not None:
            line.offset -= self.start
        return line

    def silences(self, start, least=0.002):
        found, at = [], start - self.start
        while (gap := self.r.silence(at, least=least)) is not None:
            found.append((gap[0] + self.start, None if gap[1] is None else gap[1] + self.start))
            if gap[1] is None:
                break
            at = gap[1] + 0.001
        return found


def sounding(recorder, seconds=0.3):
    now = recorder.now
    ear = Ear(recorder, now - seconds)
    return ear.line(now - seconds, now - 0.01) if ear.end >= now - 0.005 and now > seconds else None


def once(server, player, how, path, wait):
    recorder = server.recorder
    recorder.wait(wait)
    session = player.session()
    until(lambda: len(players(session, path)) == 1, 20, 'one engine that plays')
    pid = players(session, path)[0]
    at = recorder.now
    hurt(pid, how)
    until(lambda: player.session() != session or players(session, path) not in ([], [pid]), 40, 'another engine')
    if player.session() != session:
        raise RuntimeError('the session died')
    until(lambda: sounding(recorder), 20, 'sound')
    # What another process renders is heard behind what the first one left.
    recorder.wait(RING)
    ear = Ear(recorder, at - 0.5)
    gaps = [gap for gap in ear.silences(at) if gap[1] is not None]
    if not gaps:
        jumps = [jump[1] for jump in ear.r.jumps(at - ear.start, ear.end - ear.start - 0.1)]
        return 0.0, sum(jumps) * 1e3, recorder.now - at
    first, last = gaps[0][0], gaps[-1][1]
    before, after = ear.line(first - 0.3, first - 0.02), ear.line(last + 0.05, last + 0.4)
    if before is None or after is None:
        raise RuntimeError('no place before or after the gap')
    return (last - first) * 1e3, (after.at(last) - before.at(first)) * 1e3, first - at


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('build')
    arguments.add_argument('how', choices=sorted(SIGNALS))
    arguments.add_argument('count', nargs='?', type=int, default=20)
    arguments.add_argument('--seed', type=int, default=1)
    given = arguments.parse_args()
    dice, results, path = random.Random(given.seed), [], book()
    with Server() as server:
        player = Player(given.build, server.environment)
        more = []
        if given.how in ('loop', 'bomb'):
            server.environment['ROSTRUM_ENGINE_PATH'] = hurt_engine(given.build, server.folder)
            more = ['--engine', 'hurt']
        died = None
        try:
            player.attach('play', *more, path, '--at', '20')
            until(lambda: sounding(server.recorder), 20, 'the book')
            for number in range(given.count):
                line = sounding(server.recorder)
                if line is not None and line.at(server.recorder.now) > BOOK_SECONDS - 30:
                    player('seek', '20')
                silence, skipped, after = once(server, player, given.how, path, dice.uniform(0.3, 2.5))
                results.append((silence, skipped))
                print(f'{number + 1:4d}  silent {silence:7.1f} ms, skipped (+) or repeated (-) {skipped:8.1f} ms, '
                      f'{after:5.1f} s after', flush=True)
        except (RuntimeError, TimeoutError, OSError) as error:
            died = error
            print(f'FAIL  {type(error).__name__}: {error}')
            log = server.environment['XDG_STATE_HOME'] + '/rostrum/transitions.jsonl'
            if os.path.exists(log):
                shutil.copy(log, f'/tmp/kills-{given.how}.jsonl')
        finally:
            player.end()
    if not results:
        return 1
    silences = np.array([r[0] for r in results])
    skips = np.array([r[1] for r in results])
    good = (silences <= BACK) & (skips <= 1.0) & (skips >= -REPEATED * 1e3)
    print(f'{given.how}: {len(results)} of {given.count} times; silent {np.median(silences):.0f} ms (median), '
          f'{np.percentile(silences, 99):.0f} ms (99 %), {silences.max():.0f} ms (most); '
          f'skipped {skips.max():.1f} ms at most, repeated {-skips.min():.1f} ms at most; '
          f'{good.mean() * 100:.1f} % as they should be')
    return 1 if died or good.mean() < 0.99 else 0


if __name__ == '__main__':
    sys.exit(main())
