#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plays a book from one web server and moves it to another, while it plays, while it is paused, and just before a seek;
listens to the joint.

    swaps.py BUILD_DIR [--server pulseaudio|pipewire] [--times N]

What is recorded is compared with a recording of the same book in which nothing happened: by how many samples it is late
or early behind the joint, how much is silent, and how far samples differ. Prints a table and the worst of N; exits with 1
if something is wrong, 69 if it cannot listen here.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import numpy as np

import placecode
from analysis import Recording
from gapless import Table
from material import CACHE
from player import Player
from sound_daemons import PROGRAMS, missing
from sound_server import RATE, Server
from waiting import until

SECONDS = 120
KINDS = {
    'mp3': ['-c:a', 'libmp3lame', '-b:a', '128k'], 'm4b': ['-c:a', 'aac', '-b:a', '128k', '-f', 'ipod'],
    'opus': ['-c:a', 'libopus', '-b:a', '96k'], 'flac': ['-c:a', 'flac'],
}
BEFORE, BEHIND = 3.0, 7.0  # s that are heard before the move and behind it: the device holds 2 s of sound
BLOCK = int(0.05 * RATE)
FADE = int(0.08 * RATE)    # beside a pause
SEEK = 60.0
SAME = 1e-4                # of full scale: a float of the recorder
WEB = pathlib.Path(__file__).resolve().parents[1] / 'Fixtures' / 'http-server.py'


def book(kind):
    folder = CACHE.parent / 'swaps-1'
    path = folder / f'book.{kind}'
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        x = np.round(placecode.signal(np.arange(SECONDS * RATE) / RATE) * 32767).astype('<i2')
        part = folder / f'part.{kind}'
        subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 's16le', '-ar', str(RATE), '-ac', '1', '-i', 'pipe:0',
                        *KINDS[kind], str(part)], input=x.tobytes(), check=True)
        part.rename(path)
    return path


class Web:
    """A server of the books, by an address of its own."""

    def __init__(self, folder):
        self.process = subprocess.Popen([sys.executable, str(WEB), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.address = f'http://127.0.0.1:{int(self.process.stdout.readline())}/file/'

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


class Listener:
    def __init__(self, server, player, webs):
        self.server, self.player, self.webs = server, player, webs
        self.log = pathlib.Path(server.environment['XDG_STATE_HOME']) / 'rostrum' / 'transitions.jsonl'

    def told(self, event):
        """Returns how often the session's log has an event of this name."""
        return sum(json.loads(line).get('event') == event for line in self.log.read_text().splitlines() if f'"{event}"' in line)

    @property
    def moves(self):
        """The number of times that the sound has moved."""
        return self.told('swapped')

    def begin(self, kind, rate):
        self.kind = kind
        began = self.server.recorder.now
        self.player('play', '--from-start', '--rate', str(rate), '--identity', 'book', '--detach', self.webs[0].address + 'book.' + kind)
        return began

    def move(self, wait=True):
        command = [self.player.program, 'play', '--identity', 'book', '--detach', self.webs[1].address + 'book.' + self.kind]
        process = subprocess.Popen(command, env=self.player.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        if wait and process.wait(30):
            raise RuntimeError('the move was refused')
        return process

    def end(self, began):
        self.player('stop')
        x = self.server.recorder.samples(began)[:, 0].copy()
        self.server.recorder.forget(self.server.recorder.now - 1)
        return sounding(x)

    def undisturbed(self, kind, rate, seconds):
        began = self.begin(kind, rate)
        self.server.recorder.wait(seconds)
        return self.end(began)

    def playing(self, kind, rate):
        began, moves = self.begin(kind, rate), self.moves
        self.server.recorder.wait(BEFORE)
        self.move()
        until(lambda: self.moves > moves, 20, 'the move')
        self.server.recorder.wait(BEHIND)
        return self.end(began)

    def paused(self, kind, rate):
        began, moves = self.begin(kind, rate), self.moves
        self.server.recorder.wait(BEFORE)
        # The pause comes while the other address is opened, or right behind.
        asked = self.told('swap')
        moving = self.move(wait=False)
        until(lambda: self.told('swap') > asked, 20, 'the beginning of the move')
        self.player('pause')
        self.server.recorder.wait(1)
        self.player('resume')
        until(lambda: self.moves > moves, 20, 'the move')
        self.server.recorder.wait(BEHIND)
        moving.wait(30)
        return self.end(began)

    def seeking(self, kind, rate):
        """Returns what is heard from half a second behind the seek on."""
        began, moves = self.begin(kind, rate), self.moves
        self.server.recorder.wait(BEFORE)
        asked = self.told('swap')
        moving = self.move(wait=False)
        until(lambda: self.told('swap') > asked, 20, 'the beginning of the move')
        self.player('seek', str(SEEK))
        self.server.recorder.wait(0.5)
        sought = self.server.recorder.now - began
        until(lambda: self.moves > moves or moving.poll() is not None, 20, 'the move')
        self.server.recorder.wait(BEHIND)
        moving.wait(30)
        self.player('stop')
        x = self.server.recorder.samples(began)[:, 0].copy()
        self.server.recorder.forget(self.server.recorder.now - 1)
        return x[int(sought * RATE):]


def sounding(x):
    """Returns a recording from its first sound on."""
    loud = np.flatnonzero(np.abs(x) > 1e-4)
    return x[loud[0]:loud[-1] + 1] if len(loud) else x[:0]


def without_pause(x):
    """Returns (the recording without its longest silence, where that was, ms of all other silence)."""
    loud = np.concatenate([[-1], np.flatnonzero(np.abs(x) > 1e-6), [len(x)]])
    gaps = np.diff(loud) - 1
    k = int(gaps.argmax())
    other = gaps[(gaps >= 0.002 * RATE) & (np.arange(len(gaps)) != k)].sum() / RATE * 1e3
    return np.concatenate([x[:loud[k] + 1], x[loud[k + 1]:]]), loud[k] + 1, float(other)


def lag(x, reference, at, reach=4800):
    """Returns by how many samples a block of the recording is late against the reference."""
    low = max(0, at - reach)
    part = reference[low:at + BLOCK + reach]
    match = np.correlate(part.astype(np.float64), x[at:at + BLOCK].astype(np.float64), 'valid')
    energy = np.convolve(part.astype(np.float64) ** 2, np.ones(BLOCK), 'valid')
    return int((match / np.sqrt(np.maximum(energy, 1e-9))).argmax()) - (at - low)


def compare(x, reference, edge=None):
    """Returns (the samples that the worst block is late or early against the first, the greatest difference of samples)."""
    first = lag(x, reference, RATE)
    worst, difference = 0, 0.0
    for at in range(RATE, len(x) - BLOCK - RATE // 4, BLOCK):
        if edge is not None and abs(at + BLOCK // 2 - edge) < FADE + BLOCK:
            continue
        same = reference[at + first:at + first + BLOCK]
        if len(same) < BLOCK:
            break
        apart = float(np.abs(same - x[at:at + BLOCK]).max())
        difference = max(difference, apart)
        if apart > SAME:
            off = lag(x, reference, at) - first
            worst = off if abs(off) > abs(worst) else worst
    return worst, difference


def worst(found):
    return max(found, key=abs)


def listens(table, listener, kind, rate, times):
    reference = listener.undisturbed(kind, rate, BEFORE + BEHIND + 20)
    if silent := Recording(reference, RATE).dropouts(0, len(reference) / RATE):
        print(f'--    {kind} at {rate:g}x: {silent:.0f} ms of silence although nothing happened: the machine is busy')
    for name in ('playing', 'paused'):
        late, apart, silent = [], [], []
        for _ in range(times):
            x, edge, other = getattr(listener, name)(kind, rate), None, None
            if name == 'paused':
                x, edge, other = without_pause(x)
            else:
                other = Recording(x, RATE).dropouts(0, len(x) / RATE)
            off, difference = compare(x, reference, edge)
            late.append(off)
            apart.append(difference)
            silent.append(other)
        table.row(f'{kind} at {rate:g}x, {name}', (worst(late), 0, 0, 'samples'), (max(apart) * 1e3, 0, SAME * 1e3, '/1000'),
                  (max(silent), 0, 0, 'ms'))
    late, silent = [], []
    for _ in range(times):
        r = Recording(listener.seeking(kind, rate), RATE)
        end = len(r.x) / RATE - 0.3
        silent.append(r.dropouts(0, end))
        if rate == 1:
            late.append(sum(abs(skip) for _, skip in r.jumps(0, end)) * RATE)
        else:
            # Where the sound is stretched, a place can be read to some milliseconds only.
            time, place = r.windows(0, end)
            line = (place - rate * time)[~np.isnan(place)]
            late.append(max(0.0, float(np.ptp(line)) - 0.030) * RATE if len(line) else float('nan'))
    table.row(f'{kind} at {rate:g}x, seeking', (worst(late), 0, 0, 'samples'), (0, 0, 0, '/1000'), (max(silent), 0, 0, 'ms'))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('build')
    arguments.add_argument('--server', choices=PROGRAMS, default='pulseaudio')
    arguments.add_argument('--times', type=int, default=1)
    arguments.add_argument('--only', help='the kinds of files, such as mp3,flac')
    given = arguments.parse_args()
    if lacks := missing(given.server, 'ffmpeg'):
        print(f'swaps: {", ".join(lacks)} missing: run `make deps`', file=sys.stderr)
        return 69
    kinds = given.only.split(',') if given.only else list(KINDS)
    folder = [book(kind).parent for kind in kinds][0]
    webs = [Web(folder), Web(folder)]
    table = Table()
    with Server(given.server) as server:
        player = Player(given.build, server.environment)
        listener = Listener(server, player, webs)
        table.head(f'moves to another address, {given.times} of each', 'late by', 'samples apart', 'silent')
        try:
            for kind in kinds:
                for rate in (1, 2):
                    listens(table, listener, kind, rate, given.times)
        except (RuntimeError, TimeoutError) as error:
            table.failed += 1
            print(f'FAIL  {error}')
        finally:
            player.end()
            for web in webs:
                web.close()
    print(f'{table.failed} rows are wrong' if table.failed else 'every move is inaudible')
    return 1 if table.failed else 0


if __name__ == '__main__':
    sys.exit(main())
