#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times `rostrum library` over a large library, with the real client and session.

    books.py BUILD_DIR LIBRARY

LIBRARY is a file that the measuring test has filled:

    ROSTRUM_MEASURE=1 ROSTRUM_MEASURE_LIBRARY=/tmp/library.sqlite swift test --filter 'hundred thousand'
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def main():
    build, library = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix='rostrum-library-') as home:
        environment = {'PATH': '/usr/bin:/bin', 'HOME': home}
        for name in ('RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME'):
            environment['XDG_' + name] = f'{home}/{name}'
            os.makedirs(f'{home}/{name}', mode=0o700)
        os.makedirs(f'{home}/DATA_HOME/rostrum', mode=0o700)
        shutil.copy(library, f'{home}/DATA_HOME/rostrum/library.sqlite')
        session = subprocess.Popen([build / 'rostrumd', '--output', 'null'], env=environment)
        try:
            socket = pathlib.Path(home, 'RUNTIME_DIR', 'rostrum', 'session.sock')
            while not socket.exists():
                assert session.poll() is None
                time.sleep(0.01)

            def rostrum(*words):
                began = time.monotonic()
                done = subprocess.run([build / 'rostrum', 'library', *words], env=environment, check=True,
                                      capture_output=True, text=True)
                return (time.monotonic() - began) * 1000, done.stdout

            _, text = rostrum('list', '--limit', '1', '--json')
            some = json.loads(text)['id']
            for what, times, words in (
                    ('first page of 20', 20, ('list', '--limit', '20')),
                    ('20 books from number 99,000', 10, ('list', '--limit', '20', '--offset', '99000')),
                    ('show one', 20, ('show', some)),
                    ('the whole list', 2, ('list',)),
                    ('the whole list as JSON', 2, ('list', '--json'))):
                taken = []
                for _ in range(times):
                    ms, text = rostrum(*words)
                    taken.append(ms)
                print(f'{what:30} {statistics.median(taken):9.1f} ms   {len(text.splitlines())} lines')
            status = pathlib.Path(f'/proc/{session.pid}/status').read_text(encoding='utf-8')
            print(next(line for line in status.splitlines() if line.startswith('VmHWM')))
        finally:
            session.terminate()
            session.wait()


main()
