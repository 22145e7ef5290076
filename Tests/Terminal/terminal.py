#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the full-screen player in terminals, beside a private sound server, and looks at what is on the screen.

    terminal.py BUILD_DIR [--only NAME] [--times N]

Prints a line for each case; exits with 1 if one fails.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import wave

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'Listening'), os.path.join(HERE, '..', 'Desktop')]
import material  # noqa: E402
from desktop_cases import fail, run  # noqa: E402
from clip_screen import CLIP_CASES  # noqa: E402
from player import Player  # noqa: E402
from sound_server import Server, connectable, until  # noqa: E402
from terminal_screen import DOWN, ENTER, ESCAPE, LEFT, RIGHT, UP, TerminalScreen  # noqa: E402

TEXT = '\n'.join(f'Sentence {k} of a text that is read aloud, and that goes on for a while.' for k in range(1, 200))


class Room:
    """A listener's home with a library of three books, a sound server, and terminals."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.server = Server()
        self.server.__enter__()
        self.env = dict(self.server.environment)
        self.env['ROSTRUM_ENGINE_PATH'] = os.environ.get('ROSTRUM_ENGINE_PATH', f'{self.build}/engines')
        self.rostrum = Player(self.build, self.env)
        self.shelf = f'{self.server.folder}/Series'
        os.mkdir(self.shelf)
        for name in ('Book 1', 'Book 2', 'Book 10'):
            os.mkdir(f'{self.shelf}/{name}')
        self.first, self.second, self.third = (
            f'{self.shelf}/{name}' for name in ('Book 1/book.m4b', 'Book 2', 'Book 10'))
        shutil.copy(material.book(), self.first)
        tone(f'{self.second}/part.wav', 3)
        tone(f'{self.third}/part.wav', 20)
        picture(f'{self.shelf}/Book 1/cover.png')
        self.text = f'{self.server.folder}/text.txt'
        with open(self.text, 'w') as file:
            file.write(TEXT)
        self.terminals = []

    def fill(self):
        self.rostrum('library', 'add', self.shelf)

    def open(self, *arguments, **options):
        environment = dict(self.env, **options.pop('env', {}))
        terminal = TerminalScreen([f'{self.build}/rostrum', *arguments], environment, **options)
        self.terminals.append(terminal)
        return terminal

    def shell(self):
        """Opens the player from an interactive shell, which it can be suspended in; returns the terminal and its process."""
        terminal = TerminalScreen(['/bin/bash', '--norc', '-i'],
                                  dict(self.env, PS1='$ ', PATH=f'{self.build}:/usr/bin:/bin'))
        self.terminals.append(terminal)
        terminal.wait('$')
        terminal.press('rostrum\n')
        terminal.wait('playing')
        child = subprocess.run(['pgrep', '-x', '-P', str(terminal.process), 'rostrum'], capture_output=True, text=True)
        return terminal, int(child.stdout)

    def play(self, *arguments):
        self.rostrum('play', '--detach', self.first, *arguments)

    def close(self):
        for terminal in self.terminals:
            terminal.close()
        try:
            self.rostrum('stop')
        except RuntimeError:
            pass
        if process := self.rostrum.session():
            os.kill(process, signal.SIGTERM)
            until(lambda: self.rostrum.session() is None, 20, 'the end of the session')
        self.server.__exit__()


def tone(path, seconds):
    with wave.open(path, 'wb') as sound:
        sound.setparams((1, 2, 8000, 0, 'NONE', ''))
        sound.writeframes((np.sin(np.arange(8000 * seconds) * 0.3) * 8000).astype('<i2').tobytes())


def picture(path):
    if not os.path.exists(path):
        subprocess.run(['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=64x64:d=1', '-frames:v', '1', path],
                       check=True, stdin=subprocess.DEVNULL)


def wakeups(process):
    with open(f'/proc/{process}/status') as file:
        return int(re.search(r'^voluntary_ctxt_switches:\s+(\d+)', file.read(), re.M).group(1))


def ms(text):
    """The time in ms of a clock text such as 1:02:03."""
    total = 0
    for part in text.split(':'):
        total = total * 60 + int(part)
    return total * 1000


def shown(rows):
    """The position of the book on the page of what plays; -1 while there is none."""
    found = re.search(r'(\d+:\d\d(?::\d\d)?) / (\d+:\d\d(?::\d\d)?)  \d+ %', '\n'.join(rows))
    return ms(found.group(1)) if found else -1


# The cases.

def opens_empty(room):
    """it opens without a session, starts one, and says that nothing is loaded"""
    terminal = room.open()
    terminal.wait('Nothing is loaded')
    terminal.press('q')
    if terminal.code() != 0:
        fail('the exit code is not 0')


def plays_from_the_library(room):
    """a book of the library is found by typing, played, and plays on when the player is left"""
    room.fill()
    terminal = room.open()
    terminal.wait('Nothing is loaded')
    terminal.press('2')
    terminal.wait('3 of 3 books')
    terminal.press('/places')
    terminal.wait('1 of 3 books')
    terminal.press(ENTER + ENTER + '1')
    terminal.wait('playing')
    terminal.wait('Minute 1')
    room.server.recorder.wait(0.5)
    if abs(room.server.recorder.samples(room.server.recorder.now - 0.3)).max() < 0.01:
        fail('nothing is heard')
    terminal.press('q')
    if terminal.code() != 0 or room.rostrum.status()['status'] != 'playing':
        fail('the book does not play on')


def seeks_show_at_once(room):
    """a skip shows before a session that is stopped can answer, and the position is the session's afterwards"""
    room.play('--at', '60')
    terminal = room.open()
    terminal.wait('playing')
    terminal.wait('Minute 7')
    session = room.rostrum.session()
    before = shown(terminal.rows)
    os.kill(session, signal.SIGSTOP)
    try:
        terminal.press(RIGHT)
        terminal.wait(lambda text: shown(text.split('\n')) >= before + 24_000, 2, 'the skip')
        terminal.press('>')
        terminal.wait('Chapter 3 of 7', 2)
    finally:
        os.kill(session, signal.SIGCONT)
    until(lambda: room.rostrum.status()['chapter']['index'] == 2, 10, 'the seek')
    if abs(shown(terminal.rows) - room.rostrum.status()['position']['ms']) > 2000:
        fail('the position is not that of the session')


def follows_its_owner(room):
    """a clip does not move the book on the screen; the reason is shown, and goes when the clip is over"""
    room.play('--at', '60')
    terminal = room.open()
    terminal.wait('playing')
    room.rostrum('clip', 'play', f'{room.third}/part.wav', '--start', '1', '--end', '19', '--detach')
    rows = terminal.wait('Held: clip-viewer')
    held = shown(rows)
    terminal.press(LEFT)
    terminal.wait(lambda text: shown(text.split('\n')) <= held - 29_000, 5, 'the skip back')
    if room.rostrum.status()['owner'] == 'main':
        fail('the clip was disturbed')
    terminal.press(' ')
    terminal.wait('playing')
    position = room.rostrum.status()['position']['ms']
    if room.rostrum.status()['owner'] != 'main' or not held - 32_000 <= position <= held - 25_000:
        fail(f'it plays at {position}, and was held at {held}')


def sleeps_when_paused(room):
    """nothing is written and the process never wakes up while nothing changes"""
    room.play()
    terminal = room.open()
    terminal.wait('playing')
    terminal.press('p')
    terminal.wait('paused')
    quiet = terminal.received
    until(lambda: not settle(terminal), 10, 'quiet')
    quiet, woken = terminal.received, wakeups(terminal.process)
    time.sleep(5)
    if (terminal.received, wakeups(terminal.process)) != (quiet, woken):
        fail(f'{terminal.received - quiet} bytes, {wakeups(terminal.process) - woken} wake-ups in 5 s')


def settle(terminal):
    before = terminal.received
    time.sleep(0.3)
    return terminal.received != before


def writes_what_changed(room):
    """while a book plays, it wakes up about once a second and writes a few bytes"""
    room.play()
    terminal = room.open(rows=40, columns=120)
    terminal.wait('playing')
    until(lambda: shown(terminal.rows) >= 3000, 10, 'three seconds')
    bytes_before, woken = terminal.received, wakeups(terminal.process)
    time.sleep(5)
    sent, woken = terminal.received - bytes_before, wakeups(terminal.process) - woken
    if sent > 5 * 200 or woken > 12:
        fail(f'{sent} bytes and {woken} wake-ups in 5 s')


def survives_any_size(room):
    """a hundred sizes, one after the other, leave a whole screen"""
    room.play()
    terminal = room.open()
    terminal.wait('playing')
    chance = random.Random(16)
    for _ in range(100):
        terminal.resize(chance.randint(1, 70), chance.randint(1, 200))
        if chance.random() < 0.3:
            terminal.press(chance.choice('123456?s/b') + ESCAPE)
    terminal.resize(24, 80)
    terminal.press(ESCAPE + ESCAPE + '1')
    terminal.wait(lambda text: 'playing' in text and 'leave' in text and 'Chapter 1 of 7' in text, 10, 'the page')


def survives_small_sizes(room):
    """every small size is drawn, one after the other"""
    room.play()
    terminal = room.open()
    terminal.wait('playing')
    for rows in (12, 5, 3, 2, 1):
        for columns in (40, 9, 2, 1):
            before = terminal.received
            terminal.resize(rows, columns)
            until(lambda: terminal.received > before, 5, f'a screen of {rows} rows and {columns} columns')
    terminal.resize(24, 80)
    terminal.wait(lambda text: 'playing' in text and 'leave' in text, 10, 'the page')


def takes_any_key(room):
    """broken and unknown sequences do no harm"""
    room.play()
    terminal = room.open()
    terminal.wait('playing')
    for keys in ('\033[ P', '\033[$A', '\033[/H', '\033[!R', '\033[u', '\033[27;5~', '\033[27~', '\033[4294967396u', '\033[<0;9999;9999M', '\033[M', '\033[',
                 '\033[200~pasted\033[201~', '\033[1;1R', '\xff\xfe', '\033]0;x\007', '\033[999999999999999999u'):
        terminal.press(keys.encode('latin-1'))
        time.sleep(0.05)
    for _ in range(2):
        terminal.press(ESCAPE)
        time.sleep(0.1)
    terminal.press('2')
    terminal.wait('books', 5)
    terminal.press('q')
    if terminal.code() != 0:
        fail('it has died')


def takes_keys_in_pieces(room):
    """an arrow that arrives in two pieces is an arrow, whatever happens between them"""
    room.play('--at', '60')
    terminal = room.open()
    terminal.wait('Minute 7')
    for k in range(20):
        # Beside the pieces, which on a busy machine must not come further apart than those of one key do.
        volume = threading.Thread(target=room.rostrum, args=('volume', f'0.{50 + k}'))
        volume.start()
        terminal.press(b'\033')
        os.kill(terminal.process, signal.SIGWINCH)
        if k % 2:
            time.sleep(0.01)
        terminal.press(b'[C')
        volume.join()
        time.sleep(0.06)
    if room.rostrum.status()['rate'] != 1:
        fail('an arrow was taken for the key of the speed')


def stays_with_a_hung_session(room):
    """a session that is stopped holds nothing up: keys count, and Ctrl-C ends the player"""
    room.play('--at', '60')
    terminal = room.open()
    terminal.wait('Minute 7')
    session = room.rostrum.session()
    os.kill(session, signal.SIGSTOP)
    try:
        for _ in range(40):
            terminal.press(RIGHT * 100)
        terminal.press('2')
        # The library may not have been read before the session was stopped.
        terminal.wait('by recent', 5)
        terminal.press('\x03')
        if terminal.code(5) != -signal.SIGINT:
            fail('another exit code')
    finally:
        os.kill(session, signal.SIGCONT)


def ends_while_suspended(room):
    """a player that is stopped with Ctrl-Z and killed ends, and one that was stopped otherwise has its keys again"""
    room.play()
    terminal, child = room.shell()
    os.kill(child, signal.SIGSTOP)
    terminal.wait('Stopped')
    terminal.press('fg\n')
    terminal.wait('playing')
    terminal.press('2')
    terminal.wait('books', 5)
    terminal.press('\x1a')
    terminal.wait('Stopped')
    terminal.press('kill %1\n')
    until(lambda: not is_alive(child), 10, 'its end')


def is_alive(process):
    """Returns False for one that has ended, also if its parent has not asked for that yet."""
    try:
        with open(f'/proc/{process}/stat') as file:
            return file.read().rsplit(')', 1)[1].split()[0] != 'Z'
    except FileNotFoundError:
        return False


def stays_when_idle(room):
    """a session that a command started does not leave under an open player, and does when that is closed"""
    room.rostrum('settings', 'set', 'sessionIdle', '1')
    room.play('--at', '60')
    terminal = room.open()
    terminal.wait('playing')
    terminal.press('p')
    terminal.wait('paused')
    time.sleep(3)
    if not room.rostrum.session() or 'Places' not in terminal.text:
        fail('the session has left')
    terminal.press('q')
    terminal.code()
    until(lambda: room.rostrum.session() is None, 10, 'the end of the session')


def focus_starts_nothing(room):
    """a window that gets the focus starts no session"""
    room.play()
    terminal = room.open()
    terminal.wait('playing')
    os.kill(room.rostrum.session(), signal.SIGKILL)
    terminal.wait('the session has ended')
    terminal.press('\033[I')
    time.sleep(1)
    rows = terminal.wait('the session has ended')
    if 'no session' not in '\n'.join(rows):
        fail('a session was started')


def waits_for_other_programs(room):
    """the next book does not start by itself while another program plays"""
    room.fill()
    room.rostrum('settings', 'set', 'playNext', 'true')
    terminal = room.open()
    terminal.wait('Nothing is loaded')
    room.rostrum('play', '--detach', '--at', '0', room.second)
    terminal.wait('starts in', 20)
    with subprocess.Popen(['pacat', '--raw', '/dev/zero'], env=room.env) as other:
        terminal.wait(lambda text: 'Next: Book 10. ' in text, 20, 'the end of the countdown')
        time.sleep(1)
        if room.rostrum.status()['status'] != 'ended':
            fail('it plays over the other program')
        other.kill()


def no_harm_from_a_cover(room):
    """a chafa that never ends is ended, also with the player"""
    room.fill()
    tools = f'{room.server.folder}/tools'
    os.mkdir(tools)
    with open(f'{tools}/chafa', 'w') as file:
        file.write('#!/bin/sh\nexec sleep 1000.016\n')
    os.chmod(f'{tools}/chafa', 0o755)
    room.rostrum('play', '--detach', os.path.dirname(room.first))
    for way in (signal.SIGTERM, signal.SIGKILL):
        terminal = room.open(env={'PATH': f'{tools}:/usr/bin:/bin'})
        terminal.wait('playing')
        until(lambda: running('sleep 1000.016'), 10, 'the cover')
        os.kill(terminal.process, way)
        until(lambda: not running('sleep 1000.016'), 3, 'its end')
        terminal.code()


def running(command):
    return subprocess.run(['pgrep', '-f', '-x', command], stdout=subprocess.DEVNULL).returncode == 0


def leaves_in_silence(room):
    """Q pauses and says nothing; a terminal that is closed ends the player without an error"""
    room.play()
    terminal = room.open()
    terminal.wait('playing')
    terminal.press('Q')
    if terminal.code() != 0 or 'It plays on' in terminal.text:
        fail('\n' + terminal.text)
    until(lambda: room.rostrum.status()['status'] == 'paused', 5, 'the pause')


def takes_commands_from_a_pipe(room):
    """commands through a pipe are carried out, and answered, with and without a session"""
    room.play()
    for _ in range(10):
        said = piped(room, 'pause\nspeed nan\n')
        if room.rostrum.status()['status'] != 'paused' or 'speed: give a number' not in said:
            fail(said)
        piped(room, 'resume')
        if room.rostrum.status()['status'] != 'playing':
            fail('the last line, which has no end, is lost')
        said = piped(room, 'where\nquit\n')
        if ' of 7:00, speed' not in said or 'Nothing is loaded' in said:
            fail('where is answered before the session has said anything: ' + said)
    session = room.rostrum.session()
    os.kill(session, signal.SIGKILL)
    until(lambda: not connectable(f'{room.env["XDG_RUNTIME_DIR"]}/rostrum/session.sock'), 5, 'the end of the session')
    piped(room, 'resume\n')
    if room.rostrum.status()['status'] != 'playing':
        fail('no session was started for it')


def piped(room, text):
    return subprocess.run([f'{room.build}/rostrum', '--plain'], env=room.env, input=text, capture_output=True, text=True,
                          timeout=30).stdout


def stopped_with_a_key(room):
    """a key and a stop at the same moment leave a player that takes keys when it goes on"""
    room.play()
    for _ in range(5):
        terminal, child = room.shell()
        terminal.press('\r')
        os.kill(child, signal.SIGTSTP)
        terminal.wait('Stopped')
        before = terminal.received
        terminal.press('fg\n')
        until(lambda: terminal.received > before + 500, 5, 'the screen')
        terminal.press('2')
        terminal.wait('books', 5)
        terminal.press('q')


def has_no_controlling_terminal(room):
    """a terminal that controls no program is drawn on all the same"""
    room.play()
    terminal = TerminalScreen(['/usr/bin/setsid', '-w', f'{room.build}/rostrum'], dict(room.env))
    room.terminals.append(terminal)
    terminal.wait('playing')
    terminal.press('q')
    if terminal.code() != 0:
        fail('the exit code is not 0')


def survives_a_lost_session(room):
    """a session that is killed is missed on the screen; a key starts another, at the place"""
    room.play('--at', '60')
    terminal = room.open()
    terminal.wait('playing')
    until(lambda: shown(terminal.rows) >= 63_000, 10, 'three seconds')
    os.kill(room.rostrum.session(), signal.SIGKILL)
    rows = terminal.wait('the session has ended')
    place = shown(rows)
    woken = wakeups(terminal.process)
    time.sleep(3)
    if wakeups(terminal.process) - woken > 1:
        fail('it wakes up without a session')
    terminal.press(' ')
    terminal.wait('playing', 20)
    if abs(shown(terminal.rows) - place) > 3000:
        fail(f'it was at {place}, and goes on at {shown(terminal.rows)}')


def finds_a_new_session(room):
    """a session that somebody else starts is found without a key"""
    room.play()
    terminal = room.open()
    terminal.wait('playing')
    os.kill(room.rostrum.session(), signal.SIGKILL)
    terminal.wait('the session has ended')
    room.play('--at', '120')
    terminal.wait('playing')
    terminal.wait('Chapter 3 of 7')


def suspends(room):
    """Ctrl-Z gives the terminal back, and the player is current when it comes to the front"""
    room.play()
    terminal, _ = room.shell()
    terminal.press('\x1a')
    terminal.wait('Stopped')
    room.rostrum('seek', '200')
    terminal.press('stty -a | grep -c " echo "; fg\n')
    rows = terminal.wait('Chapter 4 of 7', 5)
    if 'Rostrum' not in rows[0]:
        fail('the screen is not drawn again:\n' + '\n'.join(rows))
    terminal.wait('playing')
    terminal.press('q')
    terminal.wait('It plays on')


def slow_terminal(room):
    """on a terminal of 8 KB a second nothing queues up: a hundred keys later, the newest screen is there at once"""
    room.fill()
    room.play()
    terminal = room.open(rows=40, columns=120, seconds_per_kilobyte=0.125)
    terminal.wait('playing', 30)
    for key in '234561' * 16:
        terminal.press(key)
        time.sleep(0.02)
    terminal.press('2')
    terminal.wait('3 of 3 books', 10)
    if terminal.received > 150_000:
        fail(f'{terminal.received} bytes were written')


def stalled_terminal(room):
    """a terminal that takes nothing for a while gets the newest screen, and the session plays on"""
    room.play('--at', '60')
    terminal = room.open()
    terminal.wait('playing')
    terminal.stalled.set()
    for k in range(60):
        room.rostrum('seek', str(100 + k))
    until(lambda: room.rostrum.status()['status'] == 'playing', 10, 'sound')
    terminal.stalled.clear()
    terminal.wait(lambda text: 155_000 < shown(text.split('\n')) < 190_000, 10, 'the newest position')


def hung_up(room):
    """a terminal that is closed ends the player, and not the book"""
    room.play()
    terminal = room.open()
    terminal.wait('playing')
    os.kill(terminal.process, signal.SIGHUP)
    if terminal.code() != -signal.SIGHUP:
        fail('another exit code')
    if room.rostrum.status()['status'] != 'playing':
        fail('the book was disturbed')


def colours(room):
    """NO_COLOR and terminals with none get none, others do; a dumb one gets lines"""
    room.fill()
    room.play()
    for term, env, wants in (('xterm-256color', {}, True), ('xterm', {}, True), ('screen', {}, True),
                             ('linux', {}, True), ('vt100', {}, False), ('xterm-256color', {'NO_COLOR': '1'}, False)):
        seen = []
        terminal = room.open(term=term, env=env)
        feed = terminal.stream.feed
        terminal.stream.feed = lambda data: (seen.append(data), feed(data))
        terminal.wait('playing')
        terminal.press('2')
        terminal.wait('of 3 books')
        terminal.press('1')
        terminal.wait('playing')
        settle(terminal)
        sequences = re.findall(rb'\x1b\[([0-9;:]*)m', b''.join(seen))
        has = any(re.fullmatch(rb'[349]\d|10\d|[34]8.*', n) and n not in (b'39', b'49') for s in sequences
                  for n in ([s] if b'8;' in s else s.split(b';')))
        if has != wants:
            fail(f'{term} {env}: colours: {has}')
        terminal.press('q')
        if terminal.code() != 0:
            fail(f'{term}: the exit code is not 0')
    terminal = room.open(term='dumb')
    terminal.wait('help lists the commands')
    terminal.press('quit\n')
    if terminal.code() != 0:
        fail('dumb: the exit code is not 0')


def cover(room):
    """the cover of the book is on the screen, and gone on another page"""
    room.fill()
    room.rostrum('play', '--detach', os.path.dirname(room.first))
    terminal = room.open()
    terminal.wait('playing')

    def cells():
        return sum(terminal.screen.buffer[row][column].bg not in ('default',) or
                   terminal.screen.buffer[row][column].data in '▄▀█' for row in range(2, 10) for column in range(2, 18))
    until(lambda: cells() > 100, 10, 'the cover')
    terminal.press('2')
    terminal.wait('of 3 books')
    until(lambda: not cells(), 5, 'the end of the cover')


def mouse(room):
    """tabs, chapters, bars and the state are pressed with the mouse"""
    room.play()
    terminal = room.open()
    rows = terminal.wait('Minute 4')
    row = next(n for n, text in enumerate(rows) if 'Minute 4' in text)
    terminal.click(row, 10)
    terminal.wait('Chapter 4 of 7')
    rows = terminal.rows
    book = max(n for n, text in enumerate(rows) if ' / ' in text)
    terminal.click(book, 2)
    terminal.wait('Chapter 1 of 7')
    rows = terminal.wait('playing')
    state = next(n for n, text in enumerate(rows) if 'playing' in text)
    terminal.click(state, rows[state].index('playing'))
    terminal.wait('paused')
    terminal.click(0, rows[0].index('History') + 1)
    terminal.wait('Jumps:')
    terminal.wait('seek')


def tells_why(room):
    """the page of the newest events shows them, also those of a moment ago, and without a session"""
    room.play()
    terminal = room.open()
    terminal.wait('playing')
    terminal.press('6')
    terminal.wait('loading -> playing')
    terminal.press('p')
    terminal.wait(lambda text: '►' not in text)
    terminal.press('\r')
    terminal.wait('playing -> paused')
    os.kill(room.rostrum.session(), signal.SIGKILL)
    terminal.wait('has ended')
    terminal.press('1')
    terminal.wait(lambda text: 'playing -> paused' not in text)
    terminal.press('6')
    terminal.wait('playing -> paused')


def reads_along(room):
    """the text is on the screen, and the word that is spoken is marked and goes on"""
    room.rostrum('read', '--detach', room.text)
    terminal = room.open()
    terminal.wait('text')
    terminal.press('3')
    terminal.wait('Sentence 1 of a text')

    def marked():
        with terminal._changed:
            return [(row, column) for row in range(2, 23) for column in range(80)
                    if terminal.screen.buffer[row][column].reverse]
    until(lambda: marked(), 10, 'a marked word')
    first = marked()[0]
    until(lambda: marked() and marked()[0] > first, 10, 'the next word')
    row, column = marked()[0]
    word = ''.join(terminal.screen.buffer[r][c].data for r, c in marked())
    if not word.strip():
        fail('what is marked is empty')


def searches_text(room):
    """a page is read without its tags; the sentence is underlined, a search finds words, and a click reads from there"""
    page = f'{room.server.folder}/page.html'
    sentences = ' '.join(f'Sentence {k} of a page that is read aloud.' for k in range(1, 3000))
    with open(page, 'w') as file:
        file.write(f'<html lang="en"><body><nav><a href="/">Home</a></nav><main><h1>The page</h1><p>It is <b>bold'
                   f'</b> here.</p><p>{sentences}</p><p>A white whale ends it. Nothing follows.</p></main></body></html>')
    room.rostrum('read', '--detach', page)
    terminal = room.open()
    terminal.wait('playing')
    terminal.press('3')
    terminal.wait('It is bold here.')

    def cells(look):
        with terminal._changed:
            return ''.join(terminal.screen.buffer[row][column].data for row in range(2, 23) for column in range(80)
                           if getattr(terminal.screen.buffer[row][column], look))
    until(lambda: cells('underscore').strip(), 10, 'the sentence that is heard')
    terminal.press('/WHITE whale' + ENTER)
    rows = terminal.wait('A white whale ends it.', 10)
    terminal.wait('n next: WHITE whale')
    if 'white whale' not in cells('reverse'):
        fail(f'what was found is not marked, but {cells("reverse")!r}')
    row = next(n for n, text in enumerate(rows) if 'Nothing follows' in text)
    terminal.click(row, rows[row].index('follows'))
    until(lambda: 'Nothing' in cells('reverse') or 'follows' in cells('reverse'), 10, 'the voice at the place')
    terminal.wait(lambda text: 'follows the voice' not in text, 10, 'the page to follow the voice')


def big_mode(room):
    """arrows and Enter alone pause, skip, choose a book and leave"""
    room.fill()
    room.play()
    terminal = room.open('--big')
    terminal.wait('playing')
    terminal.press(ENTER)
    terminal.wait('paused')
    terminal.press(RIGHT * 4 + ENTER)
    terminal.wait('of 3')
    terminal.press(DOWN + UP + DOWN + ENTER)
    terminal.wait('playing', 15)
    if room.rostrum.status()['item']['title'] == 'Places':
        fail('no other book plays')
    terminal.press(RIGHT * 7 + ENTER)
    if terminal.code() != 0:
        fail('the exit code is not 0')


def next_book(room):
    """the next book of the folder is offered at the end of one, and starts after 15 s only if a setting says so"""
    room.fill()
    room.rostrum('play', '--detach', room.second)
    terminal = room.open()
    terminal.wait('Next: Book 10', 20)
    room.rostrum('settings', 'set', 'playNext', 'true')
    terminal.press('q')
    terminal.code()
    terminal = room.open()
    terminal.wait('Book 2')
    room.rostrum('play', '--detach', '--at', '0', room.second)
    terminal.wait('Next: Book 10', 20)
    before = time.monotonic()
    terminal.wait(lambda text: 'playing' in text and 'Book 10' in text, 20, 'the next book')
    if not 12 < time.monotonic() - before < 17:
        fail(f'it starts after {time.monotonic() - before:.1f} s')


def own_keys(room):
    """keys of the setting replace the usual ones, and a wrong one is told"""
    room.rostrum('settings', 'set', 'keys', 'pause=z,fly=y')
    room.play()
    terminal = room.open()
    terminal.wait('no such action or key: fly=y')
    terminal.press('z')
    terminal.wait('paused')
    terminal.press(' ')
    terminal.wait('z play')


def plain(room):
    """the plain player prints lines, takes commands, and moves no cursor"""
    room.fill()
    terminal = room.open('--plain')
    seen = []
    feed = terminal.stream.feed
    terminal.stream.feed = lambda data: (seen.append(data), feed(data))
    terminal.wait('Nothing is loaded.')
    terminal.press('library places\n')
    terminal.wait('1: Places')
    terminal.press('play 1\n')
    terminal.wait('Playing.')
    terminal.press('chapter 3\n')
    terminal.wait('Chapter 3 of 7: Minute 3')
    terminal.press('where\n')
    terminal.wait('of 7:00, speed 1.0x')
    terminal.press('pause\n')
    terminal.wait('Paused.')
    terminal.press('nonsense\nquit\n')
    if terminal.code() != 0 or b'\x1b' in b''.join(seen):
        fail('it moves the cursor, or fails')


CASES = [opens_empty, plays_from_the_library, seeks_show_at_once, follows_its_owner, sleeps_when_paused,
         writes_what_changed, survives_any_size, survives_small_sizes, takes_any_key, takes_keys_in_pieces,
         stays_with_a_hung_session,
         ends_while_suspended, stays_when_idle, focus_starts_nothing, waits_for_other_programs, no_harm_from_a_cover,
         leaves_in_silence, takes_commands_from_a_pipe, stopped_with_a_key, has_no_controlling_terminal, survives_a_lost_session, finds_a_new_session, suspends, slow_terminal,
         stalled_terminal, hung_up, colours, cover, mouse, tells_why, reads_along, searches_text, big_mode, next_book, own_keys, plain] + CLIP_CASES

if __name__ == '__main__':
    run(__doc__, 'terminal', CASES, lambda options: Room(options.build))
