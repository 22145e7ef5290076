# SPDX-License-Identifier: Apache-2.0
"""A private session, in folders of its own, without a sound device."""
import json
import os
import shutil
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.realpath(os.environ.get('ROSTRUM_BUILD') or os.path.join(HERE, '..', '..', '.build', 'debug'))


class Session:
    """A session that starts on entry and ends on exit, and then removes everything that it wrote."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='rostrum-timeline-')
        self.env = dict(os.environ)
        for name in ('RUNTIME', 'DATA', 'STATE', 'CONFIG', 'CACHE'):
            key = f'XDG_{name}_DIR' if name == 'RUNTIME' else f'XDG_{name}_HOME'
            self.env[key] = os.path.join(self.folder, name.lower())
            os.mkdir(self.env[key], 0o700)
        self.process = None

    def __enter__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            [BUILD + '/rostrumd', '--output', 'null', '--ready-fd', str(write)], env=self.env, pass_fds=[write])
        os.close(write)
        ready = os.read(read, 1)
        os.close(read)
        if not ready:
            raise RuntimeError('the session does not start')
        return self

    def __exit__(self, *_):
        ended = self.process.poll()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)
        if ended is not None:
            raise RuntimeError(f'the session ended by itself, with {ended}')

    def run(self, *arguments):
        """Runs a command; returns seconds, exit code, and its output and errors."""
        began = time.monotonic()
        done = subprocess.run([BUILD + '/rostrum', *arguments], env=self.env, capture_output=True, check=False)
        return time.monotonic() - began, done.returncode, done.stdout.decode(), done.stderr.decode()

    def inspect(self, path):
        """Returns the answer of `inspect --json`, or {'error': its message}."""
        _, code, out, err = self.run('inspect', '--json', path)
        return json.loads(out) if code == 0 else {'error': err.strip()}

    def memory(self):
        """Returns the private memory of the session and its engines in MiB."""
        parents = {}
        for name in os.listdir('/proc'):
            if name.isdigit():
                try:
                    with open(f'/proc/{name}/stat', encoding='utf-8') as f:
                        parents[int(name)] = int(f.read().rpartition(')')[2].split()[1])
                except OSError:
                    pass
        total = {}
        for pid, parent in parents.items():
            if pid == self.process.pid or parent == self.process.pid:
                try:
                    with open(f'/proc/{pid}/smaps_rollup', encoding='utf-8') as f:
                        kib = sum(int(line.split()[1]) for line in f if line.startswith('Private_'))
                except OSError:
                    continue
                kind = 'session' if pid == self.process.pid else 'engine'
                total[kind] = total.get(kind, 0) + kib / 1024
        return total
