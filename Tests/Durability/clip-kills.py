#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the session, or an engine that cuts or reads, while clips are made, changed and exported and peaks are made.

    clip-kills.py BUILD_DIR [COUNT] [--seed N]

Several clients work at once with the `ffmpeg` and `clip` engines on a book whose sound carries its own position. At a
random moment SIGKILL ends the session, or one of its engines and then the session. What is left is looked at:

- every clip has the bounds that the last answer gave it, or those of a command that was under way;
- each file that the library names is there, and sounds as the bounds say from the first frame to the last;
- an exported file is whole, or not there;
- peaks that were made are still there; when all are, their files are those that are made undisturbed.

The next session makes what is missing by itself, in every other round with `clip repair`; then no file is left over.
What a kill left between a file and its row is set aside by the repair: as many files as it says, and none of a clip.
Prints one line for each fault, and a summary; exits with 1 if there was a fault.
"""
import argparse
import json
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'Tests' / 'Listening'))
import material  # noqa: E402
import placecode  # noqa: E402

FORMATS = [None, 'wav', 'flac', 'm4a', 'mp3', 'opus']
CODED = 2.0         # ms by which a sound that was encoded again may be off
PACKET = 1024       # frames of AAC by which the ffmpeg program decodes too much: it does not cut the end
MOST_CLIPS = 6
SLOT, HEAD = 24_592, 4096  # of the peaks that are being made (docs/waveforms.md)
PATIENCE = 60


class Connection:
    """The control socket; answers are collected, also those that arrive late."""

    def __init__(self, run):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(run + '/rostrum/session.sock')
        self.rest, self.id, self.answers = b'', 0, {}

    def send(self, method, **params):
        self.id += 1
        message = {'jsonrpc': '2.0', 'id': self.id, 'method': method, 'params': params}
        self.socket.sendall(json.dumps(message).encode() + b'\n')
        return self.id

    def read(self, seconds):
        """Reads what arrives; returns False if nothing more can."""
        self.socket.settimeout(max(0.001, seconds))
        try:
            part = self.socket.recv(1 << 16)
        except TimeoutError:
            return True
        except OSError:
            return False
        if not part:
            return False
        self.rest += part
        *lines, self.rest = self.rest.split(b'\n')
        for line in lines:
            answer = json.loads(line)
            if 'id' in answer:
                self.answers[answer['id']] = answer
        return True

    def call(self, method, **params):
        number, end = self.send(method, **params), time.monotonic() + PATIENCE
        while number not in self.answers:
            if not self.read(1) or time.monotonic() > end:
                raise RuntimeError(f'{method} {params} was not answered')
        answer = self.answers[number]
        if 'error' in answer:
            raise RuntimeError(f'{method} {params}: {answer["error"]["message"]}')
        return answer['result']


class Gone(Exception):
    """A file is not there, or cannot be read."""


class Trial:
    def __init__(self, build, seed):
        self.rng = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix='rostrum-clip-kills-')
        self.environment = {'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'LANG': 'C.UTF-8', 'HOME': self.folder}
        for name in ['RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME']:
            path = f'{self.folder}/{name.lower()}'
            os.mkdir(path, 0o700)
            self.environment['XDG_' + name] = path
        self.run = self.environment['XDG_RUNTIME_DIR']
        self.clips = self.environment['XDG_DATA_HOME'] + '/rostrum/clips'
        self.peaks = self.environment['XDG_CACHE_HOME'] + '/rostrum/peaks'
        self.out = self.folder + '/out'
        os.mkdir(self.out)
        self.build = build
        self.book = material.book()
        self.long = long_book()
        self.known = {}     # The bounds of each clip, of which one is right: [(start, end)] in frames.
        self.good, self.counted = set(), set()   # The files whose sound and whose length were compared, by name.
        self.faults, self.counts = [], {'kills': 0, 'engines': 0, 'files': 0, 'exports': 0, 'peaks': 0, 'drafts': 0,
                                        'aside': 0}
        self.exported = 0
        self.slots = set()
        self.reference = None

    def fault(self, number, words):
        self.faults.append(f'round {number}: {words}')

    # The session.

    def start(self):
        # Its standard error says why it could not start.
        self.session = subprocess.Popen([self.build + '/rostrumd', '--output', 'null'], env=self.environment,
                                        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        end = time.monotonic() + 30
        while True:
            try:
                return Connection(self.run)
            except OSError:
                if self.session.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f'rostrumd: {self.session.stderr.read().decode()}')
                select.select([], [], [], 0.005)

    def kill(self):
        self.session.kill()
        self.session.wait()
        self.session.stderr.close()

    def end(self):
        self.session.terminate()
        self.session.wait(PATIENCE)
        self.session.stderr.close()

    def engines(self):
        found = []
        for task in pathlib.Path(f'/proc/{self.session.pid}/task').iterdir():
            try:
                found += map(int, (task / 'children').read_text().split())
            except OSError:
                continue
        return found

    # One round.

    def round(self, number):
        rng = self.rng
        first = self.start()
        clients = [first] + [Connection(self.run) for _ in range(3)]
        sent = []
        for client in clients[:3]:
            for _ in range(rng.randrange(1, 4)):
                if command := self.command():
                    sent.append((client, client.send('clips', **command), command))
        clients[3].send('peaks', items=[self.long], columns=10)
        moment = time.monotonic() + rng.choice([rng.uniform(0, 0.15), rng.uniform(0, 0.6), rng.uniform(0, 2.5)])
        victim = rng.random() < 0.4
        while (now := time.monotonic()) < moment:
            for client in clients:
                client.read(0.002)
            if victim and now > moment - 0.3 and (engines := self.engines()):
                try:
                    os.kill(rng.choice(engines), signal.SIGKILL)
                    self.counts['engines'] += 1
                except ProcessLookupError:
                    pass
                victim = rng.random() < 0.3
        self.kill()
        self.counts['kills'] += 1
        for client in clients:
            while client.read(1):
                pass
            client.socket.close()
        self.look(number, sent)
        self.recover(number)

    def command(self):
        rng, ids = self.rng, sorted(self.known)
        kind = rng.choice(['add', 'add', 'edit', 'edit', 'edit', 'export', 'export', 'delete'])
        if not ids or kind == 'add' and len(ids) < MOST_CLIPS:
            start = rng.randrange(0, 400_000) / 1000
            return {'action': 'add', 'items': [self.book], 'start': f'{start:.3f}',
                    'end': f'{start + rng.uniform(1.5, 12):.3f}'}
        chosen = rng.choice(ids)
        if kind == 'delete' and len(ids) > 2:
            return {'action': 'delete', 'ids': [chosen]}
        if kind == 'export':
            form = rng.choice(FORMATS)
            self.exported += 1
            command = {'action': 'export', 'ids': [chosen],
                       'path': f'{self.out}/{self.exported}.{form or "m4a"}'}
            return {**command, 'format': form} if form else command
        start = rng.randrange(0, 400_000) / 1000
        return {'action': 'edit', 'ids': [chosen], 'start': f'{start:.3f}', 'end': f'{start + rng.uniform(1.5, 12):.3f}'}

    def look(self, number, sent):
        """Compares what the kill left with what was answered."""
        before = {key: list(value) for key, value in self.known.items()}
        gone, made, exports = set(), 0, []
        maybe = {'add': 0, 'delete': set(), 'edit': {}}
        for client, command_id, command in sent:
            answer = client.answers.get(command_id)
            action = command['action']
            if answer is not None and 'error' in answer:
                error = answer['error']
                # An engine that was killed is said to be; anything else of this kind is a defect.
                if error['code'] == -32603 and 'signal 9' not in error['message']:
                    self.fault(number, f'{command}: {error["message"]}')
                # A change may be on the disk although its file could not be made: that is no error, so nothing is here.
                if action == 'export':
                    exports.append((command, 'failed'))
                continue
            result = answer and answer['result']
            if action == 'add':
                if result:
                    clip = result['clips'][0]
                    self.known[clip['id']] = [bounds(clip)]
                    made += 1
                else:
                    maybe['add'] += 1
            elif action == 'edit':
                key = command['ids'][0]
                wish = (round(float(command['start']) * material.BOOK_RATE),
                        round(float(command['end']) * material.BOOK_RATE))
                maybe['edit'].setdefault(key, []).append((bounds(result['clips'][0]) if result else wish, bool(result)))
            elif action == 'delete':
                (gone if result else maybe['delete']).add(command['ids'][0])
            elif action == 'export':
                exports.append((command, 'done' if result else 'killed'))
        rows = self.rows()
        if rows is None:
            return self.fault(number, 'the library is damaged')
        for key in list(self.known):
            wishes = maybe['edit'].get(key, [])
            if any(done for _, done in wishes):
                # The order of those that were answered is not known here.
                self.known[key] = [wish for wish, _ in wishes]
            else:
                self.known[key] += [wish for wish, _ in wishes]
            if key in gone or key in maybe['delete'] and key not in rows:
                if key in rows:
                    self.fault(number, f'{key} was deleted, and is there')
                del self.known[key]
            elif key not in rows:
                self.fault(number, f'{key} is gone')
                del self.known[key]
        extra = set(rows) - set(self.known)
        if len(extra) > maybe['add']:
            self.fault(number, f'{extra} was added by nobody: {maybe["add"]} were under way')
        for key, row in rows.items():
            now = (row['startUnits'], row['endUnits'])
            allowed = self.known.get(key, [now])
            if not any(max(abs(now[0] - wish[0]), abs(now[1] - wish[1])) <= 1 for wish in allowed):
                self.fault(number, f'{key} has {now}, and not one of {allowed} (before: {before.get(key)})')
            self.known[key] = [now]
            if row['file']:
                try:
                    self.listen(number, row)
                except Gone as gone:
                    self.fault(number, gone)
        for command, how in exports:
            key = command['ids'][0]
            # It has the bounds that the clip had when its turn came.
            wishes = before.get(key, []) + [wish for wish, _ in maybe['edit'].get(key, [])]
            self.look_at_export(number, command, how, wishes)
        self.look_at_peaks(number)

    def rows(self):
        path = self.environment['XDG_DATA_HOME'] + '/rostrum/library.sqlite'
        if not os.path.exists(path):
            return {}
        with sqlite3.connect(path) as database:
            database.row_factory = sqlite3.Row
            if database.execute('PRAGMA integrity_check').fetchone()[0] != 'ok':
                return None
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'clip'").fetchone():
                return {}
            rows = {row['id']: dict(row) for row in database.execute('SELECT * FROM clip')}
        database.close()
        return rows

    def listen(self, number, row):
        """Compares the sound of a clip's file with the bounds that it was made of."""
        name = row['file']
        path = f'{self.clips}/{name}'
        if not os.path.exists(path):
            raise Gone(f'{row["id"]} names {name}, which is not there')
        if name in self.good or row['fileStart'] < 0:
            return
        sound = decode(path)
        if not os.path.exists(path):
            raise Gone(f'{name} went')
        if not 0 <= len(sound) - row['fileFrames'] < PACKET:
            return self.fault(number, f'{name} has {len(sound)} frames, and not {row["fileFrames"]}')
        sound = sound[:row['fileFrames']]
        if told := places(sound, row['fileStart'] / material.BOOK_RATE, 0.5):
            return self.fault(number, f'{name}: {told}')
        self.good.add(name)
        self.counts['files'] += 1

    def count(self, number, client, row):
        """Compares the length of a clip's file as the engine counts it."""
        if row['file'] in self.counted:
            return
        try:
            told = client.call('inspect', items=[f'{self.clips}/{row["file"]}'])['tracks'][0]
        except RuntimeError as error:
            raise Gone(error) from error
        wanted = row['fileFrames'] / row['fileRate'] * 1e3
        if told['durationMs'] is None or abs(told['durationMs'] - wanted) > 1:
            self.fault(number, f'{row["file"]} has {told["durationMs"]} ms, and not {wanted:.1f}')
        self.counted.add(row['file'])

    def look_at_export(self, number, command, how, wishes):
        path = command['path']
        if not os.path.exists(path):
            if how == 'done':
                self.fault(number, f'{path} was exported, and is not there')
            return
        if how == 'failed':
            return self.fault(number, f'{path} is there, although its export failed')
        sound = decode(path)
        if not any(fits(sound, wish) for wish in wishes):
            self.fault(number, f'{path} ({how}) has {len(sound)} frames, and is none of {wishes}')
        self.counts['exports'] += 1
        os.unlink(path)

    # Peaks.

    def parts(self):
        if not os.path.isdir(self.peaks):
            return [], {}
        names = os.listdir(self.peaks)
        files = {name: pathlib.Path(self.peaks, name).read_bytes() for name in names
                 if name.endswith(('.dat', '.rms', '.silences')) and not name.startswith('.')}
        return [name for name in names if name.endswith('.part')], files

    def look_at_peaks(self, number):
        drafts, files = self.parts()
        if len(files) == len(self.reference):
            if files != self.reference:
                self.fault(number, 'the peaks are not those that are made undisturbed')
            self.counts['peaks'] += 1
            shutil.rmtree(self.peaks)
            self.slots = set()
            return
        slots = set()
        for name in drafts:
            with open(f'{self.peaks}/{name}', 'rb') as f:
                content = f.read()
            for k in range(max(0, len(content) - HEAD) // SLOT + 1):
                slot = content[HEAD + k * SLOT:HEAD + k * SLOT + 16]
                if len(slot) == 16 and any(slot[:8]) and int.from_bytes(slot[8:12], 'little') == k:
                    slots.add(k)
        if not self.slots <= slots and not files:
            self.fault(number, f'of the peaks, the segments {sorted(self.slots - slots)} are lost')
        self.slots = slots

    def undisturbed(self):
        """Makes the peaks without a kill, and keeps what they are."""
        self.make_peaks()
        _, self.reference = self.parts()
        if len(self.reference) != 7:
            raise RuntimeError(f'the peaks are {sorted(self.reference)}')
        shutil.rmtree(self.peaks)

    def make_peaks(self):
        """Runs a session until all peaks are made."""
        client = self.start()
        end = time.monotonic() + 300
        while not client.call('peaks', items=[self.long], columns=10).get('isComplete', False):
            if time.monotonic() > end:
                raise RuntimeError('the peaks were not made')
            select.select([], [], [], 0.1)
        self.end()
        client.socket.close()

    # What the next session does.

    def recover(self, number):
        client = self.start()
        if number % 2:
            before = self.lost()
            told = client.call('clips', action='repair')
            if told['failed']:
                self.fault(number, f'repair: {told["failed"]}')
            aside = self.lost() - before
            if len(aside) != told['aside']:
                self.fault(number, f'repair set aside {told["aside"]} files, and {sorted(aside)} are in {told.get("lost")}')
            self.counts['aside'] += len(aside)
        end = time.monotonic() + PATIENCE
        while missing := self.missing():
            if time.monotonic() > end:
                self.fault(number, f'no file was made: {missing}')
                break
            client.read(0.02)
        for row in self.rows().values():
            try:
                self.listen(number, row)
                self.count(number, client, row)
            except Gone as gone:
                # It may have been made once more since: by the session itself, and by the repair.
                if self.rows().get(row['id'], {}).get('file') == row['file']:
                    self.fault(number, gone)
        # The session makes files while it is asked to repair them, and a former file goes after its row.
        while number % 2 and (extra := self.left_over()):
            if time.monotonic() > end:
                self.fault(number, f'left over: {sorted(extra)}')
                break
            client.read(0.02)
        if claimed := self.lost() & {row['file'] for row in self.rows().values()}:
            self.fault(number, f'set aside, although a clip has it: {sorted(claimed)}')
        self.counts['drafts'] += sum(name.startswith('.draft') for name in os.listdir(self.out))
        for name in os.listdir(self.out):
            os.unlink(f'{self.out}/{name}')
        self.end()
        client.socket.close()

    def left_over(self):
        """Returns the files that belong to no clip; a library without clips removes none."""
        names = set(os.listdir(self.clips)) - {'lost'} if os.path.isdir(self.clips) else set()
        return names - {row['file'] for row in self.rows().values()} if self.known else set()

    def lost(self):
        """Returns the files that repairs have set aside."""
        folder = self.clips + '/lost'
        return set(os.listdir(folder)) if os.path.isdir(folder) else set()

    def missing(self):
        """Returns the clips without a file of their bounds."""
        return [row['id'] for row in self.rows().values()
                if not row['file'] or (row['fileStart'], row['fileEnd']) != (row['startUnits'], row['endUnits'])]


def long_book():
    """Makes an m4b of 35 minutes, of which the peaks take longer than the session lives; returns its path.

    It has no noise substitution, for which a decoder makes up other noise after each seek.
    """
    path = ROOT / '.cache' / 'clip-kills-2' / 'long.m4b'
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f'part-{os.getpid()}.m4b')
        subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-stream_loop', '4', '-i', material.book(), '-map', '0:a',
                        '-map_chapters', '-1', '-af', 'pan=mono|c0=c0', '-c:a', 'aac', '-aac_pns', '0', '-b:a', '48k',
                        str(part)], check=True)
        os.replace(part, path)
    return str(path)


def bounds(clip):
    return clip['start']['units'], clip['end']['units']


def decode(path):
    """Returns the left channel of a file, or nothing."""
    told = subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-i', path, '-map', '0:a', '-f', 'f32le', '-'],
                          capture_output=True)
    return np.frombuffer(told.stdout, '<f4').reshape(-1, 2)[:, 0] if len(told.stdout) % 8 == 0 else np.zeros(0)


def places(sound, start, slack):
    """Returns what is wrong if a sound is not the book's from there on, at its beginning and at its end; slack in ms."""
    width = int(0.02 * material.BOOK_RATE)
    for frame in (int(0.05 * material.BOOK_RATE), len(sound) - 3 * width):
        wanted = start + frame / material.BOOK_RATE
        found = placecode.refine(sound[frame:frame + width], material.BOOK_RATE, wanted, slack=0.008)
        if np.isnan(found) or abs(found - wanted) * 1e3 > slack:
            return f'{wanted:.4f} s is {found:.4f} s'
    return None


def fits(sound, wish):
    """Returns whether an exported sound has these bounds; some formats have another rate."""
    seconds = (wish[1] - wish[0]) / material.BOOK_RATE
    for rate in (material.BOOK_RATE, 48000):
        if -0.002 < len(sound) / rate - seconds < PACKET / rate:
            width = int(0.02 * rate)
            frame = int(0.1 * rate)
            wanted = wish[0] / material.BOOK_RATE + frame / rate
            found = placecode.refine(sound[frame:frame + width], rate, wanted, slack=0.008)
            if abs(found - wanted) * 1e3 <= CODED:
                return True
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('count', type=int, nargs='?', default=20)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    trial = Trial(os.path.abspath(options.build), options.seed)
    began = time.monotonic()
    try:
        trial.undisturbed()
        for number in range(options.count):
            trial.round(number)
        # What the last kill left goes on from there.
        trial.make_peaks()
        trial.look_at_peaks('end')
    finally:
        if trial.session.poll() is None:
            trial.kill()
        shutil.rmtree(trial.folder, ignore_errors=True)
    for fault in trial.faults:
        print(fault)
    counts = trial.counts
    print(f'{counts["kills"]} sessions and {counts["engines"]} engines killed in {time.monotonic() - began:.0f} s; '
          f'{counts["files"]} files of clips and {counts["exports"]} exports heard, peaks finished {counts["peaks"]} times, '
          f'{counts["drafts"]} drafts beside exports, {counts["aside"]} files set aside; {len(trial.faults)} faults')
    return 1 if trial.faults else 0


if __name__ == '__main__':
    sys.exit(main())
