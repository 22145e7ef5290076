#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Listens to texts that are read aloud: the silences between sentences, and a book before and behind a text.

    reading.py BUILD_DIR [--engine ID] [--times N]

The silences are read from the recording of a private sound server. A sentence ends where its last sound falls below −50 dB,
which is where the engines say that it ends.
"""
import argparse
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from player import Player  # noqa: E402
from sound_server import RATE, Recorder, Server, until  # noqa: E402

SENTENCES = ['Go to the old barn today.', 'We took a big boat.', 'Tom got a red hat.', 'Bring it back.']
# Milliseconds at rate 1, by SpeechPauses: two sentences of a paragraph, then a paragraph.
PAUSES = [350, 700, 350]
TEXT = f'{SENTENCES[0]} {SENTENCES[1]}\n\n{SENTENCES[2]} {SENTENCES[3]}\n'
# Of full scale: −50 dB.
LOUD = 0.0032
# What is heard of a pause at most differs by this, in ms.
TOLERANCE = 5
# Above twice its speed, the sound of a neural voice is made shorter by the session, which moves each edge of a pause.
COMPRESSED = 12


def silences(samples, shortest):
    """Returns the lengths of the silences between sounds, in ms, of at least so many ms."""
    loud = np.flatnonzero(np.abs(samples).max(axis=1) > LOUD)
    gaps = np.diff(loud) * 1000 / RATE
    return [float(gap) for gap in gaps if gap >= shortest]


def read(player, recorder, path, engine, rate):
    start = recorder.now
    player('read', '--detach', '--from-start', '--engine', engine, '--rate', str(rate), path)
    until(lambda: player.status()['status'] == 'ended', 60, 'the end of the text')
    recorder.wait(0.6)
    return silences(recorder.samples(start), min(PAUSES) / rate * 0.6)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--engine', default='espeak')
    parser.add_argument('--times', type=int, default=1, help='how often each speed is listened to')
    options = parser.parse_args()
    failed = 0
    with Server() as server:
        environment = dict(server.environment)
        if os.environ.get('ROSTRUM_VOICES'):
            environment['ROSTRUM_VOICES'] = os.environ['ROSTRUM_VOICES']
        build = os.path.abspath(options.build)
        environment['ROSTRUM_ENGINE_PATH'] = os.environ.get('ROSTRUM_ENGINE_PATH', f'{build}/engines')
        player = Player(build, environment)
        recorder = Recorder(environment, 20)
        path = f'{server.folder}/sentences.txt'
        with open(path, 'w') as file:
            file.write(TEXT)
        for rate in (0.5, 1, 2, 3) * options.times:
            heard = read(player, recorder, path, options.engine, rate)
            wanted = [pause / rate for pause in PAUSES]
            errors = [a - b for a, b in zip(heard, wanted)]
            tolerance = COMPRESSED if options.engine == 'sherpa' and rate > 2 else TOLERANCE
            good = len(heard) == len(wanted) and all(abs(error) <= tolerance for error in errors)
            failed += not good
            print(f'reading: {"ok" if good else "FAILED"}: {options.engine} at {rate}: silences of '
                  f'{", ".join(f"{gap:.1f}" for gap in heard)} ms, wanted {", ".join(f"{w:.1f}" for w in wanted)}')
        recorder.close()
        player.end()
    print(f'reading: {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
