#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The logins of servers beside a keyring: the Secret Service API on a private bus, and a small Audiobookshelf server.

    keyring.py BUILD_DIR [--only NAME] [--times N]
"""
import http.server
import json
import os
import pty
import subprocess
import termios
import threading

from desktop_cases import fail, run
from jeepney import HeaderFields, new_error, new_method_return
from service import FakeService
from session_bus import OnBus

SECRET = 'org.freedesktop.Secret.'
ROOT = '/org/freedesktop/secrets'
PASSWORD = 'a s3cret word'


class FakeKeyring(FakeService):
    """A keyring with one collection, which keeps items by their attributes."""

    def __init__(self, address):
        super().__init__(address, 'org.freedesktop.secrets')
        self.items = {}
        self.labels = []
        self.locked = False
        self.count = 0

    def OpenSession(self, call):
        if call.body[0] != 'plain' or call.body[1] != ('s', ''):
            return new_error(call, 'org.freedesktop.DBus.Error.NotSupported')
        return new_method_return(call, 'vo', (('s', ''), f'{ROOT}/session/1'))

    def SearchItems(self, call):
        found = [path for path, (attributes, _) in self.items.items() if call.body[0].items() <= attributes.items()]
        return new_method_return(call, 'aoao', ([], found) if self.locked else (found, []))

    def CreateItem(self, call):
        properties, (session, parameters, value, kind), replaces = call.body
        if self.locked:
            return new_error(call, SECRET + 'Error.IsLocked')
        if session != f'{ROOT}/session/1' or parameters != b'' or call.header.fields[HeaderFields.path] != f'{ROOT}/aliases/default':
            return new_error(call, 'org.freedesktop.DBus.Error.InvalidArgs')
        attributes = properties[SECRET + 'Item.Attributes'][1]
        self.labels.append(properties[SECRET + 'Item.Label'][1])
        same = [path for path, (known, _) in self.items.items() if known == attributes and replaces]
        self.count += 1
        path = same[0] if same else f'{ROOT}/collection/login/{self.count}'
        self.items[path] = (attributes, bytes(value))
        return new_method_return(call, 'oo', (path, '/'))

    def GetSecret(self, call):
        _, value = self.items[call.header.fields[HeaderFields.path]]
        return new_method_return(call, '(oayays)', ((f'{ROOT}/session/1', b'', value, 'application/json'),))

    def Delete(self, call):
        del self.items[call.header.fields[HeaderFields.path]]
        return new_method_return(call, 'o', ('/',))

    def secrets(self):
        return [json.loads(value) for _, value in self.items.values()]


class Books(http.server.BaseHTTPRequestHandler):
    """An Audiobookshelf server of one user, whose tokens are `t0ken` and a number."""
    logins = 0

    def log_message(self, *words):
        pass

    def answer(self, body, status=200):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        if self.path == '/status':
            self.answer({'app': 'audiobookshelf', 'serverVersion': '2.36.0', 'isInit': True, 'authMethods': ['local']})
        elif self.headers.get('Authorization') == f'Bearer t0ken{Books.logins}':
            self.answer({'id': 'u1', 'username': 'ann'})
        else:
            self.answer({}, 401)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        if self.path == '/login' and json.loads(body)['password'] == PASSWORD:
            Books.logins += 1
            self.answer({'user': {'id': 'u1', 'username': 'ann', 'accessToken': f't0ken{Books.logins}',
                                  'refreshToken': f't0ken-r{Books.logins}'}})
        else:
            self.answer({}, 200 if self.path == '/logout' else 401)


class Beside(OnBus):
    """A session beside a keyring and a server."""

    def __init__(self, build):
        super().__init__(build)
        self.keyring = None
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Books)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.env['NO_PROXY'] = self.env['no_proxy'] = '127.0.0.1'

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        super().close()

    def begin(self, with_keyring=True):
        if with_keyring:
            self.keyring = FakeKeyring(self.session_bus)
            self.keyring.start()
        self.start()

    def server_command(self, *words, password=None):
        return subprocess.run(
            [f'{self.build}/rostrum', 'server', *words], env=self.env, input=password, text=True, capture_output=True, timeout=60)

    def add(self):
        address = f'http://127.0.0.1:{self.server.server_port}'
        done = self.server_command('add', address, '--user', 'ann', '--name', 'books', '--password-stdin', password=PASSWORD)
        if done.returncode:
            fail(f'server add: {done.returncode}: {done.stderr.strip()}')

    def is_ready(self):
        return self.server_command('status', 'books').returncode == 0

    def in_file(self):
        """Returns whether there is a login in the file."""
        path = f'{self.home}/.local/share/rostrum/logins.json'
        return os.path.exists(path) and json.load(open(path)) != {}


def kept(beside):
    """With a keyring, the tokens are there and in no file, also after a restart; a removed account leaves none."""
    beside.begin()
    beside.add()
    if [secret.get('access') for secret in beside.keyring.secrets()] != [f't0ken{Books.logins}']:
        fail(f'the keyring has {beside.keyring.secrets()}')
    if beside.in_file():
        fail('a login is in the file, too')
    if PASSWORD in repr(beside.keyring.items) + repr(beside.keyring.labels):
        fail('the password is in the keyring')
    beside.end()
    beside.start()
    if not beside.is_ready():
        fail('the login is lost with the session')
    if beside.server_command('remove', 'books').returncode or beside.keyring.items:
        fail(f'after the removal, the keyring has {beside.keyring.items}')


def locked(beside):
    """A keyring that is locked prompts nobody: the tokens go into the file, and back once it is open and they are renewed."""
    beside.begin()
    beside.keyring.locked = True
    beside.add()
    if beside.keyring.items or not beside.in_file() or not beside.is_ready():
        fail('the login is not in the file')
    beside.keyring.locked = False
    done = beside.server_command('login', 'books', '--password-stdin', password=PASSWORD)
    if done.returncode or not beside.keyring.items or beside.in_file():
        fail(f'the login has not moved into the keyring: {done.stderr.strip()}')
    beside.keyring.locked = True
    beside.end()
    beside.start()
    done = beside.server_command('status', 'books')
    if done.returncode != 1 or 'locked' not in done.stdout:
        fail(f'a locked keyring: {done.returncode}: {done.stdout.strip()}')
    beside.keyring.locked = False
    if not beside.is_ready():
        fail('the login is not found in the keyring that was unlocked')


def absent(beside):
    """Without a keyring on the bus, the tokens are in the file, which only its owner reads."""
    beside.begin(with_keyring=False)
    beside.add()
    if not beside.in_file() or not beside.is_ready():
        fail('the login is not in the file')
    rights = os.stat(f'{beside.home}/.local/share/rostrum/logins.json').st_mode & 0o777
    if rights != 0o600:
        fail(f'the file has the rights {rights:o}')


def asked(beside):
    """The terminal asks for the password, shows nothing of it, and is as before; Ctrl-C gives up."""
    beside.begin(with_keyring=False)
    address = f'http://127.0.0.1:{beside.server.server_port}'
    for typed, code in ((PASSWORD + '!\x7f\r', 0), (PASSWORD + '\x03', 64)):
        process, terminal = pty.fork()
        if process == 0:
            os.execve(f'{beside.build}/rostrum', ['rostrum', 'server', 'add', address], beside.env)
        shown = wait_for(terminal, 'User name: ')
        os.write(terminal, b'ann\n')
        shown += wait_for(terminal, 'Password: ')
        echo = termios.tcgetattr(terminal)[3] & termios.ECHO
        os.write(terminal, typed.encode())
        shown += wait_for(terminal, None)
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        if os.waitstatus_to_exitcode(status) != code:
            fail(f'ends with {os.waitstatus_to_exitcode(status)} and not {code}: {shown}')
        if echo or PASSWORD[:8] in shown:
            fail(f'the terminal shows what is typed: {shown}')
    if beside.server_command('list').stdout.count('\n') != 1 or beside.server_command('status').returncode:
        fail('the account is not there')


def wait_for(terminal, words):
    """Returns what a terminal shows up to some words, or to its end."""
    shown = ''
    while words is None or words not in shown:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            piece = b''
        if not piece:
            if words is None:
                return shown
            fail(f'the terminal shows {shown!r}, and no {words!r}')
        shown += piece.decode()
    return shown


CASES = [kept, locked, absent, asked]


if __name__ == '__main__':
    run(__doc__, 'keyring', CASES, lambda options: Beside(options.build))
