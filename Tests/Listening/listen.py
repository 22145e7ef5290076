#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plays with the built programs into a private sound server, and checks what is heard there.

    listen.py BUILD_DIR [--server pulseaudio|pipewire] [--keep FILE.wav]

Prints a table; exits with 1 if something is wrong, 69 if it cannot listen here.
"""
import argparse
import os
import subprocess
import sys
import wave

import numpy as np

import editing
import material
import quality
import stage
from analysis import Line, Recording
from player import Player
from sound_daemons import PROGRAMS, missing
from sound_server import RATE, Server, until

# What a buffer that is not rewritten adds is 2 s and more; what other work on the machine adds is no defect. (How fast a
# command is when there is none, Benchmarks/latency tells.)
LATENCY = 1500 # ms from the spawn of a command to its effect
LAG = -30      # ms that the recorder may be behind when a command is given
EXACT = 1.0    # ms
BOTH = 5       # ms in which two that follow each other may be heard at once: the length of a fade
TRIES = 3      # if the machine is too busy for PipeWire
PATIENCE = 60  # s for what must come at some time
LIBRARY = ('analysis.py', 'sound_server.py', 'waiting.py', 'player.py')


class Table:
    def __init__(self):
        self.failed = 0

    def row(self, what, value, low, high, unit='ms'):
        good = value is not None and low <= value <= high
        self.failed += not good
        shown = 'nothing' if value is None else f'{value:.2f}'
        print(f'{"ok  " if good else "FAIL"}  {what:<52} {shown:>9} {unit:<3} ({low:g} to {high:g})', flush=True)
        if not good:
            self.explain(sys._getframe(1))

    @staticmethod
    def explain(frame):
        """Prints the line that a row comes from, and what was measured there."""
        print(f'      {os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}, times in s:', flush=True)
        for name, value in frame.f_locals.items():
            if isinstance(value, (int, float, str, tuple, Line)) or value is None:
                print(f'        {name} = {value}', flush=True)


class Listener:
    """Commands with the times at which they were given, and the recording around them."""

    def __init__(self, server, player, table):
        self.server, self.recorder, self.player, self.table = server, server.recorder, player, table

    def do(self, *arguments):
        at = self.recorder.now
        self.player(*arguments)
        return at

    def recording(self):
        """Returns the book's part of what was heard."""
        return Recording(material.book_part(self.recorder.samples()), RATE)

    def spoken(self):
        """Returns the text's part of what was heard."""
        return Recording(material.text_part(self.recorder.samples()), RATE)

    def until_position(self, least, most=1e9, seconds=PATIENCE):
        """Waits until the sink plays a position of the signal in that range; returns the recording's time then."""
        def reached():
            # The recording grows meanwhile.
            now = self.recorder.now
            line = self.recording().line(now - 0.15, now)
            return line is not None and least <= line.at(now) <= most
        until(reached, seconds, f'position {least} s in the recording')
        return self.recorder.now

    def until_speed(self, speed, seconds=PATIENCE):
        """Waits until the sink plays that many seconds of the signal a second; returns the recording's time then."""
        def reached():
            now = self.recorder.now
            return abs(self.recording().speed(now - 0.5, now)[0] - speed) < 0.05
        try:
            until(reached, seconds, f'speed {speed} in the recording')
        except TimeoutError as error:
            print(f'      {error}')  # The rows say what there was instead.
        return self.recorder.now

    def settled(self, measure, good, seconds=10):
        """Returns a measurement over 0.3 s, as soon as it is good; otherwise the one at the end of the time."""
        end = self.recorder.now + seconds
        while True:
            began = self.recorder.now
            self.recorder.wait(0.35)
            value = measure(self.recorder.samples(began)[:int(0.3 * RATE)])
            if good(value) or self.recorder.now > end:
                return value

    def until_silence(self, seconds=PATIENCE, least=0.3):
        until(lambda: self.recorder.now > least
              and np.abs(self.recorder.samples(self.recorder.now - least)).max() < 1e-4, seconds, 'silence')

    def until_sound(self, after, seconds=PATIENCE, loud=0.01):
        until(lambda: np.abs(self.recorder.samples(after)).max(initial=0) > loud, seconds, 'sound')


def onset(r, after):
    """Returns the time of the first sound at or after a time."""
    loud = np.flatnonzero(np.abs(r.part(after, len(r.x) / r.rate)) > 1e-4)
    return None if not len(loud) else after + loud[0] / r.rate


def start(l):
    began = l.recorder.now
    l.attached = l.player.attach('play', material.book(), '--at', '60')
    l.until_position(60.8)
    r = l.recording()
    first = onset(r, began)
    line = r.line(first + 0.1, first + 0.6)
    begin, fade = r.fade_in(first, line)
    l.table.row('start: first place heard, off by', (line.at(begin) - 60) * 1e3, -EXACT, EXACT)
    l.table.row('start: its fade', fade * 1e3, 0, 40)
    l.steady = (first + 0.2, first + 0.7)


def steady(l):
    at = l.recorder.now
    l.recorder.wait(4)
    r = l.recording()
    jumps = r.jumps(at, at + 3.9)
    l.table.row('playing 4 s: jumps', len(jumps), 0, 0, '')
    l.table.row('playing 4 s: drop-outs', r.dropouts(at, at + 3.9), 0, 0)


def pause(l, number):
    before_from = l.recorder.now - 0.5
    asked = l.do('pause')
    l.until_silence()
    l.recorder.wait(0.3)
    resumed = l.do('resume')
    l.until_sound(resumed)
    l.recorder.wait(1.0)
    r = l.recording()
    quiet = r.silence(asked, least=0.2)
    before, after = r.line(before_from, asked), r.line(quiet[1] + 0.1, quiet[1] + 0.8)
    out, out_fade = r.fade_out(quiet[0], before)
    into, in_fade = r.fade_in(quiet[1], after)
    name = f'pause {number}'
    l.table.row(f'{name}: command to silence', (quiet[0] - asked) * 1e3, LAG, LATENCY)
    l.table.row(f'{name}: resume to sound', (quiet[1] - resumed) * 1e3, LAG, LATENCY)
    l.table.row(f'{name}: skipped (+) or repeated (-)', (after.at(into) - before.at(out)) * 1e3, -EXACT, EXACT)
    l.table.row(f'{name}: jumps before', len(r.jumps(before_from, out - out_fade - 0.02)), 0, 0, '')
    l.table.row(f'{name}: jumps after', len(r.jumps(into + in_fade + 0.01, into + 0.9)), 0, 0, '')
    l.table.row(f'{name}: click at pause', r.click(quiet[0], l.steady), -200, 6, 'dB')
    l.table.row(f'{name}: click at resume', r.click(quiet[1], l.steady), -200, 6, 'dB')


def seek(l, target):
    asked = l.do('seek', str(target))
    reached = l.until_position(target, target + 20)
    l.recorder.wait(0.8)
    r = l.recording()
    old, new = r.line(asked - 0.4, asked), r.line(reached + 0.1, reached + 0.7)
    begin, _ = r.handover(asked - 0.02, reached + 0.1, old, new)
    name = f'seek to {target} s'
    l.table.row(f'{name}: command to sound', (begin - asked) * 1e3, LAG, LATENCY)
    l.table.row(f'{name}: first place heard, off by', (new.at(begin) - target) * 1e3, -EXACT, EXACT)
    l.table.row(f'{name}: silence between', r.dropouts(asked, begin + 0.02), 0, LATENCY)
    l.table.row(f'{name}: jumps after', len(r.jumps(begin + 0.05, begin + 0.7)), 0, 0, '')
    l.table.row(f'{name}: click', r.click(begin, l.steady, reach=0.1), -200, 6, 'dB')


def rate(l):
    asked = l.do('rate', '2')
    fast = l.until_speed(2)
    l.recorder.wait(2.9)
    r = l.recording()
    speed, pitch = r.speed(fast, fast + 2.8)
    l.table.row('rate 2: media seconds a second', speed, 1.98, 2.02, '')
    l.table.row('rate 2: pitch against the file', pitch, 0.99, 1.01, '')
    l.table.row('rate 2: drop-outs', r.dropouts(asked, fast + 2.8), 0, 0)
    l.do('rate', '1')
    back = l.until_speed(1)
    l.recorder.wait(1.5)
    r = l.recording()
    l.table.row('rate 1 again: jumps', len(r.jumps(back, back + 1.4)), 0, 0, '')


def switch(l):
    """Book, text, book: the text is audible at once, and the book resumes where it was heard last."""
    before_from = l.recorder.now - 0.5
    asked = l.do('read', '--detach', material.text())

    def text_is_heard():
        return np.abs(material.text_part(l.recorder.samples(asked))).max(initial=0) > 0.01
    until(text_is_heard, PATIENCE, 'the text')
    l.recorder.wait(2.5)
    back = l.do('engine', 'ffmpeg')
    l.until_position(60, 420)
    l.recorder.wait(1.0)
    r, spoken = l.recording(), l.spoken()
    before = r.line(before_from, asked)
    gap = r.silence(asked, least=0.5)
    stop, _ = r.fade_out(gap[0], before)
    after = r.line(gap[1] + 0.1, gap[1] + 0.8)
    begin, _ = r.fade_in(gap[1], after)
    first = onset(spoken, asked)
    last = spoken.silence(back, least=0.2)[0]
    l.table.row('book to text: command to end of the book', (stop - asked) * 1e3, LAG, LATENCY)
    l.table.row('book to text: command to first sound of the text', (first - asked) * 1e3, LAG, 2 * LATENCY)
    l.table.row('book to text: both at once', max(0, gap[0] - first) * 1e3, 0, BOTH)
    l.table.row('book to text: click', r.click(gap[0], l.steady), -200, 6, 'dB')
    l.table.row('text to book: command to sound', (begin - back) * 1e3, LAG, 2 * LATENCY)
    l.table.row('text to book: both at once', max(0, last - gap[1]) * 1e3, 0, BOTH)
    l.table.row('text to book: click', r.click(gap[1], l.steady), -200, 6, 'dB')
    l.table.row('text to book: skipped (+) or repeated (-)', (after.at(begin) - before.at(stop)) * 1e3, -EXACT, EXACT)
    l.table.row('text to book: jumps after', len(r.jumps(begin + 0.02, begin + 0.9)), 0, 0, '')


def end(l):
    """A short file to its end: all of it is heard, nothing twice, then silence and no process."""
    l.table.row('the session ends with its last player', float(l.player.end()), 1, 1, '')
    l.until_silence()
    began = l.recorder.now
    p = l.player.attach('play', material.short(), '--from-start')
    error = p.communicate(timeout=120)[1]
    l.table.row('end: exit code' + (f' ({error.strip()})' if error.strip() else ''), p.returncode, 0, 0, '')
    l.until_silence()
    r = l.recording()
    first = onset(r, began)
    if first is None:
        l.table.row('end: sound', None, 0, 0)
        return
    middle = r.line(first + 1, first + 2)
    quiet = r.silence(first + 1, least=0.2)
    begin, _ = r.fade_in(first, middle)
    finish, _ = r.fade_out(quiet[0], middle)
    l.table.row('end: first place heard, off by', (middle.at(begin) - 500) * 1e3, -EXACT, EXACT)
    l.table.row('end: last place heard, off by',
                (middle.at(finish) - 500 - material.SHORT_SECONDS) * 1e3, -EXACT, EXACT)
    l.table.row('end: jumps', len(r.jumps(first + 0.05, quiet[0] - 0.05)), 0, 0, '')
    l.table.row('end: drop-outs', r.dropouts(first + 0.05, quiet[0] - 0.05), 0, 0)


SCENES = [start, steady, lambda l: pause(l, 1), lambda l: seek(l, 300), lambda l: pause(l, 2),
          lambda l: seek(l, 123.457), rate, stage.clip, *editing.SCENES, stage.phone, stage.headphones, switch, stage.replays, end,
          *quality.SCENES]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('build')
    arguments.add_argument('--server', choices=PROGRAMS, default='pulseaudio')
    arguments.add_argument('--keep', help='write what was heard to this file')
    given = arguments.parse_args()
    if lacks := missing(given.server, 'ffmpeg'):
        print(f'listen: {", ".join(lacks)} missing: run `make deps`', file=sys.stderr)
        return 69
    here = os.path.dirname(os.path.abspath(__file__))
    if subprocess.run([sys.executable, here + '/selftest.py'], stdout=subprocess.DEVNULL).returncode:
        print('listen: the analysis is wrong: see selftest.py', file=sys.stderr)
        return 1
    for _ in range(TRIES):
        failed, missed = listen(given, SCENES)
        if not failed or not missed:
            break
        print(f'--    {", ".join(sorted(set(missed)))} missed {len(missed)} turns of PipeWire\'s graph; the run is repeated')
    print(f'{failed} defects heard' if failed else 'nothing wrong was heard')
    return 1 if failed else 0


def listen(given, scenes):
    """Plays the scenes; returns how many rows failed, and which programs did not run in time."""
    table = Table()
    with Server(given.server) as server:
        player = Player(given.build, server.environment)
        listener = Listener(server, player, table)
        try:
            for scene in scenes:
                scene(listener)
        except (RuntimeError, TimeoutError, TypeError, AttributeError, subprocess.TimeoutExpired) as error:
            # What a scene needs was not there to hear (no line, no silence): that is a defect too.
            table.failed += 1
            print(f'FAIL  {type(error).__name__}: {error}')
            trace = error.__traceback__
            while trace.tb_next and os.path.basename(trace.tb_next.tb_frame.f_code.co_filename) not in LIBRARY:
                trace = trace.tb_next
            table.explain(trace.tb_frame)
            log = server.environment['XDG_STATE_HOME'] + '/rostrum/rostrumd.log'
            if os.path.exists(log):
                print(''.join(open(log).readlines()[-10:]), end='')
        finally:
            player.end()
            if getattr(given, 'keep', None):
                keep(given.keep, server.recorder.samples())
        return table.failed, server.daemons.missed()


def keep(path, x):
    with wave.open(path, 'wb') as w:
        w.setparams((2, 2, RATE, 0, 'NONE', ''))
        w.writeframes(np.clip(np.round(x * 32767), -32768, 32767).astype('<i2').tobytes())


if __name__ == '__main__':
    sys.exit(main())
