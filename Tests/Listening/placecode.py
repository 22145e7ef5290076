# SPDX-License-Identifier: Apache-2.0
"""A signal that carries its own position, and its reader.

A pilot of 1 kHz, and three pairs of tones whose frequencies go round a circle: in the pair of period P, at the
position t, one tone is `DEVIATION * cos(2 pi t / P)` above its centre and the other `DEVIATION * sin(2 pi t / P)`.
The period of 900 s says in which of the 30 s turns the position is, that of 30 s in which second, and that of
1 s where within it. Nothing ever jumps: above 6 kHz the signal is empty, so that a click shows there.
"""
import numpy as np

PILOT = 1000.0
DEVIATION = 200.0
PAIRS = [(1.0, 1600.0, 2300.0), (30.0, 3000.0, 3700.0), (900.0, 4400.0, 5100.0)]  # period, two centres
AMPLITUDE = 0.1
SPAN = PAIRS[-1][0]
WINDOW = 0.040


def signal(t):
    """Returns the signal at positions t, in seconds."""
    t = np.asarray(t, dtype=np.float64)
    out = np.sin(2 * np.pi * PILOT * t)
    for period, first, second in PAIRS:
        turn = 2 * np.pi * t / period
        # The phase is the integral of the frequency.
        out += np.sin(2 * np.pi * first * t + DEVIATION * period * np.sin(turn))
        out += np.sin(2 * np.pi * second * t - DEVIATION * period * np.cos(turn))
    return AMPLITUDE * out


def read(x, rate, at, scale=None):
    """Returns the positions of the windows of 40 ms that begin at the frames `at`; NaN where it is not this signal.

    A list given as `scale` receives the pilot's frequency against 1 kHz of each readable window.
    """
    width = int(WINDOW * rate)
    at = np.asarray(at, dtype=np.int64)
    if not len(at):
        return np.zeros(0)
    frames = np.stack([x[a:a + width] for a in at]).astype(np.float64)
    loud = np.sqrt((frames ** 2).mean(axis=1)) > 0.02
    size = 1 << int(np.ceil(np.log2(width * 8)))
    spectrum = np.abs(np.fft.rfft(frames * np.hanning(width), size, axis=1))
    pilot, pilot_level = _peak(spectrum, PILOT, 120, rate / size)
    # A player that bends the pitch bends all tones alike.
    bent = float(np.median(pilot[loud] / PILOT)) if loud.any() else 1.0
    fine = None
    readable = loud
    for period, first, second in reversed(PAIRS):
        a, level_a = _peak(spectrum, first * bent, DEVIATION + 60, rate / size)
        b, level_b = _peak(spectrum, second * bent, DEVIATION + 60, rate / size)
        a, b = a / bent, b / bent
        radius = np.hypot(a - first, b - second)
        readable = readable & (np.abs(radius - DEVIATION) < 0.25 * DEVIATION)
        readable &= (np.minimum(level_a, level_b) > 0.2 * pilot_level) & (pilot_level > 0.2 * np.maximum(level_a, level_b))
        turn = np.arctan2(b - second, a - first) / (2 * np.pi) % 1 * period
        # The coarser pairs say which turn of this one it is.
        fine = turn if fine is None else turn + period * np.rint((fine - turn) / period)
    if scale is not None:
        scale.extend(pilot[readable] / PILOT)
    return np.where(readable, fine, np.nan)


def _peak(spectrum, centre, reach, step):
    """Returns frequency and height of the greatest peak around a centre, between bins by a parabola of the logarithm."""
    low, high = int((centre - reach) / step), int((centre + reach) / step) + 2
    part = spectrum[:, low:high] + 1e-12
    k = np.clip(part.argmax(axis=1), 1, part.shape[1] - 2)
    row = np.arange(len(part))
    left, top, right = (np.log(part[row, k + j]) for j in (-1, 0, 1))
    bend = left - 2 * top + right
    return (low + k + np.where(bend < 0, 0.5 * (left - right) / np.where(bend < 0, bend, -1), 0)) * step, part[row, k]


def refine(x, rate, guess, slack=0.003):
    """Returns the position of x[0], near the guess, to a fraction of a frame: by correlation with the formula.

    NaN if the sound does not correlate.
    """
    reach = int(slack * rate)
    reference = signal(guess + np.arange(-reach, len(x) + reach) / rate)
    x = np.asarray(x, dtype=np.float64)
    match = np.correlate(reference, x, 'valid')
    k = int(match.argmax())
    if k in (0, len(match) - 1):
        return np.nan
    part = reference[k:k + len(x)]
    if match[k] < 0.7 * np.sqrt((x @ x) * (part @ part)):
        return np.nan
    left, top, right = match[k - 1:k + 2]
    return guess + (k + 0.5 * (left - right) / (left - 2 * top + right) - reach) / rate
