# SPDX-License-Identifier: Apache-2.0
"""Cases of what the object says about itself in its introspection data."""
import xml.etree.ElementTree as xml

from bus import DAEMON, PROPERTIES
from cases import Fail, case, check, need
from spec import METHODS_OF, PLAYER, PLAYLISTS, PROPERTIES_OF, ROOT, SIGNALS_OF, TRACKLIST

STANDARD = {DAEMON + '.' + name for name in ('Introspectable', 'Properties', 'Peer', 'ObjectManager')}
SECTION = 'D-Bus Introspectable'


def described(p):
    """Returns {interface: element}, or fails."""
    p.ensure()
    answer = p.call('Introspect', interface=DAEMON + '.Introspectable')
    if answer.error or answer.signature != 's':
        raise Fail(f'Introspect answered {answer.error or answer.signature}')
    try:
        node = xml.fromstring(answer.value)
    except xml.ParseError as fault:
        raise Fail(f'the introspection data is not XML: {fault}')
    return {i.get('name'): i for i in node.findall('interface')}


def arguments(member, direction):
    """Returns the types of a member's arguments; those of a method are "in" unless they say otherwise."""
    return ''.join(a.get('type', '') for a in member.findall('arg') if a.get('direction', 'in') == direction)


def compare(element, interface):
    """Returns what the description of an interface has wrong."""
    faults = []
    methods = {m.get('name'): m for m in element.findall('method')}
    for name, (given, returned) in METHODS_OF[interface].items():
        if name not in methods:
            faults.append(f'no method {name}')
        elif (arguments(methods[name], 'in'), arguments(methods[name], 'out')) != (given, returned):
            faults.append(f'{name}({arguments(methods[name], "in")}) -> ({arguments(methods[name], "out")})')
    signals = {s.get('name'): ''.join(a.get('type', '') for a in s.findall('arg')) for s in element.findall('signal')}
    for name, kind in SIGNALS_OF[interface].items():
        if signals.get(name) != kind:
            faults.append(f'signal {name} has {signals[name]}, not {kind}' if name in signals else f'no signal {name}')
    properties = {q.get('name'): q for q in element.findall('property')}
    for name, wanted in PROPERTIES_OF[interface].items():
        q = properties.get(name)
        if q is None:
            faults += [] if wanted.optional else [f'no property {name}']
            continue
        access = {'readwrite'} if wanted.writable else {'read'}
        if wanted.writable and (wanted.optional or name in ('Rate', 'Volume')):
            access.add('read')  # Of a player that does not offer to set it.
        if q.get('type') != wanted.type or q.get('access') not in access:
            faults.append(f'{name} is {q.get("type")} {q.get("access")}, not {wanted.type} {" or ".join(sorted(access))}')
    return faults


@case(SECTION, 'practice')
def the_introspection_data_is_xml(p):
    """Introspect answers with XML that parses and names the MPRIS interfaces and Properties."""
    found = described(p)
    missing = [i for i in (ROOT, PLAYER, PROPERTIES) if i not in found]
    check(not missing, f'not described: {missing}')
    return f'{len(found)} interfaces'


@case(SECTION, 'practice')
def exactly_the_implemented_interfaces_are_described(p):
    """An MPRIS interface is described if and only if its properties answer, and nothing unknown is in its name space."""
    found = described(p)
    for interface in (ROOT, PLAYER, TRACKLIST, PLAYLISTS):
        answer = p.call('GetAll', 's', interface, interface=PROPERTIES)
        there = not answer.error and bool(answer.value)
        check(there == (interface in found),
              f'{interface} is {"" if interface in found else "not "}described, GetAll answers {answer.error or answer.value}')
    others = [i for i in found if i.startswith(ROOT) and i not in (ROOT, PLAYER, TRACKLIST, PLAYLISTS)]
    check(not others, f'unknown interfaces of org.mpris: {others}')


def described_rightly(p, interface):
    found = described(p)
    need(interface in found or interface != TRACKLIST, 'there is no TrackList')
    check(interface in found, f'{interface} is not described')
    faults = compare(found[interface], interface)
    check(not faults, '; '.join(faults))


@case('MediaPlayer2')
def the_root_is_described_rightly(p):
    """Methods, signals and properties of MediaPlayer2 have the signatures of the specification."""
    described_rightly(p, ROOT)


@case('MediaPlayer2.Player')
def the_player_is_described_rightly(p):
    """Methods, signals and properties of Player have the signatures of the specification."""
    described_rightly(p, PLAYER)


@case('MediaPlayer2.TrackList')
def the_track_list_is_described_rightly(p):
    """Methods, signals and properties of TrackList have the signatures of the specification."""
    described_rightly(p, TRACKLIST)


@case('D-Bus Introspectable', 'practice')
def what_is_described_is_there(p):
    """Every property that is described answers to Get, and every one that GetAll returns is described, with its type."""
    found = described(p)
    faults = []
    for interface in (ROOT, PLAYER, TRACKLIST):
        if interface not in found:
            continue
        kinds = {q.get('name'): q.get('type') for q in found[interface].findall('property')}
        values = p.all(interface)
        faults += [f'{n} is described, GetAll does not have it' for n in kinds if n not in values]
        faults += [f'{n} is not described' for n in values if n not in kinds]
        faults += [f'{n} is described as {kinds[n]}, and is {values[n][0]}' for n in kinds
                   if n in values and values[n][0] != kinds[n]]
    check(not faults, '; '.join(faults))


@case('D-Bus PropertiesChanged', 'practice')
def the_position_is_announced_as_unsignalled(p):
    """An annotation says that changes of Position are not signalled, or nothing is said about any property."""
    found = described(p)
    check(PLAYER in found, f'{PLAYER} is not described')

    def annotation(element):
        return next((a.get('value') for a in element.findall('annotation')
                     if a.get('name') == DAEMON + '.Property.EmitsChangedSignal'), None)
    whole = annotation(found[PLAYER])
    each = {q.get('name'): annotation(q) for q in found[PLAYER].findall('property')}
    need(whole or any(each.values()), 'nothing is said about signals')
    check(each.get('Position') == 'false', f'EmitsChangedSignal of Position is {each.get("Position") or whole or "true"}')
