#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of a book by its size: open, jump to the last chapter, list chapters, memory.

    Benchmarks/timeline/sizes.py [--out docs/timeline-cost.svg] [--quick]

Makes the books itself (silence, so that they are small), in three series: m4b files of up to 40 hours, folders of up to
1,000 files, and one file with up to 10,000 chapters. Writes a table to standard output, and a plot. Times are those of
the commands, including the start of the client; `play` is measured until something is heard, on a null output. Memory
is the private memory of the session and its engine. ROSTRUM_BUILD names the folder of the programs.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from plot import plot
from session import Session

RUNS = 3


def ffmpeg(*arguments):
    subprocess.run(['ffmpeg', '-nostdin', '-v', 'error', '-y', *arguments], check=True)


def chapters(folder, count, seconds):
    path = os.path.join(folder, 'chapters.txt')
    with open(path, 'w', encoding='utf-8') as f:
        f.write(';FFMETADATA1\ntitle=A long book\n')
        for index in range(count):
            begin, end = (int(seconds * 1000 * (index + k) / count) for k in (0, 1))
            f.write(f'[CHAPTER]\nTIMEBASE=1/1000\nSTART={begin}\nEND={end}\ntitle=Chapter {index + 1}\n')
    return path


def book(folder, hours, count):
    """Makes an m4b with these numbers of hours and chapters; an hour is encoded once, and its packets are repeated."""
    hour = os.path.join(folder, 'hour.m4a')
    if not os.path.exists(hour):
        ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=22050:cl=mono', '-t', '3600', '-c:a', 'aac', '-b:a', '24k', hour)
    path = os.path.join(folder, f'book-{hours}h-{count}.m4b')
    listed = chapters(folder, count, hours * 3600)
    ffmpeg('-stream_loop', str(max(0, hours - 1)), '-i', hour, '-f', 'ffmetadata', '-i', listed, '-map', '0:a',
           '-map_metadata', '1', '-map_chapters', '1', '-c', 'copy', path)
    return path


def files(folder, count):
    """Makes a folder with this number of mp3 files of ten seconds."""
    path = os.path.join(folder, f'files-{count}')
    os.mkdir(path)
    one = os.path.join(folder, 'part.mp3')
    if not os.path.exists(one):
        ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=22050:cl=mono', '-t', '10', '-c:a', 'libmp3lame', '-b:a', '32k', one)
    for index in range(count):
        shutil.copy(one, os.path.join(path, f'{index + 1:04}.mp3'))
    return path


def best(session, *arguments):
    """Returns the minimum of several runs in seconds, which excludes other load on the machine."""
    results = [session.run(*arguments) for _ in range(RUNS)]
    for _, code, _, err in results:
        if code:
            raise RuntimeError(f'{arguments}: {err}')
    return min(r[0] for r in results)


def measure(path, last):
    with Session() as session:
        opened, code, _, err = session.run('play', path, '--detach')
        if code:
            raise RuntimeError(err)
        jump = best(session, 'seek', last)
        kind, number = last.split(':')
        there = json.loads(session.run('status', '--json')[2])['chapter' if kind == 'ch' else 'track']
        if not there or there['index'] != int(number) - 1:
            raise RuntimeError(f'{path}: seek {last} is at {there}')
        again = best(session, 'seek', '0')
        memory = session.memory()
        session.run('stop')
        listed, _, out, _ = session.run('inspect', '--json', path)
        found = json.loads(out)
        return {
            'open': opened, 'jump to the last chapter': jump, 'jump back': again, 'list': listed,
            'session MiB': memory.get('session', 0), 'engine MiB': memory.get('engine', 0),
            'chapters': len(found['chapters']), 'tracks': len(found['tracks']), 'hours': (found['durationMs'] or 0) / 3.6e6,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--out')
    parser.add_argument('--quick', action='store_true', help='small sizes only')
    options = parser.parse_args()
    # Hours, files, chapters.
    sizes = ([1, 2], [10, 20], [10, 100]) if options.quick else ([1, 5, 10, 20, 40], [10, 100, 300, 1000], [10, 1000, 3000, 10000])
    series = {'hours of one m4b': [], 'files': [], 'chapters of one file': []}
    folder = tempfile.mkdtemp(prefix='rostrum-sizes-')
    try:
        for hours in sizes[0]:
            series['hours of one m4b'].append((hours, measure(book(folder, hours, 30), 'ch:30')))
        for count in sizes[1]:
            series['files'].append((count, measure(files(folder, count), f'track:{count}')))
        for count in sizes[2]:
            series['chapters of one file'].append((count, measure(book(folder, 10, count), f'ch:{count}')))
    finally:
        shutil.rmtree(folder)
    print('| book | size | hours | chapters | open s | jump to the last s | jump back s | inspect s | session MiB | engine MiB |')
    print('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|')
    for name, rows in series.items():
        for size, row in rows:
            print(f"| {name} | {size} | {row['hours']:.1f} | {row['chapters']} | {row['open']:.3f} "
                  f"| {row['jump to the last chapter']:.3f} | {row['jump back']:.3f} | {row['list']:.3f} "
                  f"| {row['session MiB']:.1f} | {row['engine MiB']:.1f} |")
    if options.out:
        plot(options.out, series, [
            ('seconds', ['open', 'jump to the last chapter', 'list']), ('MiB', ['session MiB', 'engine MiB'])])
    return 0


if __name__ == '__main__':
    sys.exit(main())
