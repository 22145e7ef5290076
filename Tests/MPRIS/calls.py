# SPDX-License-Identifier: Apache-2.0
"""Cases of calls that no well-behaved client makes: unknown names, wrong arguments, numbers out of every range."""
from bus import DAEMON
from cases import case, check, need
from scene import file_uri
from spec import METHODS_OF, PLAYER, ROOT
from subject import short

UNKNOWN = {DAEMON + '.Error.UnknownMethod', DAEMON + '.Error.UnknownInterface'}
NAN, INFINITY, LEAST, MOST = float('nan'), float('inf'), -2 ** 63, 2 ** 63 - 1


@case('D-Bus errors', 'practice')
def an_unknown_method_is_an_error(p):
    """A method that does not exist answers org.freedesktop.DBus.Error.UnknownMethod."""
    p.ensure()
    for interface in (ROOT, PLAYER):
        answer = p.call('Nothing', interface=interface)
        check(answer.error == DAEMON + '.Error.UnknownMethod', f'{interface}.Nothing answered {answer.error or answer.body}')
    p.lives()


@case('D-Bus errors', 'practice')
def an_unknown_interface_is_an_error(p):
    """A method of an interface that does not exist answers UnknownInterface or UnknownMethod."""
    p.ensure()
    answer = p.call('Play', interface='org.example.Nothing')
    check(answer.error in UNKNOWN, f'org.example.Nothing.Play answered {answer.error or answer.body}')
    p.lives()
    return short(answer.error)


@case('D-Bus errors', 'practice')
def an_unknown_object_is_an_error(p):
    """A method of another object path answers UnknownObject or UnknownMethod, and does nothing."""
    p.playing()
    answer = p.bus.call(p.owner, PLAYER, 'Pause', path='/org/example/Nothing')
    check(short(answer.error) in ('UnknownObject', 'UnknownMethod', 'UnknownInterface'), f'{answer.error or "no error"}')
    p.observe()
    check(p.status == 'Playing', f'Pause of /org/example/Nothing: the player is {p.status}')
    return short(answer.error)


WRONG = (('Seek', None, ()), ('Seek', 's', ('10',)), ('Seek', 'i', (1,)), ('Seek', 'xx', (1, 1)), ('SetPosition', 'x', (1,)),
         ('SetPosition', 'sx', ('/a', 1)), ('SetPosition', 'oi', ('/a', 1)), ('OpenUri', None, ()), ('OpenUri', 'as', (['a'],)),
         ('OpenUri', 'o', ('/a',)), ('Pause', 's', ('now',)))


@case('D-Bus errors', 'practice')
def wrong_arguments_are_an_error(p):
    """A call with arguments of other types, too few or too many answers InvalidArgs, does nothing, and the player lives."""
    p.playing()
    faults = []
    for member, kinds, body in WRONG:
        error = p.call(member, kinds, *body).error
        # Some libraries find methods by their signature: the method with these arguments is unknown to them.
        if short(error) not in ('InvalidArgs', 'UnknownMethod', 'InvalidSignature'):
            faults.append(f'{member}({kinds or ""}) answered {short(error) or "without an error"}')
    p.observe()
    if p.status != 'Playing':
        faults.append(f'the player is {p.status}')
    check(not faults, '; '.join(faults))
    p.lives()


@case('D-Bus practice', 'practice')
def a_call_without_an_interface_is_answered(p):
    """The interface of a call is optional: a method whose name is unique on the object is found, or the answer is an error."""
    p.playing()
    answer = p.call('Pause', interface=None)
    p.settle()
    wanted = 'Playing' if answer.error else 'Paused'
    check(p.status == wanted, f'answered {short(answer.error) or "without an error"}, and is {p.status}')
    return short(answer.error) or 'Paused'


@case('D-Bus Peer', 'practice')
def ping_is_answered(p):
    """org.freedesktop.DBus.Peer.Ping answers without an error."""
    p.ensure()
    answer = p.call('Ping', interface=DAEMON + '.Peer')
    check(not answer.error, f'{answer.error}')


@case('D-Bus practice', 'practice')
def a_call_that_wants_no_answer_is_carried_out(p):
    """A call that is flagged as expecting no answer is carried out like any other."""
    p.playing()
    p.bus.tell(p.owner, PLAYER, 'Pause')
    p.reaches('Paused')


def survives(p, what):
    """Fails unless the player lives and its numbers are finite and in range."""
    p.settle(0.2)
    p.lives()
    for name in ('Rate', 'Volume', 'Position'):
        value = p.get(name)
        check(value == value and abs(value) != INFINITY, f'after {what}, {name} is {value}')
    check(p.get('Volume') >= 0, f'after {what}, Volume is {p.get("Volume")}')
    check(p.get('MinimumRate') <= p.get('Rate') <= p.get('MaximumRate') and p.get('Rate') != 0,
          f'after {what}, Rate is {p.get("Rate")}')
    check(p.get('Position') >= 0, f'after {what}, Position is {p.get("Position")}')


@case('Player.Rate')
def no_rate_is_too_odd(p):
    """Whatever Rate is set to, it stays within MinimumRate and MaximumRate and is never 0; the player lives."""
    for value in (NAN, INFINITY, -INFINITY, 1e308, -1.0, -0.0, 5e-324, 1e6):
        p.playing()
        p.set('Rate', 'd', value)
        survives(p, f'Rate = {value}')


@case('Player.Volume')
def no_volume_is_too_odd(p):
    """Whatever Volume is set to, it stays a finite number and is never below 0; the player lives."""
    p.playing()
    for value in (NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324):
        p.set('Volume', 'd', value)
        survives(p, f'Volume = {value}')


@case('Player.Seek, Player.SetPosition')
def no_position_is_too_odd(p):
    """The largest and the smallest number as an offset or a position do no harm: Position stays within the track."""
    p.playing()
    need(p.can('Seek'), 'CanSeek is false')
    for value in (LEAST, LEAST + 1, MOST, MOST - 1):
        p.playing()
        p.call('SetPosition', 'ox', p.track, value)
        survives(p, f'SetPosition to {value}')
        p.playing()
        p.call('Seek', 'x', value)
        survives(p, f'Seek by {value}')


@case('Player: Methods', 'practice')
def every_method_is_there(p):
    """Every method of the specification is implemented: none answers UnknownMethod."""
    p.paused()
    given = {'Seek': (0,), 'SetPosition': (p.track, 0), 'OpenUri': (file_uri(p.media.first),)}
    missing = []
    for member, (kinds, _) in METHODS_OF[PLAYER].items():
        if member == 'OpenUri' and not p.opens_files:
            continue
        if short(p.call(member, kinds, *given.get(member, ())).error) == 'UnknownMethod':
            missing.append(member)
    check(not missing, f'not there: {", ".join(missing)}')
    p.lives()
