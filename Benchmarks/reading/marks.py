#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how far from its sound each word is marked, on a private sound server.

    Benchmarks/reading/marks.py BUILD [--engine sherpa] [--voices FOLDER] [--count 60] [--rate 1] [--show]

It needs a Python with pocketsphinx and numpy from PyPI. Sentences of public texts are read aloud and recorded, while the
session is asked again and again which word is spoken. PocketSphinx is told the words of each sentence, and finds in the
recording where each begins, to 10 ms; its own errors are in the figures. The first word of a sentence counts, too. The
recorder and the questions may add up to 15 ms. Prints the difference from the mark to the sound: its median, and the median,
the 95th percentile and the largest of its size.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
import pocketsphinx

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get('ROSTRUM_SHARED', f'{ROOT.parent}/shared'))
sys.path[:0] = [str(ROOT / folder) for folder in ('Tests/Listening', 'Tests/Documents', 'Benchmarks/intelligibility')]
import known_words  # noqa: E402
from session_room import Link  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402
from word_recogniser import NOISE, WordRecogniser  # noqa: E402

VOICE = 'en_US-joe-medium'
# The recogniser's rate, and its frames in a second.
HEARD_RATE, FRAMES = 16_000, 100
# Seconds before the first word of a sentence that belong to it.
MARGIN = 0.2


def marks(link, recorder):
    """Returns the beginnings of the words that the session told, each with its time in the recording, until the end."""
    found = []
    while True:
        before = recorder.now
        status = link.call('status')
        if status['status'] == 'ended':
            return found
        offset = (status.get('text') or {}).get('offset')
        if offset is not None and (not found or found[-1][0] != offset):
            found.append((offset, before))
        time.sleep(0.002)


def resampled(sound):
    made = subprocess.run(['ffmpeg', '-v', 'error', '-f', 'f32le', '-ar', str(RATE), '-ac', '1', '-i', '-', '-ar', str(HEARD_RATE),
                           '-f', 's16le', '-'], input=sound.astype('<f4').tobytes(), check=True, capture_output=True)
    return np.frombuffer(made.stdout, dtype='<i2')


def beginnings(decoder, words, sound):
    """Returns where each word begins, in seconds; None if the recogniser does not find the words."""
    noise = np.random.default_rng(1).normal(0, NOISE, len(sound))
    decoder.set_align_text(' '.join(words))
    decoder.start_utt()
    decoder.process_raw((sound + noise).clip(-32768, 32767).astype('<i2').tobytes(), full_utt=True)
    decoder.end_utt()
    found = [segment for segment in decoder.seg() or [] if not segment.word.startswith('<') and segment.word != '[NOISE]']
    if [re.sub(r'\(\d+\)$', '', segment.word) for segment in found] != words:
        return None
    return [segment.start_frame / FRAMES for segment in found]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--engine', default='espeak')
    parser.add_argument('--voices', help=f'the folder that has {VOICE}, for sherpa')
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--rate', default='1')
    parser.add_argument('--show', action='store_true', help='prints each word')
    options = parser.parse_args()
    build = options.build.resolve()
    sentences = known_words.sentences(SHARED / 'media', WordRecogniser.dictionary(), options.count)
    # Where each word begins in the text, in bytes, and its sentence.
    text, places = b'', {}
    for number, sentence in enumerate(sentences):
        for match in re.finditer(r"[^\s—–-]+", sentence):
            if word := known_words.words(match.group()):
                places[len(text) + len(sentence[:match.start()].encode())] = (number, word)
        text += sentence.encode() + b'\n\n'
    with Server() as server, tempfile.TemporaryDirectory() as folder:
        environment = dict(server.environment, ROSTRUM_ENGINE_PATH=str(build / 'engines'))
        if options.voices:
            environment['ROSTRUM_VOICES'] = os.path.abspath(options.voices)
        page = pathlib.Path(folder) / 'sentences.txt'
        page.write_bytes(text)
        voice = ['--voice', VOICE if options.engine == 'sherpa' else 'en-us']
        subprocess.run([build / 'rostrum', 'read', '--detach', '--engine', options.engine, *voice, '--rate', options.rate, page],
                       env=environment, check=True, stdin=subprocess.DEVNULL)
        path = environment['XDG_RUNTIME_DIR'] + '/rostrum/session.sock'
        until(lambda: os.path.exists(path), 10, 'the session')
        link = Link(path)
        told = marks(link, server.recorder)
        server.recorder.wait(1)
        recording = server.recorder.samples(0).mean(axis=1)
        link.call('stop')
        link.close()
    decoder = pocketsphinx.Decoder(loglevel='FATAL')
    differences, lost, unmarked = [], 0, 0
    first = {}
    for offset, at in told:
        if offset in places:
            first.setdefault(places[offset][0], at)
    told_at = dict(told)
    for number, sentence in enumerate(sentences):
        words = known_words.words(sentence)
        offsets = [offset for offset, (owner, _) in places.items() if owner == number]
        if number not in first or sum(len(places[offset][1]) for offset in offsets) != len(words):
            lost += len(words)
            continue
        start = max(0, first[number] - MARGIN)
        end = first.get(number + 1, len(recording) / RATE) - MARGIN
        found = beginnings(decoder, words, resampled(recording[int(start * RATE):int(end * RATE)]))
        if not found:
            lost += len(words)
            continue
        index = 0
        for offset in offsets:
            at = told_at.get(offset)
            if at is None:
                unmarked += 1
            else:
                differences.append((at - start - found[index]) * 1000)
                if options.show:
                    print(f'{differences[-1]:+6.0f} ms  {places[offset][1]}', file=sys.stderr)
            index += len(places[offset][1])
    sizes = np.abs(differences)
    print(f'marks: {options.engine} at {options.rate}: {len(sizes)} words, {lost} not recognised, {unmarked} without a mark; '
          f'difference {np.median(differences):+.0f} ms, size {np.median(sizes):.0f} ms, 95 % {np.percentile(sizes, 95):.0f} ms, '
          f'largest {sizes.max():.0f} ms; load {os.getloadavg()[0]:.2f}')


if __name__ == '__main__':
    main()
