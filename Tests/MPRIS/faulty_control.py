# SPDX-License-Identifier: Apache-2.0
"""The faults that only controllers notice: what the fake player does wrong with their sequences of calls and signals."""
import time

from bus import PROPERTIES
from faults import both, die, listed, method, unsignalled, value
from faulty_playback import FAULTS
from spec import PLAYER, ROOT

US = 1_000_000
__all__ = ['FAULTS']


def late(fake, right, path):
    """Has its object only a moment after it has its name."""
    return time.monotonic() > fake.named + 0.2 and right(path)


def relative(fake, right, offset):
    """Takes the offset of Seek as a position, except for those that are below zero."""
    right(offset - fake.position if offset > 0 else offset)


listed('CanGoNext is not signalled', 'controllers: gnome shell', unsignalled('CanGoNext'))
listed('no title in Metadata', 'controllers: gnome shell', value(
    'Metadata', lambda k, v: (k, {n: e for n, e in v.items() if n != 'xesam:title'})))
listed('CanRaise is missing', 'controllers: gnome shell', value('CanRaise', lambda k, v: None, ROOT))
listed('a seek is a position', 'controllers: gnome media keys', method('Seek', relative))
listed('Shuffle is set and not told', 'controllers: gnome media keys', unsignalled('Shuffle'))
listed('Seeked is five seconds off', 'controllers: plasma',
       method('seeked', lambda f, right: f.emit(PLAYER, 'Seeked', 'x', f.position + 5 * US)))
listed('the wheel loses steps', 'controllers: plasma', method(
    'set_volume', lambda f, right, v: right(v) if abs(v - f.volume) > 0.04 else None))
listed('the position stands still at a rate', 'controllers: plasma', lambda fake: value(
    'Position', lambda k, v: (k, int(fake.base) if fake.rate != 1 else v))(fake))
listed('half of the way', 'controllers: kde connect', method('Seek', lambda f, right, x: right(x // 2)))
listed('half of the volume', 'controllers: kde connect', method('set_volume', lambda f, right, v: right(v / 2)))
listed('Play when playing pauses', 'controllers: playerctl',
       method('Play', lambda f, right: f.Pause() if f.status == 'Playing' else right()))
listed('settings are refused', 'controllers: playerctl',
       method('Set', lambda f, right, i, n, v: f.property(PROPERTIES, n)))
listed('dies of an unknown interface', 'controllers: playerctld',
       method('GetAll', lambda f, right, i: die(f) if 'Playlists' in i else right(i)))
listed('the rate is told as it was', 'controllers: playerctld', unsignalled('Rate'))
listed('the name comes before the object', 'controllers: who watches finds a player that comes',
       both('own', then=lambda f: setattr(f, 'named', time.monotonic())), method('exists', late))
