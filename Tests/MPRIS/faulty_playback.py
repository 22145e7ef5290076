# SPDX-License-Identifier: Apache-2.0
"""The faults of playback: what the fake player does wrong with states, signals, positions, items and clients."""
import os
import time
import urllib.parse

from jeepney import DBusAddress, HeaderFields, new_method_call, new_method_return

from bus import DAEMON, PROPERTIES
from faults import FAULTS, afterwards, both, changed_signal, die, entry, listed, method, shown, unsignalled, value
from spec import OUTCOME, PLAYER, TRACKLIST

US = 1_000_000
__all__ = ['FAULTS']


# States
def misstep(name, before, after):
    wrong = {'Playing': 'Paused', 'Paused': 'Stopped', 'Stopped': 'Paused'}[after]
    listed(f'{name} when {before} leads to {wrong}', f'states: {name} when {before} leads to {after}',
           method(name, lambda f, right: setattr(f, 'status', wrong) if f.status == before else right()))


for _method, _row in OUTCOME.items():
    for _before, _after in _row.items():
        misstep(_method, _before, _after)

listed('stopped has another word', 'states: the status is one of three',
       value('PlaybackStatus', lambda k, v: (k, 'Halted' if v == 'Stopped' else v)))
for _method, _state in (('Play', 'Playing'), ('Pause', 'Paused'), ('Stop', 'Stopped')):
    listed(f'{_method} is always signalled', f'states: {_method.lower()} when {_state.lower()} has no effect',
           both(_method, then=lambda f: changed_signal(f, PlaybackStatus=('s', f.status))))
listed('Pause toggles', 'states: two calls at once act once',
       method('Pause', lambda f, right: right() if f.status == 'Playing' else f.Play()))
listed('PlayPause acts twice', 'states: play pause toggles', method('PlayPause', lambda f, right: (right(), right())))
listed('Stop keeps the place', 'states: play after stop begins at the start',
       both('Play', then=lambda f: f.place(30 * US)))
listed('Play goes on elsewhere', 'states: play after pause continues at the same place',
       both('Play', then=lambda f: f.place(f.base + 5 * US)))
listed('no control', 'states: nothing can be done without control', value('CanControl', lambda k, v: (k, False)))
listed('what is paused cannot be paused', 'states: can play and can pause do not depend on the state',
       lambda fake: value('CanPause', lambda k, v: (k, fake.status == 'Playing'))(fake))
listed('Previous restarts the first', 'states: what cannot be done has no effect',
       method('Previous', lambda f, right: right() if f.current else f.place(0)))
listed('Next does nothing', 'states: next does what can go next says', method('Next', lambda f, right: None))
listed('Previous does nothing', 'states: previous does what can go previous says',
       method('Previous', lambda f, right: None))
listed('Next plays', 'states: next when paused stays paused', both('Next', then=lambda f: f.Play()))

# Changes
listed('the status is not signalled', 'changes: pause and play are signalled', unsignalled('PlaybackStatus'))
listed('Stop is not signalled', 'changes: stop is signalled',
       unsignalled('PlaybackStatus', lambda f: f.status == 'Stopped'))
for _name, _case in (('Metadata', 'another item is signalled'), ('Rate', 'the rate is signalled'),
                     ('Volume', 'the volume is signalled'), ('PlaybackStatus', 'the answer to pause is true')):
    listed(f'{_name}: no PropertiesChanged', f'changes: {_case}', unsignalled(_name))


def everything(fake, right):
    """Signals every property at every change."""
    if fake.told != fake.signalled():
        fake.told = {}
    right()


def twice(fake, right):
    before = fake.told
    if before != fake.signalled():
        right()
        fake.told = before
    right()


def swapped(fake, right):
    """Signals Playing for Paused, and Paused for Playing."""
    found = right()
    kind, status = found['PlaybackStatus']
    return {**found, 'PlaybackStatus': (kind, {'Playing': 'Paused', 'Paused': 'Playing'}.get(status, status))}


listed('every change signals everything', 'changes: only what changed is signalled', method('tell', everything))
listed('every change is signalled twice', 'changes: a change is signalled once', method('tell', twice))
listed('Position is signalled', 'changes: the position is never signalled',
       method('signalled', lambda f, right: {**right(), 'Position': ('x', f.position)}))
listed('Metadata is signalled all the time', 'changes: nothing is signalled while nothing changes',
       method('idle', lambda f, right: 0.3), both('tick', first=lambda f: changed_signal(f, Metadata=('a{sv}', f.track.metadata))))
listed('Volume is signalled as an int', 'changes: a signal has the types of get',
       method('signalled', lambda f, right: {**right(), 'Volume': ('i', int(f.volume * 100))}))
listed('signals say the opposite', 'changes: no signal is contradicted by get', method('signalled', swapped))
listed('a late signal is stale', 'changes: the last signal of a burst is true',
       afterwards('Pause', lambda f: changed_signal(f, PlaybackStatus=('s', 'Playing'))))
listed('CanControl is signalled', 'changes: can control is not signalled',
       afterwards('Pause', lambda f: changed_signal(f, CanControl=('b', True))))

# Positions
listed('Position in ms', 'position: the position runs in microseconds', value('Position', lambda k, v: (k, v // 1000)))
listed('Position in steps', 'position: the position is smooth enough to show',
       value('Position', lambda k, v: (k, v - v % (2 * US))))
listed('Position trembles', 'position: the position never goes back',
       value('Position', lambda k, v: (k, v - v % 7 * 20_000)))
listed('Position runs while paused', 'position: the position stands still when paused', lambda fake: value(
    'Position', lambda k, v: (k, v + int((time.monotonic() - fake.since) * US) if fake.status == 'Paused' else v))(fake))
listed('Position below zero', 'position: the position lies within the track',
       lambda fake: value('Position', lambda k, v: (k, -1 if fake.status == 'Stopped' else v))(fake))
listed('Pause goes back', 'position: a pause keeps the position', both('hold', then=lambda f: f.place(f.base - 3 * US)))
listed('an item starts in its middle', 'position: an opened item starts at its beginning',
       both('OpenUri', then=lambda f: f.place(20 * US)))

# Jumps
listed('Seeked missing', 'seeking: seek forward is announced', method('seeked', lambda f, right: None))
listed('Seeked in ms', 'seeking: seek back is announced',
       method('seeked', lambda f, right: f.emit(PLAYER, 'Seeked', 'x', f.position // 1000)))
listed('Seek starts playback', 'seeking: seek when paused is announced', both('Seek', then=lambda f: f.Play()))
listed('Seeked twice', 'seeking: a jump is announced once', method('seeked', lambda f, right: (right(), right())))
listed('SetPosition is silent', 'seeking: set position is announced',
       method('SetPosition', lambda f, right, t, x: f.place(x) if t == f.track.id and 0 <= x <= f.track.length else None))
listed('no way to 0', 'seeking: set position to zero goes to the start',
       method('SetPosition', lambda f, right, t, x: right(t, x) if x else None))
listed('no seek before the start', 'seeking: seek back beyond the start goes to zero',
       method('Seek', lambda f, right, x: right(x) if f.position + x > 0 else None))
listed('no seek beyond the end', 'seeking: seek beyond the end acts like next',
       method('move', lambda f, right, x: right(x) if x <= f.track.length else None))
listed('any track id accepted', 'seeking: an unknown track is not moved',
       method('SetPosition', lambda f, right, t, x: f.move(x)))
listed('stale track id accepted', 'seeking: a stale track is not moved',
       method('SetPosition', lambda f, right, t, x: f.move(x) if t in [o.id for o in f.tracks] else None))
listed('below zero is zero', 'seeking: a position below zero is ignored',
       method('SetPosition', lambda f, right, t, x: right(t, max(x, 0))))
listed('beyond the length is next', 'seeking: a position beyond the length is ignored',
       method('SetPosition', lambda f, right, t, x: f.move(x)))
listed('SetPosition plays', 'seeking: set position when paused stays paused',
       both('SetPosition', then=lambda f: f.Play()))
listed('Seeked at Play', 'seeking: pause and resume are no jumps', both('Play', then=lambda f: f.seeked()))
listed('a jump at Play without Seeked', 'seeking: pause and resume are no jumps',
       both('Play', then=lambda f: f.place(f.base - 3 * US)))
listed('Seeked at a change of rate', 'seeking: a change of rate is no jump',
       both('set_rate', then=lambda f: f.seeked()))
listed('Seeked at the start', 'seeking: a start is no jump', both('go', then=lambda f: f.seeked()))


def hurried(name, least):
    """Returns a fault that ignores a call that comes too soon after the last one."""
    def replacement(fake, right, *a):
        before, fake.last = getattr(fake, 'last', 0), time.monotonic()
        if fake.last - before > least:
            right(*a)
    return method(name, replacement)


listed('quick seeks are lost', 'seeking: many seeks end where they add up', hurried('Seek', 0.1))

# Rate and volume
listed('the range excludes 1', 'rate: the range of rates includes one', value('MinimumRate', lambda k, v: (k, 1.5)))
listed('rates beyond the range of one', 'rate: without other rates the range is one',
       value('MinimumRate', lambda k, v: (k, 1.0)),
       value('MaximumRate', lambda k, v: (k, 1.0)))
listed('a rate is only shown', 'rate: a rate is played',
       shown('Rate', 'odd'), method('set_rate', lambda f, right, v: setattr(f, 'odd', v)))
listed('rate 0 accepted', 'rate: rate zero acts like pause', shown('Rate', 'odd'),
       method('set_rate', lambda f, right, v: right(v) if v else setattr(f, 'odd', v)))
listed('rate 0 ignored', 'rate: rate zero acts like pause',
       method('set_rate', lambda f, right, v: right(v) if v else None))
listed('every rate is taken', 'rate: a rate out of range is not taken', shown('Rate', 'odd'),
       method('set_rate', lambda f, right, v: setattr(f, 'odd', v) if v > 2 else right(v)))
listed('Pause resets the rate', 'rate: a rate survives a pause', both('Pause', then=lambda f: f.set_rate(1.0)))
listed('the volume is rounded', 'rate: a volume reads back',
       method('set_volume', lambda f, right, v: right(round(v * 2) / 2)))
listed('a negative volume is turned', 'rate: a negative volume is zero',
       method('set_volume', lambda f, right, v: right(abs(v))))
listed('a volume resumes', 'rate: the volume is no state of playback', both('set_volume', first=lambda f: f.Play()))

# Items
listed('the length is unsigned', 'metadata: every entry has its type', entry('mpris:length', lambda k, v: ('t', v)))
listed('the track id is a string', 'metadata: the current item has a track id',
       entry('mpris:trackid', lambda k, v: ('s', v)))
listed('the track id is reserved', 'metadata: the current item has a track id',
       entry('mpris:trackid', lambda k, v: (k, v.replace('/org/example', '/org/mpris'))))
listed('all items have one id', 'metadata: two items have two track ids',
       entry('mpris:trackid', lambda k, v: (k, '/track')))
listed('Pause makes another id', 'metadata: a track id stays',
       both('Pause', then=lambda f: setattr(f.track, 'id', f.track.id + '1')))
listed('the length in ms', 'metadata: the length is in microseconds',
       entry('mpris:length', lambda k, v: (k, v // 1000)))
listed('titles are shouted', 'metadata: title and artist are those of the file',
       entry('xesam:title', lambda k, v: (k, v.upper())))
listed('the artist is a string', 'metadata: title and artist are those of the file',
       entry('xesam:artist', lambda k, v: ('s', v and v[0] or '')))
listed('no title without tags', 'metadata: an item without tags has a title',
       entry('xesam:title', lambda k, v: (k, '' if 'without' in v else v)))
listed('the url is a path', 'metadata: the url is a uri', entry('xesam:url', lambda k, v: (k, urllib.parse.unquote(v))))
listed('the picture is gone', 'metadata: the picture is there',
       entry('mpris:artUrl', lambda k, v: ('s', 'file:///nowhere/cover.png')))
listed('Playing comes before the item', 'metadata: who hears of playing finds the item',
       lambda fake: value('Metadata', lambda k, v: (
    k, {} if fake.status == 'Playing' and fake.current > 1 and time.monotonic() - fake.since < 1 else v))(fake))
listed('a pause hides the item', 'metadata: metadata is kept when paused', lambda fake: value('Metadata', lambda k, v: (
    k, {'mpris:trackid': v['mpris:trackid']} if fake.status == 'Paused' else v))(fake))
listed('Stop makes another id', 'metadata: without an item there is no track id',
       lambda fake: value('Metadata', lambda k, v: (
    k, {'mpris:trackid': ('o', '/another')} if fake.status == 'Stopped' else v))(fake))

# Opening
listed('what is opened waits', 'opening: a file plays',
       method('OpenUri', lambda f, right, u: f.tracks.append(f.load(u))))


def quietly(fake, right, uri):
    status = fake.status
    right(uri)
    fake.status = status


def failing(fake, right, uri):
    """Opens a file; if it cannot be opened, stops without an error."""
    try:
        right(uri)
    except Exception:
        fake.Stop()


listed('what is opened does not start', 'opening: a file plays when stopped', method('OpenUri', quietly))
listed('blanks are not unescaped', 'opening: a name with blanks is opened escaped',
       method('load', lambda f, right, u: right(u.replace('%20', '%2520'))))
listed('an unknown scheme stops', 'opening: an unknown scheme has no effect',
       method('load', lambda f, right, u: right(u) if u.startswith('file') else (f.Stop(), right(u))))
listed('nothing stops', 'opening: what is no uri has no effect',
       method('load', lambda f, right, u: right(u) if u else (f.Stop(), right(u))))
listed('a missing file stops', 'opening: a missing file is an error or has no effect', method('OpenUri', failing))
listed('dies of a broken file', 'opening: a file without sound does no harm',
       method('load', lambda f, right, u: die(f) if 'broken' in u else right(u)))

# The track list
listed('a track twice', 'tracklist: tracks are unique object paths',
       value('Tracks', lambda k, v: (k, v + v[:1]), TRACKLIST))
listed('the current track is hidden', 'tracklist: the current item is in the list',
       value('Tracks', lambda k, v: (k, v[1:]), TRACKLIST))
listed('the last track is unknown', 'tracklist: the metadata of known tracks is returned',
       method('GetTracksMetadata', lambda f, right, ids: right(ids)[:-1] if len(ids) > 1 else right(ids)))
listed('two interfaces, two titles', 'tracklist: both interfaces say the same of the current item',
       method('GetTracksMetadata', lambda f, right, ids: [{**m, 'xesam:title': ('s', 'Other')} for m in right(ids)]))
listed('unknown tracks are empty', 'tracklist: unknown tracks are left out',
       method('GetTracksMetadata', lambda f, right, ids: [(right([i]) or [{}])[0] for i in ids]))
listed('GoTo nowhere is next', 'tracklist: go to an unknown track has no effect',
       method('GoTo', lambda f, right, t: right(t) if t in [o.id for o in f.tracks] else f.Next()))
listed('GoTo does nothing', 'tracklist: go to a track moves there', method('GoTo', lambda f, right, t: None))
listed('edited in spite of CanEditTracks', 'tracklist: a list that cannot be edited stays',
       value('CanEditTracks', lambda k, v: (k, False), TRACKLIST))
listed('TrackAdded missing', 'tracklist: a list that can be edited is edited',
       method('emit', lambda f, right, i, m, *a: None if m == 'TrackAdded' else right(i, m, *a)))
listed('what is opened is not listed', 'tracklist: what is opened is in the list',
       value('Tracks', lambda k, v: (k, v[:2]), TRACKLIST))
listed('Tracks is sent', 'tracklist: tracks is invalidated', method('tell_tracks', lambda f, right: f.emit(
    PROPERTIES, 'PropertiesChanged', 'sa{sv}as', TRACKLIST, {'Tracks': ('ao', [t.id for t in f.tracks])}, [])))


# Life
def also(fake, right, name):
    right(name)
    fake.connection.send_and_get_reply(new_method_call(DBusAddress('/org/freedesktop/DBus', DAEMON, DAEMON), 'RequestName', 'su',
                                                       ('org.mpris.MediaPlayer2.other', 4)))


def two_faces(fake, right, message, reply):
    """Tells only the first client that asked the truth about the status."""
    sender = message.header.fields[HeaderFields.sender]
    fake.friend = getattr(fake, 'friend', sender)
    if message.body[1:2] == ('PlaybackStatus',) and sender != fake.friend:
        reply = new_method_return(message, 'v', (('s', 'Stopped'),))
    right(message, reply)


def mortal(name, most):
    """Returns a fault that dies of too many calls."""
    def replacement(fake, right, *a):
        fake.count = getattr(fake, 'count', 0) + 1
        return die(fake) if fake.count > most else right(*a)
    return method(name, replacement)


def seventh(fake, right):
    fake.count = getattr(fake, 'count', 0) + 1
    if fake.count % 7:
        right()


listed('two names', 'life: the name is owned once', method('own', also))
listed('two faces', 'life: two callers get one answer', method('answer', two_faces))
listed('a second Pause is an error', 'life: two callers may both control',
       method('Pause', lambda f, right: f.property(PLAYER, 'Pause') if f.status == 'Paused' else right()))
listed('dies of 300 questions', 'life: the position is answered quickly', mortal('Get', 300))
listed('dies of a flood', 'life: who leaves without an answer does no harm', mortal('GetAll', 60))
listed('every seventh PlayPause is lost', 'life: a burst of play pause ends where parity says', method('PlayPause', seventh))
listed('a second instance replaces the first', 'life: a second instance does not take the name',
       lambda fake: setattr(fake, 'flags', 7))
listed('a second instance ends the first', 'life: a second instance leaves no trace',
       lambda fake: setattr(fake, 'flags', 7))
listed('Quit does nothing', 'life: quit does what can quit says', method('Quit', lambda f, right: None))
listed('killed by the end of the bus', 'life: the end of the bus is survived',
       method('serve', lambda f, right: (right(), f.running and os.kill(os.getpid(), 9))))
