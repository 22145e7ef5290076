#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares durations and chapters of real files: ours, ffprobe's, and the true ones in their manifest.

    Benchmarks/timeline/truth.py [--media ../shared/media] [--out table.md] [--all]

Runs `rostrum inspect --json` and `ffprobe` for every file of MANIFEST.tsv that has sound. The true duration is the
result of decoding the whole file. A difference of up to TOLERANCE is rounding, and of up to PADDING is an encoder's
padding, which we cut off and FFmpeg's decoding keeps. Without --all the table has only files with chapters and files
for which ffprobe is wrong. Exits with 1 if ours is wrong anywhere. ROSTRUM_BUILD names the folder of the programs; the
default is the debug build of this checkout.
"""
import argparse
import json
import os
import re
import subprocess
import sys

from session import Session

TOLERANCE = 0.015
PADDING = 0.130

HERE = os.path.dirname(os.path.abspath(__file__))

# The manifest gives these in words only: ffprobe lists them wrongly, or not at all.
AUPHONIC = [0, 15, 22, 34, 45, 60, 76, 94, 111.5]
TOLD = {'chapters/auphonic_chapters_demo.m4a': AUPHONIC, 'chapters/auphonic_chapters_demo.mp3': AUPHONIC}


def rows(media):
    with open(os.path.join(media, 'MANIFEST.tsv'), encoding='utf-8') as f:
        names = f.readline().rstrip('\n').split('\t')
        for line in f:
            row = dict(zip(names, line.rstrip('\n').split('\t')))
            if row['decoded_s'] not in ('-', '0.00'):
                yield row


def expected_starts(row):
    """Returns starts in seconds, and their number; of many, the manifest lists the first three and the last."""
    told = TOLD.get(row['path'])
    if told:
        return told, len(told)
    if row['chapter_list'] == '-':
        return [], int(row['chapters'])
    return [float(s) for s in re.findall(r'(?:^|\| )(\d+\.\d+)-', row['chapter_list'])], int(row['chapters'])


def agrees(starts, expected, count):
    if len(starts) != count:
        return False
    if len(expected) == count:
        return all(abs(a - b) < 0.002 for a, b in zip(starts, expected))
    return all(abs(a - b) < 0.002 for a, b in zip(starts, expected[:-1])) and abs(starts[-1] - expected[-1]) < 0.002


def ffprobe(path):
    done = subprocess.run(
        ['ffprobe', '-v', 'quiet', '-of', 'json', '-show_format', '-show_chapters', path], capture_output=True, check=False)
    found = json.loads(done.stdout or b'{}')
    duration = found.get('format', {}).get('duration')
    return (float(duration) if duration else None,
            [float(c['start_time']) for c in found.get('chapters', [])])


def shown(seconds):
    return '-' if seconds is None else f'{seconds:.3f}'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--media', default=os.path.join(HERE, '..', '..', '..', 'shared', 'media'))
    parser.add_argument('--out')
    parser.add_argument('--all', action='store_true')
    options = parser.parse_args()
    if not os.path.exists(os.path.join(options.media, 'MANIFEST.tsv')):
        print(f'skipped: no {options.media}')
        return 0
    table = ['| file | truth s | ours s | sure | ffprobe s | chapters: truth | ours | ffprobe | ours wrong | ffprobe wrong |',
             '|---|--:|--:|---|--:|--:|--:|--:|---|---|']
    files = wrong = wrong_elsewhere = 0
    with Session() as session:
        for row in rows(options.media):
            path = os.path.join(options.media, row['path'])
            truth = float(row['decoded_s'])
            expected, count = expected_starts(row)
            ours = session.inspect(path)
            probed, probed_starts = ffprobe(path)
            duration = None if ours.get('durationMs') is None else ours['durationMs'] / 1000
            starts = [c['startMs'] / 1000 for c in ours.get('chapters', []) if c['startMs'] is not None]

            def faults(seconds, starts, truth=truth, expected=expected, count=count):
                found = []
                if seconds is None or not -PADDING <= seconds - truth <= TOLERANCE:
                    found.append('duration')
                if not agrees(starts, expected, count):
                    found.append('chapters')
                return found
            ours_wrong, probe_wrong = faults(duration, starts), faults(probed, probed_starts)
            files += 1
            wrong += bool(ours_wrong)
            wrong_elsewhere += bool(probe_wrong)
            if options.all or count or ours_wrong or probe_wrong:
                kinds = sorted({c['source'] for c in ours.get('chapters', [])})
                table.append(
                    f"| {row['path']} | {truth:.2f} | {shown(duration)} | {ours.get('durationConfidence', ours.get('error'))} "
                    f"| {shown(probed)} | {count or ''} | {len(starts) or ''} {' '.join(kinds)} | {len(probed_starts) or ''} "
                    f"| {' '.join(ours_wrong)} | {' '.join(probe_wrong)} |")
    table.append('')
    table.append(f'{files} files that sound; ours is wrong of {wrong}, ffprobe of {wrong_elsewhere}.')
    text = '\n'.join(table) + '\n'
    if options.out:
        with open(options.out, 'w', encoding='utf-8') as f:
            f.write(text)
        print(table[-1])
    else:
        print(text, end='')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
