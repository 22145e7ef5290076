#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the clip editor: the time from the key to the first waveform, and the processor time of a frame.

    Benchmarks/editor/editor.py .build/release BOOK [--times 20] [--rows 50] [--columns 200]

Each time, the waveform is of a book whose peaks were never made: the cache is emptied before the key. Frames are those of
a selection that loops for ten seconds. Runs beside a private sound server, in a terminal of its own.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'Tests' / name) for name in ('Listening', 'Desktop', 'Terminal')]
from player import Player  # noqa: E402
from sound_server import Server, until  # noqa: E402
from terminal_screen import ESCAPE, TerminalScreen  # noqa: E402

SOUND = re.compile('[\u2801-\u28ff]')


def milliseconds(values):
    ordered = sorted(values)
    return (f'median {statistics.median(ordered):.0f} ms, 95th percentile '
            f'{ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]:.0f} ms, most {ordered[-1]:.0f} ms, n={len(ordered)}')


def processor_time(process):
    """The processor time of a process in ms."""
    fields = pathlib.Path(f'/proc/{process}/stat').read_text().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf('SC_CLK_TCK')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build')
    parser.add_argument('book')
    parser.add_argument('--times', type=int, default=20)
    parser.add_argument('--rows', type=int, default=50)
    parser.add_argument('--columns', type=int, default=200)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    with Server() as server:
        environment = dict(server.environment, ROSTRUM_ENGINE_PATH=f'{build}/engines')
        rostrum = Player(build, environment)
        rostrum('clip', 'add', '--book', os.path.abspath(options.book), '--start', '5:00:00', '--end', '5:00:20')
        cache = pathlib.Path(environment['XDG_CACHE_HOME']) / 'rostrum' / 'peaks'
        times = []
        for _ in range(options.times):
            # A session of its own, since one knows the waveforms that it has made.
            os.kill(rostrum.session(), 15)
            until(lambda: rostrum.session() is None, 20, 'the end of the session')
            shutil.rmtree(cache, ignore_errors=True)
            terminal = TerminalScreen([f'{build}/rostrum'], environment, rows=options.rows, columns=options.columns)
            terminal.wait('Nothing is loaded')
            terminal.press('7')
            terminal.wait('1 clips')
            began = time.monotonic()
            terminal.press('\r')
            terminal.wait(lambda text: len(SOUND.findall(text)) > options.columns, 30, 'the waveform')
            times.append((time.monotonic() - began) * 1000)
            terminal.press(ESCAPE)
            terminal.wait('1 clips')
            terminal.press('q')
            terminal.code()
        print(f'key to the first waveform: {milliseconds(times)}')
        terminal = TerminalScreen([f'{build}/rostrum'], environment, rows=options.rows, columns=options.columns)
        terminal.wait('Nothing is loaded')
        terminal.press('7')
        terminal.wait('1 clips')
        terminal.press('\r')
        terminal.wait(lambda text: len(SOUND.findall(text)) > options.columns, 30, 'the waveform')
        terminal.press('el\r')
        terminal.wait('playing   loop')
        before, received, began = processor_time(terminal.process), terminal.received, time.monotonic()
        time.sleep(10)
        spent, seconds = processor_time(terminal.process) - before, time.monotonic() - began
        print(f'{options.columns}x{options.rows}, looping: {spent / seconds:.1f} ms of processor time a second, '
              f'{spent / seconds / 30:.2f} ms a frame at 30 frames a second, '
              f'{(terminal.received - received) / seconds / 1024:.0f} KiB/s to the terminal')
        terminal.press('qq')
        terminal.code()
        os.kill(rostrum.session(), 15)
        until(lambda: rostrum.session() is None, 20, 'the end of the session')


main()
