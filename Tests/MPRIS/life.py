# SPDX-License-Identifier: Apache-2.0
"""Cases of a player among many clients, on a bus that may end. Those that end the player are the last."""
import statistics
import time

from bus import PROPERTIES, Bus, NoAnswer
from cases import Fail, case, check, need
from spec import PLAYER, ROOT
from subject import Gone, short

QUESTIONS = 500
BURST = 50
FLOOD = 100  # Below 128, the number of unanswered calls that a bus allows a client.


@case('Bus Name Policy')
def the_name_is_owned_once(p):
    """The player owns org.mpris.MediaPlayer2.NAME, and nothing waits for the name behind it."""
    p.ensure()
    queued = p.bus.daemon('ListQueuedOwners', 's', p.name)
    check(queued == [p.owner], f'owners {queued}')
    names = [n for n in p.bus.daemon('ListNames') if n.startswith(ROOT + '.') and p.bus.owner(n) == p.owner]
    wrong = [n for n in names if n != p.name and not n.startswith(p.name + '.')]
    check(not wrong, f'the same player is also {wrong}')
    return ', '.join(sorted(names))


@case('D-Bus practice', 'practice')
def two_callers_get_one_answer(p):
    """Two clients that ask at the same time are told the same, while a third one changes it."""
    p.playing()
    other = Bus(p.address)
    try:
        for method, wanted in (('Pause', 'Paused'), ('Play', 'Playing'), ('Pause', 'Paused')):
            p.do(method)
            p.reaches(wanted)
            sent = time.monotonic()
            asked = [(bus, bus.send(p.owner, PROPERTIES, 'Get', 'ss', PLAYER, name))
                     for name in ('PlaybackStatus', 'Metadata') for bus in (p.bus, other)]
            answers = [bus.answer(serial, sent, what='Get') for bus, serial in asked]
            check(not any(a.error for a in answers), f'answered {[short(a.error) for a in answers]}')
            check(answers[0].value == answers[1].value == ('s', wanted), f'{answers[0].value} and {answers[1].value}')
            check(answers[2].value == answers[3].value, 'two clients get different Metadata')
    finally:
        other.close()


@case('D-Bus practice', 'practice')
def two_callers_may_both_control(p):
    """Calls of two clients that cross are all answered, and the player ends in the state of the last signal."""
    p.playing()
    other = Bus(p.address)
    try:
        mark, sent = p.mark(), time.monotonic()
        calls = [(bus, bus.send(p.owner, PLAYER, method)) for _ in range(10)
                 for bus, method in ((p.bus, 'Pause'), (other, 'Play'))]
        errors = [bus.answer(serial, sent).error for bus, serial in calls]
        check(not any(errors), f'answered {sorted({short(e) for e in errors if e})}')
        p.settle(1)
        said = p.said(mark, 'PlaybackStatus')
        check(p.status in ('Playing', 'Paused'), f'the player is {p.status}')
        check(not said or said[-1] == p.status, f'the last signal says {said[-1:]}, Get says {p.status}')
    finally:
        other.close()


@case('D-Bus practice', 'practice')
def the_position_is_answered_quickly(p):
    """500 questions for Position are answered; their times are reported, not judged."""
    p.playing()
    took = []
    for _ in range(QUESTIONS):
        began = time.monotonic()
        p.get('Position')
        took.append((time.monotonic() - began) * 1e3)
    took.sort()
    return f'median {statistics.median(took):.2f} ms, p99 {took[int(QUESTIONS * 0.99)]:.2f} ms'


@case('D-Bus practice', 'practice')
def who_leaves_without_an_answer_does_no_harm(p):
    """A client that disconnects before it is answered, and one that floods questions first, do not disturb the player."""
    p.playing()
    for count in (1, FLOOD):
        other = Bus(p.address)
        for _ in range(count):
            other.send(p.owner, PROPERTIES, 'GetAll', 's', PLAYER)
        other.send(p.owner, PLAYER, 'Pause')
        # The bus has passed on what came before this answer; without it, it might drop the calls with the connection.
        other.daemon('GetId')
        other.close()
        p.reaches('Paused')
        p.lives()
        p.do('Play')
        p.reaches('Playing')


@case('Player.PlayPause', 'practice')
def a_burst_of_play_pause_ends_where_parity_says(p):
    """50 PlayPause, sent without waiting, are all answered and end in Playing, as they began; one more pauses."""
    p.playing()
    for count, wanted in ((BURST, 'Playing'), (1, 'Paused')):
        mark, sent = p.mark(), time.monotonic()
        serials = [p.bus.send(p.owner, PLAYER, 'PlayPause') for _ in range(count)]
        errors = [p.bus.answer(s, sent, what='PlayPause').error for s in serials]
        check(not any(errors), f'answered {sorted({short(e) for e in errors if e})}')
        p.settle(1)
        try:
            p.reaches(wanted, 5)
        except Gone:
            raise
        except Fail:
            raise Fail(f'after {count} PlayPause the player is {p.status}, not {wanted}')
        p.settle()
        said = p.said(mark, 'PlaybackStatus')
        check(not said or said[-1] == p.status, f'the last signal says {said[-1:]}, Get says {p.status}')
    return f'{BURST} and 1'


def ours(p):
    need(p.launcher, 'the suite did not start the player')
    p.ensure()


@case('Bus Name Policy')
def a_second_instance_does_not_take_the_name(p):
    """A second instance leaves the name to the first one: it ends, or takes another name below org.mpris.MediaPlayer2.NAME."""
    ours(p)
    p.playing()
    before = set(p.bus.daemon('ListNames'))
    second = p.launcher.another()
    try:
        def settled():
            new = {n for n in p.bus.daemon('ListNames') if n.startswith(ROOT + '.')} - before
            return second.code is not None or new
        try:
            p.until(settled, '', 10)
        except Gone:
            raise
        except Fail:
            pass  # It runs without a name: nothing to object to.
        p.settle(0.5)
        new = sorted({n for n in p.bus.daemon('ListNames') if n.startswith(ROOT + '.')} - before)
        p.lives()
        wrong = [n for n in new if not n.startswith(p.name + '.')]
        check(not wrong, f'the second instance took {wrong}')
        return f'ended with {second.code}' if second.code is not None else ', '.join(new) or 'without a name'
    finally:
        second.end()


@case('Bus Name Policy', 'practice')
def a_second_instance_leaves_no_trace(p):
    """After a second instance has ended, the first one owns its name alone, and its item is controlled as before."""
    ours(p)
    p.playing()
    second = p.launcher.another()
    try:
        p.until(lambda: second.code is not None or len(owners(p)) > 1, '', 5)
    except Gone:
        raise
    except Fail:
        pass
    second.end()
    p.until(lambda: owners(p) == {p.owner}, 'the end of the names of the second instance')
    check(p.bus.daemon('ListQueuedOwners', 's', p.name) == [p.owner], 'something waits for the name')
    p.do('Pause')
    p.reaches('Paused')


def owners(p):
    """Returns the unique names behind the player's name and those below it."""
    return {p.bus.owner(n) for n in p.bus.daemon('ListNames') if n == p.name or n.startswith(p.name + '.')} - {None}


@case('MediaPlayer2.CanQuit')
def quit_does_what_can_quit_says(p):
    """With CanQuit true, Quit is answered and the player leaves the bus; with false, it does nothing and may answer
    NotSupported."""
    ours(p)
    p.playing()
    can = p.get('CanQuit', ROOT)
    answer = p.bus.call(p.owner, ROOT, 'Quit')
    if can:
        check(short(answer.error) in ('', 'NoReply'), f'CanQuit is true, Quit answered {short(answer.error)}')
        owner = p.owner
        p.until(lambda: p.bus.owner(p.name) != owner, 'the end of the name after Quit')
        try:
            p.until(lambda: p.launcher.process.code is not None, '')
        except Fail:
            return 'it left the bus; its process runs on'
        code = p.launcher.process.code
        check(code == 0, f'it exited with {code}')
        return 'exited with 0'
    check(short(answer.error) in ('', 'NotSupported'), f'Quit answered {short(answer.error)}')
    p.observe(2)
    p.lives()
    return 'CanQuit is false'


@case('D-Bus practice', 'practice')
def the_end_of_the_bus_is_survived(p):
    """When the bus is restarted at its address, the player takes its name again, or ends by itself and in order."""
    need(p.launcher and p.restart_bus, 'only with --private --start and --restart-bus')
    p.ensure()
    p.playing()
    p.bus.close()
    p.restart_bus()
    p.bus = Bus(p.address)
    process = p.launcher.process

    def settled():
        return process.code is not None or p.bus.owner(p.name)
    try:
        p.until(settled, '', 2 * p.patience)
    except NoAnswer as lost:
        raise Fail(str(lost))
    except Fail:
        raise Fail(f'after {2 * p.patience:g} s the player runs on, without a name on the new bus')
    if process.code is None:
        p.present()
        p.lives()
        return 'took its name again'
    check(process.code >= 0, f'it was ended by signal {-process.code}')
    return f'exited with {process.code}'
