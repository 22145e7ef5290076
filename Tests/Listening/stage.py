# SPDX-License-Identifier: Apache-2.0
"""Scenes in which somebody else takes audio focus or the device: a clip, a phone call, unplugged headphones."""
import json
import os
import subprocess

import numpy as np

import material
from sound_server import RATE, until

EXACT = 1.0    # ms
LATE = 1000    # ms that a busy machine may take for what is done in some


def first_sound(r, after):
    loud = np.flatnonzero(np.abs(r.part(after, len(r.x) / r.rate)) > 1e-4)
    return after + loud[0] / r.rate


def clip(l):
    """Two seconds from the middle of the book: both ends exact, and the book resumes where it was."""
    before_from = l.recorder.now - 0.5
    asked = l.recorder.now
    l.player('clip', 'play', material.book(), '--start', '200', '--end', '202')

    def there():
        # The book is silent at once; the engine of the clip starts and opens the file first.
        first = l.recording().silence(asked, least=0.005)
        # From the last frame of the clip to the first of the book: the engine of the book is still there, and seeks.
        then = first and first[1] and l.recording().silence(first[1] + 1.0, least=0.005)
        return then and then[1] and l.recorder.now > then[1] + 0.8 and (*first, *then)
    stop, begin, end, back = until(there, 60, 'the book after the clip')
    r = l.recording()
    before = r.line(before_from, asked)
    inside = r.line(begin + 0.1, end - 0.1)
    after = r.line(back + 0.1, back + 0.7)
    l.table.row('clip: first place heard, off by', (inside.at(begin) - 200) * 1e3, -EXACT, EXACT)
    l.table.row('clip: last place heard, off by', (inside.at(end) - 202) * 1e3, -EXACT, EXACT)
    l.table.row('clip: its end to the sound of the book', (back - end) * 1e3, 0, LATE)
    l.table.row('clip: command to the end of the book', (stop - asked) * 1e3, -30, LATE)
    l.table.row('clip: book skipped (+) or repeated (-)', (after.at(back) - before.at(stop)) * 1e3, -EXACT, EXACT)


def phone(l):
    """The server corks the stream while a phone stream plays, and uncorks it afterwards."""
    if l.server.kind == 'pipewire':
        # No module there watches the roles of streams, and its server for PulseAudio's clients requests no silence.
        print('--    phone: PipeWire asks nobody for silence')
        return
    module = l.server.pactl('load-module', 'module-role-cork', 'trigger_roles=phone', 'cork_roles=music')
    before_from = l.recorder.now - 0.5
    call = subprocess.Popen(['pacat', '--raw', '--property=media.role=phone', '/dev/zero'], env=l.player.environment,
                            stdin=subprocess.DEVNULL)
    rang = l.recorder.now
    l.until_silence()
    # (The server mutes the stream as it asks; it may be silent before the session has heard of it.)
    until(lambda: l.player.status()['suppression'] == 'interruption', 60, 'the interruption')
    hung_up = l.recorder.now
    call.terminate()
    call.wait()
    l.until_sound(hung_up)
    l.recorder.wait(1.0)
    l.server.pactl('unload-module', module)
    r = l.recording()
    quiet = r.silence(rang, least=0.2)
    before, after = r.line(before_from, rang), r.line(quiet[1] + 0.1, quiet[1] + 0.8)
    out, _ = r.fade_out(quiet[0], before)
    into, _ = r.fade_in(quiet[1], after)
    # The server mutes the stream as it asks: what we play until our own fade is over is not heard.
    l.table.row('phone: skipped (+) or repeated (-)', (after.at(into) - before.at(out)) * 1e3, -EXACT, LATE)


def headphones(l):
    """The sink in use goes away: no sound from the one that is left until the user resumes."""
    module = l.server.add_sink('headphones')
    l.server.move_streams('headphones')
    l.until_silence()
    moved = l.player.status()
    l.table.row('headphones: a move by the user is only that', moved['status'] == 'playing', 1, 1, '')
    out = l.recorder.now
    l.server.pactl('unload-module', module)
    until(lambda: l.player.status()['suppression'] == 'routeLost', 60, 'the lost route')
    l.recorder.wait(LATE / 1e3 + 0.5)
    r = l.recording()
    loud = np.flatnonzero(np.abs(r.part(out, len(r.x) / r.rate)) > 1e-4)
    # The server moves the stream without asking: it is there until we have heard of it.
    leak = (loud[-1] - loud[0]) / r.rate * 1e3 if len(loud) else 0
    l.table.row('headphones out: heard from the other sink', leak, 0, LATE)
    heard = l.player.status()['position']['ms']
    resumed = l.do('resume')
    l.until_sound(resumed)
    l.recorder.wait(1.0)
    r = l.recording()
    begin = first_sound(r, resumed)
    line = r.line(begin + 0.1, begin + 0.8)
    into, _ = r.fade_in(begin, line)
    l.table.row('headphones out: goes on where it was heard, off by', line.at(into) * 1e3 - heard, -60, 60)


def replays(l):
    """Repeats every decision above from the log alone."""
    log = l.player.environment['XDG_STATE_HOME'] + '/rostrum/transitions.jsonl'
    said = l.player('replay', log)
    events = sum(1 for line in open(log) if json.loads(line)['kind'] == 'event')
    l.table.row('the log replays: events', int(said.split()[0]), events, events, '')
    l.table.row('its size', os.path.getsize(log) / 1e6, 0, 2, 'MB')
