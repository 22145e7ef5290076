# SPDX-License-Identifier: Apache-2.0
"""Cases of Position, measured against the monotonic clock."""
from cases import case, check
from subject import NEAR

STEP = 0.002  # s that a position may go back by rounding
STILL = 0.05  # s that a paused position may differ


@case('Player.Position')
def the_position_runs_in_microseconds(p):
    """While playing at rate 1, Position grows by a million a second."""
    p.playing()
    places = p.places(3)
    (t0, x0), (t1, x1) = places[0], places[-1]
    ran, played = t1 - t0, x1 - x0
    check(abs(played - ran) < NEAR, f'in {ran:.3f} s the position grew by {played:.6f} s')
    return f'{played:.3f} s in {ran:.3f} s'


@case('Player.Position', 'practice')
def the_position_is_smooth_enough_to_show(p):
    """At every moment, Position is within half a second of where a client that counts for itself believes it."""
    p.playing()
    places = p.places(3, 0.05)
    t0, x0 = places[0]
    worst = max(abs((x - x0) - (t - t0)) for t, x in places)
    check(worst < NEAR, f'off by up to {worst * 1e3:.0f} ms')
    return f'within {worst * 1e3:.0f} ms; {len({x for _, x in places})} values in {len(places)} questions'


@case('Player.Position', 'practice')
def the_position_never_goes_back(p):
    """While playing, Position never becomes smaller."""
    p.playing()
    places = p.places(3, 0.02)
    back = [(a - b) * 1e3 for (_, a), (_, b) in zip(places, places[1:]) if b < a - STEP]
    check(not back, f'{len(back)} times back, by up to {max(back, default=0):.0f} ms')
    return f'{len(places)} questions'


@case('Player.Seeked')
def the_position_stands_still_when_paused(p):
    """While paused, Position remains constant."""
    p.paused()
    places = [x for _, x in p.places(1.5)]
    check(max(places) - min(places) < STILL, f'it moved by {(max(places) - min(places)) * 1e3:.0f} ms in 1.5 s')
    return f'{places[0]:.3f} s'


@case('Player.Position')
def the_position_lies_within_the_track(p):
    """Position is between 0 and mpris:length, playing, paused and stopped."""
    for state in ('Playing', 'Paused', 'Stopped'):
        p.bring(state)
        for _, x in p.places(0.5):
            length = p.length
            check(x >= 0 and (length is None or x <= length + 0.001), f'{x} s of {length} s when {state}')


@case('Player.Position', 'practice')
def a_pause_keeps_the_position(p):
    """Pause leaves the position where playback was: it neither returns to an older place nor runs on."""
    p.playing()
    t0, x0 = p.place()
    p.do('Pause')
    p.reaches('Paused')
    t1, x1 = p.place()
    p.settle()
    x2 = p.position
    check(-0.1 < x1 - x0 < t1 - t0 + NEAR, f'{x1 - x0:+.3f} s at Pause, which took {t1 - t0:.3f} s')
    check(abs(x2 - x1) < NEAR, f'{x2 - x1:+.3f} s after it was paused')
    return f'{x2 - x0:+.3f} s'


@case('Player.Position', 'practice')
def an_opened_item_starts_at_its_beginning(p):
    """An item that is opened plays from 0, or Seeked says from where."""
    p.playing()
    mark = p.mark()
    p.another()
    at = p.position
    check(at < 4 or p.seeks(mark), f'it plays from {at:.2f} s, without Seeked')
    return f'{at:.2f} s'
