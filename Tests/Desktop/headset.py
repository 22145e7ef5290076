#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Presses the keys of a headset: by mpris-proxy, which registers the session at BlueZ and passes on what AVRCP sends.

    headset.py BUILD_DIR [--only NAME] [--times N]

mpris-proxy is that of the package bluez, between a private session bus and a private bus in place of the system's. On the
latter, BlueZ is a fake: an adapter that takes players, calls them as bluetoothd does (without waiting for an answer), and
keeps what a headset or a car would show. Skipped if there is no mpris-proxy.
"""
import shutil
import subprocess
import threading
import time

from desktop_cases import fail, run, skip
from jeepney import DBusAddress, HeaderFields, MessageFlag, MessageType, new_error, new_method_call, new_method_return
from jeepney.io.blocking import open_dbus_connection
from service import until
from session_bus import BUS, PLAYER, OnBus, tone

ADAPTER = '/org/bluez/hci0'
# What bluetoothd reads of a player, with the types that it insists on.
TYPES = {'PlaybackStatus': 's', 'Position': 'x', 'Metadata': 'a{sv}', 'LoopStatus': 's', 'Shuffle': 'b', 'CanPlay': 'b',
         'CanPause': 'b', 'CanGoNext': 'b', 'CanGoPrevious': 'b', 'CanControl': 'b'}
ENTRIES = {'xesam:title': 's', 'xesam:artist': 'as', 'xesam:album': 's', 'xesam:genre': 'as', 'mpris:length': 'x',
           'xesam:trackNumber': 'i'}


class BlueZ(threading.Thread):
    """A fake bluetoothd with one adapter, and a headset that shows what the registered player says."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.connection = open_dbus_connection(address)
        self.connection.send_and_get_reply(new_method_call(BUS, 'RequestName', 'su', ('org.bluez', 0)))
        self.lock = threading.Lock()
        self.proxy = self.path = None
        self.shown = {}
        self.faults = []
        self.placed = None      # (time, position in s)
        self.registrations = 0
        self.seeks = 0

    def run(self):
        while True:
            try:
                message = self.connection.receive()
            except OSError:
                return
            member = message.header.fields.get(HeaderFields.member, '')
            if message.header.message_type is MessageType.method_call:
                answer = getattr(self, member, None)
                unknown = new_error(message, 'org.freedesktop.DBus.Error.UnknownMethod')
                with self.lock:
                    self.connection.send(answer(message) if answer else unknown)
            elif message.header.message_type is MessageType.signal and \
                    message.header.fields.get(HeaderFields.path) == self.path:
                if member == 'PropertiesChanged':
                    self.learn(message.body[1])
                elif member == 'Seeked':
                    self.seeks += 1
                    self.placed = time.monotonic(), message.body[0] / 1e6

    def GetManagedObjects(self, call):
        return new_method_return(call, 'a{oa{sa{sv}}}', ({ADAPTER: {
            'org.bluez.Adapter1': {'Address': ('s', '00:00:00:00:00:01'), 'Powered': ('b', True)}, 'org.bluez.Media1': {}}},))

    def RegisterPlayer(self, call):
        path, properties = call.body
        if call.header.fields[HeaderFields.path] != ADAPTER:
            return new_error(call, 'org.bluez.Error.DoesNotExist')
        self.shown = {}
        self.learn(properties)
        self.proxy, self.path = call.header.fields[HeaderFields.sender], path
        self.registrations += 1
        self.connection.send(new_method_call(BUS, 'AddMatch', 's', (f"type='signal',path='{path}'",)))
        return new_method_return(call)

    def UnregisterPlayer(self, call):
        if call.body[0] == self.path:
            self.proxy = self.path = None
        return new_method_return(call)

    def learn(self, properties):
        """Takes in properties in the order in which they come: Metadata sets bluetoothd's position to 0."""
        for name, (kind, value) in properties.items():
            if kind != TYPES.get(name, kind):
                self.faults.append(f'{name} is {kind}, not {TYPES[name]}')
            if name == 'Metadata':
                self.faults += [f'{n} is {k}, not {ENTRIES[n]}' for n, (k, _) in value.items() if k != ENTRIES.get(n, k)]
                value = {entry: one for entry, (_, one) in value.items()}
                self.placed = time.monotonic(), 0
            if name == 'PlaybackStatus' and self.placed:
                self.placed = time.monotonic(), self.position
            if name == 'Position':
                self.placed = time.monotonic(), value / 1e6
            self.shown[name] = value

    @property
    def position(self):
        """The position that the headset shows: it counts by itself while something plays, without regard to a rate."""
        told, position = self.placed
        playing = self.shown.get('PlaybackStatus') == 'Playing'
        return position + (time.monotonic() - told if playing else 0)

    @property
    def title(self):
        return self.shown.get('Metadata', {}).get('xesam:title')

    def press(self, key):
        """Calls the registered player as bluetoothd does for a key of AVRCP: it wants no answer."""
        call = new_method_call(DBusAddress(self.path, self.proxy, PLAYER), key)
        call.header.flags = MessageFlag.no_reply_expected
        with self.lock:
            self.connection.send(call)


class Headset(OnBus):
    """A session, mpris-proxy and BlueZ."""

    def __init__(self, build):
        super().__init__(build)
        self.proxy = None
        system = self.bus('system-bus')
        self.bluez = BlueZ(system)
        self.bluez.start()
        self.env['DBUS_SYSTEM_BUS_ADDRESS'] = system
        self.book = tone(f'{self.home}/first.wav', 600, 'title=The First & <Best>', 'artist=Nobody', 'album=Books')
        self.other = tone(f'{self.home}/second.wav', 300, 'title=The Second', 'artist=Somebody')

    def with_chapters(self):
        """Makes a book of three chapters, 100 s each."""
        marks = f'{self.home}/marks'
        with open(marks, 'w') as file:
            file.write(';FFMETADATA1\ntitle=The First & <Best>\n' + ''.join(
                f'[CHAPTER]\nTIMEBASE=1/1\nSTART={k * 100}\nEND={k * 100 + 100}\ntitle=Part {k + 1}\n' for k in range(3)))
        subprocess.run(
            ['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'sine=sample_rate=8000:duration=300',
             '-f', 'ffmetadata', '-i', marks, '-map', '0:a', '-map_metadata', '1', '-map_chapters', '1', '-c:a', 'aac',
             '-f', 'ipod', f'{self.home}/chapters.m4b'], check=True)
        return f'{self.home}/chapters.m4b'

    def close(self):
        if self.proxy:
            self.proxy.kill()
            self.proxy.wait()
        super().close()

    def wear(self):
        """Starts mpris-proxy."""
        if not shutil.which('mpris-proxy'):
            skip('mpris-proxy is not installed (package bluez)')
        with open(f'{self.home}/proxy.log', 'wb') as log:
            self.proxy = subprocess.Popen(['mpris-proxy'], env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def begin(self):
        """Plays, and waits until the headset has the player."""
        self.start()
        self.connect()
        self.play()
        self.wear()
        until('mpris-proxy does not register the session', lambda: self.bluez.path)
        self.is_shown('Playing')

    def is_shown(self, status, title='The First & <Best>'):
        """Waits until session and headset are in a state, and fails unless both have the same item and place."""
        until(f'the session is not {status}', lambda: self.status()['status'] == status.lower())
        until(f'the headset does not show {status}', lambda: self.bluez.shown.get('PlaybackStatus') == status)
        until(f'the headset does not show “{title}”', lambda: self.bluez.title == title)
        self.is_placed()
        if self.bluez.faults:
            fail('; '.join(sorted(set(self.bluez.faults))))

    def is_placed(self):
        try:
            until('', lambda: abs(self.bluez.position - self.seconds()) < 0.7)
        except AssertionError:
            fail(f'the headset shows {self.bluez.position:.2f} s, the player is at {self.seconds():.2f} s')


def registered(headset):
    """The session that plays is registered with its item, length and position, each with its type; the next one, too."""
    headset.begin()
    length = headset.bluez.shown['Metadata'].get('mpris:length')
    if length != 600_000_000:
        fail(f'the length is {length}')
    missing = [n for n in TYPES if n not in ('LoopStatus', 'Shuffle') and n not in headset.bluez.shown]
    if missing:
        fail(f'not registered: {", ".join(missing)}')
    place = headset.moves()
    headset.end()
    until('the session that ended stays registered', lambda: headset.bluez.path is None)
    headset.start()
    until('the next session is not registered', lambda: headset.bluez.registrations == 2)
    headset.goes_on(place)
    headset.is_shown('Playing')


def pressed(headset):
    """Each key of the headset acts once, and the headset shows what it did."""
    headset.begin()
    for key, status in (('Pause', 'Paused'), ('Play', 'Playing'), ('PlayPause', 'Paused'), ('PlayPause', 'Playing')):
        headset.bluez.press(key)
        headset.is_shown(status)
    for key, way in (('Next', 1), ('Previous', -1)):
        before, seeks = headset.place(), headset.bluez.seeks
        headset.bluez.press(key)
        until(f'{key} is not told to the headset', lambda: headset.bluez.seeks > seeks)
        moved = headset.place() - before
        if not 5 < moved * way < 60:
            fail(f'{key} moved the book by {moved:.2f} s')
        headset.is_shown('Playing')
    headset.bluez.press('Stop')
    until('Stop does not stop', lambda: not headset.is_playing())
    until('the headset does not show Stopped', lambda: headset.bluez.shown['PlaybackStatus'] == 'Stopped')
    headset.bluez.press('Play')
    headset.is_shown('Playing')


def followed(headset):
    """What happens elsewhere is shown by the headset: a jump, a pause, another item."""
    headset.begin()
    headset.ask('seek', '400')
    until('the jump is not told', lambda: abs(headset.bluez.position - headset.seconds()) < 0.7 and headset.seconds() > 399)
    headset.is_shown('Playing')
    headset.ask('pause')
    headset.is_shown('Paused')
    headset.ask('play', '--detach', headset.other)
    headset.is_shown('Playing', 'The Second')
    if headset.bluez.shown['Metadata'].get('mpris:length') != 300_000_000:
        fail(f'the length is {headset.bluez.shown["Metadata"].get("mpris:length")}')
    headset.ask('play', '--detach', headset.book)
    headset.is_shown('Playing')
    if headset.seconds() < 390:
        fail(f'the book resumes at {headset.seconds():.2f} s')


def chaptered(headset):
    """The headset keeps its position where a chapter ends, with the book as a track, and shows each chapter as a track."""
    headset.book = headset.with_chapters()
    headset.begin()
    for timeline, title in (('book', 'The First & <Best>'), ('chapter', 'Part 2')):
        headset.ask('settings', 'set', 'remoteTimeline', timeline)
        headset.ask('seek', '98.5')
        until('the first chapter does not end', lambda: headset.place() > 100.3)
        headset.is_shown('Playing', title)


def once(headset):
    """A press that arrives by AVRCP and as a media key acts once; two presses of the headset act twice."""
    headset.begin()
    for first, status in (('proxy', 'Paused'), ('keys', 'Playing'), ('proxy', 'Paused'), ('keys', 'Playing')):
        if first == 'proxy':
            headset.bluez.press('Pause' if status == 'Paused' else 'Play')
        headset.call('PlayPause')
        if first == 'keys':
            headset.bluez.press('PlayPause')
        headset.is_shown(status)
        # What is not to happen can only be waited for; two presses of a hand are further apart than one press's two ways.
        time.sleep(0.3)
        headset.is_shown(status)
    headset.bluez.press('PlayPause')
    headset.bluez.press('PlayPause')
    headset.bluez.press('PlayPause')
    headset.is_shown('Paused')


CASES = [registered, pressed, followed, chaptered, once]


if __name__ == '__main__':
    run(__doc__, 'headset', CASES, lambda options: Headset(options.build))
