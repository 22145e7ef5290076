#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Scenes in which somebody edits a clip while a book is there: at the end, the book is as it was.

    editing.py BUILD_DIR [TIMES] [--server pulseaudio|pipewire]

Plays each scene so many times (default 10), prints a table, and exits with 1 if something is wrong.
`listen.py` plays each once.
"""
import argparse
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys

import numpy as np

import material
from analysis import HOP, Line
from sound_server import until

EXACT = 1.0    # ms
LATE = 1000    # ms that a busy machine may take for what is done in some
FAST = 1.5     # the rate of the book
# Of a place that is read while the speed is not 1, in ms: the sound is then made of pieces, each of which is moved by up to
# half of what it overlaps.
PACED = 25
STEADY = 8         # windows that must agree with those so many later
OWNER = 'clip-editor-1'
PHONE = 'module-role-cork'


class Editor:
    """A front end on the control socket."""

    def __init__(self, environment):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(environment['XDG_RUNTIME_DIR'] + '/rostrum/session.sock')
        self.lines = self.socket.makefile('rb')
        self.number = 0

    def __call__(self, method, **params):
        self.number += 1
        message = {'jsonrpc': '2.0', 'id': self.number, 'method': method, 'params': params}
        self.socket.sendall(json.dumps(message).encode() + b'\n')
        while (answer := json.loads(self.lines.readline())).get('id') != self.number:
            pass
        if 'error' in answer:
            raise RuntimeError(f'{method}: {answer["error"]["message"]}')
        return answer['result']

    def die(self):
        """Goes as a front end does that is killed."""
        self.lines.close()
        self.socket.close()


def editor(l):
    """An editor loops a passage, moves its bounds, and dies: the book resumes where it was."""
    owner, before_from = 'clip-editor-1', l.recorder.now - 0.5
    asked = l.recorder.now
    edit = Editor(l.player.environment)
    edit('claim', owner=owner, attach=True)
    edit('clip', items=[material.book()], at='200', until='202', owner=owner, loop=True, attach=True)
    looping = l.until_position(200.2, 202)
    l.recorder.wait(4.5)
    joins = l.recording().jumps(looping, l.recorder.now - 0.1)
    l.table.row('editor: joins of the loop in 4.4 s', len(joins), 2, 3, '')
    # What is heard lies outside of the new bounds.
    moved = l.recorder.now
    edit('clips', action='range', owner=owner, start='230', end='240', loop=True)
    reached = l.until_position(230, 240)
    l.recorder.wait(0.8)
    r = l.recording()
    old, new = r.line(moved - 0.15, moved), r.line(reached + 0.1, reached + 0.7)
    begin, _ = r.handover(moved - 0.02, reached + 0.1, old, new)
    l.table.row('editor: bounds moved away: to sound', (begin - moved) * 1e3, -30, LATE)
    l.table.row('editor: first place heard, off by', (new.at(begin) - 230) * 1e3, -EXACT, EXACT)
    l.table.row('editor: click', r.click(begin, l.steady, reach=0.1), -200, 6, 'dB')
    # What is heard lies within them, and goes on.
    within = l.recorder.now
    edit('clips', action='range', owner=owner, start='229.5', end='239', loop=True)
    l.recorder.wait(1.2)
    r = l.recording()
    jumps = [abs(seconds) for _, seconds in r.jumps(within - 0.2, within + 1)]
    l.table.row('editor: bounds moved around: largest jump', max(jumps, default=0) * 1e3, 0, 100)
    l.table.row('editor: bounds moved around: drop-outs', r.dropouts(within - 0.2, within + 1), 0, 0)
    gone = l.recorder.now
    edit.die()
    heard = l.until_position(60, 199)
    l.recorder.wait(0.8)
    r = l.recording()
    stop = r.silence(asked, least=0.005)[0]
    quiet = r.silence(gone, least=0.005)
    # The book may be there before the clip has been silent for so long.
    back = quiet[1] if quiet else r.handover(gone - 0.02, heard + 0.1, r.line(gone - 0.15, gone),
                                             r.line(heard + 0.1, heard + 0.7))[0]
    before, after = r.line(before_from, asked), r.line(back + 0.1, back + 0.7)
    l.table.row('editor: its end to the sound of the book', (back - gone) * 1e3, 0, LATE)
    l.table.row('editor: book skipped (+) or repeated (-)', (after.at(back) - before.at(stop)) * 1e3, -EXACT, EXACT)


def pace(r, start, end, speed):
    """Returns the steady line at another speed that most of a stretch lies on, or None."""
    time, position = r.windows(start, end)
    offsets = (position - speed * time)[~np.isnan(position)]
    return Line(start, end, float(np.median(offsets)), speed) if len(offsets) >= 3 else None


def book_is_heard(l):
    now = l.recorder.now
    line = pace(l.recording(), now - 0.2, now, FAST)
    return line is not None and 60 < line.at(now) < 199


def moved(l):
    """Returns the frames from where the book was left to where it went on, by the log: the ear is less exact at a speed."""
    left = None
    with open(l.player.environment['XDG_STATE_HOME'] + '/rostrum/transitions.jsonl') as f:
        for record in map(json.loads, f):
            if record['kind'] == 'place' and record['action'] == 'save':
                left = record['units']
            elif record.get('event') == 'loaded' and record['owner'] == 'main' and record['engine'] == 'ffmpeg':
                found = record['start']['units'] - left if left is not None else None
    return found


def engines(l):
    """Returns the processes of engines by the id of the engine."""
    session, found = l.player.session(), {}
    for task in pathlib.Path(f'/proc/{session}/task').iterdir():
        with contextlib.suppress(OSError):
            for pid in (task / 'children').read_text().split():
                words = pathlib.Path(f'/proc/{pid}/cmdline').read_bytes().decode(errors='replace')
                for name in ('clip', 'ffmpeg', 'espeak'):
                    if f'{name}.engine' in words or f'/{name}/' in words:
                        found.setdefault(name, []).append(int(pid))
    return found


def looping(l, edit):
    """Claims, loops a passage, moves its bounds, and saves them as a clip; returns when it was asked for."""
    asked = l.recorder.now
    edit('claim', owner=OWNER, attach=True)
    made = edit('clips', action='add', items=[material.book()], start='200', end='202')['clips'][0]
    edit('clips', action='play', ids=[made['id']], owner=OWNER, loop=True, attach=True)
    l.until_position(200.1, 202)
    l.recorder.wait(2.5)
    edit('clips', action='range', owner=OWNER, start='230', end='233', loop=True)
    l.until_position(230, 233)
    saved = edit('clips', action='edit', ids=[made['id']], start='230', end='233')['clips'][0]
    units = [saved[end]['units'] / saved[end]['unitsPerSecond'] for end in ('start', 'end')]
    l.table.row('editing: the saved bounds, off by', max(abs(units[0] - 230), abs(units[1] - 233)) * 1e3, 0, EXACT)
    l.recorder.wait(3.5)
    return asked, made['id']


def released(l, edit):
    edit('release', owner=OWNER)
    edit.die()


def killed_client(l, edit):
    edit.die()


def killed_engine(l, edit):
    """The engine dies during the loop, which goes on; then the editor leaves."""
    processes = engines(l).get('clip', [])
    l.table.row('editing: engines of the clip', len(processes), 1, 1, '')
    died = l.recorder.now
    os.kill(processes[0], signal.SIGKILL)
    until(lambda: engines(l).get('clip', []) not in ([], processes), 60, 'another engine of the clip')
    # What the dead one had rendered is heard first.
    l.recorder.wait(13)
    now = l.recorder.now
    r = l.recording()
    # Whatever is heard of the clip meanwhile lies within it. (A window across a joint may read anything.)
    _, position = r.windows(died, now - 0.1)
    heard = position[:-STEADY][np.abs(position[STEADY:] - position[:-STEADY] - STEADY * HOP) < 0.005]
    l.table.row('engine dies: first place heard', heard.min(), 229.95, 233.05, 's')
    l.table.row('engine dies: last place heard', heard.max(), 229.95, 233.05, 's')
    l.table.row('engine dies: the loop goes on', float(r.line(now - 0.4, now - 0.1) is not None), 1, 1, '')
    released(l, edit)


def called(l, edit):
    """A call silences the loop, which goes on after it; then the editor leaves."""
    if l.server.kind == 'pipewire':
        print('--    editing: PipeWire asks nobody for silence')
        return released(l, edit)
    module = l.server.pactl('load-module', PHONE, 'trigger_roles=phone', 'cork_roles=music')
    call = subprocess.Popen(['pacat', '--raw', '--property=media.role=phone', '/dev/zero'], env=l.player.environment,
                            stdin=subprocess.DEVNULL)
    l.until_silence()
    until(lambda: l.player.status()['suppression'] == 'interruption', 60, 'the interruption')
    hung_up = l.recorder.now
    call.terminate()
    call.wait()
    l.until_sound(hung_up)
    l.until_position(230, 233)
    l.recorder.wait(0.5)
    l.server.pactl('unload-module', module)
    released(l, edit)


def edited(name, end, paused=False):
    """Makes a scene: a book at another speed, an editor, its end, and the book as it was."""
    def scene(l):
        # A step back after the pause would be as wished, and look like a loss.
        folder = l.player.environment['XDG_CONFIG_HOME'] + '/rostrum'
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(folder + '/settings.json', 'w') as f:
            json.dump({'autoRewind': 0}, f)
        l.do('seek', '80')
        l.do('rate', str(FAST))
        l.until_speed(FAST)
        l.until_position(81, 190)
        l.recorder.wait(0.6)
        before_from = l.recorder.now - 0.5
        if paused:
            before_until = l.do('pause')
            l.until_silence()
        edit = Editor(l.player.environment)
        asked, clip = looping(l, edit)
        if not paused:
            before_until = asked
        gone = l.recorder.now
        end(l, edit)
        left = l.recorder.now
        r = l.recording()
        stop = r.silence(before_until, least=0.005)[0]
        before = pace(r, before_from, before_until - 0.02, FAST)
        if paused:
            l.until_silence()
            l.recorder.wait(1.0)
            quiet = np.abs(l.recorder.samples(l.recorder.now - 0.8)).max()
            l.table.row(f'{name}: the paused book is silent', quiet, 0, 1e-4, '')
            gone = l.do('resume')
        until(lambda: book_is_heard(l), 60, 'the book in the recording')
        fast = l.until_speed(FAST)
        l.recorder.wait(0.7)
        r = l.recording()
        back = r.silence(gone if paused else left - 0.05, least=0.005)[1]
        after = pace(r, back + 0.1, back + 0.8, FAST)
        # (A window across a joint may read anything, but hardly the book's place.)
        _, position = r.windows(stop + 0.05, back - 0.05)
        strangers = int((np.abs(position - before.at(stop)) < 30).sum())
        speed, pitch = r.speed(fast - 0.45, fast + 0.6)
        l.table.row(f'{name}: the end to the sound of the book', (back - (gone if paused else left)) * 1e3, -60, LATE)
        l.table.row(f'{name}: book skipped (+) or repeated (-)', (after.at(back) - before.at(stop)) * 1e3, -PACED, PACED)
        l.table.row(f'{name}: windows of the book during the clip', strangers, 0, 0, '')
        l.table.row(f'{name}: speed of the book', speed, FAST - 0.03, FAST + 0.03, '')
        l.table.row(f'{name}: its pitch', pitch, 0.99, 1.01, '')
        l.table.row(f'{name}: drop-outs after', r.dropouts(back + 0.05, back + 0.8), 0, 0)
        l.table.row(f'{name}: frames from leaving to going on', moved(l), 0, 0, '')
        l.player('clip', 'delete', clip)
        l.do('rate', '1')
        l.until_speed(1)
    return scene


SCENES = [editor, *(edited(*words) for words in (
    ('released', released), ('editor killed', killed_client), ('engine killed', killed_engine), ('call', called),
    ('paused before', released, True)))]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('build')
    arguments.add_argument('times', nargs='?', type=int, default=10)
    arguments.add_argument('--server', default='pulseaudio')
    given = arguments.parse_args()
    import listen
    failed = 0
    for number in range(given.times):
        print(f'--    time {number + 1}', flush=True)
        failed += listen.listen(given, [listen.start, *SCENES])[0]
    print(f'{failed} defects heard' if failed else 'nothing wrong was heard')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
