# SPDX-License-Identifier: Apache-2.0
"""Reads a recording of the signal: positions, jumps, fades, clicks. Times are seconds into the recording."""
import dataclasses

import numpy as np

import placecode

QUIET = 1e-4  # -80 dBFS: below it is silence
HOP = 0.005
REACH = 0.04  # how far from where it seems to be a fade is looked for


@dataclasses.dataclass
class Line:
    """A stretch of the recording that plays steadily: position = offset + speed * time."""
    start: float
    end: float
    offset: float
    speed: float = 1.0

    def at(self, time):
        return self.offset + self.speed * time


class Recording:
    def __init__(self, x, rate):
        self.x, self.rate = np.asarray(x, dtype=np.float32), rate

    def part(self, start, end):
        return self.x[max(0, int(start * self.rate)):max(0, int(end * self.rate))]

    def windows(self, start=0.0, end=None):
        """Returns (times of window starts, positions there: at the windows' centres minus half a window)."""
        end = len(self.x) / self.rate if end is None else end
        at = np.arange(int(start * self.rate), int(min(end, len(self.x) / self.rate) * self.rate)
                       - int(placecode.WINDOW * self.rate), int(HOP * self.rate))
        return at / self.rate, placecode.read(self.x, self.rate, at) - placecode.WINDOW / 2

    def line(self, start, end):
        """Returns the steady line (at speed 1) that most of a stretch lies on, or None."""
        time, position = self.windows(start, end)
        offsets = (position - time)[~np.isnan(position)]
        if len(offsets) < 3:
            return None
        guess = float(np.median(offsets))
        exact = []
        width = int(0.02 * self.rate)
        for t in np.linspace(start, end - 0.021, 9):
            f = int(t * self.rate)
            p = placecode.refine(self.x[f:f + width], self.rate, guess + f / self.rate)
            if not np.isnan(p):
                exact.append(p - f / self.rate)
        return Line(start, end, float(np.median(exact))) if len(exact) >= 3 else None

    def jumps(self, start, end, least=0.0005):
        """Returns [(time, seconds)]: positive where the recording skips, negative where it repeats; speed 1."""
        width, found, last = int(0.012 * self.rate), [], None
        line = self.line(start, min(end, start + 0.2))
        if line is None:
            return [(start, float('nan'))]
        offset, time = line.offset, start
        while time + 0.012 < end:
            f = int(time * self.rate)
            p = placecode.refine(self.x[f:f + width], self.rate, offset + f / self.rate, slack=0.008)
            if np.isnan(p):
                # Not near where it should be: look from scratch a little further on.
                later = self.line(time + 0.02, min(end, time + 0.14))
                if later is None:
                    if end - time < 0.16:
                        break
                    found.append((time, float('nan')))
                    return found
                found.append((time, later.offset - offset))
                offset, time, last = later.offset, time + 0.06, None
                continue
            now = p - f / self.rate
            # A window across the joint reads something between: believe it when the next one agrees.
            if abs(now - offset) > least:
                if last is not None and abs(now - last) < 0.0002:
                    found.append((time, now - offset))
                    offset, last = now, None
                else:
                    last = now
            else:
                last = None
            time += HOP
        return found

    def silence(self, start, least=0.05, end=None):
        """Returns (from, to) of the first silence of that length at or after start; `to` is None if it does not end."""
        x = np.abs(self.part(start, end if end else len(self.x) / self.rate)) > QUIET
        loud = np.flatnonzero(x)
        edges = np.concatenate([[-1], loud, [len(x)]])
        gaps = np.diff(edges) - 1
        k = np.flatnonzero(gaps >= least * self.rate)
        if not len(k):
            return None
        first = (edges[k[0]] + 1) / self.rate + start
        return first, (None if edges[k[0] + 1] == len(x) else edges[k[0] + 1] / self.rate + start)

    def dropouts(self, start, end, least=0.002):
        """Returns the milliseconds of silence inside a stretch, in runs of 2 ms and more."""
        x = np.concatenate([[True], np.abs(self.part(start, end)) > QUIET, [True]])
        gaps = np.diff(np.flatnonzero(x)) - 1
        return float(gaps[gaps >= least * self.rate].sum() / self.rate * 1e3)

    def handover(self, start, end, old, new):
        """Finds where `new` takes over from `old`, with or without a gap or a cross-fade; returns (time, length of its fade)."""
        t, _, gain = self._gains(start, end, old, new)
        taken = np.flatnonzero(gain > 0.5)
        if not len(taken):
            return None
        near = t[taken[0]]
        t, gain, _ = self._gains(near - REACH, near + REACH, old, new)
        level = self._level(new, near + REACH)
        x = self._at(t)
        before, after = placecode.signal(old.at(t)), level * placecode.signal(new.at(t))
        # Either the old sound went by itself, as its gain says, or the new one grows as the old one goes.
        alone = _fit(t, x - np.clip(gain, 0, 1.2) * before, after, near, REACH)
        crossed = _fit(t, x - level * before, after - level * before, near, REACH)
        # (The first has the freer model, and must explain the recording clearly better.)
        return (alone if 2 * alone[0] < crossed[0] else crossed)[1:]

    def fade_in(self, near, line, reach=REACH):
        """Finds where the sound of `line` begins, within `reach` of `near`; returns (time, length of its fade)."""
        t = self._times(near - reach, near + reach)
        known = self._level(line, near + reach) * placecode.signal(line.at(t))
        return _fit(t, self._at(t), known, near, reach)[1:]

    def fade_out(self, near, line, reach=REACH):
        """Finds where the sound of `line` ends; returns (time, length of its fade)."""
        t = self._times(near - reach, near + reach)
        known = self._level(line, near - reach - 0.05) * placecode.signal(line.at(t))
        _, begin, length = _fit(-t[::-1], self._at(t)[::-1], known[::-1], -near, reach)
        return -begin, length

    def _times(self, start, end):
        return np.arange(max(0, int(start * self.rate)), min(int(end * self.rate), len(self.x))) / self.rate

    def _at(self, t):
        f = int(round(t[0] * self.rate))
        return self.x[f:f + len(t)].astype(np.float64)

    def _gains(self, start, end, old, new, width=0.003):
        """Returns the gain of each of two sounds in the recording, by least squares over short windows; with their times."""
        t = self._times(start, end)
        x, a, b = self._at(t), placecode.signal(old.at(t)), placecode.signal(new.at(t))
        box = np.ones(int(width * self.rate)) / int(width * self.rate)
        aa, bb, ab, ax, bx = (np.convolve(p, box, 'same') for p in (a * a, b * b, a * b, a * x, b * x))
        det = np.maximum(aa * bb - ab * ab, 1e-9)
        return t, (bb * ax - ab * bx) / det, (aa * bx - ab * ax) / det

    def _level(self, line, start):
        """Returns the level of the line's sound relative to the formula, over 50 ms."""
        t = self._times(start, start + 0.05)
        known = placecode.signal(line.at(t))
        return float((self._at(t) @ known) / (known @ known)) if len(t) else 1.0

    def high(self, start, end):
        """Returns the levels above 8 kHz, in windows of 2 ms, as (times, RMS)."""
        taps = _high_pass(self.rate)
        pad = len(taps) / 2 / self.rate
        y = np.convolve(self.part(start - pad, end + pad), taps, 'valid')
        n = int(0.002 * self.rate)
        y = y[:len(y) // n * n].reshape(-1, n)
        return max(start, pad) + (np.arange(len(y)) + 0.5) * n / self.rate, np.sqrt((y ** 2).mean(axis=1))

    def click(self, around, steady, reach=0.08):
        """Returns by how many decibels the loudest window around an event exceeds the loudest of the steady signal.

        Below -80 dBFS nothing counts as louder. `steady` is (start, end) of undisturbed sound.
        """
        floor = max(1e-4, float(self.high(*steady)[1].max()))
        return 20 * np.log10(max(1e-9, float(self.high(around - reach, around + reach)[1].max())) / floor)

    def speed(self, start, end):
        """Returns (media seconds a second, pilot's frequency against 1 kHz) over a stretch; medians, NaN if unreadable."""
        scale = []
        at = np.arange(int(start * self.rate), int((end - placecode.WINDOW) * self.rate), int(HOP * self.rate))
        position = placecode.read(self.x, self.rate, at, scale)
        ok = ~np.isnan(position)
        if ok.sum() < 10:
            return float('nan'), float('nan')
        t, p = at[ok] / self.rate, position[ok]
        far = (t[:, None] - t[None, :]) > (end - start) / 2
        slopes = (p[:, None] - p[None, :])[far] / (t[:, None] - t[None, :])[far]
        return float(np.median(slopes)), float(np.median(scale))


def _fit(t, x, known, near, reach):
    """Fits the fade, linear or raised-cosine, by which x grows from nothing to `known`; returns (residual, begin, length)."""
    energy, product = known * known, 2 * known * x
    best = (np.inf, near, None)
    for step, span in ((0.001, reach), (0.0002, 0.002), (0.00005, 0.0004)):
        _, middle, long = best
        lengths = np.arange(0, 0.03, 0.002) if long is None else np.clip(
            long + np.arange(-2, 2.1, 0.5) * max(step * 2, 0.0002), 0, None)
        for begin in np.arange(middle - span, middle + span, step):
            for length in lengths:
                linear = np.clip((t - begin) / max(length, 1e-6), 0, 1)
                for g in (linear, np.sin(np.pi / 2 * linear) ** 2):
                    cost = float(((g * energy - product) * g).sum())
                    if cost < best[0]:
                        best = (cost, begin, length)
    return best[0] + float(x @ x), best[1], best[2]


def _high_pass(rate, cut=7500.0, taps=255):
    """Filters by a windowed sinc, which passes above 8 kHz and attenuates by more than 80 dB below 7 kHz."""
    n = np.arange(taps) - taps // 2
    low = 2 * cut / rate * np.sinc(2 * cut / rate * n) * np.kaiser(taps, 8.5)
    low /= low.sum()
    delta = np.zeros(taps)
    delta[taps // 2] = 1
    return delta - low
