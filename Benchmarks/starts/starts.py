#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Starts playback again and again, and listens whether and when each start is heard.

    starts.py BUILD_DIR N [--warm] [--limit SECONDS] [--seed N]

Plays a WAV, an MP3 and an M4B in turn into a private sound server, each with a tone of its own, from random positions.
A cold start begins without a session, which ends with its last player; with `--warm` one session plays all of them. A
start counts as heard when its tone is on the recorded monitor of the sink, within 10 s of the recording after the
command. Prints a line for each fault, with the status of the session at that time, and at the end the median, p99 and
maximum of the times from the command to the sound; exits with 1 if there was a fault. Several may run side by side.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import wave

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'Tests' / 'Listening'))
import numpy as np  # noqa: E402
from player import Player  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402

TONES = {'wav': 500, 'mp3': 900, 'm4b': 1500}  # Hz
SECONDS = 60
LOUD = 0.01


def make(folder):
    """Makes a file of each kind and returns their paths."""
    paths = {}
    for kind, tone in TONES.items():
        plain = f'{folder}/{kind}-tone.wav'
        with wave.open(plain, 'wb') as w:
            w.setparams((1, 2, 44100, 0, 'NONE', ''))
            second = np.sin(np.arange(44100) * (2 * np.pi * tone / 44100)) * 8000
            w.writeframes(second.astype('<i2').tobytes() * SECONDS)
        paths[kind] = plain
        if kind != 'wav':
            paths[kind] = f'{folder}/tone.{kind}'
            coding = ['-c:a', 'libmp3lame'] if kind == 'mp3' else ['-c:a', 'aac', '-f', 'ipod']
            subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-i', plain, *coding, paths[kind]], check=True)
            os.remove(plain)
    return paths


def onset(recorder, after):
    """Returns the time of the first sound from `after` on, once 0.1 s of it is recorded; else None."""
    loud = np.flatnonzero(np.abs(recorder.samples(after)).max(axis=1, initial=0) > LOUD)
    if not len(loud) or recorder.now < after + loud[0] / RATE + 0.1:
        return None
    return after + loud[0] / RATE


def tone_at(recorder, time):
    """Returns the strongest frequency of the 90 ms from `time` on."""
    x = recorder.samples(time)[:int(0.09 * RATE), 0]
    return float(np.argmax(np.abs(np.fft.rfft(x * np.hanning(len(x)), RATE))))


class Starts:
    def __init__(self, server, build, limit, seed):
        self.server, self.recorder, self.limit = server, server.recorder, limit
        self.player = Player(build, server.environment)
        self.files = make(server.folder)
        self.rng = random.Random(seed)
        self.times, self.faults = [], []

    def fault(self, number, what):
        self.faults.append(number)
        print(f'start {number}: {what}', flush=True)
        try:
            print('  ' + self.player('status', '--json').strip(), flush=True)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f'  {error}', flush=True)
        log = self.server.environment['XDG_STATE_HOME'] + '/rostrum/rostrumd.log'
        if os.path.exists(log):
            with open(log, encoding='utf-8', errors='replace') as f:
                print(''.join('  ' + line for line in f.readlines()[-5:]), end='', flush=True)

    def silence(self):
        """Waits until nothing sounds, and forgets what is older."""
        began = self.recorder.now
        until(lambda: self.recorder.now > began + 0.1
              and np.abs(self.recorder.samples(self.recorder.now - 0.1)).max(initial=0) < 1e-4, 30, 'silence')
        self.recorder.forget(self.recorder.now - 0.2)

    def heard(self, number, kind, asked):
        until(lambda: onset(self.recorder, asked) or self.recorder.now > asked + self.limit, 3 * self.limit + 30, 'the recording')
        at = onset(self.recorder, asked)
        if at is None:
            self.fault(number, f'{kind}: nothing was heard within {self.limit:g} s')
            return
        self.times.append((at - asked) * 1e3)
        tone = tone_at(self.recorder, at)
        if abs(tone - TONES[kind]) > 30:
            self.fault(number, f'{kind}: a tone of {tone:.0f} Hz was heard in place of {TONES[kind]}')

    def run(self, number, warm):
        kind = list(TONES)[number % len(TONES)]
        words = ['play', self.files[kind], '--at', str(self.rng.randrange(SECONDS - 20))]
        asked = self.recorder.now
        if warm:
            try:
                self.player(*words, '--detach')
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                self.fault(number, f'{kind}: {error}')
                return
            self.heard(number, kind, asked)
            self.player('stop')
        else:
            client = self.player.attach(*words)
            self.heard(number, kind, asked)
            if client.poll() is not None:
                self.fault(number, f'{kind}: the player left with {client.returncode}: {client.stderr.read().strip()}')
            if not self.player.end():
                self.fault(number, f'{kind}: the session did not end with its last player')
        self.silence()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('count', type=int)
    parser.add_argument('--warm', action='store_true')
    parser.add_argument('--limit', type=float, default=10)
    parser.add_argument('--seed', type=int, default=1)
    given = parser.parse_args()
    for tool in ('pulseaudio', 'parec', 'ffmpeg'):
        if not shutil.which(tool):
            print(f'starts: {tool} is missing: run `make deps`', file=sys.stderr)
            return 69
    # If SIGINT were ignored here, as in a background job of a shell, the players would ignore it, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Server() as server:
        starts = Starts(server, os.path.abspath(given.build), given.limit, given.seed)
        try:
            if given.warm:
                # A player that stays keeps the session alive.
                starts.player.attach('play', starts.files['wav'])
                until(lambda: onset(server.recorder, 0.0), 60, 'the first sound')
                starts.player('stop')
                starts.silence()
            for number in range(given.count):
                starts.run(number, given.warm)
        finally:
            starts.player.end()
    times = sorted(starts.times) or [0]
    at = lambda q: times[min(len(times) - 1, int(q * len(times)))]
    print(f'{given.count} {"warm" if given.warm else "cold"} starts, {len(starts.times)} heard: median {at(.5):.0f}, '
          f'p99 {at(.99):.0f}, most {times[-1]:.0f} ms; {len(starts.faults)} faults')
    return 1 if starts.faults or len(starts.times) < given.count else 0


if __name__ == '__main__':
    sys.exit(main())
