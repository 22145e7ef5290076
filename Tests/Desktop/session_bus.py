# SPDX-License-Identifier: Apache-2.0
"""A session as in service.py beside a bus of its own, and its player as a client of that bus sees it."""
import os
import shutil
import signal
import subprocess

from desktop_cases import fail
from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection
from service import Service, until

NAME = 'org.mpris.MediaPlayer2.rostrum'
PLAYER = 'org.mpris.MediaPlayer2.Player'
PROPERTIES = 'org.freedesktop.DBus.Properties'
BUS = DBusAddress('/org/freedesktop/DBus', 'org.freedesktop.DBus', 'org.freedesktop.DBus')
PROGRAMS = ('rostrum', 'rostrumd', 'rostrum-engine-runner', 'rostrum-document-reader', 'rostrum-document-fetcher',
            'rostrum-network', 'rostrum-voices')


class OnBus(Service):
    """A session whose environment names a session bus."""

    def __init__(self, build, output='null'):
        super().__init__(build, output)
        self.session_bus = self.bus('session-bus')
        self.env['DBUS_SESSION_BUS_ADDRESS'] = self.session_bus
        self.client = None

    def close(self):
        # A session that the bus or the client started is not a child of this process; its lock has its number.
        found = self.running()
        if found and found != self.process:
            os.kill(found, signal.SIGKILL)
        super().close()

    def running(self):
        """Returns the process number of the session that runs, or None."""
        try:
            with open(f'{self.runtime}/rostrum/session.lock') as lock:
                found = int(lock.read())
            with open(f'/proc/{found}/environ', 'rb') as about:
                return found if f'XDG_RUNTIME_DIR={self.runtime}'.encode() in about.read().split(b'\0') else None
        except (OSError, ValueError):
            return None

    def connect(self):
        self.client = open_dbus_connection(self.session_bus)
        return self.client

    def call(self, method, signature=None, *body, interface=PLAYER, seconds=20):
        """Calls the player, and returns the first value of the answer; fails for an error."""
        address = DBusAddress('/org/mpris/MediaPlayer2', NAME, interface)
        answer = self.client.send_and_get_reply(new_method_call(address, method, signature, body), timeout=seconds)
        if answer.header.message_type is MessageType.error:
            fail(f'{method} answered {answer.body}')
        return answer.body[0] if answer.body else None

    def get(self, name, interface=PLAYER):
        return self.call('Get', 'ss', interface, name, interface=PROPERTIES)[1]

    def owned(self):
        """Returns the process number of the owner of the session's name, or None."""
        answer = self.client.send_and_get_reply(new_method_call(BUS, 'GetConnectionUnixProcessID', 's', (NAME,)))
        return answer.body[0] if answer.header.message_type is MessageType.method_return else None

    def seconds(self):
        """Returns the position that the player tells, in seconds."""
        return self.get('Position') / 1e6

    def moves(self, by=0.4):
        """Waits until the book has moved on, and returns its place."""
        begun = self.place()
        return until('the book does not move', lambda: (now := self.place()) > begun + by and now)

    def goes_on(self, place, least=0.5, most=5.0, what='afterwards'):
        """Waits until the book plays, and fails unless it is near its place of before; returns its place."""
        until(f'the book does not play {what}', self.is_playing)
        now = self.place()
        if not place - least <= now <= place + most:
            fail(f'the book was at {place:.2f} s, and is at {now:.2f} s {what}')
        return now


def programs(build, folder):
    """Copies the built programs and engines into a folder, without copying data where links will do."""
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(build):
        if name in PROGRAMS or name.startswith('lib') and '.so' in name:
            link(f'{build}/{name}', f'{folder}/{name}')
    for place, _, files in os.walk(f'{build}/engines'):
        there = f'{folder}/engines' + place.removeprefix(f'{build}/engines')
        os.makedirs(there, exist_ok=True)
        for name in files:
            link(f'{place}/{name}', f'{there}/{name}')
    return folder


def link(old, new):
    try:
        os.link(os.path.realpath(old), new)
    except OSError:
        shutil.copy2(old, new)


def tone(path, seconds, *tags):
    """Makes a file with tags, by ffmpeg."""
    subprocess.run(
        ['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi',
         '-i', f'sine=frequency=220:sample_rate=8000:duration={seconds}',
         *[word for tag in tags for word in ('-metadata', tag)], '-c:a', 'pcm_s16le', path], check=True)
    return path
