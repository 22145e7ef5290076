#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Listens to a book and its text: changes from the recording to the text and back, and files that are missing.

    works.py BUILD_DIR

The recording is a tone for each chapter, so that what is heard can be told from speech.
"""
import argparse
import json
import os
import shutil
import sys
import wave

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from player import Player  # noqa: E402
from sound_server import RATE, Recorder, Server, until  # noqa: E402

CHAPTERS = [('One', 400), ('Two', 650), ('Three', 900)]
# A gap is read if it is more than twice as long as the announcement of a chapter.
LENGTH = 32
SENTENCES = 4
# Seconds without a sound between recording and text, at most: an engine's process may have to start.
LONGEST_GAP = 2.0
STEP = 0.05


def make(folder):
    os.mkdir(folder)
    body = ''
    for number, (title, frequency) in enumerate(CHAPTERS, 1):
        time = np.arange(LENGTH * RATE) / RATE
        samples = (np.sin(2 * np.pi * frequency * time) * 8000).astype('<i2')
        with wave.open(f'{folder}/{number:02} {title}.wav', 'wb') as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(samples.tobytes())
        words = ' '.join(f'In chapter {title.lower()} this is sentence {n} of them.' for n in range(1, SENTENCES + 1))
        body += f'<h1>{title}</h1><p>{words}</p>'
    with open(f'{folder}/text.html', 'w', encoding='utf-8') as file:
        file.write(f'<html><head><title>Tones</title></head><body>{body}</body></html>' + '<!-- ' + 'x' * 5000 + ' -->')


def sounds(samples):
    """Returns what is heard, in order: a frequency, 'speech' or 'silence', with the seconds that it lasts."""
    heard = []
    size = int(STEP * RATE)
    for start in range(0, len(samples) - size + 1, size):
        part = samples[start:start + size].mean(axis=1)
        kind = 'silence'
        if np.sqrt((part ** 2).mean()) > 0.003:
            spectrum = np.abs(np.fft.rfft(part * np.hanning(size))) ** 2
            peak = int(spectrum.argmax())
            pure = spectrum[max(0, peak - 2):peak + 3].sum() > 0.98 * spectrum.sum()
            nearest = min((abs(peak * RATE / size - f), f) for _, f in CHAPTERS)
            kind = nearest[1] if pure and nearest[0] < 25 else 'speech'
        if heard and heard[-1][0] == kind:
            heard[-1][1] += STEP
        else:
            heard.append([kind, STEP])
    return heard


def order(heard):
    """Returns the kinds without silences and without what is shorter than a quarter of a second."""
    kinds = []
    for kind, seconds in heard:
        if kind != 'silence' and seconds >= 0.25 and (not kinds or kinds[-1] != kind):
            kinds.append(kind)
    return kinds


def joins(heard):
    """Returns the seconds of silence between two sounds of different kinds."""
    found, silence, last = [], 0.0, None
    for kind, seconds in heard:
        if kind == 'silence':
            silence += seconds
        elif seconds >= 0.1:
            if last is not None and last != kind:
                found.append(round(silence, 2))
            last, silence = kind, 0.0
    return found


class Report:
    failed = 0

    def check(self, good, words):
        self.failed += not good
        print(f'works: {"ok" if good else "FAILED"}: {words}')


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
        player = Player(build, environment)
        recorder = Recorder(environment, 20)
        book, second = f'{server.folder}/Tones', f'{server.folder}/Second'
        make(book)
        shutil.copytree(book, second)
        player('library', 'add', book)
        change(player, recorder, book, report)
        gap(player, recorder, book, report)
        player('library', 'add', second)
        beginning(player, recorder, second, report)
        recorder.close()
        player.end()
    print(f'works: {report.failed} failed')
    return 1 if report.failed else 0


if __name__ == '__main__':
    sys.exit(main())
