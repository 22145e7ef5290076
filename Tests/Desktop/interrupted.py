#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Interrupts a session that plays, in the ways in which a desktop does, and compares the place before with that after.

    interrupted.py BUILD_DIR [--only NAME] [--times N] [--stopped SECONDS]

The cases: killed, and started by the bus for a call of Play; the bus that started it is restarted; the sound server is
killed and started again; the session is stopped for some time, 10 s unless SECONDS says otherwise, and continued; its
programs are replaced while it plays, and it is restarted as a service manager does.
"""
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time

from desktop_cases import fail, run
from service import until
from session_bus import NAME, OnBus, programs

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'Listening'))
from sound_server import connectable  # noqa: E402

BUS_CONFIGURATION = """<busconfig><type>session</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<servicedir>{services}</servicedir><policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""
SERVICE = """[D-BUS Service]
Name=org.mpris.MediaPlayer2.rostrum
Exec={program} --autostart --output null
"""
# s that may be lost or repeated: a quarter of a second of the journal, and the rewind of a pause.
LOST, AHEAD = 0.6, 4.0


class Interrupted(OnBus):
    """A session on a bus that starts it, and a sound server that may be restarted."""

    def __init__(self, options):
        self.stopped = options.stopped
        self.server = None
        super().__init__(options.build)

    def close(self):
        super().close()
        if self.server:
            self.server.kill()
            self.server.wait()

    def bus(self, name):
        services = f'{self.home}/services'
        os.makedirs(services, exist_ok=True)
        with open(f'{services}/{NAME}.service', 'w') as file:
            file.write(SERVICE.format(program=f'{self.build}/rostrumd'))
        with open(f'{self.home}/{name}.conf', 'w') as file:
            file.write(BUS_CONFIGURATION.format(socket=f'{self.home}/{name}', services=services))
        self.start_bus(name)
        return f'unix:path={self.home}/{name}'

    def start_bus(self, name='session-bus'):
        # What the bus starts inherits its environment, with the address as the bus writes it: with its guid.
        self.buses.append(subprocess.Popen(
            ['dbus-daemon', '--nofork', '--nopidfile', f'--config-file={self.home}/{name}.conf'], env=self.env,
            stderr=subprocess.DEVNULL))
        until('the private bus does not start', lambda: connectable(f'{self.home}/{name}'))

    def end_bus(self):
        self.client.close()
        bus = self.buses.pop()
        bus.kill()
        bus.wait()
        os.remove(f'{self.home}/session-bus')

    def start_sound(self):
        socket = f'{self.home}/pulse.sock'
        if os.path.exists(socket):
            os.remove(socket)
        self.env['PULSE_SERVER'] = f'unix:{socket}'
        self.env['PULSE_RUNTIME_PATH'] = f'{self.home}/pulse'
        self.server = subprocess.Popen(
            ['pulseaudio', '-n', '--system=false', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1',
             '--realtime=no', '--high-priority=no',
             '-L', f'module-native-protocol-unix auth-anonymous=1 auth-cookie-enabled=0 socket={socket}',
             '-L', 'module-null-sink sink_name=ear rate=48000 channels=2'],
            env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until('the private sound server does not start', lambda: connectable(socket))

    def activated(self):
        """Kills the session while it plays, has the bus start it by Play, and returns the place that it goes on at."""
        self.start()
        self.connect()
        self.play()
        place = self.moves()
        self.end(signal.SIGKILL)
        until('the name outlives the session', lambda: self.owned() is None)
        self.call('Play')
        now = self.goes_on(place, LOST, AHEAD, 'after the bus has started it')
        owner = self.owned()
        if owner != self.running():
            fail(f'the player is process {owner}, the session {self.running()}')
        if abs(self.seconds() - self.place()) > 1:
            fail(f'the player tells {self.seconds():.2f} s, the session {self.place():.2f} s')
        with open(f'/proc/{owner}/environ') as environment:
            if 'guid=' not in environment.read():
                fail('the address of the bus has no guid: this case shows nothing')
        return now


def activated(session):
    """A session that was killed while it played is started by the bus for a call of Play, and goes on where it was."""
    session.activated()


def bus_restarted(session):
    """A session that the bus started plays on when the bus is killed, and is there again on the next one at its address."""
    session.activated()
    process = session.running()
    place = session.moves()
    session.end_bus()
    place = max(place, session.moves(1))
    session.start_bus()
    session.connect()
    until('the session is not on the bus that was restarted', lambda: session.owned() == process)
    session.goes_on(place, LOST, 60, 'after the bus was restarted')
    session.call('Pause')
    until('Pause over the bus does not pause', lambda: session.status()['status'] == 'paused')
    if session.get('PlaybackStatus') != 'Paused':
        fail(f'the player is {session.get("PlaybackStatus")}')


def sound_restarted(session):
    """A sound server that is killed while the book plays and started again costs nothing of the book."""
    session.start_sound()
    session.output = 'pulse'
    session.start()
    session.connect()
    session.play()
    place = session.moves()
    session.server.kill()
    session.server.wait()
    until('the book plays without a sound server', lambda: not session.is_playing())
    if session.get('PlaybackStatus') == 'Playing':
        fail('the player says that it plays without a sound server')
    held = session.place()
    if not place - LOST <= held <= place + AHEAD:
        fail(f'the book was at {place:.2f} s, and is held at {held:.2f} s')
    session.start_sound()
    session.goes_on(held, LOST, AHEAD, 'with the next sound server')
    session.moves()
    until('the player does not say that it plays', lambda: session.get('PlaybackStatus') == 'Playing')


def stopped(session):
    """A session that is stopped for a time, as a machine that sleeps, goes on at its place, with its engine."""
    session.start_sound()
    session.output = 'pulse'
    session.start()
    session.connect()
    session.play()
    place = session.moves()
    engine = engines(session.process)
    os.kill(session.process, signal.SIGSTOP)
    end = time.monotonic() + session.stopped
    try:
        waiting = subprocess.Popen(
            [f'{session.build}/rostrum', 'status', '--json'], env=session.env, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        # The time itself is what the case is about.
        time.sleep(max(0, end - time.monotonic()))
    finally:
        os.kill(session.process, signal.SIGCONT)
    # What the sound server had is heard meanwhile.
    session.goes_on(place, LOST, AHEAD + min(session.stopped, 10), 'after it was stopped')
    session.moves()
    answer = waiting.communicate(timeout=20)[0]
    if waiting.returncode or b'"playing"' not in answer:
        fail(f'a client that came while the session was stopped exits {waiting.returncode}')
    if engines(session.process) != engine:
        fail(f'the engine was process {engine}, and is {engines(session.process)}')
    if session.get('PlaybackStatus') != 'Playing' or abs(session.seconds() - session.place()) > 1:
        fail(f'the player is {session.get("PlaybackStatus")} at {session.seconds():.2f} s, '
             f'the session at {session.place():.2f} s')


def engines(process):
    """Returns the process numbers of a session's engines."""
    found = subprocess.run(['pgrep', '-P', str(process), 'rostrum-engine'], capture_output=True, text=True).stdout
    return sorted(int(word) for word in found.split())


def upgraded(session):
    """Programs that are replaced while the book plays do not disturb it, and a restart goes on with it in the new ones."""
    old, new = session.build, programs(session.build, f'{session.home}/new')
    session.build = programs(old, f'{session.home}/bin')
    session.env['ROSTRUM_ENGINE_PATH'] = f'{session.build}/engines'
    session.listen()
    session.start()
    session.connect()
    session.play()
    place = session.moves()
    replace(new, session.build)
    if not os.readlink(f'/proc/{session.process}/exe').endswith('(deleted)'):
        fail('the program was not replaced: this case shows nothing')
    place = session.moves()
    session.ask('seek', '+30')
    place = session.goes_on(place + 30, 1, AHEAD, 'after its programs were replaced')
    before = session.process
    session.end()
    # Between the two, a client waits at the socket of the service manager.
    with socket.socket(socket.AF_UNIX) as waiting:
        waiting.connect(session.path)
        waiting.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status"}\n')
        session.start()
        session.goes_on(place, LOST, AHEAD, 'after the restart')
        if not select.select([waiting], [], [], 20)[0] or b'"id":1' not in waiting.recv(65536):
            fail('a client that waited is not served')
    if session.process == before or os.readlink(f'/proc/{session.process}/exe') != f'{session.build}/rostrumd':
        fail('the old program runs')
    until('the session is not on the bus', lambda: session.owned() == session.process)
    session.moves()


def replace(new, old):
    """Replaces each file as a package manager does: written beside the old one, then renamed."""
    for place, _, files in os.walk(new):
        for name in files:
            there = f'{old}{place.removeprefix(new)}/{name}'
            shutil.copy2(f'{place}/{name}', f'{there}.new')
            os.rename(f'{there}.new', there)


CASES = [activated, bus_restarted, sound_restarted, stopped, upgraded]


if __name__ == '__main__':
    run(__doc__, 'interrupted', CASES, Interrupted, more=lambda parser: parser.add_argument(
        '--stopped', type=float, default=10, metavar='SECONDS'))
