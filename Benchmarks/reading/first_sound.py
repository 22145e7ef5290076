#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures from a command to the first sound of a text, and from a cancel to silence, on a private sound server.

    Benchmarks/reading/first_sound.py BUILD [--engine sherpa] [--voices FOLDER] [--count 20] [--text FILE] [--rate 1]

A session that has read one sentence reads another text each time, so nothing of it was kept. Each text comes by the standard
input of a command of its own, as from a script. It is cancelled a random time after its first sound by `rostrum stop`, or, in
every second try, by `stop` on the session's socket. Times count from just before the command starts, or the request is sent;
the recorder may add up to 10 ms to each. Prints medians, worst values and the load.
"""
import argparse
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = os.environ.get('ROSTRUM_SHARED', f'{ROOT.parent}/shared')
sys.path[:0] = [str(ROOT / 'Tests' / 'Listening'), str(ROOT / 'Tests' / 'Documents')]
from player import Player  # noqa: E402
from session_room import Link  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402

VOICE = 'en_US-joe-medium'
# Of full scale: −48 dB.
LOUD = 0.004
# Seconds of silence after which a text is silent: longer than between its sentences.
QUIET = 0.9
# Seconds: what sounded so shortly before a cancel was sounding when it came.
JUST = 0.03


class Ear:
    """Sound and silence in the recording."""
    def __init__(self, recorder):
        self.recorder = recorder

    def sound(self, start):
        """Returns the seconds from `start` to the first sound; 0 if there is none yet."""
        loud = np.flatnonzero(np.abs(self.recorder.samples(start)).max(axis=1) > LOUD)
        return (loud[0] + 1) / RATE if len(loud) else 0

    def silence(self, start):
        """Returns the seconds from `start` to the last sound, or None if it may go on."""
        level = np.abs(self.recorder.samples(start)).max(axis=1)
        loud = np.flatnonzero(level > LOUD)
        last = (loud[-1] + 1) / RATE if len(loud) else 0
        return last if len(level) / RATE - last > QUIET else None


def texts(path, count):
    """Returns parts of a text that begin with a sentence and are read for more than ten seconds."""
    whole = re.sub(r'\s+', ' ', pathlib.Path(path).read_text(encoding='utf-8', errors='replace'))
    starts = [match.end() for match in re.finditer(r'[.!?] (?=[A-Z])', whole)][20:]
    step = max(1, len(starts) // count)
    return [whole[start:start + 700] for start in starts[::step][:count]]


def report(name, times):
    times = sorted(time * 1000 for time in times)
    print(f'first-sound: {name}: n {len(times)}, median {statistics.median(times):.0f} ms, '
          f'95 % {times[int(len(times) * 0.95)] if len(times) > 1 else times[0]:.0f} ms, worst {times[-1]:.0f} ms')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--engine', default='sherpa')
    parser.add_argument('--voices', help=f'the folder that has {VOICE}, for sherpa')
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--rate', default='1')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--text', default=f'{SHARED}/media/text/plain/alice.txt')
    options = parser.parse_args()
    build, dice = options.build.resolve(), random.Random(options.seed)
    first, by_command, by_socket = [], [], []
    with Server() as server:
        environment = dict(server.environment, ROSTRUM_ENGINE_PATH=str(build / 'engines'))
        if options.voices:
            environment['ROSTRUM_VOICES'] = os.path.abspath(options.voices)
        voice = ['--voice', VOICE] if options.engine == 'sherpa' else []
        recorder, ear = server.recorder, Ear(server.recorder)
        session = subprocess.Popen([build / 'rostrumd'], env=environment, stdin=subprocess.DEVNULL)
        player = Player(str(build), environment)
        until(lambda: player.session() == session.pid, 20, 'the session')
        link = Link(environment['XDG_RUNTIME_DIR'] + '/rostrum/session.sock')
        words = [build / 'rostrum', 'read', '--detach', '--engine', options.engine, *voice, '--rate', options.rate, '-']
        subprocess.run(words, env=environment, input=b'Hello.', check=True)
        until(lambda: link.call('status')['status'] == 'ended', 60, 'the end of the first sentence')
        recorder.wait(1)
        for number, text in enumerate(texts(options.text, options.count)):
            read, write = os.pipe()
            # It is shorter than a pipe's capacity, so this never waits.
            os.write(write, text.encode())
            os.close(write)
            begun = recorder.now
            command = subprocess.Popen(words, env=environment, stdin=read)
            os.close(read)
            first.append(until(lambda: ear.sound(begun), 30, 'sound'))
            if command.wait(30):
                raise RuntimeError(f'the command ended with {command.returncode}')
            recorder.wait(dice.uniform(0.05, 3))
            begun = recorder.now
            if number % 2:
                link.call('stop')
            else:
                subprocess.run([build / 'rostrum', 'stop'], env=environment, check=True)
            until(lambda: ear.silence(begun) is not None, 30, 'silence')
            # In a pause of the text, there is nothing to end.
            if 0 < ear.sound(begun - JUST) < JUST:
                (by_socket if number % 2 else by_command).append(ear.silence(begun))
            recorder.forget(recorder.now - 0.1)
        link.close()
        session.terminate()
        session.wait(20)
    report(f'{options.engine} at {options.rate}, from the command to the first sound', first)
    report(f'{options.engine} at {options.rate}, from `rostrum stop` to silence', by_command)
    if by_socket:
        report(f'{options.engine} at {options.rate}, from `stop` on the socket to silence', by_socket)
    print(f'first-sound: load {os.getloadavg()[0]:.2f} at {time.strftime("%H:%M:%S")}')


if __name__ == '__main__':
    main()
