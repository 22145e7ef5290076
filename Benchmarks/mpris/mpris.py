#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures players under a desktop's media keys: answers, silence and sound, and what a minute costs.

    mpris.py [--n ROUNDS] [--minute SECONDS] [--peers vlc,mpv,mpd] [--only PARTS] [--json FILE]

Each round has a private sound server, recorder and bus of the probe in ../shared/probe (or ROSTRUM_SHARED), and goes
through the players in random order. ROSTRUM_BUILD names the folder of the programs; the default is the release build of
this checkout. As the probe runs players as an unprivileged user, they must be readable for others. A round takes about
four minutes and a half for each player. Prints a table in Markdown, and writes all values to the JSON file after every
round.

start    the service is started without an item: spawn to the first answer to `Get PlaybackStatus`. Page cache warm,
         settings exist. Also a call for which the bus has to start the service.
calls    `Get Position` while it plays, to the answer.
keys     `Pause` and `Play` in turn: call to the answer, to the last sound before 250 ms of silence, and to the first
         sound, all from before the call is sent. Sound and silence are read from the recording.
idle, playing, paused
         a minute of each, from 2 s after the state was reached: processor time and wake-ups (voluntary context
         switches of all threads) of all processes of a player, and their memory at its end. Silence within the minute
         of playing is a drop-out.

Quote figures only from a machine that has nothing else to do.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROBE = pathlib.Path(os.environ.get('ROSTRUM_SHARED') or ROOT.parent / 'shared') / 'probe'
sys.dont_write_bytecode = True
sys.path[:0] = [str(PROBE), str(HERE), str(HERE.parent / 'probe')]

PARTS = ('start', 'idle', 'calls', 'keys', 'playing', 'paused')
STARTS, CALLS, PRESSES = 5, 400, 10  # in a round
BOOK_MINUTES = 30
SETTLED = 2.0  # s
MS = 1e6


class Bench:
    def __init__(self, given, parts):
        self.given, self.parts, self.rng = given, parts, random.Random(1)
        self.names = ['rostrum', *(name for name in given.peers.split(',') if name)]
        self.data = {'arguments': sys.argv[1:], 'started': time.strftime('%Y-%m-%d %H:%M:%S'), 'host': report.host(),
                     'load': [], 'versions': {}, 'values': {}, 'threads': {}, 'failures': []}

    def out(self, metric, name, value):
        self.data['values'].setdefault(metric, {}).setdefault(name, []).append(value)

    def book(self):
        path = f'{paths.MEDIA}/mpris-{BOOK_MINUTES}.m4b'
        if not os.path.exists(path):
            os.makedirs(paths.MEDIA, exist_ok=True)
            media.encode(0, BOOK_MINUTES * 60, path,
                         ['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '64k', '-f', 'ipod'])
        return path

    def run(self):
        book = self.book()
        for name in self.names:
            self.data['versions'][name] = '?'
        for number in range(1, self.given.n + 1):
            self.data['load'].append(os.getloadavg()[0])
            with session.Session('mpris') as server:
                for name in self.rng.sample(self.names, len(self.names)):
                    print(f'mpris: round {number} of {self.given.n}: {name}', file=sys.stderr)
                    try:
                        with PLAYERS[name](server) as player:
                            self.measure(server, name, player, book)
                    except (measures.Failed, OSError) as error:  # a time-out is one, too
                        self.data['failures'].append(f'{name}, round {number}: {type(error).__name__}: {error}')
            with open(self.given.json, 'w', encoding='utf-8') as f:
                json.dump(self.data, f, indent=1)
        print(table.markdown(self.data))
        print(f'mpris: {self.given.json}', file=sys.stderr)

    def measure(self, server, name, player, book):
        self.data['versions'][name] = player.version()
        # The first start makes settings and fills caches.
        player.start()
        player.stop()
        if 'start' in self.parts:
            for _ in range(STARTS):
                self.out('start', name, player.start() / MS)
                player.stop()
                if hasattr(player, 'activate'):
                    self.out('activation', name, player.activate() / MS)
                    player.stop()
        player.start()
        if 'idle' in self.parts:
            self.minute(server, name, player, 'idle')
        if self.parts <= {'start', 'idle'}:
            return
        asked = session.now()
        player.load(book)
        self.steady(server, server.cap.first_sound(asked, 10))
        if 'calls' in self.parts:
            for value in measures.pings(player.position, CALLS):
                self.out('position', name, value)
        if 'keys' in self.parts:
            for _ in range(PRESSES):
                self.pause(server, name, player, 'pause')
                self.play(server, name, player, 'play')
        if 'playing' in self.parts:
            began = self.minute(server, name, player, 'playing')
            self.out('playing.dropouts', name, server.cap.silent_ms(began, session.now() - 20_000_000))
        if 'paused' in self.parts:
            self.pause(server, name, player, None)
            self.minute(server, name, player, 'paused')
            self.play(server, name, player, 'late')

    def minute(self, server, name, player, state):
        """Returns the time from which on the state was measured."""
        time.sleep(SETTLED)
        began = session.now()
        values, threads = minute.measure(player, server.pulse.pid, self.given.minute)
        for cost, value in values.items():
            self.out(f'{state}.{cost}', name, value)
        self.data['threads'].setdefault(state, {}).setdefault(name, []).append(threads)
        return began

    def pause(self, server, name, player, metric):
        heard, _ = server.cap.read(session.now() - int(0.1e9))
        if not len(heard) or abs(heard).max() < capture.THR:
            raise measures.Failed('it does not play')
        began = session.now()
        player.pause()
        answered = session.now()
        silence = server.cap.silence_after(began, 10)
        if metric:
            self.out(metric + '.answer', name, (answered - began) / MS)
            self.out(metric + '.silence', name, (silence - began) / MS)

    def play(self, server, name, player, metric):
        # What was waited for came in the sound server's period, and the next call must not.
        time.sleep(self.rng.uniform(0, 0.02))
        began = session.now()
        player.play()
        answered = session.now()
        sound = server.cap.first_sound(began, 10)
        self.out(metric + '.answer', name, (answered - began) / MS)
        self.out(metric + '.sound', name, (sound - began) / MS)
        self.steady(server, sound)

    def steady(self, server, since):
        """Waits until it has been heard for a while, at no fixed phase of the sound server's period."""
        server.cap.wait_until(since + int(self.rng.uniform(0.7e9, 0.72e9)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--n', type=int, default=3, help='rounds')
    arguments.add_argument('--minute', type=float, default=60, help='seconds of a minute')
    arguments.add_argument('--peers', default='vlc,mpv,mpd')
    arguments.add_argument('--only', default=','.join(PARTS), help='parts: ' + ','.join(PARTS))
    arguments.add_argument('--json', default=paths.RESULTS + '/mpris.json')
    given = arguments.parse_args()
    parts = set(given.only.split(','))
    unknown = parts - set(PARTS) | {n for n in given.peers.split(',') if n} - set(PLAYERS)
    if unknown:
        arguments.error('unknown: ' + ', '.join(sorted(unknown)))
    needed = [rostrum.ROSTRUMD, 'pulseaudio', 'dbus-daemon', 'ffmpeg', *(given.peers.replace('vlc', 'cvlc').split(','))]
    missing = [tool for tool in needed if tool and not shutil.which(tool)]
    if missing:
        print(f'mpris: missing: {", ".join(missing)}', file=sys.stderr)
        return 69
    os.makedirs(os.path.dirname(os.path.abspath(given.json)), exist_ok=True)
    bench = Bench(given, parts)
    bench.run()
    return 1 if bench.data['failures'] else 0


if __name__ == '__main__':
    if not (PROBE / 'session.py').exists():
        print(f'mpris: {PROBE} is missing: set ROSTRUM_SHARED to the folder that has the probe', file=sys.stderr)
        sys.exit(69)
    import capture
    import measures
    import media
    import minute
    import paths
    import report
    import rostrum
    import session
    import table
    from players import PLAYERS
    sys.exit(main())
