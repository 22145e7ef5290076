#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Listens to a book and its text: changes from the recording to the text and back, and parts that are missing.

    works.py BUILD_DIR

The recording is a tone for each chapter, so that what is heard can be told from speech. `ROSTRUM_VOICES` is the folder of a
neural voice, which reads a text, too.
"""
import argparse
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import passages  # noqa: E402
from player import Player  # noqa: E402
from sound_server import RATE, Recorder, Server, until  # noqa: E402
from tones import LENGTH, LONGEST_GAP, Report, joins, make, order, sounds  # noqa: E402


def change(player, recorder, book, report):
    start = recorder.now
    player('play', '--detach', '--at', '3', book)
    recorder.wait(1.5)
    player('engine', 'espeak')
    recorder.wait(2.5)
    work = player.status()
    player('engine', 'ffmpeg')
    recorder.wait(1.5)
    player('undo')
    recorder.wait(1.5)
    undone = player.status()
    player('stop')
    heard = sounds(recorder.samples(start))
    report.check(order(heard) == [400, 'speech', 400, 'speech'], f'recording, text, recording, text: {order(heard)}')
    report.check(max(joins(heard), default=0) <= LONGEST_GAP, f'silences between them: {joins(heard)} s')
    report.check(work['item']['uri'].endswith('text.html'), f'the text was read: {work["item"]["uri"]}')
    report.check(work.get('work', {}).get('grade') == 'anchored', f'known by the chapters: {work.get("work")}')
    report.check(undone['item']['uri'].endswith('text.html'), f'one undo takes a change back: {undone["item"]["uri"]}')


def gap(player, recorder, book, report):
    os.remove(f'{book}/02 Two.wav')
    player('library', 'rescan')
    jumps = len(json.loads(player('history', '--json'))['jumps'])
    start = recorder.now
    player('play', '--detach', '--at', str(LENGTH - 3), book)
    started = len(json.loads(player('history', '--json'))['jumps'])
    until(lambda: player.status()['item']['uri'].endswith('text.html'), 60, 'the text')
    until(lambda: player.status()['item']['uri'].endswith('Tones'), 60, 'the recording behind it')
    recorder.wait(3)
    after = len(json.loads(player('history', '--json'))['jumps'])
    player('stop')
    recorder.wait(0.3)
    heard = sounds(recorder.samples(start))
    report.check(order(heard) == [400, 'speech', 900], f'a missing file is read: {order(heard)}')
    spoken = sum(seconds for kind, seconds in heard if kind == 'speech')
    report.check(spoken > 4, f'{spoken:.1f} s of speech for four sentences')
    edges = joins(heard)
    report.check(max(edges, default=9) <= LONGEST_GAP, f'silences around it: {edges} s')
    report.check(after == started, f'it is no jump: {after - started} in the history, {started - jumps} of the command')


def beginning(player, recorder, book, report):
    """The first file is missing, and the session is killed while its text is read."""
    os.remove(f'{book}/01 One.wav')
    player('library', 'add', book)
    start = recorder.now
    player('play', '--detach', '--from-start', book)
    recorder.wait(4)
    uri = player.status()['item']['uri']
    report.check(uri.endswith('text.html'), f'the text of the first file comes first: {uri}')
    os.kill(player.session(), 9)
    until(lambda: player.session() is None, 10, 'the end of the session')
    cut = recorder.now
    recorder.wait(0.5)
    player('play', '--detach', book)
    until(lambda: player.status()['item']['uri'].endswith('Second'), 60, 'the recording behind it')
    recorder.wait(2)
    player('stop')
    recorder.wait(0.3)
    before, after = sounds(recorder.samples(start)[:int((cut - start) * RATE)]), sounds(recorder.samples(cut))
    report.check(order(before) == ['speech'], f'nothing else is heard before the kill: {order(before)}')
    report.check(order(after) == ['speech', 650], f'the text goes on, and then the recording: {order(after)}')
    spoken = [sum(seconds for kind, seconds in part if kind == 'speech') for part in (before, after)]
    report.check(spoken[1] > 1, f'{spoken[0]:.1f} s of speech before the kill, {spoken[1]:.1f} s behind it')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    options = parser.parse_args()
    report = Report()
    with Server() as server:
        environment = dict(server.environment)
        build = os.path.abspath(options.build)
        environment['ROSTRUM_ENGINE_PATH'] = os.environ.get('ROSTRUM_ENGINE_PATH', f'{build}/engines')
        if voices := passages.voices():
            environment['ROSTRUM_VOICES'] = voices
        player = Player(build, environment)
        recorder = Recorder(environment, 20)
        book, second, voiced, minute = (f'{server.folder}/{name}' for name in ('Tones', 'Second', 'Voiced', 'Minute'))
        make(book)
        shutil.copytree(book, second)
        player('library', 'add', book)
        passages.switches(player, recorder, book, report)
        change(player, recorder, book, report)
        if voices:
            shutil.copytree(book, voiced)
            player('library', 'add', voiced)
            passages.neural(player, recorder, voiced, report)
        else:
            print('works: skipped: no sherpa runtime is installed')
        passages.minute(player, recorder, minute, report)
        passages.middle(player, recorder, minute, report)
        gap(player, recorder, book, report)
        player('library', 'add', second)
        beginning(player, recorder, second, report)
        passages.unopened(player, recorder, second, report)
        recorder.close()
        player.end()
        passages.replays(player, report)
    print(f'works: {report.failed} failed')
    return 1 if report.failed else 0


if __name__ == '__main__':
    sys.exit(main())
