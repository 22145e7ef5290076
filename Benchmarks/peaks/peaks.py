#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the making of waveforms: × real time on one core, and peak memory.

    Benchmarks/peaks/peaks.py .build/release FOLDER [--hours 20] [--plot FILE.svg]

Makes a book of that many hours (m4b, AAC of 64 kbit/s, mono, 44.1 kHz) and one of 25 MP3 files in FOLDER unless they are
there. Each is made into a waveform by an engine process of `rostrum` (through `rostrum clip waveform`, with a session of
its own), by `ffmpeg -filter_complex showwavespic`, and by `audiowaveform` if it is installed. Time is the processor time
of the process that decodes; memory is its largest resident set. Prints a table in Markdown.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time


def run(command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more)


def speech(folder, seconds):
    """Returns a file of noise in the rhythm of speech, which AAC and MP3 cannot code in a few bits."""
    source = folder / 'source.wav'
    if not source.exists():
        # Half a second of silence every four seconds.
        graph = f"anoisesrc=c=pink:r=44100:d={seconds}:a=0.4,volume='if(lt(mod(t,4),3.5),0.4+0.3*sin(2*PI*3*t),0)':eval=frame"
        run(['ffmpeg', '-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', graph, '-ac', '1', str(source)])
    return source


def books(folder, hours):
    """Makes the two books, of an hour that is repeated without encoding it again."""
    hour = 3600
    book, parts = folder / f'book-{hours:g}h.m4b', folder / 'parts'
    if not book.exists():
        encoded = folder / 'hour.m4a'
        run(['ffmpeg', '-nostdin', '-v', 'error', '-y', '-i', str(speech(folder, hour)), '-c:a', 'aac', '-b:a', '64k',
             str(encoded)])
        run(['ffmpeg', '-nostdin', '-v', 'error', '-y', '-stream_loop', str(int(hours) - 1), '-i', str(encoded),
             '-c', 'copy', '-f', 'ipod', str(book)])
    if not parts.exists():
        parts.mkdir()
        first = parts / 'part01.mp3'
        run(['ffmpeg', '-nostdin', '-v', 'error', '-y', '-i', str(speech(folder, hour)), '-t', '1800', '-c:a',
             'libmp3lame', '-b:a', '64k', str(first)])
        # A waveform is kept by content, so no file may be the copy of another.
        for number in range(2, 26):
            run(['ffmpeg', '-nostdin', '-v', 'error', '-y', '-ss', str(number * 7), '-i', str(first), '-c', 'copy',
                 str(parts / f'part{number:02}.mp3')])
    return book, sorted(parts.glob('*.mp3'))


def duration(path):
    found = run(['ffprobe', '-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', str(path)])
    return float(found.stdout)


def usage(command):
    """Runs a command on one core; returns the processor time, the wall time and the largest resident set in bytes."""
    began = time.monotonic()
    process = subprocess.Popen(['taskset', '-c', '0'] + command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f'failed: {" ".join(command)}')
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss * 1024


class EngineWatch(threading.Thread):
    """Reads the processor time and the largest resident set of background engine processes until stopped."""

    def __init__(self):
        super().__init__(daemon=True)
        self.found, self.over = {}, threading.Event()

    def run(self):
        tick = os.sysconf('SC_CLK_TCK')
        while not self.over.wait(0.02):
            for entry in pathlib.Path('/proc').iterdir():
                try:
                    line = (entry / 'cmdline').read_bytes()
                    if b'rostrum-engine-runner' not in line or b'--background' not in line:
                        continue
                    fields = (entry / 'stat').read_text().rsplit(')', 1)[1].split()
                    status = (entry / 'status').read_text()
                except (OSError, IndexError):
                    continue
                peak = [int(row.split()[1]) for row in status.splitlines() if row.startswith('VmHWM')]
                self.found[entry.name] = ((int(fields[11]) + int(fields[12])) / tick, (peak or [0])[0] * 1024)


def end(runtime):
    """Ends the session, and waits for that."""
    process = int(pathlib.Path(runtime, 'rostrum', 'session.lock').read_text())
    os.kill(process, signal.SIGTERM)
    while pathlib.Path(f'/proc/{process}').exists():
        time.sleep(0.05)


def ours(build, files):
    """Makes the waveforms of files with a session of its own; returns processor time, wall time, memory."""
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {f'XDG_{name}_HOME': f'{home}/{name}' for name in ('CACHE', 'DATA', 'CONFIG', 'STATE')}
        environment |= {'XDG_RUNTIME_DIR': home, 'HOME': home}
        watch = EngineWatch()
        watch.start()
        began = time.monotonic()
        for file in files:
            answer = run([str(build / 'rostrum'), 'clip', 'waveform', str(file), '--json'], env=environment)
            if not json.loads(answer.stdout)['isComplete']:
                sys.exit(f'not complete: {file}')
        wall = time.monotonic() - began
        watch.over.set()
        watch.join()
        end(home)
        return sum(used for used, _ in watch.found.values()), wall, max(peak for _, peak in watch.found.values())


def theirs(name, files):
    total, wall, peak = 0.0, 0.0, 0
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            if name == 'ffmpeg':
                command = ['ffmpeg', '-nostdin', '-v', 'error', '-threads', '1', '-i', str(file), '-filter_complex',
                           'showwavespic=s=1000x100', '-frames:v', '1', f'{folder}/x.png']
            else:
                command = ['audiowaveform', '-i', str(file), '-o', f'{folder}/x.dat', '-z', '512', '-b', '16']
            used, took, most = usage(command)
        total, wall, peak = total + used, wall + took, max(peak, most)
    return total, wall, peak


def plot(rows, path):
    """Draws a bar for each row: × real time."""
    height = 40 + 34 * len(rows)
    most = max(speed for _, speed, _ in rows)
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" font-family="sans-serif" '
            'font-size="13">', '<text x="10" y="20">times real time, on one core</text>']
    for index, (name, speed, memory) in enumerate(rows):
        y = 36 + 34 * index
        text.append(f'<text x="10" y="{y + 16}">{name}</text>'
                    f'<rect x="240" y="{y}" width="{380 * speed / most:.1f}" height="22" fill="#4a7ab5"/>'
                    f'<text x="{246 + 380 * speed / most:.1f}" y="{y + 16}">{speed:,.0f} × , {memory / 1e6:.0f} MB</text>')
    path.write_text('\n'.join(text + ['</svg>', '']))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--hours', type=float, default=20)
    parser.add_argument('--plot', type=pathlib.Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    book, parts = books(options.folder, options.hours)
    rows = []
    print('| content | program | × real time (processor) | × real time (wall) | MB |\n|---|---|---|---|---|')
    for what, files in ((f'{options.hours:g} h m4b', [book]), ('25 mp3', parts)):
        seconds = sum(duration(file) for file in files)
        programs = ['rostrum', 'ffmpeg'] + (['audiowaveform'] if shutil.which('audiowaveform') else [])
        for program in programs:
            used, wall, peak = ours(options.build, files) if program == 'rostrum' else theirs(program, files)
            rows.append((f'{what}, {program}', seconds / used, peak))
            print(f'| {what} | {program} | {seconds / used:,.0f} | {seconds / wall:,.0f} | {peak / 1e6:.1f} |', flush=True)
    if options.plot:
        plot(rows, options.plot)


main()
