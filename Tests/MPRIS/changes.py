# SPDX-License-Identifier: Apache-2.0
"""Cases of PropertiesChanged: what is signalled, when, and whether it is true."""
import time

from bus import PROPERTIES
from cases import Fail, case, check, need
from spec import PLAYER, PROPERTIES_OF
from subject import short

SECTION = 'Player: PropertiesChanged'
ACTIONS = {
    'Pause': lambda p: p.do('Pause'),
    'Play': lambda p: p.do('Play'),
    'Volume': lambda p: p.set('Volume', 'd', 0.5),
    'Rate': lambda p: p.set('Rate', 'd', 1.25),
}
SIGNALS = {'Pause': ('PlaybackStatus', 'Paused'), 'Play': ('PlaybackStatus', 'Playing'), 'Volume': ('Volume', 0.5),
           'Rate': ('Rate', 1.25)}


def prepare(p, action):
    """Brings the player where an action has an effect."""
    (p.paused if action == 'Play' else p.playing)()
    if action == 'Rate':
        need(p.get('MinimumRate') <= 1.25 <= p.get('MaximumRate'), f'no rate but {p.get("Rate")}')


@case('Player.PlaybackStatus')
def pause_and_play_are_signalled(p):
    """PlaybackStatus is signalled with its new value when playback pauses and when it resumes."""
    seen = []
    for action in ('Pause', 'Play'):
        prepare(p, action)
        mark, began = p.mark(), time.monotonic()
        p.do(action)
        value = p.signalled(mark, 'PlaybackStatus', action)
        check(value == SIGNALS[action][1], f'{action} signalled {value}')
        check(p.said(mark, 'PlaybackStatus') == [value], f'{action} signalled {p.said(mark, "PlaybackStatus")}')
        signal = next(c.entry for c in p.changes(mark) if 'PlaybackStatus' in c.values)
        seen.append(f'{action} {(signal.at - began) * 1e3:.0f} ms')
    return ', '.join(seen)


@case('Player.Stop')
def stop_is_signalled(p):
    """PlaybackStatus is signalled as Stopped when playback stops."""
    p.playing()
    mark = p.mark()
    p.do('Stop')
    p.reaches('Stopped')
    check(p.signalled(mark, 'PlaybackStatus', 'Stop') == 'Stopped', f'signalled {p.said(mark, "PlaybackStatus")}')


@case('Player.Metadata')
def another_item_is_signalled(p):
    """Metadata is signalled with the new item when another one is opened."""
    p.playing()
    mark = p.mark()
    track = p.another()
    p.until(lambda: p.said(mark, 'Metadata'), 'PropertiesChanged of Metadata')
    p.settle()
    told = p.said(mark, 'Metadata')[-1]
    check(told.get('mpris:trackid', (0, 0))[1] == track, f'the last Metadata has {told.get("mpris:trackid")}, Get has {track}')


@case('Player.Rate')
def the_rate_is_signalled(p):
    """Rate is signalled with its new value when it is set."""
    signalled(p, 'Rate')


@case('Player.Volume')
def the_volume_is_signalled(p):
    """Volume is signalled with its new value when it is set."""
    signalled(p, 'Volume')


def signalled(p, name):
    prepare(p, name)
    mark = p.mark()
    answer = ACTIONS[name](p)
    check(not answer.error, f'Set {name} answered {short(answer.error)}: {answer.value}')
    told = p.signalled(mark, name, f'Set {name}')
    p.settle()
    told, now = (p.said(mark, name) or [told])[-1], p.get(name)
    check(abs(told - now) < 1e-6, f'{told} was signalled, {now} is returned')
    return f'{told:g}'


@case(SECTION, 'practice')
def only_what_changed_is_signalled(p):
    """PropertiesChanged names the properties whose value changed, and no other."""
    faults = []
    for action in ACTIONS:
        prepare(p, action)
        before, mark = p.all(), p.mark()
        ACTIONS[action](p)
        p.until(lambda: p.changes(mark), f'PropertiesChanged after {action}')
        p.settle()
        for change in p.changes(mark):
            for name, value in change.values.items():
                if name in before and before[name][1] == value:
                    faults.append(f'{action} signalled {name} without a change')
                before[name] = (change.types[name], value)
    check(not faults, '; '.join(sorted(set(faults))))


@case(SECTION, 'practice')
def a_change_is_signalled_once(p):
    """One change makes one signal: not two that say the same, and not one for every property."""
    faults = []
    for action in ACTIONS:
        prepare(p, action)
        mark = p.mark()
        ACTIONS[action](p)
        p.until(lambda: p.changes(mark), f'PropertiesChanged after {action}')
        p.observe()
        count = sum(SIGNALS[action][0] in c.names for c in p.changes(mark))
        if count != 1:
            faults.append(f'{action}: {count} signals of {SIGNALS[action][0]}')
    check(not faults, '; '.join(faults))


@case('Player.Position')
def the_position_is_never_signalled(p):
    """PropertiesChanged never names Position: not while playing, nor at a pause or a jump."""
    p.playing()
    mark = p.mark()
    p.observe(2)
    if p.can('Seek'):
        p.do('Seek', 'x', 5_000_000)
    p.observe(0.5)
    p.do('Pause')
    p.observe(0.5)
    p.do('Play')
    p.observe(0.5)
    found = [c for c in p.changes(mark) if 'Position' in c.names]
    check(not found, f'{len(found)} signals of Position')


@case(SECTION, 'practice')
def nothing_is_signalled_while_nothing_changes(p):
    """While an item just plays, nothing is signalled."""
    p.playing()
    mark = p.mark()
    p.observe(3)
    found = [sorted(c.names) for c in p.changes(mark)] + [e.member for e in p.seeks(mark)]
    check(not found, f'in 3 s: {found}')


@case(SECTION)
def a_signal_has_the_types_of_get(p):
    """A value in PropertiesChanged has the type of the specification, and the signal names the right interface."""
    p.playing()
    mark = p.mark()
    for action in ('Pause', 'Play', 'Volume'):
        ACTIONS[action](p)
        p.settle()
    if p.opens_files:
        p.open(p.media.second)
        p.settle()
    signals = [e for e in p.since(mark) if e.interface == PROPERTIES]
    need(signals, 'nothing was signalled')
    faults = [f'signature {e.signature}' for e in signals if e.signature != 'sa{sv}as']
    for change in p.changes(mark):
        for name, kind in change.types.items():
            wanted = PROPERTIES_OF[PLAYER].get(name)
            if wanted is None:
                faults.append(f'{name} is no property of Player')
            elif wanted.type != kind:
                faults.append(f'{name} is {kind}, not {wanted.type}')
    check(not faults, '; '.join(sorted(set(faults))))


@case(SECTION, 'practice')
def no_signal_is_contradicted_by_get(p):
    """After a signal, Get returns what the signal said, unless a newer signal says otherwise."""
    for action in ACTIONS:
        if action == 'Rate' and not p.get('MinimumRate') <= 1.25 <= p.get('MaximumRate'):
            continue
        prepare(p, action)
        mark, name = p.mark(), SIGNALS[action][0]
        ACTIONS[action](p)
        end = time.monotonic() + p.patience
        while not p.said(mark, name) and time.monotonic() < end:
            p.bus.receive(0.1)
        check(p.said(mark, name), f'{name} was not signalled after {action}')
        now = p.get(name)
        told = p.said(mark, name)[-1]
        if now != told:
            p.observe()
            check(now in p.said(mark, name), f'after {action}, {told} was signalled, then Get {name} returned {now}')
    return ', '.join(ACTIONS)


@case(SECTION, 'practice')
def the_last_signal_of_a_burst_is_true(p):
    """After many quick changes, the last signalled status is the one that Get returns."""
    p.playing()
    mark = p.mark()
    for method in ('Pause', 'Play') * 5 + ('Pause',):
        p.do(method)
    p.reaches('Paused')
    p.observe()
    said = p.said(mark, 'PlaybackStatus')
    check(said, 'PlaybackStatus was not signalled')
    check(said[-1] == p.status, f'the last signal says {said[-1]}, Get says {p.status}')
    return f'{len(said)} signals for 11 changes'


@case(SECTION, 'practice')
def the_answer_to_pause_is_true(p):
    """When Pause is answered, or soon after, its signal is there, and the order of both is reported (not judged)."""
    p.playing()
    mark = p.mark()
    answer = p.do('Pause')
    at_once = p.status
    p.reaches('Paused')
    p.signalled(mark, 'PlaybackStatus', 'Pause')
    signal = next(c.entry for c in p.changes(mark) if 'PlaybackStatus' in c.names)
    order = 'before' if signal.at <= answer.at else 'after'
    return f'signal {order} the answer, by {abs(signal.at - answer.at) * 1e3:.1f} ms; the status at the answer is {at_once}'


@case('Player.CanControl')
def can_control_is_not_signalled(p):
    """CanControl does not change, and PropertiesChanged does not name it."""
    p.playing()
    mark, before = p.mark(), p.get('CanControl')
    for method in ('Pause', 'Play', 'Stop'):
        p.call(method)
        p.settle()
    if any('CanControl' in c.names for c in p.changes(mark)):
        raise Fail('CanControl was signalled')
    check(p.get('CanControl') == before, f'CanControl became {not before}')
