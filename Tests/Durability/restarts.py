#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plays right after a stop, while the last session is still exiting.

    restarts.py BUILD_DIR [COUNT] [--output OUT]

An engine that needs 0.5 s to end plays. The session is ended, by SIGTERM and by its last player in turn, and the next
`rostrum play` is started at once. Each must play, in another session. OUT is `null` (default; keeps real time) or
another output of `rostrum play`. Prints one line for each fault, and how long the plays took; exits with 1 if there was
a fault.
"""
import argparse
import json
import os
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MANIFEST = {'schema': 1, 'id': 'slow', 'name': 'Slow', 'version': '1', 'vendor': 'Tests', 'license': 'MIT',
            'abi': '1.0', 'module': 'm.so', 'kinds': ['audio'], 'extensions': ['slow'], 'permissions': []}


class Trial:
    def __init__(self, build, output):
        self.folder = tempfile.mkdtemp(prefix='rostrum-restarts-')
        self.environment = dict(os.environ, ROSTRUM_ENGINE_PATH=self.folder + '/engines')
        for name in ['RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME']:
            path = f'{self.folder}/{name.lower()}'
            os.mkdir(path, 0o700)
            self.environment['XDG_' + name] = path
        self.program = os.path.join(os.path.abspath(build), 'rostrum')
        self.output = output
        engine = self.folder + '/engines/slow.engine'
        os.makedirs(engine, 0o755)
        with open(engine + '/manifest.json', 'w') as f:
            json.dump(MANIFEST, f)
        root = os.path.dirname(os.path.dirname(HERE))
        subprocess.run(['cc', '-std=gnu11', '-shared', '-fPIC', '-fvisibility=hidden', '-DFIXTURE_ID="slow"',
                        '-DFIXTURE_END_MS=500', f'-I{root}/Sources/Contract/EngineABI/include',
                        f'{root}/Tests/Fixtures/Engines/fixture.c', '-o', engine + '/m.so', '-lm', '-lpthread'],
                       check=True)
        os.chmod(engine + '/m.so', 0o644)
        self.item = self.folder + '/item.slow'
        with open(self.item, 'w') as f:
            f.write('x')
        self.faults, self.seconds, self.last = [], [], 0

    def pid(self):
        with open(self.environment['XDG_RUNTIME_DIR'] + '/rostrum/session.lock') as f:
            return int(f.read())

    def play(self, number):
        """Plays once, detached or with a player in turn; returns a function that ends the session."""
        stays = number % 2
        arguments = [self.program, 'play', '--output', self.output, self.item, '--json' if stays else '--detach']
        before = time.monotonic()
        player = subprocess.Popen(arguments, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if stays:
            error = self.heard(player)
        else:
            _, error = player.communicate(timeout=60)
            error = f'exited {player.returncode}: {error.strip()}' if player.returncode else ''
        self.seconds.append(time.monotonic() - before)
        if error:
            self.faults.append(f'play {number}: {error}, after {self.seconds[-1]:.2f} s')
            return None
        pid = self.pid()
        if pid == self.last:
            self.faults.append(f'play {number}: in the session that was ended')
        self.last = pid
        if not stays:
            return lambda: os.kill(pid, signal.SIGTERM)

        def leave():
            player.send_signal(signal.SIGINT)
            player.communicate(timeout=60)
        return leave

    def heard(self, player):
        """Waits until the player says that it plays; returns what it says instead if it does not."""
        end = time.monotonic() + 60
        lines = b''
        while time.monotonic() < end:
            if select.select([player.stdout], [], [], 1)[0]:
                part = os.read(player.stdout.fileno(), 65536)
                if not part:
                    _, error = player.communicate()
                    return f'exited {player.returncode}: {error.strip()}'
                lines += part
                if b'"status":"playing"' in lines.replace(b' ', b''):
                    return ''
        player.kill()
        return f'nothing is heard: {lines[-200:]!r}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('count', type=int, nargs='?', default=20)
    parser.add_argument('--output', default='null')
    options = parser.parse_args()
    trial = Trial(options.build, options.output)
    end = None
    try:
        for number in range(options.count + 1):
            end = trial.play(number)
            if end:
                end()
    finally:
        shutil.rmtree(trial.folder, ignore_errors=True)
    for fault in trial.faults:
        print(fault)
    # The first one found no session at all.
    seconds = sorted(trial.seconds[1:])
    print(f'{len(seconds)} plays right after a stop: median {statistics.median(seconds):.2f}, '
          f'most {seconds[-1]:.2f} s; {len(trial.faults)} faults')
    return 1 if trial.faults else 0


if __name__ == '__main__':
    sys.exit(main())
