#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of mono, balance, loudness and silence: the session's processor time during playback.

    stages.py BUILD_DIR [--seconds 10] [--rounds 3] [--rate 1]

It is compared with the time with all of them off. Plays a recording with pauses, made here, in real time into the null
output. The options change in turn during playback, so that other load on the machine affects all of them alike. Times
come from the scheduler, in nanoseconds.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import wave

OFF = {'mono': 'off', 'balance': '0', 'loudness': 'off', 'silence': 'off'}
CASES = {
    'all off': {},
    'mono': {'mono': 'on'},
    'balance': {'balance': '0.5'},
    'silence': {'silence': 'on'},
    'loudness': {'loudness': 'on'},
    'loudness and silence': {'loudness': 'on', 'silence': 'on'},
    'all four': {'mono': 'on', 'balance': '0.5', 'loudness': 'on', 'silence': 'on'},
}
RATE, MINUTES = 44100, 40


def recording(path):
    """Writes noise with the envelope of speech: phrases of 3 s with pauses of 0.8 s, at -24 dBFS."""
    import numpy as np
    random = np.random.default_rng(1)
    x = np.repeat(random.normal(0, 2000, RATE * 3 // 8 + 1), 8)[:RATE * 3] + random.normal(0, 200, RATE * 3)
    phrase = np.concatenate([np.clip(x, -32000, 32000), np.zeros(int(RATE * 0.8))]).astype('<i2')
    stereo = np.stack([phrase, phrase[::-1]], axis=1).tobytes()
    with wave.open(path, 'wb') as w:
        w.setparams((2, 2, RATE, 0, 'NONE', ''))
        for _ in range(int(MINUTES * 60 / 3.8)):
            w.writeframes(stereo)


def processor(pid):
    """Returns the nanoseconds that all living threads have used."""
    return sum(int(p.read_text(encoding='ascii').split()[0]) for p in pathlib.Path(f'/proc/{pid}/task').glob('*/schedstat'))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('build', type=pathlib.Path)
    arguments.add_argument('--seconds', type=float, default=10)
    arguments.add_argument('--rounds', type=int, default=3)
    arguments.add_argument('--rate', default='1')
    given = arguments.parse_args()
    build = given.build.resolve()
    with tempfile.TemporaryDirectory(prefix='rostrum-stages-') as home:
        environment = {'PATH': '/usr/bin:/bin', 'HOME': home}
        for name in ('RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME'):
            environment['XDG_' + name] = f'{home}/{name}'
            os.mkdir(f'{home}/{name}', 0o700)
        recording(home + '/book.wav')
        read, write = os.pipe()
        session = subprocess.Popen([build / 'rostrumd', '--output', 'null', '--ready-fd', str(write)], env=environment,
                                   pass_fds=[write])
        os.close(write)
        try:
            if not os.read(read, 1):
                sys.exit('stages: the session does not start')

            def rostrum(*words):
                subprocess.run([build / 'rostrum', *words], env=environment, check=True)

            rostrum('play', '--detach', '--rate', given.rate, home + '/book.wav')
            measured = {name: [] for name in CASES}
            now = dict.fromkeys(OFF)
            for _ in range(given.rounds):
                for name, changes in CASES.items():
                    for option, value in {**OFF, **changes}.items():
                        if now[option] != value:
                            rostrum('option', option, value)
                            now[option] = value
                    # What is rendered anew because of the change does not count.
                    time.sleep(2)
                    began, used = time.monotonic(), processor(session.pid)
                    time.sleep(given.seconds)
                    measured[name].append((processor(session.pid) - used) / (time.monotonic() - began) / 1e6)
        finally:
            session.terminate()
            session.wait()
    base = statistics.median(measured['all off'])
    print(f'{"":24}{"ms of a second":>16}{"against off":>14}{"least, most":>20}')
    for name, values in measured.items():
        value = statistics.median(values)
        print(f'{name:24}{value:16.2f}{value / base:14.2f}{min(values):12.2f}{max(values):8.2f}')


main()
