#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plays books of several files with the built programs, and measures the joints: 0 frames between files of one format,
20 ms at most where the format changes.

    gapless.py BUILD_DIR [--server pulseaudio|pipewire]

Renders to a WAV first, which is exact; then plays into a private sound server, where a change of format needs another
stream. Prints a table; exits with 1 if something is wrong, 69 if it cannot listen here.
"""
import argparse
import os
import subprocess
import sys

import numpy as np

import joints
import placecode
from analysis import Recording
from player import Player
from sound_daemons import PROGRAMS, missing
from sound_server import RATE, Server

EDGE = 0.010    # s beside a joint that are left out where the place is read: codecs smear there
WINDOW = 0.050  # s
SAME = 0.5      # frames that a reading may be off
CHANGE = 20.0   # ms
BOTH = 5.0      # ms in which two that follow each other may be heard at once


class Table:
    def __init__(self):
        self.failed = 0

    def head(self, title, *columns):
        print(f'\n      {title:<50}' + ''.join(f'{c:>16}' for c in columns))

    def row(self, what, *cells):
        """Prints a row; cells are (value, least, most, unit)."""
        good = all(value is not None and low <= value <= high for value, low, high, _ in cells)
        self.failed += not good
        shown = ''.join(f'{"nothing" if v is None else format(v + 0.0, ".2f"):>{15 - len(u)}} {u}' for v, _, _, u in cells)
        print(f'{"ok  " if good else "FAIL"}  {what:<50}{shown}', flush=True)


def place(x, rate, frame, expected):
    """Returns how far the sound at a frame is from the position that is expected there, in seconds; None if it cannot be read."""
    width = int(WINDOW * rate)
    found = placecode.refine(x[frame:frame + width], rate, expected, slack=0.045)
    return None if np.isnan(found) else found - expected


def joint(x, rate, at):
    """Returns what a joint at a time in seconds adds (+) or leaves out (-), in frames."""
    frame = round(at * rate)
    before, after = frame - int((EDGE + WINDOW) * rate), frame + int(EDGE * rate)
    readings = [place(x, rate, f, f / rate) for f in (before, after)]
    return None if None in readings else (readings[0] - readings[1]) * rate


def error(x, rate, at):
    """Returns by how many decibels everything but the signal lies below it, within 5 ms of a joint."""
    f = np.arange(round((at - 0.005) * rate), round((at + 0.005) * rate))
    known = placecode.signal(f / rate)
    return 10 * np.log10(max(1e-12, ((x[f] - known) ** 2).sum() / (known ** 2).sum()))


def rendered(player, book):
    """Returns (samples of the left channel, rate) of the whole book."""
    path = os.path.join(player.environment['XDG_RUNTIME_DIR'], 'joint.wav')
    player('play', *book.paths, '--from-start', '--output', 'wav:' + path)
    facts = subprocess.run(['ffprobe', '-v', 'error', '-show_entries', 'stream=sample_rate,channels', '-of', 'csv=p=0', path],
                           capture_output=True, text=True, check=True).stdout.split(',')
    raw = subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-i', path, '-f', 'f32le', '-'], capture_output=True,
                         check=True).stdout
    os.remove(path)
    return np.frombuffer(raw, '<f4').reshape(-1, int(facts[1]))[:, 0], int(facts[0])


def row(table, name, player, book, most):
    x, rate = rendered(player, book)
    found = [joint(x, rate, at) for at in book.ends[:-1]]
    worst = None if None in found else max(found, key=abs)
    # (Where a rate changes, the end of a file falls between two frames of the others.)
    spare = len(x) - book.ends[-1] * rate
    table.row(name, (worst, -most, most, 'frames'), (spare, -most, most, 'frames'),
              (max(error(x, rate, at) for at in book.ends[:-1]), -200, -6, 'dB'))


def renders(table, player):
    columns = ('joint', 'too long by', 'error there')
    table.head('render: three files of one format', *columns)
    for name in joints.FORMATS:
        row(table, name, player, joints.Book([name] * 3), SAME)
    table.head('render: the format changes', *columns)
    for name, formats in joints.CHANGES.items():
        row(table, name, player, joints.Book(formats), 2 * SAME)


def heard(table, server, player):
    """Plays one book into a sound server; a change of rate or channels is another stream there.

    A busy machine can be late at such a change; so a joint that changes the format has three tries, and any other one
    has one.
    """
    table.head('sound server', 'joint', 'silent')
    book = joints.Book(joints.CHAIN)
    good = lambda cells: all(value is not None and low <= value <= high for value, low, high, _ in cells)
    found = chain(server, player, book)
    for _ in range(2):
        if all(good(cells) for _, same, cells in found if not same):
            break
        found = [then if good(cells) != good(then[2]) and good(cells) == same else (name, same, cells)
                 for (name, same, cells), then in zip(found, chain(server, player, book))]
    for name, _, cells in found:
        table.row(name, *cells)


def chain(server, player, book):
    """Returns [(name, whether the formats are the same, cells)] of every joint."""
    found = []
    began = server.recorder.now
    player('play', *book.paths, '--from-start', '--output', 'pulse')
    server.recorder.wait(0.5)
    r = Recording(server.recorder.samples()[:, 0], RATE)
    start = began + np.flatnonzero(np.abs(r.part(began, len(r.x) / RATE)) > 1e-4)[0] / RATE
    # (The joints before may have made it later.)
    starts = [start] + [start + end for end in book.ends]
    lines = [r.line(a + 0.25, b - 0.15) for a, b in zip(starts, starts[1:])]
    for index, (before, after) in enumerate(zip(lines, lines[1:])):
        name = f'{joints.short(joints.CHAIN[index])}, then {joints.short(joints.CHAIN[index + 1])}'
        if before is None or after is None:
            found.append((name, False, ((None, 0, 0, 'ms'),)))
            continue
        gap = (before.offset - after.offset) * 1e3
        at = book.ends[index] - before.offset
        same = joints.FORMATS[joints.CHAIN[index]][1:3] == joints.FORMATS[joints.CHAIN[index + 1]][1:3]
        least, most = (-1e3 * SAME / RATE, 1e3 * SAME / RATE) if same else (-BOTH, CHANGE)
        found.append((name, same, ((gap, least, most, 'ms'), (r.dropouts(at - 0.08, at + 0.2), 0, most, 'ms'))))
    return found


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('build')
    arguments.add_argument('--server', choices=PROGRAMS, default='pulseaudio')
    given = arguments.parse_args()
    if lacks := missing(given.server, 'ffmpeg', 'ffprobe'):
        print(f'gapless: {", ".join(lacks)} missing: run `make deps`', file=sys.stderr)
        return 69
    table = Table()
    with Server(given.server) as server:
        player = Player(given.build, server.environment)
        try:
            renders(table, player)
            heard(table, server, player)
        except RuntimeError as error:
            table.failed += 1
            print(f'FAIL  {error}')
            log = server.environment['XDG_STATE_HOME'] + '/rostrum/rostrumd.log'
            if os.path.exists(log):
                print(''.join(open(log).readlines()[-10:]), end='')
        finally:
            player.end()
    print(f'{table.failed} joints are wrong' if table.failed else 'every joint is as it should be')
    return 1 if table.failed else 0


if __name__ == '__main__':
    sys.exit(main())
