# SPDX-License-Identifier: Apache-2.0
"""A session of its own for texts, without a sound server, and its socket."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time


class Room:
    """The folders of a user who has nothing, and a session that plays to `output`."""
    def __init__(self, build, output='null:fast', voices=None):
        self.build = os.path.abspath(build)
        self.folder = tempfile.mkdtemp(prefix='rostrum-texts-')
        self.environment = dict(os.environ, ROSTRUM_ENGINE_PATH=f'{self.build}/engines', HOME=self.folder)
        self.environment.pop('DBUS_SESSION_BUS_ADDRESS', None)
        for name in ['RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME']:
            path = f'{self.folder}/{name.lower()}'
            os.mkdir(path, 0o700)
            self.environment['XDG_' + name] = path
        if voices:
            self.environment['ROSTRUM_VOICES'] = voices
        self.errors = open(f'{self.folder}/errors', 'w+')
        self.session = subprocess.Popen([f'{self.build}/rostrumd', '--output', output], env=self.environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors)
        end = time.monotonic() + 30
        while not os.path.exists(self.environment['XDG_RUNTIME_DIR'] + '/rostrum/session.sock'):
            if time.monotonic() > end or self.session.poll() is not None:
                raise RuntimeError('no session')
            time.sleep(0.02)
        self.link = Link(self.environment['XDG_RUNTIME_DIR'] + '/rostrum/session.sock')

    def run(self, *words, limit=900):
        """Runs one command to its end."""
        return subprocess.run([f'{self.build}/rostrum', *words], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=limit)

    @property
    def is_alive(self):
        return self.session.poll() is None

    def close(self):
        self.link.close()
        if self.is_alive:
            self.session.terminate()
            self.session.wait(30)
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Link:
    """A connection to the session, on which requests are answered in turn."""
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.lines = self.socket.makefile('rb')
        self.last = 0
        self.notes = []

    def call(self, method, **params):
        """Returns the result, or the error; what was notified in the meantime is in `notes`."""
        self.last += 1
        request = {'jsonrpc': '2.0', 'id': self.last, 'method': method, 'params': params}
        self.socket.sendall(json.dumps(request).encode() + b'\n')
        while True:
            line = self.lines.readline()
            if not line:
                raise RuntimeError('the session has closed the connection')
            message = json.loads(line)
            if message.get('id') == self.last:
                return message.get('result', message)
            self.notes.append(message)

    def close(self):
        self.lines.close()
        self.socket.close()
