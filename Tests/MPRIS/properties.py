# SPDX-License-Identifier: Apache-2.0
"""Cases of properties in general: types, access by Get, GetAll and Set, and what is wrong in a question."""
from bus import PROPERTIES
from cases import case, check, need
from spec import PLAYER, PROPERTIES_OF, ROOT, TRACKLIST
from subject import short

MOVING = {'Position'}  # What differs between two questions without a change.


def interfaces(p):
    return [ROOT, PLAYER] + ([TRACKLIST] if p.has_tracks else [])


@case('MediaPlayer2, Player, TrackList: Properties')
def every_property_is_there_with_its_type(p):
    """Every property that is not optional is there, and each has exactly the type of the specification."""
    p.playing()
    faults = []
    for interface in interfaces(p):
        for name, wanted in PROPERTIES_OF[interface].items():
            answer = p.call('Get', 'ss', interface, name, interface=PROPERTIES)
            if answer.error:
                faults += [] if wanted.optional else [f'{name}: {short(answer.error)}']
            elif answer.signature != 'v' or answer.value[0] != wanted.type:
                faults.append(f'{name} is {answer.value[0] if answer.signature == "v" else answer.signature}, not {wanted.type}')
    check(not faults, '; '.join(faults))


@case('D-Bus Properties.GetAll', 'practice')
def get_all_says_what_get_says(p):
    """GetAll returns every property of an interface, with the type and value that Get returns."""
    p.paused()
    faults = []
    for interface in interfaces(p):
        values = p.all(interface)
        faults += [f'{n} is missing in GetAll' for n, w in PROPERTIES_OF[interface].items()
                   if n not in values and p.maybe(n, interface) is not None]
        for name, value in values.items():
            one = p.variant(name, interface)
            if one != value and name not in MOVING or one[0] != value[0]:
                faults.append(f'{name}: GetAll {value}, Get {one}')
    check(not faults, '; '.join(faults))


@case('D-Bus Properties.GetAll', 'practice')
def get_all_needs_an_interface_that_exists(p):
    """GetAll of an unknown interface answers with an error, or with nothing; never with another interface's properties."""
    p.ensure()
    answer = p.call('GetAll', 's', 'org.example.Nothing', interface=PROPERTIES)
    check(answer.error or not answer.value, f'{len(answer.value or {})} properties')
    p.lives()
    return short(answer.error) or 'empty'


@case('D-Bus Properties.Get', 'practice')
def an_unknown_property_is_an_error(p):
    """Get of an unknown property, or of a property of an unknown interface, answers with an error."""
    p.ensure()
    for interface, name in ((PLAYER, 'Nothing'), (ROOT, 'PlaybackStatus'), ('org.example.Nothing', 'Rate'), (PLAYER, '')):
        answer = p.call('Get', 'ss', interface, name, interface=PROPERTIES)
        check(answer.error, f'Get {interface} {name!r} answered {answer.value}')
    p.lives()


@case('D-Bus Properties.Set', 'practice')
def an_unknown_property_cannot_be_set(p):
    """Set of an unknown property answers with an error."""
    p.ensure()
    answer = p.set('Nothing', 's', 'x')
    check(answer.error, 'Set Nothing answered without an error')
    p.lives()
    return short(answer.error)


READ_ONLY = {'PlaybackStatus': ('s', 'Stopped'), 'Metadata': ('a{sv}', {}), 'Position': ('x', 1), 'MinimumRate': ('d', 0.1),
             'MaximumRate': ('d', 9.0), 'CanGoNext': ('b', False), 'CanGoPrevious': ('b', False), 'CanPlay': ('b', False),
             'CanPause': ('b', False), 'CanSeek': ('b', False), 'CanControl': ('b', False)}


@case('Player: Properties')
def what_is_read_only_keeps_its_value(p):
    """Setting a read-only property has no effect."""
    p.paused()
    before = p.all()
    for name, (kind, value) in READ_ONLY.items():
        p.set(name, kind, value)
    p.settle()
    after = p.all()
    changed = [f'{n}: {before[n][1]} became {after[n][1]}' for n in READ_ONLY if before.get(n) != after.get(n)]
    check(not changed, '; '.join(changed))
    p.lives()


@case('D-Bus Properties.Set', 'practice')
def setting_what_is_read_only_is_an_error(p):
    """Setting a read-only property answers with an error (PropertyReadOnly by the D-Bus specification)."""
    p.paused()
    answers = {n: p.set(n, kind, value).error for n, (kind, value) in READ_ONLY.items()}
    silent = [n for n, error in answers.items() if not error]
    check(not silent, f'no error for {", ".join(silent)}')
    p.lives()
    return ', '.join(sorted({short(e) for e in answers.values()}))


WRITTEN_WRONG = {'Rate': [('s', 'fast'), ('b', True), ('ad', [1.0]), ('v', ('d', 1.0))],
                 'Volume': [('s', 'loud'), ('o', '/'), ('a{sv}', {})],
                 'LoopStatus': [('i', 1), ('s', 'Sometimes'), ('s', '')],
                 'Shuffle': [('s', 'true'), ('i', 1)]}


@case('D-Bus Properties.Set', 'practice')
def a_value_of_the_wrong_type_is_an_error(p):
    """Setting a property to a value of another type answers InvalidArgs, changes nothing, and the player lives."""
    p.paused()
    faults = []
    for name, values in WRITTEN_WRONG.items():
        before = p.maybe(name)
        if before is None:
            continue
        for kind, value in values:
            if kind == 's' and name == 'LoopStatus':
                continue  # The right type: the next case.
            error = p.set(name, kind, value).error
            if not error:
                faults.append(f'{name} = {kind} {value!r} answered without an error')
            elif short(error) not in ('InvalidArgs', 'InvalidSignature'):
                faults.append(f'{name} = {kind} {value!r} answered {short(error)}')
        p.settle(0.2)
        if p.get(name) != before:
            faults.append(f'{name} became {p.get(name)}')
    check(not faults, '; '.join(faults))
    p.lives()


@case('Player.LoopStatus')
def an_unknown_loop_status_is_not_taken(p):
    """LoopStatus only has the values None, Track and Playlist, whatever is set."""
    p.ensure()
    need(p.maybe('LoopStatus') is not None, 'LoopStatus is not there')
    for value in ('Sometimes', ''):
        p.set('LoopStatus', 's', value)
        p.settle(0.2)
        check(p.get('LoopStatus') in ('None', 'Track', 'Playlist'), f'LoopStatus became {p.get("LoopStatus")!r}')
    p.lives()


@case('Player.LoopStatus')
def loop_status_and_shuffle_are_set_and_signalled(p):
    """LoopStatus and Shuffle, where they are there, take each of their values and are signalled with it."""
    p.playing()
    seen = []
    for name, kind, values in (('LoopStatus', 's', ('Track', 'Playlist', 'None')), ('Shuffle', 'b', (True, False))):
        if p.maybe(name) is None or p.maybe('CanControl') is False:
            continue
        for value in values:
            before, mark = p.get(name), p.mark()
            answer = p.set(name, kind, value)
            if answer.error and before == p.get(name):
                seen.append(f'{name} {value}: {short(answer.error)}')
                continue
            p.until(lambda: p.get(name) == value, f'{name} = {value}')
            if value != before:
                check(p.signalled(mark, name, f'Set {value}') == value, f'{name}: {value} was set, {p.said(mark, name)} signalled')
            seen.append(f'{name} {value}')
    need(seen, 'neither LoopStatus nor Shuffle can be set')
    return ', '.join(seen)
