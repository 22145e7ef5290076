# SPDX-License-Identifier: Apache-2.0
"""Faults of a player, each a change of one thing in the fake one, and the case that must notice it."""
import os
from typing import Callable, NamedTuple

from jeepney import HeaderFields

from bus import PROPERTIES
from spec import PLAYER, ROOT, TRACKLIST

FAULTS = {}


class Fault(NamedTuple):
    case: str       # The name of the case that must fail.
    into: Callable  # Puts the fault into a fake player.


def value(name, change, interface=PLAYER):
    """Returns a fault that tells another value of a property: change(type, value) gives (type, value), or None to leave it out."""
    def into(fake):
        real = fake.properties

        def properties(asked):
            found = real(asked)
            if asked == interface and name in found:
                found[name] = change(*found[name])
            return {n: v for n, v in found.items() if v is not None}
        fake.properties = properties
    return into


def entry(name, change):
    """Returns a fault that tells another entry of Metadata."""
    def changed(kind, data):
        data = dict(data)
        data[name] = change(*data.get(name, (None, None)))
        return kind, {n: v for n, v in data.items() if v is not None}
    return value('Metadata', changed)


def method(name, replacement):
    """Returns a fault that carries out a method in another way: replacement(fake, the right one, *arguments)."""
    def into(fake):
        right = getattr(fake, name)
        setattr(fake, name, lambda *a: replacement(fake, right, *a))
    return into


def both(name, first=None, then=None):
    """Returns a fault that does something before or after the right thing."""
    def replacement(fake, right, *a):
        if first:
            first(fake)
        result = right(*a)
        if then:
            then(fake)
        return result
    return method(name, replacement)


def listed(name, case, *changes):
    """Adds a fault to the list."""
    def into(fake):
        for change in changes:
            change(fake)
    FAULTS[name] = Fault(case, into)


def changed_signal(fake, **values):
    fake.emit(PROPERTIES, 'PropertiesChanged', 'sa{sv}as', PLAYER, values, [])


def die(fake, *_):
    os._exit(3)


def afterwards(member, act):
    """Returns a fault that does something after the answer to a method."""
    def replacement(fake, right, message, reply):
        right(message, reply)
        if message.header.fields[HeaderFields.member] == member:
            act(fake)
    return method('answer', replacement)


def unsignalled(name, when=lambda fake: True):
    """Returns a fault that does not signal a property."""
    return method('signalled', lambda f, right: {n: v for n, v in right().items() if n != name or not when(f)})


def shown(name, attribute):
    """Returns a fault that tells a property from an attribute of its own once that is set."""
    def into(fake):
        value(name, lambda k, v: (k, getattr(fake, attribute, v)))(fake)
    return into


# Root and introspection
listed('no identity', 'root: the identity is a name', value('Identity', lambda k, v: (k, ''), ROOT))
listed('the desktop entry is a path', 'root: the desktop entry is a basename',
       value('DesktopEntry', lambda k, v: (k, '/usr/share/fake.desktop'), ROOT))
listed('a scheme with a colon', 'root: the schemes are lower case',
       value('SupportedUriSchemes', lambda k, v: (k, [*v, 'HTTP:']), ROOT))
listed('a mime type that is none', 'root: the mime types have their form',
       value('SupportedMimeTypes', lambda k, v: (k, ['mp3']), ROOT))
listed('a scheme twice', 'root: no scheme or type is named twice',
       value('SupportedUriSchemes', lambda k, v: (k, v * 2), ROOT))
listed('the track list is denied', 'root: a track list is there if it is announced',
       value('HasTrackList', lambda k, v: (k, False), ROOT))
listed('raise pauses', 'root: raise does what can raise says', both('Raise', first=lambda f: f.Pause()))
listed('fullscreen is taken', 'root: fullscreen follows can set fullscreen',
       method('Set', lambda f, right, i, n, v: setattr(f, 'fullscreen', v[1]) if n == 'Fullscreen' else right(i, n, v)))
listed('introspection is cut off', 'introspection: the introspection data is xml',
       method('describe', lambda f, right: right()[:-9]))
listed('introspection hides the track list', 'introspection: exactly the implemented interfaces are described',
       method('describe', lambda f, right: right().replace(TRACKLIST, 'org.example.List')))
listed('introspection hides quit', 'introspection: the root is described rightly',
       method('describe', lambda f, right: right().replace('"Quit"', '"End"')))
listed('introspection has position as int', 'introspection: the player is described rightly',
       method('describe', lambda f, right: right().replace('"Position" type="x"', '"Position" type="i"')))
listed('introspection has no seeked', 'introspection: the player is described rightly',
       method('describe', lambda f, right: right().replace('<signal name="Seeked">', '<signal name="Sought">')))
listed('introspection: track added without its place', 'introspection: the track list is described rightly',
       method('describe', lambda f, right: right().replace('<arg type="a{sv}"/><arg type="o"/></signal>',
                                                           '<arg type="a{sv}"/></signal>')))
listed('introspection has a property too much', 'introspection: what is described is there',
       method('describe', lambda f, right: right().replace(
           '<property name="Rate"', '<property name="Mood" type="s" access="read"/><property name="Rate"')))
listed('introspection says that position is signalled', 'introspection: the position is announced as unsignalled',
       method('describe', lambda f, right: right().replace('value="false"', 'value="true"')))

# Properties and calls
listed('position is a double', 'properties: every property is there with its type',
       value('Position', lambda k, v: ('d', float(v))))
listed('rate is an int', 'properties: every property is there with its type', value('Rate', lambda k, v: ('i', int(v))))
listed('can seek is missing', 'properties: every property is there with its type', value('CanSeek', lambda k, v: None))
listed('get all has another rate', 'properties: get all says what get says',
       method('GetAll', lambda f, right, i: {n: ('d', 9.0) if n == 'Rate' else v for n, v in right(i).items()}))
listed('get all ignores the interface', 'properties: get all needs an interface that exists',
       method('GetAll', lambda f, right, i: f.properties(PLAYER if i not in (ROOT, TRACKLIST) else i)))
listed('unknown properties are empty', 'properties: an unknown property is an error',
       method('Get', lambda f, right, i, n: right(i, n) if n in f.properties(i) else ('s', '')))
listed('unknown properties can be set', 'properties: an unknown property cannot be set',
       method('Set', lambda f, right, i, n, v: None if n == 'Nothing' else right(i, n, v)))
listed('position can be set', 'properties: what is read only keeps its value',
       method('Set', lambda f, right, i, n, v: f.place(v[1]) if n == 'Position' else right(i, n, v)))
listed('read-only is silent', 'properties: setting what is read only is an error',
       method('Set', lambda f, right, i, n, v: None if n == 'CanSeek' else right(i, n, v)))
listed('a string is a rate', 'properties: a value of the wrong type is an error',
       method('Set', lambda f, right, i, n, v: None if v[0] == 's' and n == 'Rate' else right(i, n, v)))
listed('dies of a wrong type', 'properties: a value of the wrong type is an error',
       method('Set', lambda f, right, i, n, v: die(f) if v[0] == 'ad' else right(i, n, v)))
listed('any loop status', 'properties: an unknown loop status is not taken',
       method('write', lambda f, right, n, v: setattr(f, 'loop', v) if n == 'LoopStatus' else right(n, v)))
listed('shuffle is not taken', 'properties: loop status and shuffle are set and signalled',
       method('write', lambda f, right, n, v: None if n == 'Shuffle' else right(n, v)))
listed('unknown methods succeed', 'calls: an unknown method is an error',
       lambda fake: setattr(fake, 'Nothing', lambda: None),
       method('find', lambda f, right, i, m: ('', '') if m == 'Nothing' else right(i, m)))
listed('unknown interfaces are player', 'calls: an unknown interface is an error',
       method('find', lambda f, right, i, m: right(None if i == 'org.example.Nothing' else i, m)))
listed('wrong arguments succeed', 'calls: wrong arguments are an error',
       method('fits', lambda f, right, m, s, w: m == 'Pause' or right(m, s, w)), method('Pause', lambda f, right, *a: right()))
listed('no ping', 'calls: ping is answered', method('Ping', lambda f, right: f.property(PLAYER, 'Ping')))
listed('what wants no answer is ignored', 'calls: a call that wants no answer is carried out',
       method('handle', lambda f, right, message: None if message.header.flags & 1 else right(message)))
listed('nan is a rate', 'calls: no rate is too odd', shown('Rate', 'odd'),
       method('set_rate', lambda f, right, v: setattr(f, 'odd', v) if v != v else right(v)))
listed('nan is a volume', 'calls: no volume is too odd',
       method('set_volume', lambda f, right, v: setattr(f, 'volume', v)))
listed('a negative position is taken', 'calls: no position is too odd',
       method('SetPosition', lambda f, right, t, x: f.place(max(x, -3600_000_000)) if x < 0 else right(t, x)))
listed('no open uri', 'calls: every method is there',
       method('find', lambda f, right, i, m: right(i, 'None' if m == 'OpenUri' else m)))
listed('any object will do', 'calls: an unknown object is an error', method('exists', lambda f, right, path: True))
listed('refused and yet done', 'calls: a call without an interface is answered',
       method('find', lambda f, right, i, m: right(i, m) if i else (f.Pause(), right('org.example.None', m))))
