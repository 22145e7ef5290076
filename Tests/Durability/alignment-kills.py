#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the alignment of a book at random moments while the session plays, and compares the result with an undisturbed one.

    alignment-kills.py BUILD_DIR [COUNT] [--seed N] [--shared ../shared]

The recording are the sonnets of shared/media, one after the other and again, 21 minutes in 24 files; the text lies beside
them. `rostrum align --background` is started, killed with SIGKILL or ended with `--stop` at a random moment, and started again,
until it is done; then from the beginning, until COUNT kills were made. The file must then have the bytes of one that was made without a kill. All the
while the session plays a book whose sound carries its own position into a private sound server: no silence may be in it, and
its position must go on as time does. The alignment and its engines must run at the lowest priority.
Prints one line for each fault, and a summary; exits with 1 if there was a fault, and with 69 if it cannot listen here.
"""
import argparse
import os
import pathlib
import random
import re
import select
import shutil
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'Tests' / 'Listening'))
import material  # noqa: E402
from analysis import Recording  # noqa: E402
from player import Player  # noqa: E402
from sound_daemons import missing  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402

TURNS = 8        # how often the three sonnets are read
PATIENCE = 600   # s


def book(folder, shared):
    """Makes a folder with the recording and its text."""
    sonnets, lines = shared / 'media/books/sonnets_en', []
    folder.mkdir()
    for number in range(3 * TURNS):
        name = sonnets / f'p00{number % 3 + 1}'
        shutil.copy(name.with_suffix('.mp3'), folder / f'{number + 1:02}.mp3')
        lines += re.findall(r'<span id="f\d+">(.*?)</span>', name.with_suffix('.xhtml').read_text())
    body = ''.join(f'<p>{line}</p>\n' for line in lines)
    (folder / 'Sonnets.html').write_text(f'<html lang="en"><head><title>Sonnets</title></head><body>{body}</body></html>')


class Trial:
    def __init__(self, build, server, seed):
        self.rng, self.player, self.server, self.faults = random.Random(seed), Player(build, server.environment), server, []
        self.polite, self.played, self.silent, self.jumps = set(), 0, 0, 0

    def watched(self, work):
        """Does work while the book plays from its beginning, and listens to all of it."""
        recorder = self.server.recorder
        self.player('seek', '0')
        recorder.wait(1)
        recorder.forget(recorder.now - 0.1)
        begun = recorder.now
        result = work()
        ended = min(recorder.now, begun + material.BOOK_SECONDS - 5)
        heard = Recording(material.book_part(recorder.samples(begun)), RATE)
        silent, jumps = heard.dropouts(0, ended - begun), heard.jumps(0.1, ended - begun - 0.1)
        if silent or jumps:
            self.faults.append(f'{silent:.1f} ms of silence and {len(jumps)} jumps in {ended - begun:.0f} s')
        self.played, self.silent, self.jumps = self.played + ended - begun, self.silent + silent, self.jumps + len(jumps)
        return result

    def aligners(self):
        """Returns the processes that align in this room."""
        found = []
        for process in pathlib.Path('/proc').iterdir():
            try:
                words = (process / 'cmdline').read_bytes().split(b'\0')
                if words[0].endswith(b'/rostrum-align') and self.server.folder.encode() in b' '.join(words):
                    found.append(int(process.name))
            except OSError:
                continue
        return found

    def priority(self, process):
        """Notes nice values of all threads of a process and of its engines, all of which must be 19."""
        for each in [process, *self.children(process)]:
            for thread in pathlib.Path(f'/proc/{each}/task').glob('*'):
                try:
                    fields = (thread / 'stat').read_text().rsplit(')', 1)[1].split()
                    name = pathlib.Path(f'/proc/{each}/comm').read_text().strip()
                except OSError:
                    continue
                self.polite.add((name, int(fields[16])))

    @staticmethod
    def children(process):
        found = []
        try:
            for task in pathlib.Path(f'/proc/{process}/task').iterdir():
                found += map(int, (task / 'children').read_text().split())
        except OSError:
            pass
        return found

    def start(self, book):
        self.player('align', book, '--background')
        return until(self.aligners, 20, 'the alignment')[0]

    def gone(self, process, seconds):
        """Waits for the end of a process; returns whether it came."""
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            return True
        try:
            return bool(select.select([descriptor], [], [], seconds)[0])
        finally:
            os.close(descriptor)

    def align(self, book, longest=None):
        """Aligns a book; `longest` is the longest time to a kill. Returns the kills and the seconds that it took."""
        kills, begun = 0, time.monotonic()
        while True:
            process = self.start(book)
            if self.gone(process, self.rng.uniform(0, longest) if longest else PATIENCE):
                return kills, time.monotonic() - begun
            self.priority(process)
            if longest is None:
                raise TimeoutError('the alignment does not end')
            kills += 1
            if self.rng.random() < 0.3:
                self.player('align', book, '--stop')
                if not self.gone(process, 0):
                    self.faults.append('an alignment goes on after --stop')
                continue
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                kills -= 1
            # Its lock goes after its command line, and before it is gone.
            if not self.gone(process, 10):
                raise TimeoutError('a killed alignment does not end')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build')
    parser.add_argument('count', nargs='?', type=int, default=30)
    parser.add_argument('--seed', type=int, default=None)
    parser.add_argument('--shared', type=pathlib.Path, default=pathlib.Path(os.environ.get('ROSTRUM_SHARED', ROOT / '../shared')))
    options = parser.parse_args()
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    if absent := missing('pulseaudio', 'ffmpeg'):
        print(f'alignment-kills: {", ".join(absent)} is not installed')
        return 69
    with Server() as server:
        trial = Trial(os.path.abspath(options.build), server, seed)
        folder = pathlib.Path(server.folder) / 'Sonnets'
        book(folder, options.shared)
        player = trial.player
        player('library', 'add', str(folder))
        player.attach('play', str(material.book()))
        until(lambda: player.status()['status'] == 'playing', 30, 'the book')
        kills, calm = trial.watched(lambda: trial.align(str(folder)))
        files = list(pathlib.Path(server.environment['XDG_CACHE_HOME']).rglob('*.alignment'))
        if len(files) != 1:
            raise SystemExit(f'alignment-kills: {len(files)} alignments were made')
        whole = files[0].read_bytes()
        made, runs = 0, 0
        while made < options.count:
            files[0].unlink()
            kills, _ = trial.watched(lambda: trial.align(str(folder), longest=calm / 4))
            made, runs = made + kills, runs + 1
            if files[0].read_bytes() != whole:
                trial.faults.append(f'after {kills} kills the alignment differs from the undisturbed one')
        trial.faults += [f'{name} ran at priority {nice}, not 19' for name, nice in sorted(trial.polite) if nice != 19]
        player.end()
        print(f'alignment-kills: {made} kills in {runs} alignments of {len(whole)} bytes in {whole.count(b"place")} steps '
              f'({calm:.1f} s undisturbed); {trial.played:.0f} s played with {trial.silent:.1f} ms of silence and '
              f'{trial.jumps} jumps; priorities {sorted(trial.polite)}; load {os.getloadavg()[0]:.1f}; seed {seed}')
        for fault in trial.faults:
            print('alignment-kills:', fault)
        return 1 if trial.faults else 0


if __name__ == '__main__':
    sys.exit(main())
