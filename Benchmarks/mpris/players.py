# SPDX-License-Identifier: Apache-2.0
"""The players of this benchmark: each starts without an item, then loads one and is paused and resumed by a remote.

The probe's adapters do what is particular to a player; here is what is the same for all of them.
"""
import os

import rostrum
from adapters import mpd, mpv_mpris, vlc
from adapters.base import Player
from dbusmini import Bus
from session import now, wait_for

DAEMON = 'org.freedesktop.DBus'
OBJECT, PLAYER = '/org/mpris/MediaPlayer2', 'org.mpris.MediaPlayer2.Player'
SIGNAL = 4
AGAIN = 0.05  # s
PLUGINS = (mpv_mpris.Adapter.plugin, '/usr/lib/mpv-mpris/mpris.so')


class Remote(Player):
    """A player on the bus, under `org.mpris.MediaPlayer2.` and its name."""
    bus = None

    @property
    def destination(self):
        return 'org.mpris.MediaPlayer2.' + self.name

    def start(self):
        """Returns the ns from the spawn to the first answer; a signal of the bus says when to ask.

        VLC may leave a call that comes with its name unread until the next one comes, so a call is repeated.
        """
        self.connect()
        self.bus.call(DAEMON, '/org/freedesktop/DBus', DAEMON, 'AddMatch', 's',
                      f"type='signal',sender='{DAEMON}',member='NameOwnerChanged',arg0='{self.destination}'")
        began = self.spawn(self.command()).t0
        while True:
            kind, _, _, values = self.bus.read()
            if kind == SIGNAL and values[0] == self.destination and values[2]:
                break
        patience = self.bus.s.gettimeout()
        self.bus.s.settimeout(AGAIN)
        wait_for(self.answers, 10, 'an answer', 0)
        answered = now()
        self.bus.s.settimeout(patience)
        return answered - began

    def connect(self):
        self.bus = self.bus or Bus(self.s.bus_socket)

    def answers(self):
        """Whether it does: a player may own its name before its object is there."""
        try:
            return self.get('PlaybackStatus')
        except OSError:  # a time-out is one, too
            return None

    def get(self, name):
        return self.bus.get(self.destination, OBJECT, PLAYER, name)

    def call(self, method, *arguments):
        self.bus.call(self.destination, OBJECT, PLAYER, method, *arguments)

    def load(self, path):
        self.call('OpenUri', 's', 'file://' + path)

    def position(self):
        return self.get('Position')

    def pause(self):
        self.call('Pause')

    def play(self):
        self.call('Play')

    def stop(self):
        if self.bus:
            self.bus.close()
            self.bus = None
        super().stop()


class Rostrum(Remote, rostrum.Adapter):
    def command(self):
        return [rostrum.ROSTRUMD]

    def load(self, path):
        # By the control socket: OpenUri refuses a caller whose file system the session may not look up, such as root.
        self.ask('play', items=[path], fromStart=True)

    def activate(self):
        """Returns the ns from a call to the first answer, when the bus has to start the session for it."""
        self.connect()
        services = self.s.dir + '/services'
        if not os.path.exists(services):
            os.mkdir(services)
            with open(f'{services}/{self.destination}.service', 'w', encoding='ascii') as f:
                f.write(f'[D-BUS Service]\nName={self.destination}\nExec={rostrum.ROSTRUMD} --autostart\n')
            with open(self.s.dir + '/bus.conf', 'r+', encoding='ascii') as f:
                text = f.read().replace('</busconfig>', f'<servicedir>{services}</servicedir></busconfig>')
                f.seek(0)
                f.write(text)
            self.bus.call(DAEMON, '/org/freedesktop/DBus', DAEMON, 'ReloadConfig')
        began = now()
        self.get('PlaybackStatus')
        return now() - began


class VLC(Remote):
    name = 'vlc'
    version = vlc.Adapter.version

    def command(self):
        # VLC loads its D-Bus interface by itself; asked for it, it would load a second one beside it.
        return [*vlc.binary(), '-q', '--no-video', '--aout=pulse']


class MPV(Remote):
    name = 'mpv'

    def command(self):
        plugin = next((p for p in PLUGINS if os.path.exists(p)), None)
        if not plugin:
            raise FileNotFoundError('the plugin of mpv-mpris')
        return ['mpv', '--no-config', '--no-video', '--ao=pulse', '--really-quiet', '--idle=yes', '--script=' + plugin]


class MPD(mpd.Adapter):
    """MPD has no MPRIS: the same by its own protocol, and an attempt to connect every millisecond of its start."""

    def start(self):
        self.idle()
        self.ask('status')
        return now() - self.procs[-1].t0

    position = mpd.Adapter.ping
    play = mpd.Adapter.resume


PLAYERS = {'rostrum': Rostrum, 'vlc': VLC, 'mpv': MPV, 'mpd': MPD}
