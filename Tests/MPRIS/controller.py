# SPDX-License-Identifier: Apache-2.0
"""Replays what a controller of a desktop sends, line by line, and keeps what it would show of the player.

A transcript is a file of Transcripts. A controller has a connection of its own, hears only the signals that it asked for,
and knows only what it was told: by GetAll, Get, PropertiesChanged and Seeked. What it shows is compared with what the player
answers to somebody else. The lines:

    reads root|player|metadata NAME…    what it needs; NAME? if it may be absent
    asks NAME… after NAME…              properties for which it sends Get when others are signalled
    match RULE, bus METHOD [NAME]       calls to the bus
    getall root|player|tracklist|…      GetAll; get NAME: Get
    send METHOD …, call METHOD …        without and with waiting for the answer; Seek takes seconds, SetPosition a place
    set NAME VALUE, toggle NAME A B     Set, of A unless it is A, then of B
    wheel STEP COUNT                    as many Set of Volume in a row, each a step further
    shows [STATUS]                      everything that it reads is true, and the status is this
    at [SECONDS], runs SECONDS          the position that it shows is true, now or all the time
    reaches SECONDS|±SECONDS            the player is at a place, or as far from where it was
    … if NAME…, … if X in LOW HIGH      the line is left out unless these are true, are there, or X is in the range
"""
import pathlib
import re
import time

from bus import DAEMON, PROPERTIES, Bus
from cases import Fail, check
from spec import METADATA, METHODS_OF, PLAYER, PLAYLISTS, PROPERTIES_OF, ROOT, TRACKLIST
from subject import NEAR, US, Change, short

FOLDER = pathlib.Path(__file__).resolve().with_name('Transcripts')
INTERFACES = {'root': ROOT, 'player': PLAYER, 'tracklist': TRACKLIST, 'playlists': PLAYLISTS}
LANDING = 1.0  # s that a seek may miss its place by


def transcript(name):
    """Returns the lines of a transcript with their numbers."""
    lines = enumerate((FOLDER / f'{name}.txt').read_text().splitlines(), 1)
    return [(number, line.split('  #')[0].strip()) for number, line in lines if line.strip() and not line.startswith('#')]


class Controller:
    def __init__(self, player, name):
        self.player = player
        self.name = name
        self.bus = Bus(player.address, rules=())
        self.reads = {'root': {}, 'player': {}, 'metadata': {}}  # A name to whether it must be there.
        self.asks = ((), ())
        self.known = {}        # (interface, name) to (type, value)
        self.wanted = {}       # What was set, until it has been compared.
        self.placed = None     # (time, position in s) that was told last
        self.taken = 0         # The entries of the journal that were taken in.
        self.open = []         # (method, serial, time) of calls that are not answered yet
        self.before = None     # (time, position) before the last jump
        self.left_out = []

    def close(self):
        self.bus.close()

    def replay(self):
        for number, line in transcript(self.name):
            words, _, condition = line.partition(' if ')
            verb, *rest = words.split(maxsplit=1)
            try:
                if condition and not self.holds(condition):
                    self.before = None
                    self.left_out.append(' '.join(words.split()))
                    continue
                getattr(self, 'do_' + verb)(rest[0].strip() if rest else '')
            except Fail as fault:
                raise type(fault)(f'{self.name}.txt:{number}: {" ".join(line.split())}: {fault}')
        return 'left out: ' + ', '.join(self.left_out) if self.left_out else ''

    # What is known

    def value(self, name, interface=PLAYER):
        return self.known.get((interface, name), (None, None))[1]

    def holds(self, condition):
        if ' in ' in condition:
            number, _, bounds = condition.partition(' in ')
            low, high = (self.value(n) for n in bounds.split())
            return low <= float(number) <= high
        return all(self.value(*self.place_of(n)[::-1]) not in (None, False) if n.startswith('Can') else
                   (PLAYER, n) in self.known for n in condition.split())

    def place_of(self, word):
        """Returns (interface, name) of `root.NAME` or NAME; CanRaise and CanQuit are of the root."""
        if word.startswith('root.'):
            return ROOT, word.removeprefix('root.')
        return (ROOT if word in PROPERTIES_OF[ROOT] else PLAYER), word

    def learn(self, interface, name, value):
        """Takes in the value of a property, and checks its type if this controller reads it."""
        part = {ROOT: 'root', PLAYER: 'player'}.get(interface)
        if part and name in self.reads[part]:
            wanted = PROPERTIES_OF[interface][name].type
            check(value[0] == wanted, f'{name} is {value[0]}, not {wanted}')
        if interface == PLAYER and name in ('PlaybackStatus', 'Rate') and self.placed:
            self.placed = time.monotonic(), self.position  # Until now it ran as it did before.
        if (interface, name) == (PLAYER, 'Position'):
            self.placed = time.monotonic(), value[1] / US
        if (interface, name) == (PLAYER, 'Metadata'):
            for entry, (kind, _) in value[1].items():
                if entry in self.reads['metadata']:
                    check(kind == METADATA[entry], f'{entry} is {kind}, not {METADATA[entry]}')
            missing = [n for n, must in self.reads['metadata'].items() if must and n not in value[1]]
            playing = self.value('PlaybackStatus') in ('Playing', 'Paused')
            check(not (missing and playing), f'Metadata has no {", ".join(missing)}')
        self.known[interface, name] = value

    @property
    def position(self):
        """The position that the controller shows, in seconds: it runs on by itself while it plays."""
        told, position = self.placed
        if self.value('PlaybackStatus') != 'Playing':
            return position
        return position + (time.monotonic() - told) * (self.value('Rate') or 1.0)

    def take_in(self):
        """Takes in the signals that have come."""
        while self.bus.receive(0):
            pass
        while self.taken < len(self.bus.journal):
            entry = self.bus.journal[self.taken]
            self.taken += 1
            if entry.kind != 'signal' or entry.sender != self.player.owner:
                continue
            if entry.member == 'Seeked':
                check(entry.signature == 'x', f'Seeked has the signature {entry.signature}')
                self.placed = entry.at, entry.body[0] / US
            elif entry.member == 'PropertiesChanged':
                self.changed(Change(entry), entry)

    def changed(self, change, entry):
        old = self.value('Metadata') or {}
        for name, value in entry.body[1].items():
            self.learn(change.interface, name, value)
        for name in set(change.names) - set(change.values):
            if (change.interface, name) in self.known:
                self.get(change.interface, name)
        new = self.value('Metadata') or {}
        asked, after = self.asks
        track = 'track' in after and old.get('mpris:trackid') != new.get('mpris:trackid')
        if track or 'anything' in after or set(after) & change.names:
            for name in asked:
                self.get(PLAYER, name)

    # Calls

    def call(self, interface, member, signature=None, *body):
        return self.bus.call(self.player.owner, interface, member, signature, *body)

    def get(self, interface, name, must=True):
        answer = self.call(PROPERTIES, 'Get', 'ss', interface, name)
        if answer.error and not must:
            return
        check(not answer.error and answer.signature == 'v', f'Get {name} answered {short(answer.error) or answer.signature}')
        self.learn(interface, name, answer.value)

    def finish(self):
        """Waits for the answers to what was sent."""
        sent, self.open = self.open, []
        for method, serial, at in sent:
            answer = self.bus.answer(serial, at, what=method)
            check(not answer.error, f'{method} answered {short(answer.error)}: {answer.value}')

    def send(self, words):
        """Sends a method without waiting; remembers where the player was if it is a jump."""
        member, *given = words.split()
        interface, member = self.place_of(member)
        if member in METHODS_OF[ROOT]:
            interface = ROOT
        body = ()
        if member == 'SetPosition':
            track = (self.value('Metadata') or {}).get('mpris:trackid', (None, None))[1]
            check(track, 'it does not know a track id')
            self.before = self.player.place()
            body = track, int(float(given[1]) * US)
        elif member == 'Seek':
            self.before = self.player.place()
            goal = float(given[-1])
            body = (int((goal - self.placed[1] if given[0] == 'to' else goal) * US),)
        self.open.append((member, self.bus.send(self.player.owner, interface, member,
                                                METHODS_OF[interface][member][0], *body), time.monotonic()))

    # The lines

    def do_reads(self, words):
        part, *names = words.split()
        self.reads[part] = {n.rstrip('?'): not n.endswith('?') for n in names}

    def do_asks(self, words):
        self.asks = tuple(part.split() for part in words.split(' after '))

    def do_match(self, rule):
        self.bus.daemon('AddMatch', 's', rule.format(name=self.player.name))

    def do_bus(self, words):
        member, *given = words.format(name=self.player.name).split()
        kinds = 'su' if member == 'StartServiceByName' else 's' if given else None
        answer = self.bus.call(DAEMON, DAEMON, member, kinds, *given, *([0] if kinds == 'su' else []),
                               path='/org/freedesktop/DBus')
        if member == 'ListNames':
            check(self.player.name in answer.value, f'{self.player.name} is not there')
        elif member == 'GetNameOwner':
            check(answer.value == self.player.owner, f'the owner is {answer.value}')

    def do_getall(self, part):
        self.finish()
        answer = self.call(PROPERTIES, 'GetAll', 's', INTERFACES[part])
        if part not in self.reads:
            announced = part == 'tracklist' and self.value('HasTrackList', ROOT)
            there = not answer.error and bool(answer.value)
            check(there or not announced, f'HasTrackList is true, GetAll answered {short(answer.error) or "nothing"}')
            return
        check(not answer.error and answer.signature == 'a{sv}', f'answered {short(answer.error) or answer.signature}')
        missing = [n for n, must in self.reads[part].items() if must and n not in answer.value]
        check(not missing, f'no {", ".join(missing)}')
        self.take_in()  # What was signalled before the answer is older than it.
        for name, value in sorted(answer.value.items(), key=lambda item: item[0] != 'PlaybackStatus'):
            self.learn(INTERFACES[part], name, value)

    def do_get(self, word):
        self.finish()
        interface, name = self.place_of(word.rstrip('?'))
        self.get(interface, name, not word.endswith('?'))

    def do_send(self, words):
        self.send(words)

    def do_call(self, words):
        self.send(words)
        self.finish()

    def set(self, name, value):
        kind = PROPERTIES_OF[PLAYER][name].type
        self.wanted[name] = value
        return self.bus.send(self.player.owner, PROPERTIES, 'Set', 'ssv', PLAYER, name, (kind, value))

    def do_set(self, words):
        name, value = words.split()
        self.open.append((f'Set {name}', self.set(name, float(value)), time.monotonic()))
        self.finish()

    def do_toggle(self, words):
        name, *values = words.split()
        one, other = ({'True': True, 'False': False}.get(v, v) for v in values)
        self.open.append((f'Set {name}', self.set(name, other if self.value(name) == one else one), time.monotonic()))

    def do_wheel(self, words):
        step, count = float(words.split()[0]), int(words.split()[1])
        for _ in range(count):
            now = self.value('Volume')
            now = min(max(0.0, now + step), max(now, 1.0))
            self.known[PLAYER, 'Volume'] = ('d', now)
            self.open.append(('Set Volume', self.set('Volume', now), time.monotonic()))

    def untrue(self, status):
        """Returns what the controller shows that is not so."""
        self.take_in()
        found = []
        for part in ('root', 'player'):
            now = self.player.all(INTERFACES[part])
            for name in self.reads[part]:
                shown, real = self.value(name, INTERFACES[part]), now.get(name, (None, None))[1]
                if name == 'Metadata':
                    shown, real = ({n: rounded(n, d.get(n)) for n in self.reads['metadata']}
                                   for d in (shown or {}, real or {}))
                if name != 'Position' and (INTERFACES[part], name) in self.known and not same(shown, real):
                    found.append(f'it shows {name} {shown}, and it is {real}')
        found += [f'{n} was set to {v}, it shows {self.value(n)}' for n, v in self.wanted.items()
                  if n in self.reads['player'] and not same(self.value(n), v, 0.02)]
        if status and self.value('PlaybackStatus') != status:
            found.append(f'it shows {self.value("PlaybackStatus")}')
        return found

    def do_shows(self, status):
        self.finish()
        self.waits(lambda: self.untrue(status))
        self.wanted = {}

    def waits(self, faults):
        """Waits until a list of faults is empty; fails with what is in it."""
        last = []

        def right():
            last[:] = faults()
            return not last
        try:
            self.player.until(right, '')
        except Fail as fault:
            raise type(fault)('; '.join(last) or str(fault))

    def off(self, goal=None):
        """Returns how the position that is shown is wrong."""
        self.take_in()
        if not self.placed:
            return ['it does not know the position']
        asked, real = self.player.place()
        shown = self.position - (time.monotonic() - asked if self.value('PlaybackStatus') == 'Playing' else 0)
        if abs(shown - real) > NEAR:
            return [f'it shows {shown:.2f} s, and it is {real:.2f} s']
        if goal is not None and self.before:
            ran = time.monotonic() - self.before[0] if self.value('PlaybackStatus') == 'Playing' else 0
            if not goal - LANDING < shown < goal + ran * (self.value('Rate') or 1.0) + LANDING:
                return [f'it shows {shown:.2f} s, the goal was {goal:g} s']
        return []

    def do_at(self, goal):
        self.finish()
        self.waits(lambda: self.off(float(goal) if goal else None))

    def do_runs(self, seconds):
        end = time.monotonic() + float(seconds)
        while time.monotonic() < end:
            wrong = self.off()
            check(not wrong, '; '.join(wrong))
            self.player.observe(0.2)

    def do_reaches(self, goal):
        self.finish()
        if self.before is None:
            return
        at, position = self.before

        def away():
            ran = time.monotonic() - at
            wanted = position + float(goal) if re.match('[+-]', goal) else float(goal)
            now = self.player.position
            return [] if max(0, wanted) - LANDING < now < max(0, wanted) + ran + LANDING else [f'it is at {now:.2f} s']
        self.waits(away)


def same(one, other, tolerance=1e-3):
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= tolerance
    return one == other


def rounded(name, value):
    """Returns an entry of Metadata as it is shown: a length in tenths of a second."""
    return ('x', round(value[1] / US, 1)) if name == 'mpris:length' and value else value
