#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the alignment of recordings with their texts against times that are known.

    Benchmarks/alignment/alignment.py BUILD FOLDER [--shared ../shared] [--aeneas PYTHON] [--only WORD] [--flite]

BUILD has the programs and engines. Recordings are made in FOLDER from those of shared/media: joined, cut, repeated, with
something else before and behind, faster and slower. The times of the lines are those of sonnets.tsv, moved by what was
done, so they are as exact there as in the original. `--aeneas` is a Python that can import aeneas; it gets the same lines.
`--flite` adds an hour that the voice slt reads. Prints a table in Markdown.

An error is the distance of a beginning from the true one. *False* are sentences with a place that the recording does not
have. × real time is the length of the recording by processor time of all processes.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROMAN = {'I': 'One', 'II': 'Two', 'III': 'Three'}


def run(command, **more):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **more)


class Maker:
    """Makes recordings of pieces of files, and knows where each piece comes to lie."""

    def __init__(self, folder):
        self.folder = folder

    def length(self, path):
        return float(run(['ffprobe', '-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path]).stdout)

    def wav(self, path):
        wav = self.folder / (re.sub(r'\W', '_', str(path)) + '.wav')
        if not wav.exists():
            run(['ffmpeg', '-v', 'error', '-y', '-i', path, '-ac', '1', '-ar', '22050', wav])
        return wav

    def join(self, name, pieces, speed=1):
        """Joins pieces (file, start, end in seconds, or silence as a number); returns the file and their offsets."""
        target = self.folder / f'{name}.wav'
        offsets, sound, place = [], b'', 0
        for piece in pieces:
            offsets.append(place)
            if isinstance(piece, (int, float)):
                data = bytes(2 * int(piece * 22050))
            else:
                path, start, end = piece
                data = self.wav(path).read_bytes()[78:]
                data = data[2 * int(start * 22050):2 * int(end * 22050) if end else None]
            sound += data
            place += len(data) / 2 / 22050
        raw = self.folder / f'{name}.raw'
        raw.write_bytes(sound)
        tempo = ['-af', f'atempo={speed}'] if speed != 1 else []
        run(['ffmpeg', '-v', 'error', '-y', '-f', 's16le', '-ar', '22050', '-ac', '1', '-i', raw, *tempo, target])
        raw.unlink()
        return target, offsets


class Case:
    def __init__(self, name, lines, tracks, truth):
        """`truth` has for each line the track and the second at which it begins, or None."""
        self.name, self.lines, self.tracks, self.truth = name, lines, tracks, truth


def html(lines):
    body = ''.join(f'<p>{line}</p>\n' for line in lines)
    return f'<html lang="en"><head><title>Lines</title></head><body>{body}</body></html>'


def environment(folder):
    room = {f'XDG_{name}_HOME': str(folder / name.lower()) for name in ('CONFIG', 'DATA', 'STATE', 'CACHE')}
    return {**os.environ, **room, 'HOME': str(folder), 'XDG_RUNTIME_DIR': str(folder)}


def ours(build, folder, case, text):
    result = folder / 'result.jsonl'
    result.unlink(missing_ok=True)
    begun = time.monotonic()
    process = subprocess.Popen(
        [str(build / 'rostrum-align'), '--json', '--out', str(result), str(text), *map(str, case.tracks)],
        env=environment(folder), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    summary = json.loads(process.stdout.read().splitlines()[-1])
    _, _, usage = os.wait4(process.pid, 0)
    # Paragraphs of the reading text are two line feeds apart. A long line is several utterances; its first one counts.
    index, place = {}, 0
    for number, line in enumerate(case.lines):
        index[place] = number
        place += len(line.encode()) + 2
    places = {}
    for line in result.read_text().splitlines():
        for first, _, track, start, _, error in json.loads(line).get('sentences', []):
            if error >= 0 and first in index:
                places[index[first]] = (track, start / 1000, error / 1000)
    cost = usage.ru_utime + usage.ru_stime
    return places, cost, usage.ru_maxrss / 1024, time.monotonic() - begun, summary


def theirs(python, folder, case):
    """aeneas aligns one file with one text; several tracks are given to it one by one."""
    places, cost, memory = {}, 0, 0
    for track, path in enumerate(case.tracks):
        chosen = [n for n in range(len(case.lines))
                  if len(case.tracks) == 1 or (case.truth[n] and case.truth[n][0] == track)]
        if not chosen:
            continue
        text, result = folder / 'lines.txt', folder / 'aeneas.json'
        text.write_text('\n'.join(ROMAN.get(case.lines[n], case.lines[n]) for n in chosen) + '\n')
        process = subprocess.Popen(
            [python, '-m', 'aeneas.tools.execute_task', str(path), str(text),
             'task_language=eng|is_text_type=plain|os_task_file_format=json', str(result),
             '-r=ffmpeg_sample_rate=22050|tts=espeak-ng'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, 'PYTHONIOENCODING': 'UTF-8', 'LC_ALL': 'C.UTF-8'})
        _, _, usage = os.wait4(process.pid, 0)
        cost += usage.ru_utime + usage.ru_stime
        memory = max(memory, usage.ru_maxrss / 1024)
        for n, fragment in zip(chosen, json.loads(result.read_text())['fragments']):
            places[n] = (track, float(fragment['begin']), 0)
    return places, cost, memory


def judge(case, places):
    errors, beyond, false, expected = [], 0, 0, 0
    for number in range(len(case.lines)):
        truth, place = case.truth[number] if case.truth else None, places.get(number)
        expected += truth is not None
        if place and truth is None:
            false += 1
        elif place:
            # Several places of a passage that was read twice are right.
            several = truth if isinstance(truth, list) else [truth]
            error = min(abs(place[1] - second) if place[0] == track else 1e6 for track, second in several)
            errors.append(error)
            beyond += error > place[2]
    return sorted(errors), beyond, false + (0 if case.truth else len(places)), expected


def cases(maker, shared):
    media = shared / 'media'
    sonnets = [media / f'books/sonnets_en/p00{n}.mp3' for n in (1, 2, 3)]
    lines = [re.findall(r'<span id="f\d+">(.*?)</span>', path.with_suffix('.xhtml').read_text()) for path in sonnets]
    lines = [[ROMAN.get(line, line) for line in part] for part in lines]
    times = [[], [], []]
    for line in (pathlib.Path(__file__).parent / 'sonnets.tsv').read_text().splitlines():
        if line[0].isdigit():
            track, _, ms, _ = line.split('\t')
            times[int(track) - 1].append(int(ms) / 1000)
    every = sum(lines, [])
    tracks = [(track, second) for track in range(3) for second in times[track]]
    whole = [(path, 0, None) for path in sonnets]
    yield Case('three sonnets, three tracks', every, sonnets, tracks)

    def joined(name, pieces, lines, place, speed=1):
        """`place` says for a line which piece, and how far from its beginning."""
        path, offsets = maker.join(re.sub(r'\W+', '-', name), pieces, speed)
        truth = []
        for number in range(len(lines)):
            at = place(number)
            several = [(0, (offsets[piece] + second) / speed) for piece, second in at]
            truth.append(several if several else None)
        return Case(name, lines, [path], truth)

    one = lambda n: [(n // 15, times[n // 15][n % 15])]
    yield joined('one file', whole, every, one)
    for speed in (0.7, 1.5):
        yield joined(f'one file at {speed} times the speed', whole, every, one, speed)
    poem = media / 'books/dickinson_selected_poems/07-of_all_the_sounds_dickinson_64kb.mp3'
    yield joined('a poem that is not in the text before and behind', [(poem, 0, None), *whole, (poem, 0, None)], every,
                 lambda n: [(n // 15 + 1, times[n // 15][n % 15])])
    alice = re.sub(r'\s+', ' ', (media / 'text/plain/alice.txt').read_text(errors='replace'))
    alice = [part for part in re.split(r'(?<=[.!?])\s+', alice) if 20 < len(part) < 160 and not re.search(r'[<>&"“”\'_*]', part)]
    yield Case('front matter that nobody reads', alice[40:60] + every, sonnets, [None] * 20 + tracks)
    yield joined('the second sonnet is not read', [whole[0], whole[2]], every,
                 lambda n: [] if n // 15 == 1 else [(n // 15 // 2, times[n // 15][n % 15])])
    yield joined('the second sonnet is not in the text', whole, lines[0] + lines[2],
                 lambda n: [(n // 15 * 2, times[n // 15 * 2][n % 15])])
    yield joined('the second sonnet is read twice', [whole[0], whole[1], whole[1], whole[2]], every,
                 lambda n: [(1, times[1][n % 15]), (2, times[1][n % 15])] if n // 15 == 1
                 else [(n // 15 + n // 30, times[n // 15][n % 15])])
    # Both ends are pauses of half a second and more.
    first, last = times[0][5] - 0.1, times[0][9] - 0.1
    cut = [(sonnets[0], 0, first), (sonnets[0], last, None), whole[1], whole[2]]
    yield joined('four lines are not read', cut, every,
                 lambda n: [] if 5 <= n < 9 else [(0, times[0][n])] if n < 5 else [(1, times[0][n] - last)] if n < 15
                 else [(n // 15 + 1, times[n // 15][n % 15])])
    twice = [(sonnets[0], 0, last), (sonnets[0], first, None), whole[1], whole[2]]
    yield joined('four lines are read twice', twice, every,
                 lambda n: [(0, times[0][n]), (1, times[0][n] - first)] if 5 <= n < 9 else [(0, times[0][n])] if n < 5
                 else [(1, times[0][n] - first)] if n < 15 else [(n // 15 + 1, times[n // 15][n % 15])])
    kept = [n for n in range(45) if n % 3 != 1]
    yield Case('every third line is missing in the text', [every[n] for n in kept], sonnets, [tracks[n] for n in kept])
    meta = [line.split('|')[1] for line in (media / 'speech/ljspeech_metadata.csv').read_text().splitlines()[:2]]
    clips = [(media / f'speech/LJ001-000{n}.wav', 0, None) for n in (1, 2)]
    yield joined('LJ001-0001 and -0002, joined', [clips[0], 0.5, clips[1]], meta, lambda n: [(2 * n, 0.03)])
    said = re.findall(r'<s> (.*?) </s>', (media / 'speech/librivox_wav/transcription').read_text())[:3]
    clips = [(media / f'speech/librivox_wav/sense_and_sensibility_01_austen_64kb-08{n}0.wav', 0, None) for n in (7, 8, 9)]
    starts = [onset(maker.wav(clip[0])) for clip in clips]
    yield joined('three sentences of Austen, joined', [clips[0], 0.4, clips[1], 0.4, clips[2]],
                 [part.capitalize() + '.' for part in said], lambda n: [(2 * n, starts[n])])
    yield Case('wrong text: Alice', alice[60:120], sonnets, None)
    for name in ('german', 'french', 'swedish'):
        words = re.sub(r'\s+', ' ', (media / f'text/genesis/{name}.txt').read_text(errors='replace'))
        parts = [part for part in re.split(r'(?<=[.!?;:])\s+', words) if 20 < len(part) < 160 and not re.search(r'[<>&]', part)]
        yield Case(f'wrong text: Genesis, {name}', parts[:60], sonnets, None)


def onset(path):
    """The second at which sound begins in a file with silence around it: 20 dB below the loudest 10 ms."""
    import array
    samples = array.array('h', path.read_bytes()[78:])
    levels = [sum(abs(s) for s in samples[i:i + 220]) for i in range(0, len(samples) - 220, 220)]
    return next(i for i, level in enumerate(levels) if level > max(levels) / 10) / 100


def hour(maker, shared):
    """An hour of Alice by flite's voice slt, whose sentences are spoken one by one, so that their places are known."""
    words = re.sub(r'\s+', ' ', (shared / 'media/text/plain/alice.txt').read_text(errors='replace'))
    lines = [part for part in re.split(r'(?<=[.!?])\s+', words) if 20 < len(part) < 190 and not re.search(r'[<>&"“”\'_*]', part)]
    pieces, place, truth = [], 0, []
    for number, line in enumerate(lines[:900]):
        wav = maker.folder / f'slt-{number}.wav'
        if not wav.exists():
            run(['flite', '-voice', 'slt', '-t', line, '-o', wav])
            run(['ffmpeg', '-v', 'error', '-y', '-i', wav, '-ar', '22050', f'{wav}.22.wav'])
        pieces += [(pathlib.Path(f'{wav}.22.wav'), 0, None), 0.2 + number % 5 * 0.15]
    path, offsets = maker.join('alice-slt', pieces)
    for number in range(len(pieces) // 2):
        truth.append((0, offsets[2 * number] + onset(maker.wav(pieces[2 * number][0]))))
    return Case('Alice by flite slt', lines[:len(truth)], [path], truth)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--shared', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2] / '../shared')
    parser.add_argument('--aeneas', help='a Python with aeneas')
    parser.add_argument('--only', default='', help='a word in the names of the cases')
    parser.add_argument('--flite', action='store_true')
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    maker = Maker(options.folder)
    print('| case | by | found | false | median ms | p95 ms | largest ms | beyond its bound | × real time | MiB |')
    print('|---|---|---|---|---|---|---|---|---|---|')
    everything = list(cases(maker, options.shared)) + ([hour(maker, options.shared)] if options.flite else [])
    for case in everything:
        if options.only not in case.name:
            continue
        seconds = sum(maker.length(path) for path in case.tracks)
        text = options.folder / 'text.html'
        text.write_text(html(case.lines))
        places, cost, memory, _, _ = ours(options.build, options.folder, case, text)
        rows = [('rostrum', places, cost, memory)]
        if options.aeneas and case.truth:
            rows.append(('aeneas', *theirs(options.aeneas, options.folder, case)))
        for name, places, cost, memory in rows:
            errors, beyond, false, expected = judge(case, places)
            ms = [error * 1000 for error in errors]
            figures = ['–'] * 3 if not ms else [
                f'{statistics.median(ms):.0f}', f'{ms[min(len(ms) - 1, int(0.95 * len(ms)))]:.0f}', f'{ms[-1]:.0f}']
            found = f'{len(ms)} of {expected}' if case.truth else '–'
            print(f'| {case.name} | {name} | {found} | {false} | {" | ".join(figures)} | '
                  f'{beyond if name == "rostrum" else "–"} | {seconds / cost:.0f} | {memory:.0f} |', flush=True)


if __name__ == '__main__':
    main()
