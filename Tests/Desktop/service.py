#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the session as a service manager does, on private buses, and checks what a desktop relies on.

    service.py BUILD_DIR [--output OUT] [--only NAME]

The cases: the control socket is handed over and stays; readiness, watchdog and end are notified; a restart goes on with
the book, and with nothing that was paused or stopped; a start after a kill says what was recovered; logind is asked not
to sleep while something plays, and only then. OUT is `null` (default; keeps real time) or another output. Prints a line
for each case; exits with 1 if one fails.
"""
import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import wave

from desktop_cases import fail, run
from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return
from jeepney.io.blocking import open_dbus_connection

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'Listening'))
from sound_server import connectable  # noqa: E402

PATIENCE = 20


def until(words, holds, seconds=PATIENCE):
    """Returns the first value of `holds` that is true."""
    end = time.monotonic() + seconds
    while True:
        value = holds()
        if value:
            return value
        if time.monotonic() > end:
            fail(words)
        time.sleep(0.02)


class FakeService(threading.Thread):
    """A service with a well-known name on a bus, which answers calls by its methods of the same names."""

    def __init__(self, address, name):
        super().__init__(daemon=True)
        self.connection = open_dbus_connection(address, enable_fds=True)
        bus = DBusAddress('/org/freedesktop/DBus', 'org.freedesktop.DBus', 'org.freedesktop.DBus')
        self.connection.send_and_get_reply(new_method_call(bus, 'RequestName', 'su', (name, 0)))

    def run(self):
        while True:
            try:
                call = self.connection.receive()
            except OSError:
                # The bus is gone.
                return
            if call.header.message_type == MessageType.method_call:
                answer = getattr(self, call.header.fields.get(HeaderFields.member, ''), None)
                unknown = new_error(call, 'org.freedesktop.DBus.Error.UnknownMethod')
                self.connection.send(answer(call) if answer else unknown)


class Logind(FakeService):
    """A fake logind, which keeps the locks that it hands out."""

    def __init__(self, address):
        super().__init__(address, 'org.freedesktop.login1')
        self.calls = []
        self.readers = []

    def Inhibit(self, call):
        # As systemd of Debian 12, which knows no `block-weak`.
        if call.body[3] != 'block':
            return new_error(call, 'org.freedesktop.DBus.Error.InvalidArgs')
        reader, writer = os.pipe()
        self.readers.append(reader)
        self.calls.append(call.body)
        # The reply is sent with its own copy, which is closed with the file object.
        return new_method_return(call, 'h', (os.fdopen(writer, 'wb'),))

    def held(self):
        """Returns the number of locks that are held: a pipe whose writers are gone is at its end."""
        return sum(1 for reader in self.readers if not select.select([reader], [], [], 0)[0])


class Notifications(FakeService):
    """A fake notification service, which keeps what it shows."""

    def __init__(self, address):
        super().__init__(address, 'org.freedesktop.Notifications')
        self.shown = {}
        self.count = 0

    def Notify(self, call):
        self.count += 1
        self.shown[self.count] = call.body
        return new_method_return(call, 'u', (self.count,))

    def CloseNotification(self, call):
        self.shown.pop(call.body[0], None)
        return new_method_return(call)


class Service:
    """A session with folders of its own, started as systemd starts it."""

    def __init__(self, build, output):
        self.build = os.path.abspath(build)
        self.output = output
        self.home = tempfile.mkdtemp(prefix='rostrum-service-')
        self.runtime = f'{self.home}/run'
        os.makedirs(f'{self.runtime}/rostrum', mode=0o700)
        os.chmod(self.runtime, 0o700)
        self.env = {
            'HOME': self.home, 'XDG_RUNTIME_DIR': self.runtime, 'PATH': os.environ['PATH'], 'LANG': 'C.UTF-8',
            'ROSTRUM_ENGINE_PATH': os.environ.get('ROSTRUM_ENGINE_PATH', f'{self.build}/engines'),
            'DBUS_SYSTEM_BUS_ADDRESS': f'unix:path={self.home}/none',
        }
        self.path = f'{self.runtime}/rostrum/session.sock'
        self.listener = None
        self.process = None
        self.buses = []
        self.notified = []
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(f'{self.home}/notify')
        self.notify.setblocking(False)
        self.book = f'{self.home}/The Long Book.wav'
        with wave.open(self.book, 'wb') as sound:
            sound.setparams((1, 2, 8000, 0, 'NONE', ''))
            sound.writeframes(bytes(2 * 8000 * 1200))

    def close(self):
        self.end(signal.SIGKILL)
        for bus in self.buses:
            bus.kill()
            bus.wait()
        if self.listener:
            self.listener.close()
        self.notify.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def listen(self):
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(self.path)
        self.listener.listen(64)

    def bus(self, name):
        path = f'{self.home}/{name}'
        bus = subprocess.Popen(
            ['dbus-daemon', '--session', '--nofork', f'--address=unix:path={path}'], stderr=subprocess.DEVNULL)
        self.buses.append(bus)
        until('the private bus does not start', lambda: connectable(path))
        return f'unix:path={path}'

    def start(self, watchdog=None):
        """Starts the session and returns when it says that it is ready."""
        self.heard()
        self.notified = []
        env = dict(self.env, NOTIFY_SOCKET=f'{self.home}/notify')
        if watchdog:
            env['WATCHDOG_USEC'] = str(int(watchdog * 1e6))
        listener = self.listener.fileno() if self.listener else -1
        self.errors = open(f'{self.home}/stderr', 'w+')

        def hand_over():
            if listener >= 0:
                os.environ['LISTEN_PID'] = str(os.getpid())
                os.environ['LISTEN_FDS'] = '1'
                os.dup2(listener, 3)
            os.execve(
                f'{self.build}/rostrumd', ['rostrumd', '--output', self.output],
                dict(env, **{k: os.environ[k] for k in ('LISTEN_PID', 'LISTEN_FDS') if k in os.environ}))

        pid = os.fork()
        if pid == 0:
            os.dup2(self.errors.fileno(), 2)
            if listener < 0 or listener != 3:
                for descriptor in range(3, 256):
                    if descriptor != listener:
                        with contextlib.suppress(OSError):
                            os.close(descriptor)
            try:
                hand_over()
            finally:
                os._exit(127)
        self.process = pid
        until('the session does not say that it is ready', lambda: 'READY=1' in self.heard())

    def heard(self):
        with contextlib.suppress(BlockingIOError):
            while True:
                self.notified += self.notify.recv(4096).decode().splitlines()
        return self.notified

    def end(self, with_signal=signal.SIGTERM):
        if not self.process:
            return
        os.kill(self.process, with_signal)
        _, status = os.waitpid(self.process, 0)
        self.process = None
        if with_signal == signal.SIGTERM and status != 0:
            fail(f'the session ended with status {status} after SIGTERM')

    def run(self, *words):
        return subprocess.run(
            [f'{self.build}/rostrum', *words], env=self.env, text=True, capture_output=True, timeout=60)

    def ask(self, *words):
        done = self.run(*words)
        if done.returncode != 0:
            fail(f'rostrum {" ".join(words)}: {done.returncode}: {done.stderr.strip()}')
        return done.stdout

    def status(self):
        return json.loads(self.ask('status', '--json'))

    def place(self):
        return self.status()['position']['ms'] / 1000

    def is_playing(self):
        return self.status()['status'] == 'playing'

    def play(self, at='100'):
        self.ask('play', '--detach', '--at', at, self.book)
        until('the book does not play', self.is_playing)

    def said(self):
        self.errors.seek(0)
        return self.errors.read()


def handed_over(service):
    """The control socket of the service manager is served, and stays there."""
    service.listen()
    before = service.run('status')
    if before.returncode != 69:
        fail(f'status without a session exits {before.returncode}, not 69')
    if select.select([service.listener], [], [], 0)[0]:
        fail('status without a session connects, which would start one')
    waiting = subprocess.Popen(
        [f'{service.build}/rostrum', 'play', '--detach', service.book], env=service.env, stdout=subprocess.DEVNULL)
    until('play does not connect to the socket', lambda: select.select([service.listener], [], [], 0)[0])
    service.start()
    until('the client that came first is not served', service.is_playing)
    if waiting.wait(PATIENCE) != 0:
        fail('play over the handed-over socket fails')
    service.end()
    if not os.path.exists(service.path):
        fail('the session removed the socket of the service manager')
    if service.run('pause').returncode != 69:
        fail('pause without a session does not exit 69')
    service.start()
    service.status()


def notified(service):
    """Readiness, the watchdog and the end are notified."""
    service.start(watchdog=0.4)
    until('the watchdog is not answered', lambda: service.heard().count('WATCHDOG=1') >= 3)
    service.end()
    if 'STOPPING=1' not in service.heard():
        fail('the end is not notified')


def restarted(service):
    """A restart while a book plays goes on with it, where it was."""
    service.start()
    service.play()
    for _ in range(3):
        begun = service.place()
        until('the book does not move', lambda: service.place() > begun + 0.3)
        place = service.place()
        service.end()
        service.start()
        until('the book does not go on after a restart', service.is_playing)
        now = service.place()
        if not place - 0.3 <= now <= place + 5:
            fail(f'the book was at {place} before the restart, and is at {now}')


def restarted_in_silence(service):
    """A restart starts nothing that was paused or stopped, nor does a later start."""
    service.start()
    service.play()
    for words in ('pause', 'stop'):
        service.ask(words)
        service.end()
        service.start()
        if os.path.exists(f'{service.runtime}/rostrum/playing'):
            fail('the mark of a restart is left')
        # What is not to happen can only be waited for.
        time.sleep(1)
        if service.is_playing():
            fail(f'the book plays after {words} and a restart')
        service.ask('resume')
        until('the book does not resume', service.is_playing)
    service.end()
    mark = f'{service.runtime}/rostrum/playing'
    old = str(int(open(mark).read()) - 11 * 10**9)
    with open(mark, 'w') as file:
        file.write(old)
    service.start()
    time.sleep(1)
    if service.is_playing():
        fail('the book plays after a start that came later')


def killed(service):
    """A start after a kill says what was recovered, and plays nothing."""
    service.start()
    service.play()
    begun = service.place()
    until('the book does not move', lambda: service.place() > begun + 0.5)
    place = service.place()
    service.end(signal.SIGKILL)
    service.start()
    if service.is_playing():
        fail('the book plays after a kill')
    service.ask('resume')
    until('the book does not resume', service.is_playing)
    now = service.place()
    # A pause of less than 10 s rewinds nothing; a quarter of a second may be lost.
    if not place - 0.5 <= now <= place + 3:
        fail(f'the book was at {place} before the kill, and is at {now}')
    said = 'the last session was killed: the place in “The Long Book” is recovered from its journal'
    until('nothing is said of what was recovered', lambda: said in service.said())
    if said not in service.ask('log', '--json'):
        fail('the log does not say what was recovered')
    service.ask('pause')
    service.end()
    service.start()
    service.ask('resume')
    if 'killed' in service.said():
        fail('a start after an orderly end speaks of a kill')


def inhibited(service):
    """The machine is kept awake while something plays, and only then."""
    service.env['DBUS_SYSTEM_BUS_ADDRESS'] = service.bus('system-bus')
    logind = Logind(service.env['DBUS_SYSTEM_BUS_ADDRESS'])
    logind.start()
    service.start()
    service.status()
    if logind.calls:
        fail('a session that plays nothing keeps the machine awake')
    service.play()
    until('logind is not asked', lambda: logind.held() == 1)
    if logind.calls != [('sleep:idle', 'Rostrum', 'plays', 'block')]:
        fail(f'logind is asked for {logind.calls}')
    service.ask('pause')
    until('the lock is kept over a pause', lambda: logind.held() == 0)
    service.ask('resume')
    until('logind is not asked again', lambda: logind.held() == 1)
    service.ask('settings', 'set', 'inhibitSleep', 'false')
    service.status()
    until('the lock is kept against the setting', lambda: logind.held() == 0)
    service.ask('settings', 'set', 'inhibitSleep', 'true')
    service.status()
    until('the setting is not adopted', lambda: logind.held() == 1)
    service.end()
    if logind.held():
        fail('the lock outlives the session')


def without_logind(service):
    """A session without logind plays, also if logind never answers."""
    silent = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    silent.bind(f'{service.home}/silent')
    silent.listen(8)
    service.env['DBUS_SYSTEM_BUS_ADDRESS'] = f'unix:path={service.home}/silent'
    service.start()
    began = time.monotonic()
    service.play()
    service.ask('pause')
    service.ask('resume')
    if time.monotonic() - began > 5:
        fail('commands wait for logind')
    service.end()
    silent.close()


def told(service):
    """A notice is shown of playback that was given up, and of nothing else, and goes when it plays again."""
    service.env['DBUS_SESSION_BUS_ADDRESS'] = service.bus('session-bus')
    desktop = Notifications(service.env['DBUS_SESSION_BUS_ADDRESS'])
    desktop.start()
    service.start()
    service.play()
    service.ask('pause')
    service.ask('resume')
    service.ask('stop')
    if desktop.shown:
        fail(f'a notice of what needs nobody: {desktop.shown}')
    service.play()

    os.rename(service.book, service.book + '.away')

    def is_given_up():
        subprocess.run(['pkill', '-KILL', '-P', str(service.process), '-f', 'rostrum-engine-runner'], check=False)
        # What is rendered ahead would be heard to its end.
        service.run('seek', '900')
        return service.status()['status'] == 'error'
    until('a book whose file is gone goes on without its engine', is_given_up, 60)
    notice = until('no notice is shown', lambda: list(desktop.shown.values()))[0]
    if len(desktop.shown) != 1 or notice[0] != 'Rostrum' or notice[3] != '“The Long Book” has stopped' or not notice[4]:
        fail(f'the notice is {desktop.shown}')
    os.rename(service.book + '.away', service.book)
    service.run('engines', 'clear', 'ffmpeg')
    service.run('resume')
    until('the notice stays', lambda: not desktop.shown, 30)


CASES = [
    handed_over, notified, restarted, restarted_in_silence, killed, inhibited, without_logind, told]


if __name__ == '__main__':
    run(__doc__, 'service', CASES, lambda options: Service(options.build, options.output), outputs=True)
