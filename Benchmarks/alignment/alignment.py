#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the alignment of recordings with their texts against times that are known.

    Benchmarks/alignment/alignment.py BUILD FOLDER [--shared ../shared] [--speech FOLDER] [--readers A,B] [--only REGEX]
                                      [--hours] [--aeneas PYTHON]

BUILD has the programs and engines. Recordings are joined in FOLDER from clips of readers (readers.py), so the times of the
joins are exact; in which ways they differ from the text is in recordings.py. `--speech` has readers that shared/media does
not have. `--hours` makes a book of all of them, a track for each, and nothing else. `--aeneas` is a Python that can import
aeneas; it gets the same lines and the voice of eSpeak NG. Prints a table in Markdown.

A sentence is *found* if it has a place with a bound of at most 3 s, as the session wants it. *False* are those with such a
place that nobody reads, *beyond* those that begin farther from their place than its bound. Precision is the share of the
places that are neither. An error is the distance of a beginning from the true one. × real time is the length of the recording
by the processor time of all processes; MiB is of the largest process.

Of the lines that are read more than once, *again* are those that are said to be repeated where one of their readings begins.
*Not so* are lines that are said to be repeated and are not, or not there.
"""
import argparse
import bisect
import json
import os
import pathlib
import re
import statistics
import subprocess

from readers import readers
from recordings import cases, joined, said

WIDEST = 3


def html(lines):
    body = ''.join(f'<p lang="{language}">{words}</p>\n' for words, language in lines)
    return f'<html lang="{lines[0][1]}"><head><title>Lines</title></head><body>{body}</body></html>'


def ours(build, folder, case):
    result, text = folder / 'result.jsonl', folder / 'text.html'
    result.unlink(missing_ok=True)
    text.write_text(html(case.lines))
    room = {f'XDG_{name}_HOME': str(folder / name.lower()) for name in ('CONFIG', 'DATA', 'STATE', 'CACHE')}
    process = subprocess.Popen(
        [str(build / 'rostrum-align'), '--out', str(result), str(text), *map(str, case.tracks)],
        env={**os.environ, **room, 'HOME': str(folder), 'XDG_RUNTIME_DIR': str(folder)}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f'rostrum-align ended with {status}'
    # Paragraphs of the reading text are two line feeds apart. A long line is several utterances; its first one counts.
    begins, place = [], 0
    for words, _ in case.lines:
        begins.append(place)
        place += len(re.sub(r'\s+', ' ', words).encode()) + 2
    index = {place: number for number, place in enumerate(begins)}
    places, repeated = {}, []
    for line in result.read_text().splitlines():
        step = json.loads(line)
        for first, _, track, start, _, error in step.get('sentences', []):
            if 0 <= error <= WIDEST * 1000 and first in index:
                places[index[first]] = (track, start / 1000, error / 1000)
        for track, start, end, first, last in step.get('repeated', []):
            said = range(bisect.bisect(begins, first) - 1, bisect.bisect_left(begins, last))
            repeated.append((track, start / 1000, end / 1000, said))
    return places, repeated, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def theirs(python, folder, case):
    """aeneas aligns one file in one language; several tracks are given to it one by one, with their own lines."""
    places, cost, memory = {}, 0, 0
    codes = {'en': 'eng', 'es': 'spa', 'fr': 'fra', 'it': 'ita', 'ru': 'rus', 'de': 'deu'}
    for track, path in enumerate(case.tracks):
        chosen = [n for n in range(len(case.lines))
                  if len(case.tracks) == 1 or any(place[0] == track for place in case.truth[n])]
        if not chosen:
            continue
        text, result = folder / 'lines.txt', folder / 'aeneas.json'
        result.unlink(missing_ok=True)
        text.write_text(''.join(case.lines[n][0] + '\n' for n in chosen))
        process = subprocess.Popen(
            [python, '-m', 'aeneas.tools.execute_task', str(path), str(text),
             f'task_language={codes[case.lines[chosen[0]][1]]}|is_text_type=plain|os_task_file_format=json', str(result),
             '-r=ffmpeg_sample_rate=22050|tts=espeak-ng|allow_unlisted_languages=True'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, 'PYTHONIOENCODING': 'UTF-8', 'LC_ALL': 'C.UTF-8'})
        _, _, usage = os.wait4(process.pid, 0)
        cost += usage.ru_utime + usage.ru_stime
        memory = max(memory, usage.ru_maxrss / 1024)
        if result.exists():
            for n, fragment in zip(chosen, json.loads(result.read_text())['fragments']):
                places[n] = (track, float(fragment['begin']), None)
    return places, cost, memory


class Score:
    """How places compare with the truth; errors in milliseconds."""

    def __init__(self, cases=()):
        self.errors, self.bounds = [], []
        self.expected = self.false = self.beyond = self.twice = self.again = self.not_so = 0
        for case, places, *repeated in cases:
            self.add(case, places)
            if repeated:
                self.add_repeated(case, *repeated)

    def add_repeated(self, case, repeated):
        twice = {number for number, truth in enumerate(case.truth) if len(truth) > 1}
        right = set()
        for track, start, end, said in repeated:
            for number in said:
                # A sentence that is begun again need not be repeated from its first word on, and sound is cut to a second.
                if any(place[0] == track and start - 1 <= place[1] <= end for place in case.truth[number]) and number in twice:
                    right.add(number)
                else:
                    self.not_so += 1
        self.twice += len(twice)
        self.again += len(right)

    def add(self, case, places):
        for number, truth in enumerate(case.truth):
            place = places.get(number)
            self.expected += bool(truth)
            if place and not truth:
                self.false += 1
            elif place:
                # Several places of a passage that was read twice are right.
                error = min(abs(place[1] - second) if place[0] == track else 1e6 for track, second in truth)
                self.errors.append(error * 1000)
                if place[2] is not None:
                    self.bounds.append(place[2] * 1000)
                    self.beyond += error > place[2]

    def row(self):
        errors, bounds = sorted(self.errors), sorted(self.bounds)
        found = len(errors)
        at = lambda values, share: f'{values[min(len(values) - 1, int(share * len(values)))]:.0f}' if values else '–'
        precise = f'{100 * (found - self.beyond) / (found + self.false):.1f}' if bounds else '–'
        return [f'{found} of {self.expected}', self.false, self.beyond if bounds or not found else '–', precise,
                at(errors, 0.5), at(errors, 0.95), at(errors, 1), at(bounds, 0.5), at(bounds, 0.95),
                f'{self.again} of {self.twice}', self.not_so]


HEAD = ['case', 'by', 'found', 'false', 'beyond', 'precision %', 'median ms', 'p95 ms', 'largest ms', 'median bound', 'p95 bound',
        'again', 'not so', '× real time', 'MiB']


def line(*cells):
    print('| ' + ' | '.join(map(str, cells)) + ' |', flush=True)


def book(folder, everybody):
    """A book of all readers, a track for each."""
    tracks = [clips for clips in everybody.values()]
    return joined(folder, 'hours', [line for clips in tracks for line in said(clips)], tracks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--shared', type=pathlib.Path, default=pathlib.Path(
        os.environ.get('ROSTRUM_SHARED', pathlib.Path(__file__).resolve().parents[2] / '../shared')))
    parser.add_argument('--speech', type=pathlib.Path, default=pathlib.Path('/nonexistent'))
    parser.add_argument('--readers', default='sonnets,austen')
    parser.add_argument('--only', default='', help='a regular expression that the names of the cases contain')
    parser.add_argument('--hours', action='store_true')
    parser.add_argument('--aeneas', help='a Python with aeneas')
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    known = readers(options.shared, options.speech)
    everybody = {name: known[name]() for name in options.readers.split(',')}
    if options.hours:
        chosen = [book(options.folder, everybody)]
    else:
        chosen = [case for name, clips in everybody.items() for case in cases(options.folder, options.shared, name, clips)]
    line(*HEAD)
    line(*['---'] * len(HEAD))
    results = []
    for case in chosen:
        if not re.search(options.only, case.name):
            continue
        places, repeated, cost, memory = ours(options.build, options.folder, case)
        results.append((case, places, repeated))
        line(case.name, 'rostrum', *Score(results[-1:]).row(), f'{case.seconds / cost:.0f}', f'{memory:.0f}')
        if options.hours:
            for track, (name, clips) in enumerate(everybody.items()):
                numbers = [n for n, truth in enumerate(case.truth) if truth[0][0] == track]
                part = type(case)(name, None, None, 0, [case.truth[n] for n in numbers])
                own = {index: places[n] for index, n in enumerate(numbers) if n in places}
                line(f'… {name}', 'rostrum', *Score([(part, own)]).row(), '', '')
        if options.aeneas and any(case.truth):
            places, cost, memory = theirs(options.aeneas, options.folder, case)
            line(case.name, 'aeneas', *Score([(case, places)]).row(), f'{case.seconds / cost:.0f}', f'{memory:.0f}')
    line('all', 'rostrum', *Score(results).row(), '', '')


if __name__ == '__main__':
    main()
