# SPDX-License-Identifier: Apache-2.0
"""Scenes about how things sound: falling asleep, one ear, long silences, uneven recordings."""
import json
import os
import subprocess

import numpy as np

import material
from analysis import Recording
from sound_server import RATE, until

EXACT = 1.0    # ms
LATE = 1000    # ms that a busy machine may take for what is done in some
FADE = 1.5     # s, of the sleep timer
STEADY = 0.03  # by which the measured gain of a steady sound varies


def begin(l):
    """Starts a session of its own, with a short fade."""
    l.player.end()
    l.until_silence()
    folder = l.player.environment['XDG_CONFIG_HOME'] + '/rostrum'
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with open(folder + '/settings.json', 'w') as f:
        json.dump({'sleepFade': FADE}, f)


def play(l, path):
    """Plays from the start; returns the recording's time of the first sound."""
    before = l.recorder.now
    l.player.attach('play', path, '--from-start')
    l.until_sound(before)
    r = l.recorder.samples(before)
    return before + np.flatnonzero(np.abs(r).max(axis=1) > 1e-4)[0] / RATE


def asleep(l):
    """A timer of 2 s: the sound gets softer and softer, and the place is where it became silent."""
    l.player.attach('play', material.book(), '--at', '60')
    l.until_position(60.7)
    asked = l.do('sleep', '2s')
    # The timer runs from somewhere between the two.
    answered = l.recorder.now
    until(lambda: l.player.status()['suppression'] == 'sleep', 60, 'sleep')
    l.recorder.wait(0.3)
    place = l.player.status()['position']['ms']
    r = l.recording()
    line = r.line(asked - 0.25, asked + 0.1)
    steady = (asked - 0.3, asked)
    end = r.silence(asked, least=0.1)[0]
    times = np.arange(asked, end - 0.05, 0.05)
    gains = np.array([r._level(line, t) for t in times])
    l.table.row('sleep: command to silence', (end - asked) * 1e3, 1900, 2600 + (answered - asked) * 1e3 + LATE)
    l.table.row('sleep: gain before the fade', gains[times < end - FADE - 0.15].min(), 1 - STEADY, 1 + STEADY, '')
    l.table.row('sleep: it grows again by', np.diff(gains).max(), -1, STEADY, '')
    l.table.row('sleep: gain half way through', np.interp(end - FADE / 2, times, gains), 0.05, 0.35, '')
    l.table.row('sleep: gain at the end', gains[-2], 0, 0.01, '')
    l.table.row('sleep: click', r.click((asked + end) / 2, steady, reach=(end - asked) / 2 + 0.2), -200, 6, 'dB')
    # The last steps of the fade are below what can be heard: the place is the one at the end of the timer.
    l.table.row('sleep: place kept, against the end of the timer', place - line.at(asked + 2) * 1e3, -30,
                120 + (answered - asked) * 1e3 + LATE)
    resumed = l.do('resume')
    l.until_sound(resumed)
    l.recorder.wait(0.6)
    r = l.recording()
    first = resumed + np.flatnonzero(np.abs(r.part(resumed, len(r.x) / RATE)) > 1e-4)[0] / RATE
    after = r.line(first + 0.1, first + 0.5)
    into, _ = r.fade_in(first, after)
    l.table.row('sleep: goes on where it was kept, off by', after.at(into) * 1e3 - place, -1 - EXACT, 1 + EXACT)
    l.table.row('sleep: gain afterwards', r._level(after, first + 0.3), 1 - STEADY, 1 + STEADY, '')


def ears(l):
    """The book's right channel is the left one inverted: in mono nothing is left of it."""
    decibels = lambda part, whole: 20 * np.log10(max(part, 1e-9) / whole)

    def levels(*option, left=0.0, right=0.0):
        """Returns the levels of both channels relative to the plain ones in decibels, once they are as wanted; or what they
        are after 10 s.

        A wanted level of -40 or less is a bound: a looser one than the row's would take the end of the ramp for the level.
        """
        l.do('option', *option)
        return l.settled(lambda x: np.sqrt((x ** 2).mean(axis=0)), lambda now: all(
            decibels(v, p) < want if want <= -40 else abs(decibels(v, p) - want) < 0.2
            for v, p, want in zip(now, plain, (left, right))))
    plain = (1.0, 1.0)
    l.do('option', 'balance', '0')
    l.recorder.wait(2.0)
    plain = np.sqrt((l.recorder.samples(l.recorder.now - 0.5) ** 2).mean(axis=0))
    left = levels('balance', '-1', right=-80)
    half = levels('balance', '0.5', left=-6.02)
    levels('balance', 'default')
    mono = levels('mono', 'on', left=-40, right=-40)
    again = levels('mono', 'default')
    l.table.row('balance -1: the left channel', decibels(left[0], plain[0]), -0.2, 0.2, 'dB')
    l.table.row('balance -1: the right channel', decibels(left[1], plain[1]), -200, -80, 'dB')
    l.table.row('balance 0.5: the left channel', decibels(half[0], plain[0]), -6.3, -5.8, 'dB')
    l.table.row('balance 0.5: the right channel', decibels(half[1], plain[1]), -0.2, 0.2, 'dB')
    l.table.row('mono: what is turned over', decibels(mono.max(), plain[0]), -200, -40, 'dB')
    l.table.row('mono off again', decibels(again[0], plain[0]), -0.2, 0.2, 'dB')


def silences(l):
    """A hole of 2 s is left out but for 240 ms; the position after it is the one that is heard."""
    l.do('option', 'silence', '0.5')
    began = play(l, material.holed())
    l.until_position(material.HOLED_FROM + 3.3)
    asked = l.do('pause')
    l.until_silence()
    place = l.player.status()['position']['ms'] / 1e3 + material.HOLED_FROM
    r = Recording(l.recorder.samples()[:, 0], RATE)
    hole = r.silence(began + 0.3, least=0.1)
    before, after = r.line(began + 0.2, hole[0] - 0.05), r.line(hole[1] + 0.1, asked)
    end = r.silence(asked - 0.02, least=0.1)[0]
    out, _ = r.fade_out(end, after)
    l.table.row('silence: heard of a hole of 2 s', (hole[1] - hole[0]) * 1e3, 239, 261)
    l.table.row('silence: last place before it, off by', (before.at(hole[0]) - material.HOLED_FROM - 1) * 1e3, -EXACT, EXACT)
    l.table.row('silence: first place behind it, off by', (after.at(hole[1]) - material.HOLED_FROM - 3) * 1e3, -EXACT, EXACT)
    l.table.row('silence: place told behind it, off by', (place - after.at(out)) * 1e3, -1 - EXACT, 1 + EXACT)
    l.do('option', 'silence', 'default')


def evened(l):
    """Two recordings, 22 dB apart, come to one loudness; and the louder one does not clip, either way."""
    l.do('option', 'loudness', 'on')
    heard = {}
    for name in material.LEVELS:
        began = play(l, material.leveled(name))
        l.recorder.wait(2.2)
        x = l.recorder.samples(began + 0.2)[:int(2 * RATE)]
        heard[name] = loudness(x)
        l.table.row(f'loudness: {name}, by ffmpeg', heard[name], -19, -17, 'LUFS')
    l.table.row('loudness: the two differ by', abs(heard['quiet'] - heard['loud']), 0, 0.5, 'LU')
    wanted = material.peak('loud')
    l.do('option', 'loudness', 'off')
    peak = l.settled(lambda x: np.abs(x).max(initial=0), lambda now: -1 <= 20 * np.log10(max(now, 1e-9) / wanted) <= 0.01, 4)
    l.table.row('loudness off, volume 1: peak against the file', 20 * np.log10(max(peak, 1e-9) / wanted), -1, 0.01, 'dB')
    try:
        l.player('volume', '1.5')
        l.table.row('volume 1.5 is refused', 0, 1, 1, '')
    except RuntimeError as error:
        l.table.row('volume 1.5 is refused', float('exited 64' in str(error)), 1, 1, '')
    l.do('option', 'loudness', 'default')
    l.player.end()


def loudness(x):
    """Returns the integrated loudness in LUFS, as another program measures it."""
    r = subprocess.run(
        ['ffmpeg', '-nostdin', '-hide_banner', '-f', 'f32le', '-ar', str(RATE), '-ac', '2', '-i', 'pipe:0', '-af', 'ebur128',
         '-f', 'null', '-'], input=np.ascontiguousarray(x, dtype='<f4').tobytes(), capture_output=True, check=True)
    summary = r.stderr.decode()[r.stderr.decode().rindex('Integrated loudness'):]
    return float(summary.split('I:')[1].split()[0])


SCENES = [begin, asleep, ears, silences, evened]
