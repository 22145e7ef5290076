#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the session at random moments over the whole life of downloads, and looks at what is left.

    download-kills.py BUILD_DIR [KILLS] [--seed N] [--keep]

Files of sound are fetched from the stand-in server: with a picture, slowly, in a connection that is cut now and then.
SIGKILL ends the session, and with it the processes that it started, at a random moment: while items are added, fetched,
checked, verified and removed. After each kill the disk is looked at:

- every manifest can be read, and one that says *downloaded* has files that are those of the server, byte for byte;
- what was on the disk is still there, unless the item was being removed: nothing begins again from nothing;
- a file that has its name is complete.

The next session goes on. When everything is downloaded, all is removed, with kills as well, and nothing is left over.
At the end the bytes that the server sent are compared with those that were needed. Then come a disk that is full, a
folder that cannot be written, a server that is gone, and wrong lengths. Prints one line for each fault, and a summary;
exits with 1 if there was a fault.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 60
RATE = 600_000      # bytes a second of the server: a file takes most of a second


class Connection:
    """The control socket."""

    def __init__(self, run):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(run + '/rostrum/session.sock')
        self.rest, self.id = b'', 0

    def send(self, method, **params):
        self.id += 1
        self.socket.sendall(json.dumps({'jsonrpc': '2.0', 'id': self.id, 'method': method, 'params': params}).encode()
                            + b'\n')
        return self.id

    def call(self, method, **params):
        number = self.send(method, **params)
        while True:
            while b'\n' not in self.rest:
                part = self.socket.recv(1 << 16)
                if not part:
                    raise ConnectionError('the session is gone')
                self.rest += part
            line, self.rest = self.rest.split(b'\n', 1)
            answer = json.loads(line)
            if answer.get('id') == number:
                if 'error' in answer:
                    raise RuntimeError(f'{method} {params}: {answer["error"]["message"]}')
                return answer['result']


def make_media(folder):
    """Makes a shelf of two books: three files and one."""
    for author, title, names in (('Ada Reader', 'A Log', ('one.mp3', 'two.mp3', 'three.mp3')),
                                 ('Max Writer', 'Walks', ('walks.m4b',))):
        shelf = folder / 'books' / author / title
        shelf.mkdir(parents=True)
        for number, name in enumerate(names):
            codec = ['-c:a', 'libmp3lame', '-b:a', '128k'] if name.endswith('mp3') else ['-c:a', 'aac', '-b:a', '96k']
            subprocess.run(['ffmpeg', '-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i',
                            f'sine=frequency={300 + 100 * number}:duration={20 + 7 * number}', *codec,
                            str(shelf / name)], check=True)


class Trial:
    def __init__(self, build, seed):
        self.rng = random.Random(seed)
        self.build = build
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='rostrum-download-kills-'))
        self.environment = {'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'LANG': 'C.UTF-8',
                            'HOME': str(self.folder)}
        for name in ['RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME']:
            path = self.folder / name.lower()
            path.mkdir(0o700)
            self.environment['XDG_' + name] = str(path)
        self.run = self.environment['XDG_RUNTIME_DIR']
        self.data = pathlib.Path(self.environment['XDG_DATA_HOME']) / 'rostrum'
        self.root = self.data / 'downloads'
        make_media(self.folder / 'media')
        self.server = subprocess.Popen(
            ['/usr/bin/python3', str(HERE / 'stand_in_server.py'), '--media', str(self.folder / 'media')],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = self.server.stdout.readline().strip()
        self.hashes, self.items, self.sizes = {}, [], {}
        for item in self.order(items=True)['items']:
            for ino in item['files']:
                path = next(path for path in (self.folder / 'media').rglob('*')
                            if path.is_file() and str(path.stat().st_ino) == ino)
                url = f'{self.address}/feed/{item["id"]}/item/{ino}/{path.name}'
                self.items.append(url)
                self.hashes[url] = hashlib.sha256(path.read_bytes()).hexdigest()
                self.sizes[url] = path.stat().st_size
        self.faults, self.counts = [], {'kills': 0, 'downloads': 0, 'removals': 0, 'resumed': 0}
        self.best = {}
        self.session = None

    def order(self, **orders):
        request = urllib.request.Request(self.address + '/stand-in', json.dumps(orders).encode(), method='POST')
        return json.loads(urllib.request.urlopen(request).read())

    def fault(self, words):
        self.faults.append(f'kill {self.counts["kills"]}: {words}')

    # The session.

    def start(self, disk=None):
        """Starts the session; with `disk`, its downloads are on a disk of that size, which ends with it."""
        command = [self.build + '/rostrumd', '--output', 'null']
        if disk:
            self.root.mkdir(parents=True, exist_ok=True)
            command = ['unshare', '--map-root-user', '--mount', 'sh', '-c',
                       'mount -t tmpfs -o size="$0" tmpfs "$1" && shift && exec "$@"', disk, str(self.root), *command]
        self.session = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE)
        end = time.monotonic() + 30
        while True:
            try:
                return Connection(self.run)
            except OSError:
                if self.session.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f'rostrumd: {self.session.stderr.read().decode()}') from None
                select.select([], [], [], 0.005)

    def kill(self):
        self.session.kill()
        self.session.wait()
        self.session.stderr.close()
        self.counts['kills'] += 1

    def end(self):
        self.session.terminate()
        self.session.wait(PATIENCE)
        self.session.stderr.close()

    # What is on the disk.

    def manifests(self):
        found = {}
        for path in self.root.rglob('.rostrum-download.json'):
            try:
                found[path.parent] = json.loads(path.read_text())
            except (OSError, ValueError) as error:
                self.fault(f'{path}: {error}')
        return found

    def look(self, removing=()):
        """Compares the disk with what the manifests say."""
        for folder, manifest in self.manifests().items():
            item = manifest['item']
            if manifest['state'] == 'removing' or item in removing:
                continue
            there = 0
            for file in manifest['files']:
                path, draft = folder / file['name'], folder / f'.{file["name"]}.part'
                if path.exists():
                    there += path.stat().st_size
                    whole = hashlib.sha256(path.read_bytes()).hexdigest() == self.hashes[item]
                    if not whole:
                        self.fault(f'{path} has its name and {path.stat().st_size} of {self.sizes[item]} bytes')
                elif manifest['state'] == 'downloaded':
                    self.fault(f'{item} is downloaded, and {path.name} is not there')
                if draft.exists():
                    there += draft.stat().st_size
            if there < self.best.get(item, 0):
                self.fault(f'{item} had {self.best[item]} bytes and has {there}')
            self.best[item] = max(there, self.best.get(item, 0))

    def leftovers(self):
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob('*') if path.is_file())

    # The life of a book.

    def disturb(self):
        """Lets the server be slow, and cut a transfer now and then."""
        self.order(clear=True)
        rules = [{'match': 'GET /feed', 'rate': RATE, 'times': -1}]
        if self.rng.random() < 0.3:
            rules.append({'match': 'GET /feed', 'cut': self.rng.randrange(1, 200_000), 'skip': self.rng.randrange(2)})
        self.order(faults=rules)

    def fetch(self, kills):
        """Downloads everything; kills the session until `kills` are used up."""
        while True:
            self.disturb()
            connection = self.start()
            end = time.monotonic() + (self.rng.expovariate(1 / 0.5) if self.counts['kills'] < kills else PATIENCE)
            waiting = list(self.items)
            try:
                while time.monotonic() < end:
                    if waiting:
                        connection.call('downloads', action='add', id=waiting.pop(0))
                        continue
                    listed = connection.call('downloads')['downloads']
                    if all(one['state'] == 'downloaded' for one in listed) and len(listed) == len(self.items):
                        self.counts['downloads'] += len(listed)
                        if self.counts['kills'] < kills and self.rng.random() < 0.3:
                            connection.send('downloads', action='verify')
                            select.select([], [], [], self.rng.random() * 0.2)
                            self.kill()
                            self.look()
                            connection = self.start()
                        return connection
                    for one in listed:
                        if one['state'] == 'error':
                            self.fault(f'{one["id"]}: {one["reason"]}')
                            connection.call('downloads', action='remove', id=one['id'])
                            self.best.pop(one['id'], None)
                            waiting.append(one['id'])
                    select.select([], [], [], 0.02)
            except ConnectionError:
                self.fault('the session ended by itself')
            if self.counts['kills'] >= kills:
                self.fault('a download did not end')
                return self.start() if self.session.poll() is not None else connection
            self.kill()
            self.look()

    def remove(self, connection, kills):
        """Removes everything, and kills the session in between."""
        for item in self.items:
            killed = self.counts['kills'] < kills and self.rng.random() < 0.5
            if killed:
                connection.send('downloads', action='remove', id=item)
                select.select([], [], [], self.rng.random() * 0.01)
                self.kill()
                self.look(removing=[item])
                connection = self.start()
                if any(one['id'] == item for one in connection.call('downloads')['downloads']):
                    connection.call('downloads', action='remove', id=item)
            else:
                connection.call('downloads', action='remove', id=item)
            self.best.pop(item, None)
            self.counts['removals'] += 1
        if self.leftovers():
            self.fault(f'left over: {self.leftovers()}')
        self.end()

    def work(self, kills):
        while True:
            self.remove(self.fetch(kills), kills)
            if self.counts['kills'] >= kills:
                break

    def needed(self):
        """Returns the bytes of everything that was downloaded."""
        return self.counts['downloads'] // len(self.items) * sum(self.sizes.values())

    # Disks and servers that fail.

    def settle(self, connection, item, states, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            one = connection.call('downloads', id=item)['downloads'][0]
            if one['state'] in states and (one['state'] != 'queued' or one['reason']):
                return one
            select.select([], [], [], 0.02)
        return one

    def expect(self, name, one, state, words):
        if one['state'] != state or words not in (one['reason'] or ''):
            self.faults.append(f'{name}: {one["state"]}, {one["reason"]}')

    def full_disk(self, item):
        # One that is too small from the beginning.
        connection = self.start(disk='1m')
        connection.call('downloads', action='add', id=item)
        self.expect('small disk', self.settle(connection, item, ['error', 'downloaded']), 'error', 'make room')
        connection.call('downloads', action='remove', id=item)
        self.end()
        # One that somebody else fills meanwhile.
        connection = self.start(disk='80m')
        self.order(faults=[{'match': 'GET /feed', 'rate': 100_000}])
        connection.call('downloads', action='add', id=item)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if connection.call('downloads', id=item)['downloads'][0]['bytes'] > 10_000:
                break
            select.select([], [], [], 0.02)
        inside = ['nsenter', '--target', str(self.session.pid), '--user', '--mount', '--preserve-credentials',
                  'sh', '-c']
        subprocess.run([*inside, f'cat /dev/zero > "{self.root}/filler"'], capture_output=True)
        one = self.settle(connection, item, ['error', 'downloaded'])
        self.expect('full disk', one, 'error', '')
        there = one['bytes']
        subprocess.run([*inside, f'rm "{self.root}/filler"'], capture_output=True, check=True)
        self.order(clear=True)
        connection.call('downloads', action='add', id=item)
        self.expect('room again', self.settle(connection, item, ['downloaded', 'error']), 'downloaded', '')
        # The attempt that the full disk ended may be logged only now.
        ranges = [entry['range'] for entry in self.order(log=True)['log']
                  if entry['method'] == 'GET' and (entry['range'] or entry['sent'] == self.sizes[item])]
        if ranges != [f'bytes={there}-']:
            self.faults.append(f'room again: {there} bytes were there, and {ranges} was asked for')
        connection.call('downloads', action='remove', id=item)
        self.end()

    def failures(self):
        self.order(clear=True)
        item = self.items[0]
        if subprocess.run(['unshare', '--map-root-user', '--mount', 'true'], capture_output=True).returncode:
            print('full disk: not tried, this machine does not let users make namespaces')
        else:
            self.full_disk(item)
        connection = self.start()
        # A server that is gone, and comes back.
        self.order(faults=[{'match': '/feed', 'drop': True, 'times': 3}])
        connection.call('downloads', action='add', id=item)
        self.expect('server gone', self.settle(connection, item, ['queued']), 'queued', '')
        self.expect('server back', self.settle(connection, item, ['downloaded', 'error']), 'downloaded', '')
        connection.call('downloads', action='remove', id=item)
        # Wrong lengths: fewer bytes than announced, and another length than asked before.
        self.order(clear=True)
        self.order(faults=[{'match': 'GET /feed', 'length': 1000, 'times': -1}])
        connection.call('downloads', action='add', id=item)
        one = self.settle(connection, item, ['queued', 'error', 'downloaded'])
        self.expect('too few bytes', one, 'queued' if one['state'] == 'queued' else 'error', '')
        self.order(clear=True)
        connection.call('downloads', action='remove', id=item)
        self.order(faults=[{'match': 'GET /feed', 'garble': 5, 'short': self.sizes[item] - 300, 'times': -1},
                           {'match': 'HEAD /feed', 'short': self.sizes[item] - 300, 'times': -1}])
        connection.call('downloads', action='add', id=item)
        self.expect('no sound', self.settle(connection, item, ['error', 'downloaded']), 'error', 'does not play')
        self.order(clear=True)
        connection.call('downloads', action='add', id=item)
        self.expect('sound again', self.settle(connection, item, ['downloaded', 'error']), 'downloaded', '')
        connection.call('downloads', action='remove', id=item)
        self.end()
        # A folder that cannot be written; root may write everywhere, so a file stands in its place.
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.write_text('no folder')
        connection = self.start()
        connection.call('downloads', action='add', id=item)
        self.expect('no folder', self.settle(connection, item, ['error']), 'error', '')
        self.end()
        self.root.unlink()
        connection = self.start()
        connection.call('downloads', action='add', id=item)
        self.expect('folder again', self.settle(connection, item, ['downloaded', 'error']), 'downloaded', '')
        connection.call('downloads', action='remove', id=item)
        self.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build')
    parser.add_argument('kills', nargs='?', type=int, default=12)
    parser.add_argument('--seed', type=int, default=None)
    parser.add_argument('--keep', action='store_true')
    wanted = parser.parse_args()
    seed = wanted.seed if wanted.seed is not None else random.randrange(1 << 30)
    trial = Trial(os.path.abspath(wanted.build), seed)
    start = time.monotonic()
    try:
        trial.work(wanted.kills)
        sent = trial.order(log=True)['sent']
        needed = trial.needed()
        # What was on the way when the session was killed is lost.
        if sent > needed + (trial.counts['kills'] + 10) * 65_536:
            trial.fault(f'{sent} bytes were sent, and {needed} were needed')
        trial.failures()
    finally:
        if trial.session and trial.session.poll() is None:
            trial.session.kill()
        trial.server.stdin.close()
        trial.server.wait()
    print('\n'.join(trial.faults))
    print(f'downloads: {trial.counts["kills"]} kills, {trial.counts["downloads"]} items downloaded, '
          f'{trial.counts["removals"]} removed, {sent} bytes sent of {needed} needed, {len(trial.faults)} faults, '
          f'seed {seed}, '
          f'{time.monotonic() - start:.0f} s')
    if not wanted.keep:
        shutil.rmtree(trial.folder, ignore_errors=True)
    return 1 if trial.faults else 0


if __name__ == '__main__':
    sys.exit(main())
