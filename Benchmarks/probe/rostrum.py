# SPDX-License-Identifier: Apache-2.0
"""The adapter of Rostrum for the probe: `--peers mpv,/path/to/rostrum.py`.

Cold: `rostrum play`, attached without a terminal, which starts the session, which starts the engine. Warm: an idle
`rostrumd`, and commands on one persistent connection to its control socket. All processes count: client, session and
engines. ROSTRUM_BUILD names the folder of the programs; the default is the release build of this checkout. It must be
readable for the uid as which the probe runs players.
"""
import json
import os
import signal
import socket

from adapters.base import Player
from adapters.speech import Speaker
from dbusmini import Bus
from session import connectable, wait_for

BUILD = os.environ.get('ROSTRUM_BUILD') or os.path.join(
    os.path.dirname(os.path.abspath(__file__)), '..', '..', '.build', 'release')
BUILD = os.path.realpath(BUILD)
ROSTRUM, ROSTRUMD = BUILD + '/rostrum', BUILD + '/rostrumd'


def time(seconds):
    return f'{seconds:.3f}'


class Session:
    """The common part of a player and a voice: the session's processes, and a connection to it."""

    def version(self):
        return self._first_line([ROSTRUM, '--version'])

    @property
    def runtime(self):
        return self.s.env['XDG_RUNTIME_DIR'] + '/rostrum'

    def daemon(self):
        """Returns the pid of the session, however it was started, or None."""
        try:
            with open(self.runtime + '/session.lock') as f:
                pid = int(f.read())
            with open(f'/proc/{pid}/comm') as f:
                return pid if f.read().strip() == 'rostrumd' else None
        except (OSError, ValueError):
            return None

    def pids(self):
        found = {p.pid for p in self.procs if p.alive()}
        daemon = self.daemon()
        if daemon:
            found.add(daemon)
        parents = {}
        for name in os.listdir('/proc'):
            if name.isdigit():
                try:
                    with open(f'/proc/{name}/stat') as f:
                        parents[int(name)] = int(f.read().rpartition(')')[2].split()[1])
                except OSError:
                    pass
        grown = True
        while grown:
            more = {pid for pid, parent in parents.items() if parent in found} - found
            found |= more
            grown = bool(more)
        return sorted(found)

    def serve(self):
        """Starts an idle session that stays, like a service."""
        self.spawn([ROSTRUMD])
        self.ready()

    def ready(self):
        if getattr(self, 'connection', None):
            return
        path = self.runtime + '/session.sock'
        wait_for(lambda: connectable(path), 10, 'the session')
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.settimeout(10)
        self.connection.connect(path)
        self.lines = self.connection.makefile('rb')
        self.number = 0

    def tell(self, method, **params):
        """Sends a request without waiting; the next `ask` reads and checks its answer."""
        self.ready()
        self.number += 1
        message = {'jsonrpc': '2.0', 'id': self.number, 'method': method}
        if params:
            message['params'] = params
        self.connection.sendall(json.dumps(message).encode() + b'\n')
        return self.number

    def ask(self, method, **params):
        wanted = self.tell(method, **params)
        while True:
            line = self.lines.readline()
            if not line:
                raise OSError('the session closed the connection')
            answer = json.loads(line)
            if 'error' in answer:
                raise OSError('rostrum: ' + answer['error']['message'])
            if answer.get('id') == wanted:
                return answer['result']

    def end(self):
        if getattr(self, 'connection', None):
            self.lines.close()
            self.connection.close()
            self.connection = None
        daemon = self.daemon()
        if daemon:
            os.kill(daemon, signal.SIGTERM)
            try:
                wait_for(lambda: self.daemon() != daemon, 5, 'the end of the session')
            except TimeoutError:
                os.kill(daemon, signal.SIGKILL)


class Adapter(Session, Player):
    name = 'rostrum'
    desktop = None
    can = {'cold', 'warm', 'seek', 'pause', 'speed', 'book', 'ping', 'ping_dbus', 'cli', 'cli_seek'}

    def cold(self, path, at=None):
        self.spawn([ROSTRUM, 'play', path, *(['--at', time(at)] if at else ['--from-start'])])

    def idle(self):
        self.serve()

    def load(self, path):
        self.tell('play', items=[path], fromStart=True)

    def seek(self, t):
        self.tell('seek', to=time(t))

    def pause(self):
        self.tell('pause')

    def resume(self):
        self.tell('resume')

    def speed(self, x):
        self.tell('rate', rate=float(x))

    def book(self, paths, index, at):
        # One item of many files: the position is whole-book time, and all files of the probe's book have the same
        # length.
        import media
        self.ask('play', items=list(paths), at=time(index * media.BOOK_SECONDS + at))

    def ping(self):
        ms = self.ask('status')['position']['ms']
        return None if ms is None else ms / 1000

    def ping_dbus(self):
        self.desktop = self.desktop or Bus(self.s.bus_socket)
        return self.desktop.get('org.mpris.MediaPlayer2.rostrum', '/org/mpris/MediaPlayer2',
                                'org.mpris.MediaPlayer2.Player', 'Position') / 1e6

    def cli(self):
        return [ROSTRUM, 'status']

    def cli_seek(self, t):
        return [ROSTRUM, 'seek', time(t)]

    def stop(self):
        if self.desktop:
            self.desktop.close()
            self.desktop = None
        # The client ends first; without it, a session that it started ends by itself.
        super().stop()
        self.end()


class Voice(Session, Speaker):
    """Text to speech as in a script: a new client each time, with the text on its standard input."""
    name = 'rostrum'
    # The probe stops one that it never started, to ask for its version.
    clients = ()

    def start(self):
        self.clients = []
        self.serve()

    def run(self, *arguments, stdin=None):
        self.clients = [c for c in self.clients if c.alive()]
        kw = {} if stdin is None else {'stdin': stdin}
        self.clients.append(self.s.spawn([ROSTRUM, *arguments], log='rostrum.log', **kw))

    def say(self, text):
        read, write = os.pipe()
        # The text is shorter than a pipe's capacity, so this never waits.
        os.write(write, text.encode())
        os.close(write)
        self.run('read', '--detach', '-', stdin=read)
        os.close(read)

    def cancel(self):
        self.run('stop')

    def stop(self):
        for client in self.clients:
            client.stop()
            self.s.forget(client)
        super().stop()
        self.end()
