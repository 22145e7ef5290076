#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plays a book while a hostile engine, or a crowd of hostile clients, does its worst, and listens to the book.

    hostile.py BUILD_DIR [SECONDS] [--only DEED,…] [--cpu PERCENT] [--answer SECONDS] [--hole MS]

Runs the deeds of Tests/Fixtures/Engines/hostile.c one after the other in one session. The engine first renders for a
client while the book plays; then it has audio focus as another owner, and gives it back. The deeds of clients, below,
follow. A deed must really have been done, and is judged by itself:

- the session lives, and answers a client that asks for the status and the sleep timer within 1 s;
- the book has no silent hole while it has focus, and is audible again when it gets focus back;
- the session uses less than 25 % of a core for an engine;
- afterwards no process of the engine is left, there are as many descriptors as before, and memory has grown by less
  than 48 MB (200 MB in the meantime).

SECONDS is roughly the total time (default 600). A limit of 0 is not judged. Prints a line for each deed; exits with 1
if there was a fault.
"""
import argparse
import array
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import wave

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'Listening'))
import material  # noqa: E402
import numpy as np  # noqa: E402
from analysis import Recording  # noqa: E402
from kills import Connection  # noqa: E402
from player import Player  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402

SOURCE = HERE.parent / 'Fixtures' / 'Engines' / 'hostile.c'
INCLUDE = HERE.parents[1] / 'Sources' / 'Contract' / 'EngineABI' / 'include'
GROWTH, PEAK = 48, 200  # MB
PATIENCE = 30           # s for what must come at some time
SPARE = 60 + PATIENCE   # s for the end of an engine: a process that was started ahead of need stays for 60
SILENT = {'HANGS_IN_CONSTRUCTOR'}  # nobody hears what it says: its process is the proof
CLIENTS = ['CROWD', 'DEAF_CLIENTS', 'DEAF_SUBSCRIBERS', 'GARBAGE']


def deeds():
    return re.findall(r'D\((\w+)\)', SOURCE.read_text(encoding='utf-8').split('#define DEEDS(D)')[1].split('#define NAME')[0])


class Resources:
    def __init__(self, pid):
        status = pathlib.Path(f'/proc/{pid}/status').read_text(encoding='utf-8')
        size = lambda name: int(re.search(rf'{name}:\s+(\d+)', status).group(1)) / 1024
        self.resident, self.peak = size('VmRSS'), size('VmHWM')
        self.files = len(os.listdir(f'/proc/{pid}/fd'))
        # Of all threads, also those that have ended, in seconds.
        fields = pathlib.Path(f'/proc/{pid}/stat').read_text(encoding='utf-8').rsplit(')', 1)[1].split()
        self.processor = (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
        self.time = time.monotonic()


class Watch:
    """Asks for the status and the sleep timer all the time, on a connection of its own, and notes the
    longest wait.
    """

    def __init__(self, run):
        self.run, self.longest, self.failure, self.over = run, 0.0, None, threading.Event()
        self.thread = threading.Thread(target=self.ask, daemon=True)
        self.thread.start()

    def ask(self):
        try:
            connection = Connection(self.run)
            while not self.over.wait(0.05):
                began = time.monotonic()
                connection.call('status')
                connection.call('sleep')
                self.longest = max(self.longest, time.monotonic() - began)
            connection.socket.close()
        except OSError as error:
            self.failure = error

    def end(self):
        self.over.set()
        self.thread.join(30)
        return self.longest


class Siege:
    def __init__(self, server, build, limits):
        self.server, self.recorder, self.limits = server, server.recorder, limits
        self.build = build
        self.environment = server.environment
        self.run = self.environment['XDG_RUNTIME_DIR']
        folder = self.environment['XDG_CONFIG_HOME'] + '/rostrum'
        os.makedirs(folder, mode=0o700)
        # So that what a deed leaves is gone soon.
        with open(folder + '/settings.json', 'w', encoding='utf-8') as f:
            json.dump({'engineIdle': 1, 'engineParked': 1, 'autoRewind': 0}, f)
        self.player = Player(build, self.environment)
        self.bait = server.folder + '/bait.wav'
        with wave.open(self.bait, 'wb') as w:
            w.setparams((1, 2, 8000, 0, 'NONE', ''))
            w.writeframes(b'\0\0' * 8000)
        self.faults = self.told = 0
        self.begin()

    def begin(self):
        self.player.attach('play', material.book(), '--at', '30')
        self.until_book()
        self.pid = self.player.session()
        self.connection = Connection(self.run)

    def again(self):
        """Returns a new session, where the last one can no longer be used."""
        if pid := self.player.session():
            os.kill(pid, signal.SIGKILL)
        until(lambda: self.player.session() is None, PATIENCE, 'the end of the session')
        self.player.end()
        self.begin()

    def until_book(self):
        """Waits until the book is audible for a third of a second without a pause."""
        began = self.recorder.now

        def heard():
            if self.recorder.now < began + 0.4:
                return False
            x = np.abs(material.book_part(self.recorder.samples(self.recorder.now - 0.35)))
            return len(x) > 1000 and np.diff(np.flatnonzero(np.concatenate([[1], x > 1e-3, [1]]))).max() < 0.01 * RATE
        until(heard, PATIENCE, 'the sound of the book')
        self.recorder.forget(self.recorder.now - 1)

    def hole(self, began, ended):
        """Returns the longest silence of the book in milliseconds, and the longest time that the recording lacks."""
        x = np.abs(material.book_part(self.recorder.samples(began)))[:int((ended - began) * RATE)] > 1e-4
        return float(np.diff(np.flatnonzero(np.concatenate([[True], x, [True]]))).max() - 1) / RATE * 1e3

    def install(self, deed):
        name = 'hostile-' + deed.lower().replace('_', '-')
        folder = f'{self.environment["XDG_DATA_HOME"]}/rostrum/engines/{name}.engine'
        os.makedirs(folder, mode=0o755)
        subprocess.run(['cc', '-std=gnu11', '-O1', '-shared', '-fPIC', '-fvisibility=hidden', f'-I{INCLUDE}', str(SOURCE), '-o',
                        folder + '/m.so', f'-DDEED={deed}', f'-DENGINE_ID="{name}"', '-lm', '-lpthread'], check=True)
        os.chmod(folder + '/m.so', 0o644)
        with open(folder + '/manifest.json', 'w', encoding='utf-8') as f:
            json.dump({'schema': 1, 'id': name, 'name': name, 'version': '1.0', 'vendor': 'Nobody', 'license': 'MIT', 'abi': '1.0',
                       'module': 'm.so', 'kinds': ['audio'], 'extensions': [], 'permissions': []}, f)
        return name

    def runners(self, name):
        """Returns the processes of that engine."""
        found = []
        for process in pathlib.Path('/proc').iterdir():
            if process.name.isdigit():
                try:
                    if name.encode() in (process / 'cmdline').read_bytes().split(b'\0')[1:2]:
                        found.append(int(process.name))
                except OSError:
                    pass
        return found

    def process(self, pid):
        """Returns what a process is doing, and whose it is."""
        try:
            status = pathlib.Path(f'/proc/{pid}/status').read_text(encoding='utf-8')
            words = re.findall(r'(?:State|PPid|Threads):\s+(.*)', status)
            return f'{pid}: {", ".join(words)}, waits in {pathlib.Path(f"/proc/{pid}/wchan").read_text(encoding="utf-8")}'
        except OSError as error:
            return f'{pid}: {error}'

    def was_done(self, deed):
        said = f'hostile: {deed}'
        folder = pathlib.Path(self.environment['XDG_STATE_HOME'] + '/rostrum')
        return any(said in file.read_text(encoding='utf-8', errors='replace') for file in folder.glob('transitions*.jsonl'))

    def engine(self, deed, seconds):
        name = self.install(deed)
        began = self.recorder.now
        client = subprocess.Popen([self.player.program, 'play', self.bait, '--engine', name, '--output', 'null:fast'],
                                  env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        until(lambda: self.runners(name) or client.poll() is not None, PATIENCE, 'the process of the engine')
        self.recorder.wait(seconds)
        client.send_signal(signal.SIGINT)
        try:
            client.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            client.kill()
            yield 'the client of the render did not end'
        hole = self.hole(began, self.recorder.now)
        self.measured['hole'] = hole
        if 0 < self.limits.hole < hole:
            yield f'the book was silent for {hole:.0f} ms'
        # Now as an owner with audio focus.
        if deed.startswith('RENDERS'):
            self.connection.call('option', name='mono', value='on')
            self.connection.call('option', name='balance', value='0.5')
        attacker = Connection(self.run)
        attacker.send('play', items=[self.bait], engine=name, owner='attacker')
        until(lambda: deed in SILENT or self.was_done(deed), PATIENCE, 'the deed')
        self.recorder.wait(seconds)
        attacker.send('seek', to='+7', owner='attacker')
        self.recorder.wait(seconds / 2)
        attacker.socket.close()
        self.connection.call('release', owner='attacker')
        self.connection.call('option', name='mono', value='default')
        self.connection.call('option', name='balance', value='default')
        status, _ = self.connection.call('status')
        if status['owner'] == 'main' and status['status'] == 'paused' and status['suppression'] is None:
            # An engine that fails gives focus back without a sound.
            self.measured['resumed'] = True
            _, error = self.connection.call('resume')
            if error:
                yield f'the book cannot go on: {error["message"]}'
        self.until_book()
        status, _ = self.connection.call('status')
        if status['status'] != 'playing' or status['owner'] != 'main':
            yield f'the book is heard, and the status is {status["status"]} of {status["owner"]}'
        try:
            until(lambda: not self.runners(name), SPARE, 'the end of the engine')
        except TimeoutError:
            for pid in self.runners(name):
                yield f'its process stays: {self.process(pid)}'
            for pid in self.runners(name):
                os.kill(pid, signal.SIGKILL)

    def crowd(self, deed, seconds):
        """Runs hostile clients."""
        began = self.recorder.now
        if deed == 'CROWD':
            files = array.array('i', [os.open('/dev/null', os.O_RDONLY) for _ in range(8)])

        def harm(client):
            if deed == 'CROWD':
                client.sendmsg([b'{"jsonrpc":"2.0",'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])
            elif deed == 'DEAF_CLIENTS':
                client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status"}\n' * 5000)
            elif deed == 'DEAF_SUBSCRIBERS':
                client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"subscribe"}\n')
            else:
                client.sendall(os.urandom(1 << 16) + b'\n' + b'{' * 100000 + b'\n' + b'x' * (2 << 20))
        clients = []
        for _ in range({'CROWD': 200, 'DEAF_CLIENTS': 30, 'DEAF_SUBSCRIBERS': 30}.get(deed, 10)):
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(0.2)
            clients.append(client)
            try:
                client.connect(self.run + '/rostrum/session.sock')
                harm(client)
            except OSError:
                pass  # It has had enough; what counts is what the session does for others.
        for number in range(300 if deed == 'DEAF_SUBSCRIBERS' else 0):
            self.connection.call('volume', volume=0.9 + number % 2 / 10)
        self.recorder.wait(seconds)
        hole = self.hole(began, self.recorder.now)
        self.measured['hole'] = hole
        if 0 < self.limits.hole < hole:
            yield f'the book was silent for {hole:.0f} ms'
        for client in clients:
            client.close()
        if deed == 'CROWD':
            for file in files:
                os.close(file)
        self.connection.call('volume', volume=1)
        self.until_book()

    def judge(self, deed, seconds):
        self.connection.call('seek', to='30')
        self.until_book()
        before = Resources(self.pid)
        pathlib.Path(f'/proc/{self.pid}/clear_refs').write_text('5', encoding='utf-8')
        watch = Watch(self.run)
        self.measured, faults, lost = {}, [], False
        try:
            faults += (self.crowd if deed in CLIENTS else self.engine)(deed, seconds)
        except (TimeoutError, OSError, RuntimeError) as error:
            faults.append(f'{type(error).__name__}: {error}')
            lost = True
        answer = watch.end()
        if self.player.session() != self.pid or lost or watch.failure:
            how = 'does not answer or sound' if self.player.session() == self.pid else 'died'
            print(f'FAIL  {deed:<22} the session {how}: {"; ".join(faults)} {watch.failure or ""}', flush=True)
            try:
                print('        ' + self.player('status', '--json').strip())
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                print(f'        {error}')
            self.last_words()
            self.faults += 1
            self.again()
            return
        during = Resources(self.pid)
        share = 100 * (during.processor - before.processor) / (during.time - before.time)
        if 0 < self.limits.answer < answer:
            faults.append(f'an answer took {answer:.2f} s')
        # (Clients may ask for much; it is the listener's own account.)
        if 0 < self.limits.cpu < share and deed not in CLIENTS:
            faults.append(f'the session used {share:.0f} % of a core')
        if during.peak - before.resident > PEAK:
            faults.append(f'the session grew by {during.peak - before.resident:.0f} MB meanwhile')
        # What is let go of takes its time, but not for ever.
        try:
            until(lambda: Resources(self.pid).files <= before.files + 2, PATIENCE, 'descriptors')
        except TimeoutError:
            faults.append(f'descriptors: {before.files}, then {Resources(self.pid).files}')
        after = Resources(self.pid)
        if after.resident - before.resident > GROWTH:
            faults.append(f'the session is {after.resident - before.resident:.0f} MB larger')
        if deed not in CLIENTS and deed not in SILENT and not self.was_done(deed):
            faults.append('the deed was not done')
        self.faults += bool(faults)
        print(f'{"FAIL" if faults else "ok  "}  {deed:<22} answer {answer * 1e3:6.0f} ms, {share:4.0f} % of a core, hole '
              f'{self.measured.get("hole", -1):5.1f} ms, memory {after.resident - before.resident:+5.1f} MB '
              f'(most {during.peak - before.resident:+5.1f}), descriptors {after.files - before.files:+d}'
              + (', the book came back paused' if 'resumed' in self.measured else '')
              + ''.join('\n        ' + fault for fault in faults), flush=True)

    def last_words(self):
        log = self.environment['XDG_STATE_HOME'] + '/rostrum/rostrumd.log'
        if os.path.exists(log):
            with open(log, encoding='utf-8', errors='replace') as f:
                f.seek(self.told)
                print(''.join('        ' + line for line in f.readlines()[-10:]), end='', flush=True)
                self.told = f.tell()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('seconds', type=float, nargs='?', default=600)
    parser.add_argument('--only', help='these deeds, with commas between them')
    parser.add_argument('--cpu', type=float, default=25, help='per cent of a core')
    parser.add_argument('--answer', type=float, default=1, help='seconds')
    parser.add_argument('--hole', type=float, default=5, help='milliseconds')
    given = parser.parse_args()
    for tool in ('pulseaudio', 'parec', 'ffmpeg', 'cc'):
        if not shutil.which(tool):
            print(f'hostile: {tool} is missing: run `make deps`', file=sys.stderr)
            return 69
    every = deeds() + CLIENTS
    chosen = given.only.split(',') if given.only else every
    if unknown := set(chosen) - set(every):
        print(f'hostile: no such deed: {", ".join(unknown)}; there are {", ".join(every)}', file=sys.stderr)
        return 64
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # What a deed takes besides: to compile it, and until the book is back.
    seconds = max(0.3, (given.seconds / len(chosen) - 2) / 2.5)
    began = time.monotonic()
    siege, faults = None, 0
    with Server() as server:
        try:
            siege = Siege(server, os.path.abspath(given.build), given)
            for deed in chosen:
                siege.judge(deed, seconds)
        finally:
            if siege:
                faults = siege.faults
                siege.player.end()
    print(f'{len(chosen)} deeds in {time.monotonic() - began:.0f} s, {faults} with faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
