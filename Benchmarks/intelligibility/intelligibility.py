#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how many words a recogniser understands of what Rostrum says and plays, beside the tools of the voices.

    Benchmarks/intelligibility/intelligibility.py BUILD --voices FOLDER [--only espeak|sherpa|recordings] [--shared ../shared]
                                                  [--repeat 3] [--json FILE] [--show]

It needs a Python with pocketsphinx, sherpa-onnx, piper-phonemize and numpy from PyPI, and the programs espeak-ng, ffmpeg and
sox. The sentences are those of public texts in shared/media, the recordings those there whose words are known. Both sides
get the same sentences, and one recogniser with the same settings hears both; it expects pairs of words as in those texts.
Prints a table in Markdown.

The error is the share of words that are wrong, missing or too many. The difference is that of Rostrum from the tool in
the same line, with its 95 % interval over the sentences: if that holds 0, it may be chance. A neural voice says a sentence
each time in another way, so it is heard `--repeat` times.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

import known_words
from speakers import OwnEspeak, OwnSherpa, Rostrum, by_sox, decoded, seconds
from word_recogniser import Score, WordRecogniser, errors

HERE = pathlib.Path(__file__).resolve().parent
VOICE = 'en_US-joe-medium'
LANGUAGE = 'en-us'


class Measurement:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.media = options.shared / 'media'
        self.recogniser = WordRecogniser(known_words.all_texts(self.media), folder)
        self.rostrum = Rostrum(options.build, folder, options.voices)
        self.rows, self.log = [], []
        dictionary = self.recogniser.dictionary()
        self.sentences = known_words.sentences(self.media, dictionary, options.count)
        self.words = [known_words.words(text) for text in self.sentences]

    def score(self, name, said, repeats):
        """Hears what was said, once or several times."""
        lengths, wrong, length = [], [], 0
        for sounds in repeats:
            length += seconds(sounds) / len(repeats)
            for words, sound in zip(said, sounds, strict=True):
                heard = self.recogniser.words(sound)
                lengths.append(len(words))
                wrong.append(errors(words, heard))
                self.log.append({'by': name, 'said': ' '.join(words), 'heard': ' '.join(heard), 'wrong': wrong[-1]})
                if self.options.show and wrong[-1]:
                    print(f'{name}: {" ".join(words)!r} as {" ".join(heard)!r}', file=sys.stderr)
        print(f'intelligibility: {name}: {sum(wrong) / sum(lengths):.3f}', file=sys.stderr, flush=True)
        return Score(name, lengths, wrong, length)

    def compare(self, speed, ours, *others):
        for other in others:
            low, high = ours.interval(other)
            self.rows.append((speed, ours, other, ours.rate - other.rate, low, high))

    def espeak(self):
        own = OwnEspeak(self.folder, LANGUAGE)
        say = lambda rate: self.rostrum.read(self.sentences, 'espeak', LANGUAGE, rate)  # noqa: E731
        plain = own.say(self.sentences)
        self.compare('1 ×', self.score('Rostrum, espeak', self.words, [say(1)]), self.score('espeak-ng', self.words, [plain]))
        fast = say(2)
        faster, speed = own.say_in(self.sentences, seconds(fast))
        self.compare(
            '2 ×', self.score('Rostrum, espeak', self.words, [fast]),
            self.score(f'espeak-ng -s {speed}', self.words, [faster]),
            self.score('espeak-ng, then atempo', self.words, [own.say(self.sentences, filters=['atempo=2'])]))

    def sherpa(self):
        own = OwnSherpa(self.options.voices, VOICE, LANGUAGE)
        times = range(self.options.repeat)
        read = lambda rate: [self.rostrum.read(self.sentences, 'sherpa', VOICE, rate) for _ in times]  # noqa: E731
        self.compare('1 ×', self.score('Rostrum, sherpa', self.words, read(1)),
                     self.score('sherpa-onnx', self.words, [own.say(self.sentences) for _ in times]))
        fast = read(2)
        first, speed = own.say_in(self.sentences, seconds(fast[0]))
        more = [own.say(self.sentences, speed) for _ in times[1:]]
        self.compare(
            '2 ×', self.score('Rostrum, sherpa', self.words, fast),
            self.score(f'sherpa-onnx at speed {speed}', self.words, [first, *more]),
            self.score('sherpa-onnx, then atempo', self.words,
                       [own.say(self.sentences, filters=['atempo=2']) for _ in times]))

    def recordings(self):
        files = known_words.recordings(self.media, HERE.parent / 'alignment/sonnets.tsv')
        said = [words for _, pieces in files for _, _, words in pieces]
        self.compare('1 ×', self.score('Rostrum, recordings', said, [self.rostrum.play(files, 1)]),
                     self.score('decoded by ffmpeg', said, [decoded(files)]))
        self.compare(
            '2 ×', self.score('Rostrum, recordings', said, [self.rostrum.play(files, 2)]),
            self.score('ffmpeg atempo', said, [decoded(files, 2, ['atempo=2'])]),
            self.score('sox tempo -s', said, [by_sox(files, 2, self.folder)]))

    def table(self):
        print('| speed | by | words | error | s | beside | error | s | difference | 95 % |')
        print('|---|---|---|---|---|---|---|---|---|---|')
        for speed, ours, other, difference, low, high in self.rows:
            print(f'| {speed} | {ours.name} | {ours.lengths.sum()} | {ours.rate:.1%} | {ours.seconds:.0f} | {other.name} | '
                  f'{other.rate:.1%} | {other.seconds:.0f} | {difference:+.1%} | {low:+.1%} to {high:+.1%} |')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--voices', type=pathlib.Path, required=True, help=f'the folder that has {VOICE}')
    parser.add_argument('--shared', type=pathlib.Path, default=pathlib.Path(
        os.environ.get('ROSTRUM_SHARED', HERE.parents[2] / 'shared')))
    parser.add_argument('--only', choices=('espeak', 'sherpa', 'recordings'))
    parser.add_argument('--count', type=int, default=100, help='of sentences')
    parser.add_argument('--repeat', type=int, default=3)
    parser.add_argument('--json', type=pathlib.Path, help='every sentence, as it was said and heard')
    parser.add_argument('--show', action='store_true')
    options = parser.parse_args()
    options.build, options.voices = options.build.resolve(), options.voices.resolve()
    with tempfile.TemporaryDirectory(prefix='rostrum-words-') as folder:
        measurement = Measurement(options, pathlib.Path(folder))
        for part in [options.only] if options.only else ['espeak', 'sherpa', 'recordings']:
            getattr(measurement, part)()
        measurement.table()
        if options.json:
            options.json.write_text('\n'.join(map(json.dumps, measurement.log)) + '\n')


if __name__ == '__main__':
    main()
