#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a text aloud into a private sound server, and looks for silences that nobody intended.

    Benchmarks/reading/gaps.py BUILD [--engine sherpa] [--voices FOLDER] [--minutes 3] [--rates 1,2,3] [--text FILE]

The same text is rendered into a file, where nothing can be late. A silence in the recording that is longer than the one at
the same place in the file, or that is not there, is a gap. A neural voice says a text each time in another way, so its copy
without chance is taken. Prints a row of Markdown for each rate; exits with 1 if a gap was longer than 50 ms.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from steady_voice import VOICE, steady

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = os.environ.get('ROSTRUM_SHARED', f'{ROOT.parent}/shared')
sys.path.insert(0, str(ROOT / 'Tests' / 'Listening'))
from player import Player  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402

# Of full scale: −50 dB, where the engines say that a sound ends.
LOUD = 0.0032
# Seconds: shorter silences are within words.
SHORTEST = 0.03
# A gap, in seconds.
GAP = 0.05


def silences(sound, rate):
    """Returns [(start, seconds)] from the first sound to the last one, counted from the first."""
    loud = np.flatnonzero(np.abs(sound) > LOUD)
    steps = np.diff(loud)
    long = np.flatnonzero(steps > SHORTEST * rate)
    return [((loud[index] - loud[0]) / rate, steps[index] / rate) for index in long], (loud[-1] - loud[0]) / rate


def gaps(heard, intended):
    """Returns [(start, seconds)] by which silences are too long; what was late moves everything behind it."""
    found, late = [], 0
    for start, seconds in heard:
        place = start - late
        # The edges of a silence are told apart to a few milliseconds at most.
        near = [(abs(begin - place), length) for begin, length in intended if begin - 0.05 < place < begin + length + 0.05]
        more = seconds - (min(near)[1] if near else 0)
        if near or more > SHORTEST + 0.02:
            late += more
            found.append((start, more))
    return found


def render(build, environment, text, engine, voice, rate, folder):
    path = pathlib.Path(folder) / 'rendered.wav'
    subprocess.run([build / 'rostrum', 'read', '--from-start', '--engine', engine, *voice, '--rate', str(rate), '--output',
                    f'wav:{path}', text], env=environment, check=True, stdin=subprocess.DEVNULL)
    made = subprocess.run(['ffmpeg', '-v', 'error', '-i', path, '-f', 'f32le', '-ac', '1', '-ar', str(RATE), '-'], check=True,
                          capture_output=True)
    return np.frombuffer(made.stdout, dtype='<f4')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--engine', default='sherpa')
    parser.add_argument('--voices', help=f'the folder that has {VOICE}, for sherpa')
    parser.add_argument('--minutes', type=float, default=3)
    parser.add_argument('--rates', default='1,2,3')
    parser.add_argument('--text', default=f'{SHARED}/media/text/plain/alice.txt')
    options = parser.parse_args()
    build, failed = options.build.resolve(), 0
    print('| rate | silences | longest gap, ms | gaps over 5 ms | seconds heard | later than rendered, ms | load |')
    print('|---|---|---|---|---|---|---|')
    with Server() as server, tempfile.TemporaryDirectory(prefix='rostrum-gaps-') as folder:
        environment = dict(server.environment, ROSTRUM_ENGINE_PATH=str(build / 'engines'))
        voice = []
        if options.engine == 'sherpa':
            environment['ROSTRUM_VOICES'] = str(steady(options.voices, folder))
            voice = ['--voice', VOICE]
        player = Player(str(build), environment)
        for rate in map(float, options.rates.split(',')):
            text = pathlib.Path(folder) / f'at-{rate}.txt'
            size = int(options.minutes * 60 * 15.5 * rate)
            whole = pathlib.Path(options.text).read_text(encoding='utf-8', errors='replace')
            text.write_text(whole[:whole.index('\n', size)])
            intended, _ = silences(render(build, environment, text, options.engine, voice, rate, folder), RATE)
            start = server.recorder.now
            player('read', '--detach', '--from-start', '--engine', options.engine, *voice, '--rate', str(rate), str(text))
            until(lambda: player.status()['status'] == 'ended', options.minutes * 180 + 60, 'the end of the text')
            server.recorder.wait(0.5)
            heard, seconds = silences(server.recorder.samples(start).max(axis=1), RATE)
            found = gaps(heard, intended)
            longest = max((more for _, more in found), default=0)
            failed += longest > GAP
            print(f'| {rate:g} | {len(heard)} of {len(intended)} | {longest * 1000:.1f} | {sum(more > 0.005 for _, more in found)} | '
                  f'{seconds:.0f} | {sum(more for _, more in found) * 1000:.0f} | {os.getloadavg()[0]:.2f} |', flush=True)
            for place, more in found:
                if more > GAP:
                    print(f'gaps: FAILED: {more * 1000:.0f} ms at {place:.2f} s', file=sys.stderr)
            server.recorder.forget(server.recorder.now)
        player.end()
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
