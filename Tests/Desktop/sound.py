#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plays into a private sound server beside a private bus, as a desktop does, and checks what the two say of each other.

    sound.py BUILD_DIR [--server pulseaudio|pipewire] [--only NAME] [--times N]

The cases: the stream belongs to the process that answers as MPRIS player; a policy that pauses players whose sink goes
(WirePlumber 0.5.11 and later: it calls Pause, and links the stream elsewhere when that is answered, or after a second)
leaves the book silent, and Play continues it on the other sink at its place; a long pause gives the device up, and Play
takes it again. Prints a line for each case; exits with 1 if one fails.
"""
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import wave

import numpy as np
from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'Listening'))
from desktop_cases import fail, run  # noqa: E402
from sound_daemons import PROGRAMS  # noqa: E402
from sound_server import RATE, Server, connectable, until  # noqa: E402

NAME = 'org.mpris.MediaPlayer2.rostrum'
# The time in ms for which a stream that the server moves by itself may sound elsewhere: until it is told, and fades out.
FADE = 50
PLAYER = DBusAddress('/org/mpris/MediaPlayer2', NAME, 'org.mpris.MediaPlayer2.Player')
BUS = DBusAddress('/org/freedesktop/DBus', 'org.freedesktop.DBus', 'org.freedesktop.DBus')


class Desktop:
    """A session beside a sound server with two sinks, `ear` and `lamp`, and a session bus."""

    def __init__(self, build, kind):
        self.build = os.path.abspath(build)
        self.server = server = Server(kind)
        server.__enter__()
        self.env = dict(server.environment)
        self.env['ROSTRUM_ENGINE_PATH'] = os.environ.get('ROSTRUM_ENGINE_PATH', f'{self.build}/engines')
        address = f'{server.folder}/bus'
        self.bus = subprocess.Popen(
            ['dbus-daemon', '--session', '--nofork', f'--address=unix:path={address}'], stderr=subprocess.DEVNULL)
        until(lambda: connectable(address), 10, 'the private bus')
        self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={address}'
        # The policy of the desktop, or a remote.
        self.policy = open_dbus_connection(self.env['DBUS_SESSION_BUS_ADDRESS'])
        server.add_sink('lamp')
        # WirePlumber links the streams of a sink that goes to another one by itself.
        if kind == 'pulseaudio':
            server.pactl('load-module', 'module-rescue-streams')
        server.pactl('set-default-sink', 'ear')
        self.book = f'{server.folder}/book.wav'
        with wave.open(self.book, 'wb') as sound:
            sound.setparams((1, 2, 8000, 0, 'NONE', ''))
            tone = np.sin(np.arange(8000 * 300) * (2 * np.pi * 440 / 8000)) * 8000
            sound.writeframes(tone.astype('<i2').tobytes())
        self.lamp = None

    def close(self):
        with contextlib.suppress(OSError, ValueError):
            with open(self.env['XDG_RUNTIME_DIR'] + '/rostrum/session.lock') as lock:
                os.kill(int(lock.read()), signal.SIGKILL)
        if self.lamp:
            self.lamp.kill()
        self.bus.kill()
        self.bus.wait()
        self.server.__exit__()

    def ask(self, *words):
        done = subprocess.run(
            [f'{self.build}/rostrum', *words], env=self.env, text=True, capture_output=True, timeout=60)
        if done.returncode != 0:
            fail(f'rostrum {" ".join(words)}: {done.returncode}: {done.stderr.strip()}')
        return done.stdout

    def status(self):
        return json.loads(self.ask('status', '--json'))

    def play(self):
        self.ask('play', '--detach', self.book)
        until(lambda: self.status()['status'] == 'playing', 20, 'the book')

    def call(self, method):
        return self.policy.send_and_get_reply(new_method_call(PLAYER, method), timeout=10)

    def inputs(self):
        return json.loads(self.server.pactl('--format=json', 'list', 'sink-inputs'))

    def listen_to_lamp(self):
        """Records the other sink from now on."""
        self.lamp = subprocess.Popen(
            ['parec', '--raw', '--device=lamp.monitor', '--format=float32le', f'--rate={RATE}', '--channels=2',
             '--latency-msec=5'], env=self.env, stdout=open(f'{self.server.folder}/lamp', 'wb'))
        path = f'{self.server.folder}/lamp'
        until(lambda: os.path.getsize(path) > 0, 10, 'the recorder of the lamp')

    def heard_on_lamp(self):
        """Returns for how many milliseconds the other sink has sounded."""
        samples = np.abs(np.fromfile(f'{self.server.folder}/lamp', dtype='<f4')[::2])
        parts = samples[:len(samples) // 48 * 48].reshape(-1, 48).max(axis=1, initial=0) > 0.001
        return int(np.count_nonzero(parts))


def belongs_together(desktop):
    """The stream belongs to the process that is the MPRIS player."""
    desktop.play()
    reply = desktop.policy.send_and_get_reply(new_method_call(BUS, 'GetConnectionUnixProcessID', 's', (NAME,)))
    streams = [stream['properties'].get('application.process.id') for stream in desktop.inputs()]
    if streams != [str(reply.body[0])]:
        fail(f'the player is process {reply.body[0]}, the streams are of {streams}')


def _sink_goes(desktop, pause_first):
    desktop.play()
    desktop.listen_to_lamp()
    if pause_first:
        desktop.call('Pause')
    desktop.server.pactl('unload-module', desktop.server.ear)
    if not pause_first:
        desktop.call('Pause')
    place = desktop.status()['position']['ms']
    # What is not to be heard can only be waited for; WirePlumber links the stream again within a second.
    time.sleep(1.5)
    status = desktop.status()
    heard = desktop.heard_on_lamp()
    # A pause is answered before its fade is over, so that on a busy machine the end of it moves along.
    if status['status'] != 'paused' or heard > FADE:
        fail(f'the book is {status["status"]} after its sink has gone, and was heard elsewhere for {heard} ms')
    if abs(status['position']['ms'] - place) > 250:
        fail(f'the place was {place}, and is {status["position"]["ms"]}')
    desktop.call('Play')
    until(desktop.heard_on_lamp, 10, 'the book on the other sink')
    now = desktop.status()['position']['ms']
    if not place - 300 <= now <= place + 10_000:
        fail(f'the place was {place}, and is {now}')


def paused_before(desktop):
    """A policy that pauses, and then moves the stream, leaves the book silent; Play continues it on the other sink."""
    _sink_goes(desktop, True)


def paused_after(desktop):
    """A sink that goes before the policy has paused leaves the book silent; Play continues it on the other sink."""
    _sink_goes(desktop, False)


def given_up(desktop):
    """A long pause gives the device up, and Play takes it again at the same place."""
    desktop.ask('settings', 'set', 'releaseAfterPause', '1')
    desktop.play()
    desktop.ask('pause')
    place = desktop.status()['position']['ms']
    until(lambda: not desktop.inputs(), 10, 'the device to be given up')
    desktop.call('Play')
    until(lambda: desktop.status()['status'] == 'playing', 10, 'the book')
    now = desktop.status()['position']['ms']
    if not place - 300 <= now <= place + 3000 or len(desktop.inputs()) != 1:
        fail(f'the place was {place}, and is {now}, with {len(desktop.inputs())} streams')


CASES = [belongs_together, paused_before, paused_after, given_up]


if __name__ == '__main__':
    run(__doc__, 'sound', CASES, lambda options: Desktop(options.build, options.server), servers=list(PROGRAMS))
