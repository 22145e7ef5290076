# SPDX-License-Identifier: Apache-2.0
"""The player under test, as the cases see it: calls, properties, what was signalled, and waiting for events."""
import time

from bus import ANSWER, DAEMON, PROPERTIES, Bus
from cases import Fail
from spec import NO_TRACK, PLAYER, ROOT, TRACKLIST

WINDOW = 1.0     # s of observation, for what must not come
NEAR = 0.5       # s that a position may be off: players round to what they decode or display
US = 1_000_000   # µs in a second, the unit of positions


class Gone(Fail):
    """The player left the bus, or does not answer."""


class Change:
    """A PropertiesChanged of the player."""

    def __init__(self, entry):
        self.entry = entry
        self.interface, changed, invalidated = entry.body
        self.values = {name: value for name, (_, value) in changed.items()}
        self.types = {name: kind for name, (kind, _) in changed.items()}
        self.names = set(changed) | set(invalidated)


class Subject:
    """Calls go to the unique name that owned the player's name when it was found, so that another owner is noticed."""

    patience = 15.0  # s for what must come at some time

    def __init__(self, address, name):
        self.address = address
        self.suffix = name
        self.name = f'org.mpris.MediaPlayer2.{name}'
        self.bus = Bus(address)
        self.owner = None

    def close(self):
        self.bus.close()

    # The bus

    def present(self):
        """Says whether the name has an owner, and adopts it."""
        self.owner = self.bus.owner(self.name)
        return self.owner is not None

    def call(self, member, signature=None, *body, interface=PLAYER, seconds=ANSWER):
        """Calls a method and returns the answer, also if it is an error."""
        answer = self.bus.call(self.owner or self.name, interface, member, signature, *body, seconds=seconds)
        if answer.error in (DAEMON + '.Error.ServiceUnknown', DAEMON + '.Error.NameHasNoOwner'):
            raise Gone(f'the player left the bus before it answered {member}')
        if answer.error == DAEMON + '.Error.NoReply':
            raise Gone(f'the player left the bus without an answer to {member}')
        return answer

    def do(self, member, signature=None, *body, interface=PLAYER):
        """Calls a method that must not answer with an error."""
        answer = self.call(member, signature, *body, interface=interface)
        if answer.error:
            raise Fail(f'{member} answered {short(answer.error)}: {answer.value}')
        return answer

    def lives(self):
        """Fails unless the player still answers and still owns its name."""
        self.get('PlaybackStatus')
        now = self.bus.owner(self.name)
        if now != self.owner:
            raise Gone(f'{self.name} changed its owner from {self.owner} to {now}')

    # Properties

    def variant(self, name, interface=PLAYER):
        """Returns (type, value) of a property."""
        answer = self.call('Get', 'ss', interface, name, interface=PROPERTIES)
        if answer.error or answer.signature != 'v':
            raise Fail(f'Get {name} answered {short(answer.error) or answer.signature}: {answer.value}')
        return answer.value

    def get(self, name, interface=PLAYER):
        return self.variant(name, interface)[1]

    def maybe(self, name, interface=PLAYER):
        """Returns the value of a property, None if the player does not have it."""
        answer = self.call('Get', 'ss', interface, name, interface=PROPERTIES)
        return None if answer.error else answer.value[1]

    def set(self, name, kind, value, interface=PLAYER):
        """Sets a property and returns the answer, also if it is an error."""
        return self.call('Set', 'ssv', interface, name, (kind, value), interface=PROPERTIES)

    def all(self, interface=PLAYER):
        """Returns {name: (type, value)} of an interface."""
        answer = self.call('GetAll', 's', interface, interface=PROPERTIES)
        if answer.error or answer.signature != 'a{sv}':
            raise Fail(f'GetAll {interface} answered {short(answer.error) or answer.signature}')
        return answer.value

    @property
    def status(self):
        return self.get('PlaybackStatus')

    @property
    def metadata(self):
        return {name: value for name, (_, value) in self.get('Metadata').items()}

    @property
    def track(self):
        """The id of the current track, None if there is none."""
        track = self.metadata.get('mpris:trackid')
        return None if track == NO_TRACK else track

    @property
    def length(self):
        """The length of the current track in seconds, or None."""
        length = self.metadata.get('mpris:length')
        return length / US if length else None

    @property
    def position(self):
        """The position in seconds."""
        return self.get('Position') / US

    def place(self):
        """Returns (monotonic time, position in seconds): the time is the middle of the question and its answer."""
        asked = time.monotonic()
        position = self.position
        return (asked + time.monotonic()) / 2, position

    def can(self, what):
        return self.maybe('Can' + what) is True

    @property
    def has_tracks(self):
        return self.maybe('HasTrackList', ROOT) is True

    @property
    def tracks(self):
        return self.get('Tracks', TRACKLIST)

    @property
    def opens_files(self):
        return 'file' in (self.maybe('SupportedUriSchemes', ROOT) or [])

    # Signals and waiting

    def mark(self):
        """Returns the end of the journal: what comes later is after this call."""
        return len(self.bus.journal)

    def since(self, mark):
        return [e for e in self.bus.journal[mark:] if e.kind == 'signal' and e.sender == self.owner]

    def changes(self, mark, interface=PLAYER):
        """Returns each PropertiesChanged since a mark."""
        found = [Change(e) for e in self.since(mark)
                 if (e.interface, e.member, e.signature) == (PROPERTIES, 'PropertiesChanged', 'sa{sv}as')]
        return [c for c in found if c.interface == interface]

    def said(self, mark, name):
        """Returns each value of a property that was signalled since a mark."""
        return [c.values[name] for c in self.changes(mark) if name in c.values]

    def seeks(self, mark):
        """Returns the entry of each Seeked since a mark."""
        return [e for e in self.since(mark) if (e.interface, e.member) == (PLAYER, 'Seeked')]

    def until(self, test, what, seconds=None):
        """Waits until a test holds and returns its result.

        The test runs after every message, and ten times a second: a player that signals nothing must not be judged by
        the case that happens to wait for it, but by the one that is about signals.
        """
        seconds = seconds or self.patience
        end = time.monotonic() + seconds
        while True:
            result = test()
            if result:
                return result
            if time.monotonic() > end:
                raise Fail(f'{what}: not within {seconds:g} s')
            self.bus.receive(0.1)

    def reaches(self, status, seconds=None):
        """Waits for a playback status; fails with the one there is instead."""
        try:
            self.until(lambda: self.status == status, '', seconds)
        except Gone:
            raise
        except Fail:
            raise Fail(f'PlaybackStatus is {self.status}, not {status}, after {seconds or self.patience:g} s')

    def observe(self, seconds=WINDOW):
        """Takes in everything that arrives in a window of observation: for what must not happen, and for measurements."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.bus.receive(end - time.monotonic())

    def settle(self, calm=0.4, seconds=5.0):
        """Waits until the player has signalled nothing for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.bus.receive(calm):
            pass

    def places(self, seconds, every=0.1):
        """Returns (time, position) over a window of observation."""
        found, end = [self.place()], time.monotonic() + seconds
        while time.monotonic() < end:
            self.observe(every)
            found.append(self.place())
        return found

    def signalled(self, mark, name, what, seconds=None):
        """Waits until a property is signalled, and returns the last value."""
        self.until(lambda: any(name in c.names for c in self.changes(mark)), f'PropertiesChanged of {name} after {what}',
                   seconds)
        values = self.said(mark, name)
        return values[-1] if values else self.get(name)


def short(error):
    return (error or '').replace('org.freedesktop.DBus.Error.', '')
