# SPDX-License-Identifier: Apache-2.0
"""What a recording of the signal says: positions, jumps, fades, clicks. Times are seconds into the recording."""
import dataclasses

import numpy as np

import placecode

QUIET = 1e-4  # -80 dBFS: below it is silence
HOP = 0.005


@dataclasses.dataclass
class Line:
    """A stretch of the recording that plays on steadily: position = offset + speed * time."""
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
        """(times of window starts, positions there at the windows' centres minus half a window)."""
        end = len(self.x) / self.rate if end is None else end
        at = np.arange(int(start * self.rate), int(min(end, len(self.x) / self.rate) * self.rate)
                       - int(placecode.WINDOW * self.rate), int(HOP * self.rate))
        return at / self.rate, placecode.read(self.x, self.rate, at) - placecode.WINDOW / 2

    def line(self, start, end):
        """The steady line (at speed 1) that most of a stretch lies on, or None."""
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
        """[(time, seconds)]: positive where the recording skips, negative where it repeats; speed 1."""
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
        """(from, to) of the first silence of that length at or after start; `to` is None if it has no end."""
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
        """Milliseconds of silence inside a stretch, in runs of 2 ms and more."""
        x = np.concatenate([[True], np.abs(self.part(start, end)) > QUIET, [True]])
        gaps = np.diff(np.flatnonzero(x)) - 1
        return float(gaps[gaps >= least * self.rate].sum() / self.rate * 1e3)

    def fade_in(self, near, line, reach=0.04):
        """When the sound of `line` begins, looked for within `reach` of `near`; (time, length of its fade)."""
        return self._fade(near, line, reach, rising=True)

    def fade_out(self, near, line, reach=0.04):
        """When the sound of `line` is over; (time, length of its fade)."""
        return self._fade(near, line, reach, rising=False)

    def _fade(self, near, line, reach, rising):
        """Fits a linear and a raised-cosine fade between silence and the sound that is known by its line."""
        f0, f1 = int((near - reach) * self.rate), int((near + reach) * self.rate)
        f0 = max(0, f0)
        t = np.arange(f0, min(f1, len(self.x))) / self.rate
        x = self.x[f0:f0 + len(t)].astype(np.float64)
        known = placecode.signal(line.at(t))
        level = self._level(line, rising, near, reach)
        if not rising:
            t, x, known = -t[::-1], x[::-1], known[::-1]
        best = (np.inf, 0.0, 0.0)
        energy, product = known * known * level * level, 2 * level * known * x

        def cost(begin, length, shape):
            g = np.clip((t - begin) / max(length, 1e-6), 0, 1)
            g = np.sin(np.pi / 2 * g) ** 2 if shape else g
            return float((g * g * energy - g * product).sum())

        centre = near if rising else -near
        for step, span in ((0.001, reach), (0.0002, 0.002), (0.00005, 0.0004)):
            middle, long = (centre, None) if best[0] == np.inf else best[1:]
            lengths = np.arange(0, 0.03, 0.002) if long is None else np.clip(
                long + np.arange(-2, 2.1, 0.5) * max(step * 2, 0.0002), 0, None)
            for begin in np.arange(middle - span, middle + span, step):
                for length in lengths:
                    for shape in (0, 1):
                        c = cost(begin, length, shape)
                        if c < best[0]:
                            best = (c, begin, length)
        return (best[1] if rising else -best[1]), best[2]

    def _level(self, line, rising, near, reach):
        """How loud the line's sound is against the formula, away from the fade."""
        start = near + reach if rising else near - reach - 0.05
        f = int(max(0, start) * self.rate)
        x = self.x[f:f + int(0.05 * self.rate)].astype(np.float64)
        known = placecode.signal(line.at((f + np.arange(len(x))) / self.rate))
        return float((x @ known) / (known @ known)) if len(x) else 1.0

    def high(self, start, end):
        """Levels above 8 kHz, in windows of 2 ms; (times, RMS)."""
        taps = _high_pass(self.rate)
        pad = len(taps) / 2 / self.rate
        y = np.convolve(self.part(start - pad, end + pad), taps, 'valid')
        n = int(0.002 * self.rate)
        y = y[:len(y) // n * n].reshape(-1, n)
        return max(start, pad) + (np.arange(len(y)) + 0.5) * n / self.rate, np.sqrt((y ** 2).mean(axis=1))

    def click(self, around, steady, reach=0.08):
        """Decibels that the loudest window around an event lies above the loudest of the steady signal.

        Below -80 dBFS nothing counts as louder. `steady` is (start, end) of undisturbed sound."""
        floor = max(1e-4, float(self.high(*steady)[1].max()))
        return 20 * np.log10(max(1e-9, float(self.high(around - reach, around + reach)[1].max())) / floor)

    def speed(self, start, end):
        """(media seconds a second, pilot's frequency against 1 kHz) over a stretch; medians, NaN if unreadable."""
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


def _high_pass(rate, cut=7500.0, taps=255):
    """A windowed sinc: passes above 8 kHz, and holds back below 7 kHz by more than 80 dB."""
    n = np.arange(taps) - taps // 2
    low = 2 * cut / rate * np.sinc(2 * cut / rate * n) * np.kaiser(taps, 8.5)
    low /= low.sum()
    delta = np.zeros(taps)
    delta[taps // 2] = 1
    return delta - low
