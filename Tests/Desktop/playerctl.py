#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Controls a session by playerctl: each of its commands, its formats, and what it prints while it follows.

    playerctl.py BUILD_DIR [--only NAME] [--times N]

What a command says is compared with what the session says by its socket. Skipped if playerctl is not installed.
"""
import os
import shutil
import subprocess
import threading

from desktop_cases import fail, run, skip
from service import until
from session_bus import OnBus, tone

# A book is one track, and its own album.
TITLE, ARTIST = 'The First & <Best>', 'Nobody'


class Remote(OnBus):
    """A session that plays a book with tags, and playerctl."""

    def __init__(self, build):
        super().__init__(build)
        self.book = tone(f'{self.home}/first.wav', 600, f'title={TITLE}', f'artist={ARTIST}')
        self.other = tone(f'{self.home}/a second.wav', 300, 'title=The Second', 'artist=Somebody')
        self.followers = []

    def close(self):
        for follower in self.followers:
            follower.process.kill()
            follower.process.wait()
        super().close()

    def begin(self):
        if not shutil.which('playerctl'):
            skip('playerctl is not installed')
        self.start()
        self.connect()
        self.play()
        self.moves()

    def run_playerctl(self, *words):
        return subprocess.run(
            ['playerctl', '-p', 'rostrum', *words], env=self.env, cwd=self.home, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=30)

    def tell(self, *words):
        """Returns what a command prints, and fails if it fails or complains."""
        done = self.run_playerctl(*words)
        if done.returncode or done.stderr.strip():
            fail(f'playerctl {" ".join(words)}: {done.returncode}: {done.stderr.strip()}')
        return done.stdout.removesuffix('\n')

    def refuses(self, *words):
        done = self.run_playerctl(*words)
        if done.returncode == 0:
            fail(f'playerctl {" ".join(words)} succeeds: {done.stdout.strip()}')

    def says(self, wanted, *words):
        told = self.tell(*words)
        if told != wanted:
            fail(f'playerctl {" ".join(words)} prints {told!r}, not {wanted!r}')

    def becomes(self, status):
        """Waits for a status, by both ways."""
        word = {'Playing': ('playing',), 'Paused': ('paused',), 'Stopped': ('ready', 'ended', 'idle')}[status]
        until(f'the session is {self.status()["status"]}, not {status}', lambda: self.status()['status'] in word)
        until(f'playerctl says {self.tell("status")}, not {status}', lambda: self.tell('status') == status)

    def arrives(self, at, within=3.0):
        """Waits until the book is at a place or a little further, by both ways."""
        until(f'the book is not at {at} s, but at {self.place():.2f} s', lambda: at - 0.5 <= self.place() <= at + within)
        told = float(self.tell('position'))
        if not at - 0.5 <= told <= at + within + 1:
            fail(f'playerctl says {told} s')

    def follow(self, *words):
        follower = Follower(['playerctl', '-p', 'rostrum', '--follow', *words], self.env)
        self.followers.append(follower)
        return follower


class Follower:
    """A playerctl that prints a line for each change."""

    def __init__(self, command, environment):
        self.lines = []
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip('\n'))

    def prints(self, *wanted):
        """Waits for these lines, and no others before them."""
        try:
            until('', lambda: len(self.lines) >= len(wanted))
        except AssertionError:
            pass
        found = tuple(self.lines[:len(wanted)])
        if found != wanted:
            fail(f'--follow prints {self.lines}, not {list(wanted)}')
        del self.lines[:len(wanted)]


def commanded(remote):
    """play, pause, play-pause and stop do what they say, as often as they are said."""
    remote.begin()
    remote.says('rostrum', '--list-all')
    for command, status in (('pause', 'Paused'), ('pause', 'Paused'), ('play', 'Playing'), ('play', 'Playing'),
                            ('play-pause', 'Paused'), ('play-pause', 'Playing'), ('stop', 'Stopped'), ('play', 'Playing')):
        place = remote.place() if remote.status()['item'] else place
        remote.tell(command)
        remote.becomes(status)
        if status != 'Stopped' and not place - 1 <= remote.place() <= place + 5:
            fail(f'{command}: the book was at {place:.2f} s, and is at {remote.place():.2f} s')


def moved(remote):
    """position, next and previous move the book, playing and paused."""
    remote.begin()
    for _ in range(2):
        remote.tell('position', '200')
        remote.arrives(200)
        remote.tell('position', '25+')
        remote.arrives(225, 4)
        remote.tell('position', '50.5-')
        remote.arrives(174.5, 5)
        remote.tell('position', '0')
        remote.arrives(0)
        place = remote.place()
        remote.tell('next')
        until('next does not move the book', lambda: remote.place() > place + 5)
        forward = remote.place()
        remote.tell('previous')
        until('previous does not move the book', lambda: remote.place() < forward - 5)
        remote.tell('pause')
        remote.becomes('Paused')


def loud(remote):
    """volume sets and changes the volume; loop and shuffle, which a book does not have, are refused."""
    remote.begin()
    for words, wanted in ((('0.5',), 0.5), (('0.25+',), 0.75), (('0.5-',), 0.25), (('0',), 0.0), (('1.0',), 1.0)):
        remote.tell('volume', *words)
        until(f'volume {words[0]} leads to {remote.status()["volume"]}', lambda: abs(remote.status()['volume'] - wanted) < 0.01)
        until(f'playerctl says {remote.tell("volume")}', lambda: abs(float(remote.tell('volume')) - wanted) < 0.01)
    for words in (('loop',), ('loop', 'Track'), ('shuffle',), ('shuffle', 'On')):
        remote.refuses(*words)
    remote.becomes('Playing')


def described(remote):
    """metadata prints each entry, and formats of it, with what playerctl's functions make of them."""
    remote.begin()
    for key, wanted in (('title', TITLE), ('artist', ARTIST), ('album', TITLE), ('xesam:title', TITLE),
                        ('mpris:length', '600000000'), ('xesam:url', f'file://{remote.book}')):
        remote.says(wanted, 'metadata', key)
    rows = [line.split(maxsplit=2)[1] for line in remote.tell('metadata').splitlines()]
    if not {'mpris:trackid', 'mpris:length', 'xesam:title', 'xesam:artist', 'xesam:album', 'xesam:url'} <= set(rows):
        fail(f'metadata prints {rows}')
    for form, wanted in (('{{ artist }}: {{ title }}', f'{ARTIST}: {TITLE}'),
                         ('{{ markup_escape(title) }}', 'The First &amp; &lt;Best&gt;'),
                         ('{{ duration(mpris:length) }}', '10:00'),
                         ('{{ lc(status) }} {{ uc(album) }}', 'playing THE FIRST & <BEST>'),
                         ('{{ playerName }}', 'rostrum'), ('{{ default(xesam:genre, "none") }}', 'none'),
                         ('{{ trunc(title, 9) }}', 'The First…'), ('{{ emoji(status) }}', '▶️')):
        remote.says(wanted, 'metadata', '--format', form)
    remote.tell('pause')
    remote.becomes('Paused')
    place = int(remote.place())
    remote.says(f'{place // 60}:{place % 60:02d}', 'metadata', '--format', '{{ duration(position) }}')
    remote.says('Paused 1.0', 'metadata', '--format', '{{ status }} {{ volume }}')


def opened(remote):
    """open plays a file by its path and by its address; what is not there changes nothing."""
    remote.begin()
    remote.tell('open', 'a second.wav')
    until('the file does not play', lambda: remote.tell('metadata', 'title') == 'The Second')
    remote.becomes('Playing')
    remote.tell('open', f'file://{remote.book}')
    until('the address does not play', lambda: remote.tell('metadata', 'title') == TITLE)
    remote.becomes('Playing')
    place = remote.moves()
    remote.run_playerctl('open', f'file://{remote.home}/nothing.wav')
    until('the log does not say what is not there', lambda: 'nothing.wav' in remote.ask('log', '--json'))
    remote.goes_on(place)
    remote.says(TITLE, 'metadata', 'title')
    remote.becomes('Playing')


def followed(remote):
    """--follow prints each change of status, item and volume once, and nothing else."""
    remote.begin()
    status = remote.follow('status')
    title = remote.follow('metadata', '--format', '{{ title }} {{ mpris:length }}')
    volume = remote.follow('volume')
    status.prints('Playing')
    title.prints(f'{TITLE} 600000000')
    volume.prints('1.000000')
    remote.tell('pause')
    remote.becomes('Paused')
    remote.tell('play')
    remote.becomes('Playing')
    remote.tell('volume', '0.5')
    volume.prints('0.500000')
    remote.tell('stop')
    remote.becomes('Stopped')
    remote.tell('open', remote.other)
    until('the file does not play', lambda: remote.tell('metadata', 'title') == 'The Second')
    remote.becomes('Playing')
    status.prints('Paused', 'Playing', 'Stopped')
    until('the status of the other item is not printed', lambda: 'Playing' in status.lines)
    until('the other item is not printed', lambda: 'The Second 300000000' in title.lines)
    remote.end()
    until('the end of the player is not printed', lambda: status.lines[-1:] == [''])
    if set(status.lines) - {'Playing', 'Stopped', 'Paused', ''} or volume.lines not in ([], ['']):
        fail(f'--follow prints {status.lines} and {volume.lines}')


CASES = [commanded, moved, loud, described, opened, followed]


if __name__ == '__main__':
    run(__doc__, 'playerctl', CASES, lambda options: Remote(options.build))
