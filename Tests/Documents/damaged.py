#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Gives damaged books to the process that reads documents, as the session does.

    damaged.py BUILD_DIR [--step BYTES] [--flips COUNT] [--inside COUNT] [--seed N] [--jobs N] [--seconds N] [FILE...]

Each book (all of ../shared/media/text/epub unless some are named) is cut at every kilobyte, and then COUNT times some of its
bytes are changed: those of the archive, and those of the files in it, which are packed anew. Each is read with
`rostrumd read-text`. It must end in little time and memory, with a text or with one line that says why there is none, and
the process that reads it must not die. With --seconds, cases are drawn by chance until the time is over.

Prints a line for each fault, and a table; exits with 1 if there was a fault.
"""
import argparse
import concurrent.futures
import glob
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.environ.get('ROSTRUM_SHARED', os.path.join(HERE, '../../../shared'))
# Seconds of the processor that one book may take; the session gives up after 120 s, on whatever machine.
PROCESSOR = 30
# Seconds after which there is no end, on a busy machine.
DEADLINE = 900
# MiB. The largest of the books takes 60.
MEMORY = 512
DEATH = 'its reader ended before it was done'


def changed(data, chance):
    """Returns the bytes with some of them changed, doubled or left out."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 4, 16, 64))):
        if not data:
            break
        place = chance.randrange(len(data))
        kind = chance.randrange(8)
        if kind < 4:
            data[place] ^= 1 << chance.randrange(8)
        elif kind < 6:
            data[place] = chance.choice((0, 0x22, 0x26, 0x2F, 0x3C, 0x3E, 0x7F, 0xFF, chance.randrange(256)))
        elif kind == 6:
            del data[place:place + chance.choice((1, 2, 40))]
        else:
            part = data[place:place + chance.choice((1, 20, 400))]
            data[place:place] = part * chance.choice((1, 1, 3, 100))
    return bytes(data)


def changed_inside(data, chance):
    """Returns the book with some of its files changed."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as book, zipfile.ZipFile(output, 'w') as copy:
        names = [item for item in book.infolist() if not item.is_dir() and item.file_size < 1 << 20]
        texts = [item.filename for item in names
                 if item.filename.endswith(('.opf', '.xml', '.ncx', '.html', '.xhtml', '.htm', '.smil', '.pls'))]
        chosen = set(chance.sample(texts, min(len(texts), chance.choice((1, 1, 2, 5)))))
        for item in names:
            content = book.read(item)
            copy.writestr(item.filename, changed(content, chance) if item.filename in chosen else content)
    return output.getvalue()


class Case:
    def __init__(self, book, kind, number):
        self.book, self.kind, self.number = book, kind, number

    def __str__(self):
        return f'{os.path.basename(self.book)} {self.kind} {self.number}'

    def data(self, books, seed):
        data = books[self.book]
        if self.kind == 'cut':
            return data[:self.number]
        chance = random.Random(f'{seed} {self}')
        return changed(data, chance) if self.kind == 'flip' else changed_inside(data, chance)


class Reading:
    """What became of one book."""
    def __init__(self, code, output, errors, seconds, memory):
        self.code, self.output, self.errors = code, output, errors.decode('utf-8', 'replace')
        self.seconds, self.memory = seconds, memory

    @property
    def outcome(self):
        return 'read' if self.code == 0 else 'refused'

    def fault(self):
        lines = self.errors.splitlines()
        if DEATH in self.errors:
            return f'the reader died: {self.errors.strip()}'
        if self.code is None or self.seconds > PROCESSOR:
            return f'took {self.seconds:.1f} s'
        if self.memory > MEMORY:
            return f'took {self.memory} MiB'
        if self.code not in (0, 65):
            return f'exited with {self.code}: {self.errors.strip()}'
        if self.code == 65 and (len(lines) != 1 or not lines[0].startswith('rostrum: ') or self.output):
            return f'refused with other than one line: {self.errors!r}'
        if self.code == 0 and not self.output.strip():
            return 'read without a word'
        if any(not line.startswith('rostrum: ') or len(line) > 1200 for line in lines):
            return f'a warning that is no line: {self.errors!r}'
        try:
            self.output.decode()
        except UnicodeDecodeError as error:
            return f'no UTF-8: {error}'
        return None


class Reader:
    def __init__(self, build, folder):
        self.program = os.path.join(os.path.abspath(build), 'rostrumd')
        self.folder = folder

    def room(self, number):
        room = f'{self.folder}/{number}'
        environment = dict(os.environ)
        for name in ['RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME']:
            os.makedirs(f'{room}/{name}', 0o700, exist_ok=True)
            environment['XDG_' + name] = f'{room}/{name}'
        return room, environment

    def read(self, data, number):
        room, environment = self.room(number)
        path = f'{room}/book.epub'
        with open(path, 'wb') as file:
            file.write(data)
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([self.program, 'read-text', path], env=environment, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=errors, start_new_session=True)
            timer = time.monotonic() + DEADLINE
            code, memory, seconds = None, 0, DEADLINE
            while time.monotonic() < timer:
                # The figures of wait4 are those of the process and of its children.
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    code, memory = os.waitstatus_to_exitcode(status), usage.ru_maxrss >> 10
                    seconds = usage.ru_utime + usage.ru_stime
                    process.returncode = code
                    break
                time.sleep(0.004)
            else:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            output.seek(0)
            errors.seek(0)
            reading = Reading(code, output.read(), errors.read(), seconds, memory)
        shutil.rmtree(f'{room}/CACHE_HOME', ignore_errors=True)
        return reading


def cases(books, options):
    for book, data in books.items():
        yield from (Case(book, 'cut', length) for length in range(0, len(data), options.step))
        yield from (Case(book, 'flip', number) for number in range(options.flips))
        yield from (Case(book, 'inside', number) for number in range(options.inside))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--step', type=int, default=1024)
    parser.add_argument('--flips', type=int, default=100)
    parser.add_argument('--inside', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--seconds', type=float)
    parser.add_argument('--keep', help='a folder for the books that found a fault')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    names = options.files or sorted(glob.glob(f'{SHARED}/media/text/epub/*.epub'))
    if not names:
        print('damaged: skipped: no ../shared/media/text/epub')
        return 0
    books = {}
    for name in names:
        with open(name, 'rb') as file:
            books[name] = file.read()
    todo = list(cases(books, options))
    if options.seconds:
        random.Random(options.seed).shuffle(todo)
    folder = tempfile.mkdtemp(prefix='rostrum-damaged-')
    reader = Reader(options.build, folder)
    end = time.monotonic() + (options.seconds or 1e9)
    figures, faults = {}, 0

    def run(worker):
        found = []
        for case in todo[worker::options.jobs]:
            if time.monotonic() > end:
                break
            data = case.data(books, options.seed)
            reading = reader.read(data, worker)
            fault = reading.fault()
            reading.output = b''
            found.append((case, reading, fault, data if fault else b''))
        return found

    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for found in pool.map(run, range(options.jobs)):
                for case, reading, fault, data in found:
                    row = figures.setdefault((os.path.basename(case.book), case.kind), [0, 0, 0, 0, 0])
                    row[0] += 1
                    row[1] += reading.outcome == 'read'
                    row[2] += reading.outcome == 'refused'
                    row[3] = max(row[3], reading.seconds)
                    row[4] = max(row[4], reading.memory)
                    if fault:
                        faults += 1
                        print(f'damaged: FAILED: {case}: {fault}')
                        if options.keep:
                            os.makedirs(options.keep, exist_ok=True)
                            with open(f'{options.keep}/{str(case).replace(" ", "-")}', 'wb') as file:
                                file.write(data)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print('| book | damage | books | read | refused | most s of the processor | most MiB |')
    print('|---|---|---|---|---|---|---|')
    for (book, kind), row in sorted(figures.items()):
        print(f'| {book} | {kind} | {row[0]} | {row[1]} | {row[2]} | {row[3]:.1f} | {row[4]} |')
    print(f'damaged: {sum(row[0] for row in figures.values())} books, seed {options.seed}; {faults} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
