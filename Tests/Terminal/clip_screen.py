# SPDX-License-Identifier: Apache-2.0
"""Cases of the screen on which a clip is shown and edited, for terminal.py."""
import json
import os
import re
import signal
import subprocess
import time
import wave

import numpy as np
from desktop_cases import fail
from sound_server import until
from terminal_screen import ENTER, ESCAPE

# A column of a waveform, and not of silence or of what is not made.
SOUND = re.compile('[\u2801-\u28ff]')


def recording(room):
    """The path of two minutes of a tone that swells and ceases like sentences."""
    path = f'{room.server.folder}/voice.wav'
    if not os.path.exists(path):
        seconds = np.arange(16_000 * 120) / 16_000
        loudness = np.where(seconds % 4.7 < 3.9, 3000 + 9000 * np.abs(np.sin(seconds * 7)), 0)
        with wave.open(path, 'wb') as sound:
            sound.setparams((1, 2, 16_000, 0, 'NONE', ''))
            sound.writeframes((np.sin(seconds * 2000) * loudness).astype('<i2').tobytes())
    return path


def play(room, *arguments):
    room.rostrum('play', '--detach', recording(room), *arguments)


def kept(room, start='1:00', end='1:20'):
    """Keeps a clip of the recording, and returns it."""
    page = room.rostrum('clip', 'add', '--book', recording(room), '--start', start, '--end', end, '--note', 'a note', '--json')
    return json.loads(page)


def clips(room):
    return [json.loads(line) for line in room.rostrum('clip', 'list', '--json').splitlines()]


def has_sound(rows):
    return sum(len(SOUND.findall(row)) for row in rows) > 200


def state(room, owner='main'):
    status = json.loads(room.rostrum('status', '--owner', owner, '--json'))
    return status['owner'], status['status'], status['position']['ms'], status['rate']


def plays(room, owner):
    """Whether an owner plays, in a session that may just be ending or starting."""
    try:
        return state(room, owner)[1] == 'playing'
    except RuntimeError:
        return False


def book_goes_on(room, rate, since):
    """Waits until the book is heard again at its speed, from where it was left."""
    until(lambda: state(room)[:2] == ('main', 'playing'), 10, 'the book after the clip')
    _, _, position, speed = state(room)
    if speed != rate or not since - 100 <= position <= since + 5000:
        fail(f'the book goes on at {position} ms and {speed}x, left at {since} ms and {rate}x')


def edits_a_clip(room):
    """a clip is edited beside its book: it loops, its bounds move, it is saved, and the book goes on at its speed"""
    play(room, '--rate', '1.5')
    clip = kept(room)
    until(lambda: state(room)[1] == 'playing', 10, 'the book')
    terminal = room.open('clip', 'edit', clip['id'][:3], rows=40, columns=120)
    began = time.monotonic()
    terminal.wait(lambda text: has_sound(text.split('\n')), what='the waveform')
    shown = time.monotonic() - began
    place = state(room)[2]
    terminal.press('l\r')
    terminal.wait('playing   loop')
    until(lambda: state(room, f'clip-editor-{clip["id"]}')[1] == 'playing', 10, 'the clip')
    terminal.press('\t<<<')
    terminal.wait('end 1:17.000')
    terminal.press('u')
    terminal.wait('end 1:20.000')
    terminal.press('r')
    terminal.wait('length 0:17.000')
    terminal.press('n, and more\r')
    terminal.wait('a note, and more')
    if state(room)[1] == 'playing':
        fail('the book plays beside the clip')
    terminal.press('s')
    if terminal.code() != 0:
        fail('the exit code is not 0')
    book_goes_on(room, 1.5, place)
    after = clips(room)[0]
    if (after['startMs'], after['durationMs'], after['note']) != (60_000, 17_000, 'a note, and more'):
        fail(f'the clip is {after}')
    if after['start'] != clip['start']:
        fail('a bound that nobody moved has changed')
    return shown


def discards_after_a_question(room):
    """changes are discarded only after a question, and the clip stays as it was"""
    play(room)
    clip = kept(room)
    terminal = room.open('clip', 'edit', clip['id'])
    terminal.wait('start 1:00.000')
    terminal.press('>')
    terminal.wait('not saved')
    terminal.press(ESCAPE)
    terminal.wait('The changes are not saved')
    terminal.press('x')
    terminal.wait('Space play')
    terminal.press('q')
    terminal.wait('The changes are not saved')
    terminal.press('d')
    if terminal.code() != 0:
        fail('the exit code is not 0')
    if clips(room)[0]['startMs'] != 60_000:
        fail('the clip has changed')


def looping(room):
    """Loops a clip in an editor beside a book at 1.5x; returns the terminal, the owner, and the place of the book."""
    play(room, '--rate', '1.5')
    clip = kept(room)
    terminal = room.open('clip', 'edit', clip['id'])
    terminal.wait('start 1:00.000')
    place = state(room)[2]
    terminal.press('l\r')
    owner = f'clip-editor-{clip["id"]}'
    until(lambda: state(room, owner)[1] == 'playing', 10, 'the clip')
    return terminal, owner, place


def killed_editor(room):
    """an editor that is killed while it loops gives the sound back, and the book goes on at its speed"""
    terminal, _, place = looping(room)
    os.kill(terminal.process, signal.SIGKILL)
    book_goes_on(room, 1.5, place)


def paused_book_stays(room):
    """a book that was paused before an editor is paused after it, where it was"""
    play(room)
    until(lambda: state(room)[1] == 'playing', 10, 'the book')
    room.rostrum('pause')
    clip = kept(room)
    before = state(room)
    terminal = room.open('clip', 'edit', clip['id'])
    terminal.wait('start 1:00.000')
    terminal.press('\r')
    until(lambda: state(room, f'clip-editor-{clip["id"]}')[1] == 'playing', 10, 'the clip')
    terminal.press(' ')
    terminal.wait('silent')
    terminal.press('q')
    if terminal.code() != 0:
        fail('the exit code is not 0')
    until(lambda: state(room)[:2] == ('main', 'paused'), 10, 'the paused book')
    if state(room) != before:
        fail(f'the book was {before}, and is {state(room)}')


def views_and_deletes(room):
    """the player lists clips, shows and plays one, and deletes it after a question"""
    clip = kept(room, '1:00', '1:02')
    play(room)
    terminal = room.open()
    terminal.wait('playing')
    terminal.press('7')
    terminal.wait('1 clips')
    terminal.press('\r')
    terminal.wait('start 1:00.000')
    terminal.wait(lambda text: has_sound(text.split('\n')), what='the waveform')
    place = state(room)[2]
    terminal.press(' ')
    until(lambda: state(room, f'clip-viewer-{clip["id"]}')[1] == 'playing', 10, 'the clip')
    book_goes_on(room, 1.0, place)
    terminal.press('d')
    terminal.wait('Delete this clip')
    terminal.press('y')
    terminal.wait('is deleted')
    terminal.wait('0 clips')
    if clips(room):
        fail('the clip is still there')
    terminal.press('1')
    terminal.wait('playing')


def drags_a_bound(room):
    """the mouse drags a bound and the strip, and is reported so only while the editor is open"""
    clip = kept(room)
    terminal = room.open('clip', 'edit', clip['id'])
    terminal.wait(lambda text: has_sound(text.split('\n')), what='the waveform')
    rows = terminal.rows
    sign = next(row for row in rows if ']' in row and '▲' in row)
    column, row = sign.index(']'), 8
    terminal.press(f'\033[<0;{column + 1};{row + 1}M\033[<32;{column - 9};{row + 1}M\033[<0;{column - 9};{row + 1}m')
    terminal.wait('not saved')
    rows = terminal.wait(lambda text: re.search(r'end 1:1[0-9]\.', text), what='another end')
    terminal.press('u')
    terminal.wait('end 1:20.000')
    terminal.press(f'\033[<0;21;{row + 1}M\033[<32;31;{row + 1}M')
    terminal.wait(lambda text: re.search(r'here 0:5[0-9]', text), what='the strip to move')
    terminal.press(f'\033[<0;31;{row + 1}m')
    terminal.press('q')
    if terminal.code() != 0:
        fail('the exit code is not 0')


def edits_on_without_a_session(room):
    """a session that is killed takes no changes with it: the next one saves them"""
    clip = kept(room)
    terminal = room.open('clip', 'edit', clip['id'])
    terminal.wait('start 1:00.000')
    terminal.press('>')
    terminal.wait('not saved')
    os.kill(room.rostrum.session(), signal.SIGKILL)
    terminal.wait('the session has ended')
    terminal.press('\r')
    until(lambda: plays(room, f'clip-editor-{clip["id"]}'), 20, 'the clip in the next session')
    terminal.press('s')
    if terminal.code() != 0:
        fail('the exit code is not 0')
    if clips(room)[0]['startMs'] != 61_000:
        fail('the change is lost')


def engine_killed_in_the_loop(room):
    """an engine that is killed while the editor loops is replaced, and the book goes on at its speed"""
    terminal, owner, place = looping(room)
    killed = set(engines(room))
    for process in killed:
        os.kill(process, signal.SIGKILL)
    until(lambda: set(engines(room)) - killed and state(room, owner)[1] == 'playing', 20, 'the clip of another engine')
    terminal.press('q')
    if terminal.code() != 0:
        fail('the exit code is not 0')
    book_goes_on(room, 1.5, place)


def engines(room):
    """The processes of the session's engines."""
    found = subprocess.run(['pgrep', '-P', str(room.rostrum.session()), '-f', 'rostrum-engine-runner'],
                           capture_output=True, text=True)
    return [int(process) for process in found.stdout.split()]


def another_takes_the_sound(room):
    """an editor sees that the book is played meanwhile, and takes the sound again when it plays"""
    play(room)
    clip = kept(room)
    terminal = room.open('clip', 'edit', clip['id'])
    terminal.wait('start 1:00.000')
    terminal.press('l\r')
    owner = f'clip-editor-{clip["id"]}'
    until(lambda: state(room, owner)[1] == 'playing', 10, 'the clip')
    room.rostrum('resume', '--owner', 'main')
    until(lambda: state(room)[1] == 'playing', 10, 'the book')
    terminal.wait('silent')
    terminal.press('\r')
    until(lambda: state(room, owner)[1] == 'playing', 10, 'the clip again')
    if state(room)[1] == 'playing':
        fail('both play')
    terminal.press('q')
    if terminal.code() != 0:
        fail('the exit code is not 0')
    until(lambda: state(room)[1] == 'playing', 10, 'the book again')


def unknown_clip(room):
    """a clip that is not there is said in one line, and by the exit code"""
    kept(room)
    terminal = room.open('clip', 'edit', 'zzzz')
    if terminal.code() != 66 or 'zzzz' not in terminal.text:
        fail(f'the screen is {terminal.text}')


CLIP_CASES = [edits_a_clip, discards_after_a_question, killed_editor, paused_book_stays, views_and_deletes,
              drags_a_bound, edits_on_without_a_session, engine_killed_in_the_loop, another_takes_the_sound, unknown_clip]
