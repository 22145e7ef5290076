#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A player without sound that keeps to the specification: what the self-test breaks in one place after the other.

    fake_player.py FILE [--fault NAME]

It opens files, which ffprobe describes, and counts the time. A fault is a name of faults.py.
"""
import argparse
import json
import os
import subprocess
import sys
import time
import urllib.parse

from bus import PROPERTIES
from fake_service import Refused, Service
from spec import NO_TRACK, PLAYER, PROPERTIES_OF, ROOT, TRACKLIST

LOW, HIGH = 0.5, 2.0
US = 1_000_000


class Track:
    ids = 0

    def __init__(self, uri):
        Track.ids += 1
        self.id = f'/org/example/fake/track/{Track.ids}'
        self.uri = uri
        path = urllib.parse.unquote(urllib.parse.urlsplit(uri).path)
        facts = subprocess.run(['ffprobe', '-v', 'error', '-show_entries', 'format=duration:format_tags', '-of', 'json', path],
                               capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if facts.returncode:
            raise Refused('Failed', f'{path} cannot be played')
        form = json.loads(facts.stdout)['format']
        self.length = int(float(form['duration']) * US)
        tags = form.get('tags', {})
        self.title = tags.get('title') or os.path.splitext(os.path.basename(path))[0]
        self.artist = tags.get('artist')

    @property
    def metadata(self):
        found = {'mpris:trackid': ('o', self.id), 'mpris:length': ('x', self.length), 'xesam:title': ('s', self.title),
                 'xesam:url': ('s', self.uri)}
        if self.artist:
            found['xesam:artist'] = ('as', [self.artist])
        return found


class Fake(Service):
    def __init__(self, files):
        super().__init__()
        self.tracks = [Track('file://' + urllib.parse.quote(os.path.abspath(f))) for f in files]
        self.current = 0
        self.status, self.rate, self.volume = 'Playing', 1.0, 1.0
        self.loop, self.shuffle = 'None', False
        self.base, self.since = 0, time.monotonic()
        self.fullscreen = False
        self.told = {}

    # The clock

    @property
    def track(self):
        return self.tracks[self.current]

    @property
    def position(self):
        """The position in microseconds."""
        ran = (time.monotonic() - self.since) * self.rate * US if self.status == 'Playing' else 0
        return min(int(self.base + ran), self.track.length)

    def place(self, position):
        self.base, self.since = position, time.monotonic()

    # What is told

    def properties(self, interface):
        """Returns {name: (type, value)}."""
        values = {
            ROOT: {'CanQuit': True, 'CanRaise': False, 'HasTrackList': True, 'Identity': 'Fake', 'DesktopEntry': 'fake',
                   'SupportedUriSchemes': ['file'], 'SupportedMimeTypes': ['audio/mpeg', 'audio/x-wav'],
                   'Fullscreen': self.fullscreen, 'CanSetFullscreen': False},
            PLAYER: {'PlaybackStatus': self.status, 'LoopStatus': self.loop, 'Rate': self.rate, 'Shuffle': self.shuffle,
                     'Metadata': self.track.metadata, 'Volume': self.volume, 'Position': self.position,
                     'MinimumRate': LOW, 'MaximumRate': HIGH, 'CanGoNext': self.current + 1 < len(self.tracks),
                     'CanGoPrevious': self.current > 0, 'CanPlay': True, 'CanPause': True, 'CanSeek': True,
                     'CanControl': True},
            TRACKLIST: {'Tracks': [t.id for t in self.tracks], 'CanEditTracks': True},
        }.get(interface)
        if values is None:
            raise Refused('UnknownInterface', interface)
        return {name: (PROPERTIES_OF[interface][name].type, value) for name, value in values.items()}

    def seeked(self):
        self.emit(PLAYER, 'Seeked', 'x', self.position)

    def signalled(self):
        """Returns the properties whose changes are signalled."""
        found = self.properties(PLAYER)
        del found['Position'], found['CanControl']
        return found

    def tell(self):
        """Signals what has changed since the last time."""
        now = self.signalled()
        changed = {name: value for name, value in now.items() if self.told.get(name) != value}
        self.told = now
        if changed:
            self.emit(PROPERTIES, 'PropertiesChanged', 'sa{sv}as', PLAYER, changed, [])

    def tell_tracks(self):
        self.emit(PROPERTIES, 'PropertiesChanged', 'sa{sv}as', TRACKLIST, {}, ['Tracks'])

    # Methods

    def Play(self):
        if self.status == 'Stopped':
            self.place(0)
        elif self.status == 'Paused':
            self.place(self.base)
        self.status = 'Playing'

    def Pause(self):
        if self.status == 'Playing':
            self.hold()

    def hold(self):
        self.place(self.position)
        self.status = 'Paused'

    def PlayPause(self):
        self.Pause() if self.status == 'Playing' else self.Play()

    def Stop(self):
        self.status = 'Stopped'
        self.place(0)

    def go(self, index):
        """Makes another track the current one; the state remains."""
        if 0 <= index < len(self.tracks):
            self.current = index
            self.place(0)
        else:
            self.Stop()

    def Next(self):
        if self.current + 1 < len(self.tracks):
            self.go(self.current + 1)

    def Previous(self):
        if self.current > 0:
            self.go(self.current - 1)

    def Seek(self, offset):
        self.move(self.position + offset)

    def move(self, goal):
        if goal > self.track.length:
            return self.go(self.current + 1)
        self.place(max(0, goal))
        self.seeked()

    def SetPosition(self, track, position):
        if track == self.track.id and 0 <= position <= self.track.length:
            self.move(position)

    def OpenUri(self, uri):
        self.tracks.append(self.load(uri))
        self.emit(TRACKLIST, 'TrackAdded', 'a{sv}o', self.tracks[-1].metadata, self.tracks[-2].id)
        self.tell_tracks()
        self.go(len(self.tracks) - 1)
        self.status = 'Playing'

    def load(self, uri):
        if not uri.startswith('file:///'):
            raise Refused('NotSupported', f'{uri} is not supported')
        return Track(uri)

    def Raise(self):
        raise Refused('NotSupported', 'there is no window')

    def Quit(self):
        self.running = False

    def GetTracksMetadata(self, ids):
        return [t.metadata for i in ids for t in self.tracks if t.id == i]

    def AddTrack(self, uri, after, current):
        index = next((k + 1 for k, t in enumerate(self.tracks) if t.id == after), 0)
        self.tracks.insert(index, self.load(uri))
        self.current += index <= self.current
        self.emit(TRACKLIST, 'TrackAdded', 'a{sv}o', self.tracks[index].metadata, after if index else NO_TRACK)
        self.tell_tracks()

    def RemoveTrack(self, track):
        index = next((k for k, t in enumerate(self.tracks) if t.id == track), None)
        if index is None or index == self.current:
            return
        del self.tracks[index]
        self.current -= index < self.current
        self.emit(TRACKLIST, 'TrackRemoved', 'o', track)
        self.tell_tracks()

    def GoTo(self, track):
        for index, one in enumerate(self.tracks):
            if one.id == track:
                self.go(index)

    # Settings

    def write(self, name, value):
        if name == 'Rate':
            self.set_rate(value)
        elif name == 'Volume':
            self.set_volume(value)
        elif name == 'LoopStatus':
            if value not in ('None', 'Track', 'Playlist'):
                raise Refused('InvalidArgs', value)
            self.loop = value
        elif name == 'Shuffle':
            self.shuffle = value

    def set_rate(self, value):
        if value == 0:
            return self.Pause()
        if value != value or not LOW <= value <= HIGH:
            return
        self.place(self.position)
        self.rate = value

    def set_volume(self, value):
        if value == value:
            self.volume = max(0.0, min(value, 1.5))

    def idle(self):
        """Returns the seconds until something is to be done without a call."""
        if self.status != 'Playing':
            return 3600
        return (self.track.length - self.position) / US / self.rate + 0.01

    def tick(self):
        if self.status == 'Playing' and self.position >= self.track.length:
            self.go(self.current + 1)
            self.tell()


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('files', nargs='+')
    parser.add_argument('--fault')
    given = parser.parse_args()
    fake = Fake(given.files)
    if given.fault:
        from faulty_control import FAULTS
        FAULTS[given.fault].into(fake)
    fake.told = fake.signalled()
    fake.serve()
    sys.exit(0)
