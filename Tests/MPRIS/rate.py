# SPDX-License-Identifier: Apache-2.0
"""Cases of Rate and Volume."""
from cases import case, check, need
from subject import NEAR, short


def ranged(p):
    return p.get('MinimumRate'), p.get('MaximumRate')


@case('Player.MinimumRate, Player.MaximumRate')
def the_range_of_rates_includes_one(p):
    """MinimumRate is at most 1, MaximumRate at least 1; Rate lies between them and is not 0."""
    p.playing()
    low, high = ranged(p)
    check(low <= 1 <= high, f'{low} to {high}')
    check(low <= p.get('Rate') <= high and p.get('Rate') != 0, f'Rate is {p.get("Rate")}, the range {low} to {high}')
    return f'{low:g} to {high:g}'


@case('Player.Rate')
def without_other_rates_the_range_is_one(p):
    """A player that can only play at rate 1 says so: whatever is set, Rate remains 1."""
    p.playing()
    low, high = ranged(p)
    need(low == high, f'rates from {low:g} to {high:g}')
    p.set('Rate', 'd', 1.5)
    p.settle()
    check(low == high == p.get('Rate') == 1.0, f'range {low} to {high}, Rate {p.get("Rate")}')


@case('Player.Rate')
def a_rate_is_played(p):
    """After Rate is set, Position grows at that rate."""
    p.playing()
    low, high = ranged(p)
    need(low <= 1.5 <= high, f'rates from {low:g} to {high:g}')
    answer = p.set('Rate', 'd', 1.5)
    check(not answer.error, f'Set Rate answered {short(answer.error)}')
    p.until(lambda: p.get('Rate') != 1.0, 'another Rate after it was set')
    p.settle(0.6)
    rate, places = p.get('Rate'), p.places(3)
    (t0, x0), (t1, x1) = places[0], places[-1]
    check(abs((x1 - x0) - rate * (t1 - t0)) < NEAR, f'at {rate:g}, {x1 - x0:.2f} s in {t1 - t0:.2f} s')
    return f'{(x1 - x0) / (t1 - t0):.3f} at {rate:g}'


@case('Player.Rate')
def rate_zero_acts_like_pause(p):
    """Setting Rate to 0 pauses, and does not change Rate."""
    p.playing()
    need(p.get('CanControl'), 'CanControl is false')
    answer = p.set('Rate', 'd', 0.0)
    p.settle(0.6)
    check(p.get('Rate') != 0, 'Rate became 0')
    check(p.status == 'Paused', f'the player is {p.status}, Set answered {short(answer.error) or "without an error"}')
    check(p.get('Rate') == 1.0, f'Rate became {p.get("Rate")}')


@case('Player.Rate')
def a_rate_out_of_range_is_not_taken(p):
    """Rate never leaves the range from MinimumRate to MaximumRate: a value outside is ignored, or the nearest one is taken."""
    p.playing()
    low, high = ranged(p)
    seen = []
    for value in (high * 10, low / 10 if low > 0 else low - 1, -1.0 if low >= 0 else low * 10):
        p.set('Rate', 'd', value)
        p.settle()
        now = p.get('Rate')
        check(low <= now <= high and now != 0, f'Rate {value:g} became {now:g}; the range is {low:g} to {high:g}')
        seen.append(f'{value:g}: {now:g}')
        p.lives()
    return ', '.join(seen)


@case('Player.Rate', 'practice')
def a_rate_survives_a_pause(p):
    """Rate is kept over Pause and Play."""
    p.playing()
    low, high = ranged(p)
    need(low <= 1.25 <= high, f'rates from {low:g} to {high:g}')
    p.set('Rate', 'd', 1.25)
    p.settle()
    rate = p.get('Rate')
    p.do('Pause')
    p.reaches('Paused')
    check(p.get('Rate') == rate, f'{rate:g} became {p.get("Rate"):g} at Pause')
    p.do('Play')
    p.reaches('Playing')
    p.settle()
    check(p.get('Rate') == rate, f'{rate:g} became {p.get("Rate"):g} at Play')


@case('Player.Volume')
def a_volume_reads_back(p):
    """Volume returns what was set."""
    p.playing()
    for value in (0.5, 0.25, 0.0, 0.75, 1.0):
        answer = p.set('Volume', 'd', value)
        check(not answer.error, f'Set Volume answered {short(answer.error)}')
        p.settle(0.3)
        check(abs(p.get('Volume') - value) < 0.02, f'{value} was set, {p.get("Volume")} is returned')


@case('Player.Volume')
def a_negative_volume_is_zero(p):
    """Setting Volume below 0 sets it to 0."""
    p.playing()
    for value in (-0.5, -100.0):
        p.set('Volume', 'd', 0.5)
        p.settle(0.3)
        p.set('Volume', 'd', value)
        p.settle(0.3)
        check(p.get('Volume') == 0, f'{value} became {p.get("Volume")}')


@case('Player.Volume', 'practice')
def the_volume_is_no_state_of_playback(p):
    """Setting Volume changes neither status, position nor item."""
    p.paused()
    before, mark = (p.status, p.track, p.position), p.mark()
    p.set('Volume', 'd', 0.4)
    p.observe()
    after = (p.status, p.track, p.position)
    check(before[:2] == after[:2] and abs(before[2] - after[2]) < 0.05 and not p.seeks(mark), f'{before} became {after}')
