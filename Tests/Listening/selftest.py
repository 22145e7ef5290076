#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Gives the analysis recordings with faults of known size, and clean ones: it must see each fault, and no other."""
import sys

import numpy as np

import placecode
from analysis import Recording

RATE = 48000
random = np.random.default_rng(1)


def sound(start, seconds, speed=1.0):
    return placecode.signal(start + np.arange(int(round(seconds * RATE))) * speed / RATE)


def rise(seconds):
    return np.sin(np.pi / 2 * np.arange(int(seconds * RATE)) / max(1, int(seconds * RATE))) ** 2


def faded_out(x, seconds):
    x = x.copy()
    n = int(seconds * RATE)
    if n:
        x[-n:] *= rise(seconds)[::-1]
    return x


def faded_in(x, seconds):
    return faded_out(x[::-1], seconds)[::-1]


def recorded(*parts):
    """Returns the sound as a 16-bit file that went through a server: with quantisation noise."""
    x = np.concatenate(parts)
    return Recording(np.round(x * 32767 + random.uniform(-0.5, 0.5, len(x))) / 32768, RATE)


def silence(seconds):
    return np.zeros(int(seconds * RATE))


failures = 0


def check(what, value, low, high):
    global failures
    good = low <= value <= high
    failures += not good
    print(f'{"ok  " if good else "FAIL"} {what}: {value:.3f} (wanted {low:g} to {high:g})')


def positions():
    for start in (0.3, 29.97, 123.4, 599.99, 871.2):
        line = recorded(sound(start, 1.0)).line(0.1, 0.9)
        check(f'position {start} s, error in ms', (line.offset - start) * 1e3 if line else np.nan, -0.02, 0.02)
    check('noise is no position', float(recorded(random.normal(0, 0.2, RATE)).line(0.1, 0.9) is not None), 0, 0)


def jumps():
    def one(gap, join=0.0):
        """Skips `gap` s (repeats if below 0) at 1 s, with a cross-fade of `join` s."""
        a, b = sound(100, 1 + join), sound(101 + gap, 1.5)
        n = int(join * RATE)
        if n:
            b[:n] = b[:n] * rise(join) + a[-n:] * (1 - rise(join))
            a = a[:-n]
        return recorded(a, b).jumps(0.1, 2.3)

    check('undisturbed: number of jumps', len(recorded(sound(100, 2.5)).jumps(0.1, 2.3)), 0, 0)
    for gap in (0.002, -0.005, 0.001, -0.001, 0.030, -1.5):
        for join in (0.0, 0.004):
            found = one(gap, join)
            check(f'{gap * 1e3:g} ms, joined over {join * 1e3:g} ms: number of jumps', len(found), 1, 1)
            check('  its size in ms', sum(f[1] for f in found) * 1e3, gap * 1e3 - 0.1, gap * 1e3 + 0.1)


def pauses():
    for fade in (0.0, 0.005, 0.010):
        for lost in (0.0, 0.002, -0.005, 0.0005):
            for where in (200.123, 201.5077):
                r = recorded(faded_out(sound(where - 1, 1), fade), silence(0.4), faded_in(sound(where + lost, 1), fade))
                before, after = r.line(0.4, 0.9), r.line(1.5, 2.2)
                gap = r.silence(0.5)
                got = after.at(r.fade_in(gap[1], after)[0]) - before.at(r.fade_out(gap[0], before)[0])
                check(f'pause with a fade of {fade * 1e3:g} ms, lost {lost * 1e3:g} ms: measured ms',
                      got * 1e3, lost * 1e3 - 0.25, lost * 1e3 + 0.25)
    check('a drop-out of 5 ms, in ms', recorded(sound(5, 1), silence(0.005), sound(6, 1)).dropouts(0.2, 1.8), 4.8, 5.2)
    check('no drop-out, in ms', recorded(sound(5, 2)).dropouts(0.2, 1.8), 0, 0)


def landings():
    for wrong in (0.0, 0.002, -0.02):
        r = recorded(faded_out(sound(50, 1), 0.005), silence(0.012), faded_in(sound(300 + wrong, 1), 0.005))
        gap = r.silence(0.5, least=0.004)
        line = r.line(1.1, 1.8)
        check(f'seek that lands {wrong * 1e3:g} ms off: measured ms', (line.at(r.fade_in(gap[1], line)[0]) - 300) * 1e3,
              wrong * 1e3 - 0.25, wrong * 1e3 + 0.25)


    # (Where old and new happen to cross, a hard splice looks like a fade of a millisecond.)
    for wrong in (0.0, 0.002):
        for fade in (0.0, 0.005, 0.010):
            old, new = sound(50, 1.1 + fade), sound(300 + wrong, 1)
            n = int(fade * RATE)
            if n:
                new[:n] = new[:n] * rise(fade) + old[-n:] * (1 - rise(fade))
                old = old[:-n]
            r = recorded(old, new)
            begin, _ = r.handover(0.9, 1.5, r.line(0.3, 0.8), r.line(1.3, 1.9))
            check(f'seek without a gap, cross-fade {fade * 1e3:g} ms, {wrong * 1e3:g} ms off: measured ms',
                  (r.line(1.3, 1.9).at(begin) - 300) * 1e3, wrong * 1e3 - 0.6, wrong * 1e3 + 0.6)


def clicks():
    for shift in (0, 0.00013, 0.00041):
        cut = recorded(sound(10, 1 + shift), silence(0.5))
        check('hard cut: click in dB', cut.click(1 + shift, (0.2, 0.8)), 20, 120)
        splice = recorded(sound(10, 1 + shift), sound(77.7, 1))
        check('hard splice: click in dB', splice.click(1 + shift, (0.2, 0.8)), 20, 120)
        for fade in (0.005, 0.010):
            soft = recorded(faded_out(sound(10, 1 + shift), fade), silence(0.3), faded_in(sound(11, 1), fade))
            check(f'fade of {fade * 1e3:g} ms: click in dB', soft.click(1 + shift, (0.2, 0.8)), -60, 3)
            check('  and at its return', soft.click(1.3 + shift, (0.2, 0.8)), -60, 3)
    short = recorded(faded_out(sound(10, 1), 0.0005), silence(0.3))
    check('fade of only 0.5 ms: click in dB', short.click(1, (0.2, 0.8)), 6, 120)
    spike = sound(10, 2)
    spike[RATE] += 0.02
    check('one wrong sample of -34 dBFS: click in dB', recorded(spike).click(1, (0.2, 0.8)), 6, 120)


def speeds():
    speed, pitch = recorded(sound(10, 3)).speed(0.2, 2.8)
    check('plain: speed', speed, 0.999, 1.001)
    check('plain: pitch', pitch, 0.999, 1.001)
    _, pitch = recorded(sound(10, 3, speed=1.06)).speed(0.2, 2.8)
    check('a record that turns 6 % too fast: pitch', pitch, 1.055, 1.065)
    # Overlap-add without a search: the crudest stretcher there is, at twice the speed.
    block, out = int(0.04 * RATE), np.zeros(RATE * 3)
    window = np.hanning(block * 2)
    for k in range(0, len(out) - 2 * block, block):
        out[k:k + 2 * block] += placecode.signal(10 + (2 * k + np.arange(2 * block)) / RATE) * window
    speed, pitch = recorded(out).speed(0.2, 2.6)
    check('stretched by overlap-add: speed', speed, 1.98, 2.02)
    check('stretched by overlap-add: pitch', pitch, 0.99, 1.01)


for part in (positions, jumps, pauses, landings, clicks, speeds):
    part()
print(f'{failures} failed' if failures else 'the analysis sees what it must')
sys.exit(1 if failures else 0)
