#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sends random commands, from every kind of client, to one session that plays into a private sound server.

    soak.py BUILD_DIR SECONDS [--seed N]

Clients are the command line, the control socket, subscribers that only listen, and attached players in a terminal whose
keys are pressed. The content is made here (tones, a book, texts, broken files), together with the files of
../shared/media if they are there. No command may exit with 70, be killed, or take longer than half a minute; one that
fails says so in one line. A tone whose `play` succeeded is audible, unless something else was asked for after it. At
the end the session is still the same one, with as many descriptors as when nothing played (and those of at most
twelve documents, two each), and within 64 MB of the memory that it had after a third of the time; and the whole log
replays. Prints a line for each fault and a summary;
exits with 1 if there was one.
"""
import argparse
import collections
import fcntl
import os
import pathlib
import pty
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
import wave

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'Listening'))
import material  # noqa: E402
import numpy as np  # noqa: E402
from kills import Connection  # noqa: E402
from player import Player  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402

TONES = [(kind, 400 + 170 * number) for number, kind in enumerate(['wav', 'mp3', 'm4a', 'flac', 'ogg', 'opus'])]
CODERS = {'mp3': 'libmp3lame', 'm4a': 'aac', 'flac': 'flac', 'ogg': 'libvorbis', 'opus': 'libopus'}
TONE_SECONDS = 90
PATIENCE = 30    # s that a command may take
HEARD = 20       # s of the recording in which a tone must be heard
GROWTH = 64      # MB
DOCUMENTS = '/cache/rostrum/documents/'
MOST_DOCUMENTS = 2 * 3 + 2 + 4  # what three owners come back to, and those that were open last
SHARED = pathlib.Path(os.environ.get('ROSTRUM_SHARED', HERE.parents[2] / 'shared')) / 'media'
KEYS = [b' ', b'\x1b[C', b'\x1b[D', b'<', b'>', b'[', b']', b'\x1b[A', b'\x1b[B']
DEFECT, BUSY = 70, 75


def make(folder):
    """Makes files, and returns them by what is expected of them."""
    tones = {}
    for kind, frequency in TONES:
        plain = f'{folder}/tone-{frequency}.wav'
        with wave.open(plain, 'wb') as w:
            w.setparams((1, 2, 48000, 0, 'NONE', ''))
            second = np.sin(np.arange(48000) * (2 * np.pi * frequency / 48000)) * 12000
            w.writeframes(second.astype('<i2').tobytes() * TONE_SECONDS)
        path = plain
        if kind != 'wav':
            path = f'{folder}/tone-{frequency}.{kind}'
            subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-i', plain, '-c:a', CODERS[kind], path], check=True)
            os.remove(plain)
        tones[path] = frequency
    os.mkdir(folder + '/book')
    for path in list(tones)[:3]:
        os.link(path, folder + '/book/' + os.path.basename(path))
    with open(folder + '/list.m3u', 'w', encoding='utf-8') as f:
        f.write('\n'.join(tones))
    pathlib.Path(folder + '/broken.mp3').write_bytes(random.Random(1).randbytes(50_000))
    pathlib.Path(folder + '/cut.m4a').write_bytes(pathlib.Path(next(p for p in tones if p.endswith('m4a'))).read_bytes()[:20_000])
    pathlib.Path(folder + '/empty.wav').write_bytes(b'')
    pathlib.Path(folder + '/text.txt').write_text(material.TEXT, encoding='utf-8')
    audio = [material.book(), folder + '/book', folder + '/list.m3u', folder + '/broken.mp3', folder + '/cut.m4a',
             folder + '/empty.wav', folder + '/nowhere.mp3']
    texts = [folder + '/text.txt', folder + '/empty.wav']
    for path in sorted(SHARED.rglob('*')) if SHARED.exists() else []:
        if path.is_file():
            (texts if path.suffix in ('.txt', '.md', '.html') else audio).append(str(path))
    return tones, audio, texts


class Attached:
    """A player in a terminal."""

    def __init__(self, program, environment, words):
        self.terminal, other = pty.openpty()
        # Who does not own the terminal is a background job, and takes no keys from it.
        self.process = subprocess.Popen([program, *words], env={**environment, 'TERM': 'xterm'}, stdin=other, stdout=other,
                                        stderr=subprocess.PIPE, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(other)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        try:
            while os.read(self.terminal, 65536):
                pass
        except OSError:
            pass

    def press(self, key):
        try:
            os.write(self.terminal, key)
        except OSError:
            pass


class Subscriber(threading.Thread):
    """A client that listens, and counts what comes."""

    def __init__(self, run):
        super().__init__(daemon=True)
        self.count = 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(run + '/rostrum/session.sock')
        self.socket.sendall(b'{"jsonrpc":"2.0","id":1,"method":"subscribe"}\n')
        self.start()

    def run(self):
        try:
            while part := self.socket.recv(65536):
                self.count += part.count(b'\n')
        except OSError:
            pass


class Soak:
    def __init__(self, server, build, seed):
        self.server, self.recorder, self.rng = server, server.recorder, random.Random(seed)
        self.environment = server.environment
        self.run = self.environment['XDG_RUNTIME_DIR']
        self.tones, self.audio, self.texts = make(server.folder)
        folder = self.environment['XDG_CONFIG_HOME'] + '/rostrum'
        os.makedirs(folder, mode=0o700)
        pathlib.Path(folder + '/settings.json').write_text('{"engineIdle": 1, "engineParked": 5}', encoding='utf-8')
        self.player = Player(build, self.environment)
        self.attached, self.faults, self.codes = [], [], collections.Counter()
        self.began = None  # when the last player was started
        self.commands = self.heard = self.displaced = self.longest = 0
        read, write = os.pipe()
        self.daemon = subprocess.Popen([os.path.join(build, 'rostrumd'), '--ready-fd', str(write)], env=self.environment,
                                       pass_fds=[write], stdin=subprocess.DEVNULL,
                                       stderr=open(server.folder + '/rostrumd.err', 'wb'))
        os.close(write)
        if not os.read(read, 1):
            raise RuntimeError('the session does not start')
        os.close(read)
        self.connection = Connection(self.run)
        self.connection.socket.settimeout(PATIENCE)
        self.subscribers = [Subscriber(self.run) for _ in range(3)]

    def fault(self, what):
        self.faults.append(what)
        print(f'command {self.commands}: {what}', flush=True)

    # Clients

    def cli(self, *words):
        """Runs a command line; returns its exit code."""
        self.commands += 1
        began = time.monotonic()
        try:
            r = subprocess.run([self.player.program, *words], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                               timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.fault(f'rostrum {" ".join(words)} takes longer than {PATIENCE} s')
            return None
        self.longest = max(self.longest, time.monotonic() - began)
        self.codes[r.returncode] += 1
        if r.returncode == DEFECT or r.returncode < 0:
            self.fault(f'rostrum {" ".join(words)} ended with {r.returncode}: {r.stderr.decode(errors="replace").strip()}')
        elif r.returncode and r.stderr.count(b'\n') != 1 and r.returncode != 64:
            self.fault(f'rostrum {" ".join(words)} says more than a line: {r.stderr.decode(errors="replace")}')
        return r.returncode

    def call(self, method, **params):
        """Sends a request; returns its exit code, as a command line would have it."""
        self.commands += 1
        began = time.monotonic()
        try:
            _, error = self.connection.call(method, **params)
        except socket.timeout:
            self.fault(f'{method} {params} takes longer than {PATIENCE} s')
            self.connection = Connection(self.run)
            self.connection.socket.settimeout(PATIENCE)
            return None
        self.longest = max(self.longest, time.monotonic() - began)
        code = (error.get('data') or {}).get('exit', DEFECT) if error else 0
        self.codes[code] += 1
        if code == DEFECT:
            self.fault(f'{method} {params}: {error["message"]}')
        return code

    def attach(self):
        if len(self.attached) < 4:
            self.commands += 1
            self.began = self.recorder.now
            self.attached.append(Attached(self.player.program, self.environment, ['play', self.rng.choice(self.audio)]))

    def look_at_players(self):
        for player in list(self.attached):
            code = player.process.poll()
            if code is not None:
                self.attached.remove(player)
                self.codes[code] += 1
                if code == DEFECT or code < 0:
                    self.fault(f'{player.process.args} ended with {code}: {player.process.stderr.read().decode(errors="replace")}')
                player.process.stderr.close()
                os.close(player.terminal)

    # What is done

    def tone(self):
        """Plays a tone, and now and then waits until it is audible; otherwise the next command is what was asked for after it."""
        path, frequency = self.rng.choice(list(self.tones.items()))
        at = str(self.rng.randrange(TONE_SECONDS - 40))
        listens = self.rng.random() < 0.6
        if listens:
            # What could hold it, or end it.
            self.call('sleep', to='off')
            for owner in ('a', 'b'):
                self.call('release', owner=owner)
            self.call('volume', volume=1)
        asked = self.recorder.now
        # (What an item was played with last, also in silence or by another engine, it is played with again.)
        code = (self.cli('play', path, '--at', at, '--detach', '--rate', '1', '--volume', '1', '--engine', 'ffmpeg')
                if self.rng.random() < 0.5
                else self.call('play', items=[path], at=at, rate=1.0, volume=1.0, engine='ffmpeg'))
        if code == BUSY and self.began and asked < self.began + PATIENCE:
            # The play of a player that is only starting came behind it.
            self.displaced += 1
            return
        if code:
            self.fault(f'{path} does not play: {code}')
        if code != 0:
            return
        if not listens:
            self.displaced += 1
            return

        def sounds():
            x = self.recorder.samples(max(asked, self.recorder.now - 0.3))[:, 0]
            if len(x) < 0.25 * RATE or np.abs(x).max() < 0.003:
                return False
            found = np.argmax(np.abs(np.fft.rfft(x * np.hanning(len(x))))) * RATE / len(x)
            return abs(found - frequency) < 20
        until(lambda: sounds() or self.recorder.now > asked + HEARD, 3 * HEARD + 30, 'the recording')
        if sounds():
            self.heard += 1
        else:
            status, _ = self.connection.call('status')
            if self.began and asked < self.began + PATIENCE and status['item'] and not status['item']['uri'].endswith(path):
                self.displaced += 1
                return
            self.fault(f'{os.path.basename(path)} was not heard within {HEARD} s; the status is {status}')

    def step(self):
        rng = self.rng
        self.look_at_players()
        self.recorder.forget(self.recorder.now - 60)
        time_word = rng.choice(['0', '7', '1:00', '+30', '-15', '50%', 'ch:2', '99:00:00', 'ch:99', '+0.5'])
        choice = rng.choices(
            ['tone', 'play', 'read', 'clip', 'attach', 'key', 'leave', 'simple', 'seek', 'skip', 'chapter', 'rate', 'volume',
             'option', 'sleep', 'claim', 'release', 'engine', 'inspect', 'query', 'render', 'owner', 'library', 'undo'],
            [20, 8, 6, 3, 4, 14, 2, 16, 10, 5, 5, 4, 3, 5, 3, 2, 4, 4, 4, 6, 2, 6, 2, 3])[0]
        either = lambda method, words, **params: (
            self.cli(*words) if rng.random() < 0.4 else self.call(method, **params))
        match choice:
            case 'tone': self.tone()
            case 'play':
                item = rng.choice(self.audio)
                either('play', ['play', item, '--detach'], items=[item])
            case 'read':
                item = rng.choice(self.texts)
                either('read', ['read', item, '--detach'], items=[item])
            case 'clip':
                start = rng.uniform(0, 60)
                # A timer that ends during the clip pauses it, and its command waits for somebody to resume it.
                self.call('sleep', to='off')
                self.cli('clip', 'play', rng.choice(list(self.tones)), '--start', f'{start:.3f}', '--end',
                         f'{start + rng.uniform(0.1, 1):.3f}')
            case 'attach': self.attach()
            case 'key':
                for player in self.attached:
                    player.press(rng.choice(KEYS))
            case 'leave':
                if self.attached:
                    rng.choice(self.attached).press(b'q')
            case 'simple':
                word = rng.choice(['pause', 'resume', 'toggle', 'stop', 'resume', 'toggle'])
                either(word, [word])
            case 'seek': either('seek', ['seek', '--', time_word], to=time_word)
            case 'skip':
                way = rng.choice(['forward', 'back'])
                either('skip', ['skip', way], to=way)
            case 'chapter':
                which = rng.choice(['next', 'previous', '1', '3', '77'])
                either('chapter', ['chapter', which], to=which)
            case 'rate':
                rate = rng.choice([0.5, 1.0, 1.37, 3.0, 9.0])
                either('rate', ['rate', str(rate)], rate=rate)
            case 'volume':
                volume = rng.choice([0.0, 0.3, 1.0, 4.0])
                either('volume', ['volume', str(volume)], volume=volume)
            case 'option':
                name, value = rng.choice([('mono', 'on'), ('mono', 'default'), ('balance', '0.3'), ('balance', 'default'),
                                          ('loudness', 'on'), ('loudness', 'default'), ('silence', '0.5'), ('silence', 'default')])
                either('option', ['option', name, value], id=name, to=value)
            case 'sleep':
                wish = rng.choice(['1s', '2s', '1', 'chapter', 'book', 'off', '+10'])
                either('sleep', ['sleep', wish], to=wish)
            case 'claim': self.call('claim', owner=rng.choice('ab'))
            case 'release': self.call('release', owner=rng.choice('ab'))
            case 'engine': self.call('engine', id=rng.choice(['ffmpeg', 'espeak', 'tone', 'nobody']))
            case 'inspect': self.cli('inspect', rng.choice(self.audio), '--json')
            case 'query': self.cli(*rng.choice([['status'], ['status', '--json'], ['history'], ['engines'], ['library', 'list']]))
            case 'render': self.cli('play', rng.choice(list(self.tones)), '--until', '5', '--output',
                                    f'wav:{self.server.folder}/render.wav')
            case 'owner':
                owner = rng.choice('ab')
                method = rng.choice(['play', 'pause', 'resume', 'stop', 'seek', 'status'])
                params = {'play': {'items': [rng.choice(list(self.tones))]}, 'seek': {'to': time_word}}.get(method, {})
                self.call(method, owner=owner, **params)
            case 'library': self.cli('library', rng.choice(['add', 'rescan']), *rng.choice([[self.server.folder + '/book'], []]))
            case 'undo': either('undo', ['undo'])
        if rng.random() < 0.3:
            self.recorder.wait(rng.uniform(0, 0.5))

    # What is judged

    def resources(self):
        status = pathlib.Path(f'/proc/{self.daemon.pid}/status').read_text(encoding='utf-8')
        memory = int(re.search(r'VmRSS:\s+(\d+)', status).group(1)) / 1024
        return memory, sum(count for name, count in self.open_files().items() if DOCUMENTS not in name)

    def rest(self):
        """Waits until nothing plays and nobody is connected; returns the minimum of (memory in MB, descriptors) over some time."""
        def left():
            # (A key that comes before the terminal is the player's waits for the end of a line.)
            for player in self.attached:
                player.press(b'q')
            self.look_at_players()
            return not self.attached
        try:
            until(left, PATIENCE, 'the end of the players')
        except TimeoutError:
            self.fault(f'players stay: {[player.process.args for player in self.attached]}')
            for player in self.attached:
                player.process.kill()
        for owner in ('a', 'b'):
            self.call('release', owner=owner)
        self.call('stop')
        found = []

        def quiet():
            found.append(self.resources())
            return len(found) > 3 and not self.children()
        try:
            until(quiet, PATIENCE, 'the end of the engines')
        except TimeoutError:
            self.fault(f'nothing plays, and {len(self.children())} engines stay for {PATIENCE} s: {self.children()}')
        return found[-1][0], min(files for _, files in found[-3:])

    def open_files(self):
        folder = pathlib.Path(f'/proc/{self.daemon.pid}/fd')
        found = collections.Counter()
        for name in os.listdir(folder):
            try:
                path = os.readlink(folder / name)
                found[path if DOCUMENTS in path else re.sub(r'[0-9]{2,}', 'N', path)] += 1
            except OSError:
                pass
        return dict(found)

    def children(self):
        children = []
        for task in pathlib.Path(f'/proc/{self.daemon.pid}/task').iterdir():
            try:
                for child in (task / 'children').read_text(encoding='utf-8').split():
                    children.append(pathlib.Path(f'/proc/{child}/cmdline').read_bytes().split(b'\0')[1].decode())
            except (OSError, IndexError):
                pass
        return children

    def replay(self):
        folder = pathlib.Path(self.environment['XDG_STATE_HOME'] + '/rostrum')
        files = sorted(folder.glob('transitions*.jsonl'))
        for file in files:
            r = subprocess.run([self.player.program, 'replay', str(file)], env=self.environment, capture_output=True, text=True,
                               timeout=600)
            if r.returncode:
                kept = pathlib.Path(os.environ.get('TMPDIR', '/tmp')) / f'soak-{os.getpid()}-{file.name}'
                shutil.copy(file, kept)
                self.fault(f'{kept} replays with {r.returncode}: {r.stderr.strip()} {r.stdout.strip()[-300:]}')
        return sum(1 for file in files for _ in file.open(encoding='utf-8'))

    def live(self, seconds):
        end = self.recorder.now + seconds
        # The first of each kind is what others are compared with.
        for path in self.tones:
            self.call('play', items=[path])
        self.call('read', items=[self.texts[0]])
        first = self.rest()
        before = self.open_files()
        third = None
        while self.recorder.now < end:
            self.step()
            if self.daemon.poll() is not None:
                self.fault(f'the session ended with {self.daemon.returncode}')
                return first, first, first
            if third is None and self.recorder.now > end - seconds * 2 / 3:
                third = self.rest()
        last = self.rest()
        try:
            # What is let go of takes its time, but not for ever.
            until(lambda: self.resources()[1] <= first[1] + 4, PATIENCE, 'descriptors')
        except TimeoutError:
            self.fault(f'descriptors: {first[1]} at first, {last[1]} at the end: {before}, then {self.open_files()}')
        documents = sum(count for name, count in self.open_files().items() if DOCUMENTS in name)
        if documents > 2 * MOST_DOCUMENTS:
            self.fault(f'{documents} files of documents are open: {self.open_files()}')
        if last[0] > (third or first)[0] + GROWTH:
            self.fault(f'memory: {(third or first)[0]:.0f} MB after a third of the time, {last[0]:.0f} MB at the end')
        return first, third or first, last


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('seconds', type=float)
    parser.add_argument('--seed', type=int, default=1)
    given = parser.parse_args()
    for tool in ('pulseaudio', 'parec', 'ffmpeg'):
        if not shutil.which(tool):
            print(f'soak: {tool} is missing: run `make deps`', file=sys.stderr)
            return 69
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Server() as server:
        soak = Soak(server, os.path.abspath(given.build), given.seed)
        try:
            first, third, last = soak.live(given.seconds)
            events = soak.replay()
        finally:
            for player in soak.attached:
                player.process.kill()
            soak.daemon.terminate()
            try:
                soak.daemon.wait(30)
            except subprocess.TimeoutExpired:
                soak.daemon.kill()
                soak.fault('SIGTERM does not end the session')
            words = pathlib.Path(server.folder + '/rostrumd.err').read_text(encoding='utf-8', errors='replace')
            if soak.faults and words:
                print(''.join('  ' + line for line in words.splitlines(True)[-20:]))
    codes = ', '.join(f'{count} with {code}' for code, count in sorted(soak.codes.items()))
    print(f'{soak.commands} commands ({codes}); of the tones {soak.heard} heard, {soak.displaced} displaced at once; longest '
          f'command {soak.longest:.2f} s; memory {first[0]:.0f}, {third[0]:.0f}, {last[0]:.0f} MB; descriptors {first[1]}, {third[1]}, '
          f'{last[1]}; {sum(s.count for s in soak.subscribers)} notifications; {events} records replayed; seed {given.seed}; '
          f'{len(soak.faults)} faults')
    return 1 if soak.faults else 0


if __name__ == '__main__':
    sys.exit(main())
