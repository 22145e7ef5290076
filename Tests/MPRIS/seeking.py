# SPDX-License-Identifier: Apache-2.0
"""Cases of Seek and SetPosition, and of the signal Seeked: sent at every jump, and only there."""
from cases import Fail, case, check, need
from spec import NO_TRACK
from subject import NEAR, US, WINDOW, Gone

JUMP = 12.0   # s
LANDING = 1.0 # s that a seek may miss its place by: coded files have places to start at


def seekable(p, state='Playing'):
    p.bring(state)
    need(p.can('Seek'), 'CanSeek is false')


def jumped(p, act, wanted):
    """Carries out a jump, and checks that Seeked tells the place, which Position confirms. Returns what was seen."""
    mark = p.mark()
    t0, x0 = p.place()
    act()
    p.until(lambda: p.seeks(mark), f'Seeked; Position was {x0:.2f} s, is {p.position:.2f} s')
    told = p.seeks(mark)[0]
    check(told.signature == 'x', f'Seeked has the signature {told.signature}')
    p.settle()
    moving = p.status == 'Playing'
    t1, x1 = p.place()
    last = p.seeks(mark)[-1]
    at = last.body[0] / US
    goal = wanted(x0 + (told.at - t0 if moving else 0))
    check(abs(at - goal) < LANDING, f'from {x0:.2f} s, to {goal:.2f} s, Seeked says {at:.6f} s')
    now = at + (t1 - last.at if moving else 0)
    check(abs(now - x1) < LANDING, f'Seeked said {at:.2f} s; {t1 - last.at:.2f} s later Position is {x1:.2f} s')
    return f'{at - goal:+.3f} s, {(told.at - t0) * 1e3:.0f} ms'


@case('Player.Seek, Player.Seeked')
def seek_forward_is_announced(p):
    """Seek moves by its offset, and Seeked tells the new position in microseconds, which is that of Position."""
    seekable(p)
    return jumped(p, lambda: p.do('Seek', 'x', int(JUMP * US)), lambda x: x + JUMP)


@case('Player.Seek, Player.Seeked')
def seek_back_is_announced(p):
    """Seek with a negative offset moves back, and Seeked tells the new position."""
    seekable(p)
    p.do('Seek', 'x', int(JUMP * US))
    p.settle(0.6)
    return jumped(p, lambda: p.do('Seek', 'x', int(-JUMP * US)), lambda x: max(0, x - JUMP))


@case('Player.Seek, Player.Seeked')
def seek_when_paused_is_announced(p):
    """Seek when paused moves the position, sends Seeked, and leaves the player paused."""
    seekable(p, 'Paused')
    seen = jumped(p, lambda: p.do('Seek', 'x', int(JUMP * US)), lambda x: x + JUMP)
    check(p.status == 'Paused', f'the player is {p.status}')
    return seen


@case('Player.SetPosition, Player.Seeked')
def set_position_is_announced(p):
    """SetPosition moves to a position in the current track, and Seeked tells it."""
    seekable(p)
    return jumped(p, lambda: p.do('SetPosition', 'ox', p.track, 40 * US), lambda x: 40)


@case('Player.Seeked', 'practice')
def a_jump_is_announced_once(p):
    """One jump sends one Seeked: clients redraw at each."""
    seekable(p)
    for act in (lambda: p.do('Seek', 'x', int(JUMP * US)), lambda: p.do('SetPosition', 'ox', p.track, 15 * US)):
        mark = p.mark()
        act()
        p.until(lambda: p.seeks(mark), 'Seeked')
        p.observe()
        check(len(p.seeks(mark)) == 1, f'{len(p.seeks(mark))} Seeked for one jump: {[e.body[0] for e in p.seeks(mark)]}')


@case('Player.SetPosition')
def set_position_to_zero_goes_to_the_start(p):
    """SetPosition to 0 goes to the start of the track."""
    seekable(p)
    return jumped(p, lambda: p.do('SetPosition', 'ox', p.track, 0), lambda x: 0)


@case('Player.Seek')
def seek_back_beyond_the_start_goes_to_zero(p):
    """Seek back by more than has been played sets the position to 0."""
    seekable(p)
    return jumped(p, lambda: p.do('Seek', 'x', -500 * US), lambda x: 0)


@case('Player.Seek')
def seek_beyond_the_end_acts_like_next(p):
    """Seek to beyond the end does what Next does: the next track, or if there is none, playback stops."""
    seekable(p)
    length, track = p.length, p.track
    need(length, 'mpris:length is not there')
    p.do('Seek', 'x', int((length + 30) * US))

    def ended():
        return p.status == 'Stopped' or p.track != track
    try:
        p.until(ended, '', 5)
    except Gone:
        raise
    except Fail:
        raise Fail(f'it is {p.status} at {p.position:.2f} s of {length:.2f} s, in the same track')
    return 'stopped' if p.status == 'Stopped' else 'another track'


def ignored(p, *places):
    """Checks that calls of SetPosition do nothing: the position runs on, no Seeked, the same track."""
    seekable(p)
    for track, position in places:
        before, mark = p.track, p.mark()
        t0, x0 = p.place()
        p.call('SetPosition', 'ox', track(p) if callable(track) else track, position)
        p.observe()
        t1, x1 = p.place()
        what = f'SetPosition({track if isinstance(track, str) else "current"}, {position})'
        check(not p.seeks(mark), f'{what} sent Seeked({p.seeks(mark)[-1].body[0] if p.seeks(mark) else ""})')
        check(abs((x1 - x0) - (t1 - t0)) < LANDING, f'{what}: {x0:.2f} s became {x1:.2f} s in {t1 - t0:.2f} s')
        check(p.track == before and p.status == 'Playing', f'{what}: {p.track}, {p.status}')


@case('Player.SetPosition')
def an_unknown_track_is_not_moved(p):
    """SetPosition with an id that is not that of the current track, or with NoTrack, is ignored."""
    ignored(p, ('/org/example/nothing', 40 * US), ('/', 40 * US), (NO_TRACK, 40 * US))


@case('Player.SetPosition')
def a_stale_track_is_not_moved(p):
    """SetPosition with the id of the item that played before is ignored."""
    p.playing()
    need(p.can('Seek'), 'CanSeek is false')
    stale = p.track
    p.another()
    p.until(lambda: p.position > 0.3, 'the position of the second file')
    p.settle()
    mark = p.mark()
    t0, x0 = p.place()
    p.call('SetPosition', 'ox', stale, 40 * US)
    p.observe()
    t1, x1 = p.place()
    check(not p.seeks(mark) and abs((x1 - x0) - (t1 - t0)) < LANDING,
          f'{x0:.2f} s became {x1:.2f} s; the id {stale} is that of the item before, the current one is {p.track}')


@case('Player.SetPosition')
def a_position_below_zero_is_ignored(p):
    """SetPosition to less than 0 does nothing."""
    ignored(p, (lambda q: q.track, -1), (lambda q: q.track, -30 * US))


@case('Player.SetPosition')
def a_position_beyond_the_length_is_ignored(p):
    """SetPosition to more than the length of the track does nothing."""
    seekable(p)
    need(p.length, 'mpris:length is not there')
    ignored(p, (lambda q: q.track, int((p.length + 1) * US)), (lambda q: q.track, int(p.length * 10 * US)))


@case('Player.SetPosition')
def set_position_when_paused_stays_paused(p):
    """SetPosition when paused moves the position and does not start playback."""
    seekable(p, 'Paused')
    seen = jumped(p, lambda: p.do('SetPosition', 'ox', p.track, 33 * US), lambda x: 33)
    check(p.status == 'Paused', f'the player is {p.status}')
    return seen


def no_jump(p, act, what, rate=1.0):
    """Checks that Seeked is sent exactly if the position did not run on as it should."""
    t0, x0 = p.place()
    moving, mark = p.status == 'Playing', p.mark()
    act()
    p.observe()
    t1, x1 = p.place()
    least = x0 - NEAR
    most = x0 + (t1 - t0) * max(1.0, rate) + NEAR if moving or p.status == 'Playing' else x0 + NEAR
    jump = not least <= x1 <= most
    seeks = [e.body[0] / US for e in p.seeks(mark)]
    check(jump or not seeks, f'{what} sent Seeked({seeks[-1] if seeks else 0:.2f} s) without a jump: {x0:.2f} s, then {x1:.2f} s')
    check(seeks or not jump, f'{what}: from {x0:.2f} s to {x1:.2f} s without Seeked')


@case('Player.Seeked')
def pause_and_resume_are_no_jumps(p):
    """Seeked is not sent at Pause and Play, unless the position did jump; if it did, it is sent."""
    p.playing()
    no_jump(p, lambda: p.do('Pause'), 'Pause')
    no_jump(p, lambda: p.do('Play'), 'Play')
    no_jump(p, lambda: p.do('PlayPause'), 'PlayPause')


@case('Player.Seeked')
def a_change_of_rate_is_no_jump(p):
    """Seeked is not sent when the rate changes."""
    p.playing()
    need(p.get('MinimumRate') <= 1.5 <= p.get('MaximumRate'), f'no rate but {p.get("Rate")}')
    no_jump(p, lambda: p.set('Rate', 'd', 1.5), 'Rate = 1.5', 1.5)
    no_jump(p, lambda: p.set('Rate', 'd', 1.0), 'Rate = 1.0', 1.5)


@case('Player.Seeked', 'practice')
def a_start_is_no_jump(p):
    """Seeked is not sent when an item starts at 0."""
    p.playing()
    need(p.opens_files, 'SupportedUriSchemes has no file')
    mark = p.mark()
    # A player may remember places, so the file is one that it has never played.
    p.open(p.media.fresh)
    p.observe(WINDOW)
    seeks = [e.body[0] / US for e in p.seeks(mark)]
    check(not [s for s in seeks if s < 0.1], f'Seeked({seeks}) at the start of an item')


@case('Player.Seek', 'practice')
def many_seeks_end_where_they_add_up(p):
    """Ten Seek of one second in a row move by ten seconds, and the last Seeked is true."""
    seekable(p)
    mark = p.mark()
    t0, x0 = p.place()
    for _ in range(10):
        p.do('Seek', 'x', US)
    p.settle(0.6)
    t1, x1 = p.place()
    moved = x1 - x0 - (t1 - t0)
    check(abs(moved - 10) < 1.5, f'moved by {moved:.2f} s')
    seeks = p.seeks(mark)
    check(seeks, 'no Seeked')
    now = seeks[-1].body[0] / US + (t1 - seeks[-1].at)
    check(abs(now - x1) < LANDING, f'the last Seeked leads to {now:.2f} s, Position is {x1:.2f} s')
    return f'{moved:+.2f} s, {len(seeks)} Seeked'
