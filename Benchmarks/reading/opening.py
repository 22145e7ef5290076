#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how long a text takes from `rostrum read` to its first sound, and in how much memory.

    opening.py BUILD_DIR [--media FOLDER] [--times N] [--only NAME] [--megabytes N]

The texts are made of the public ones of `FOLDER/text`: an EPUB of ten hours, a plain text of 100 MB, a text of one sentence
of 1 MB. Each is opened cold (no session runs, and nothing is kept of the document), new (a session runs, and nothing is
kept), kept (a session runs, and what was made of the document is kept) and far (new, at 90 % of the text). Time passes from
the start of the command to the first sound on the monitor of a private sound server, read with espeak. Memory is the peak
of each process, as the kernel counts it. Prints a table in Markdown and the load of the machine.
"""
import argparse
import itertools
import os
import pathlib
import re
import shutil
import statistics
import sys
import threading
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = os.environ.get('ROSTRUM_SHARED', f'{ROOT.parent}/shared')
sys.path.insert(0, str(ROOT / 'Tests' / 'Listening'))
import numpy as np  # noqa: E402
from player import Player  # noqa: E402
from sound_server import RATE, Server, until  # noqa: E402

LOUD = 0.003
WORDS = 90_000  # ten hours at 150 words a minute
PROGRAMS = {'rostrumd': 'session', 'rostrum-documen': 'reader', 'rostrum-engine-': 'engine'}


def english(media):
    """Returns the paragraphs of the English texts, of letters, digits and signs that need no markup."""
    text = (media / 'text/plain/alice.txt').read_text()
    for path in sorted((media / 'text/inaugural').glob('*.txt')):
        text += '\n\n' + path.read_text()
    return [' '.join(p.split()) for p in re.split(r'\n\s*\n', text) if re.search('[a-z]', p)]


def epub(paragraphs, path):
    """Makes a book of chapters of about 3000 words each."""
    chapters, words = [[]], 0
    for paragraph in itertools.cycle(paragraphs):
        if len(chapters[-1]) and sum(len(p.split()) for p in chapters[-1]) > 3000:
            chapters.append([])
        chapters[-1].append(paragraph.replace('&', '&amp;').replace('<', '&lt;'))
        words += len(paragraph.split())
        if words >= WORDS:
            break
    names = [f'chapter{n}.xhtml' for n in range(1, len(chapters) + 1)]
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as book:
        book.writestr('mimetype', 'application/epub+zip', zipfile.ZIP_STORED)
        book.writestr('META-INF/container.xml', '<?xml version="1.0"?><container version="1.0" '
                      'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" '
                      'media-type="application/oebps-package+xml"/></rootfiles></container>')
        items = ''.join(f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>'
                        for n, name in enumerate(names))
        spine = ''.join(f'<itemref idref="c{n}"/>' for n in range(len(names)))
        book.writestr('book.opf', '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
                      'unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
                      '<dc:identifier id="id">x</dc:identifier><dc:title>Ten Hours</dc:title><dc:language>en'
                      f'</dc:language></metadata><manifest>{items}<item id="nav" href="nav.xhtml" properties="nav" '
                      f'media-type="application/xhtml+xml"/></manifest><spine>{spine}</spine></package>')
        head = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        entries = ''.join(f'<li><a href="{name}">Chapter {n}</a></li>' for n, name in enumerate(names, 1))
        book.writestr('nav.xhtml', f'{head}<body><nav epub:type="toc"><ol>{entries}</ol></nav></body></html>')
        for number, (name, chapter) in enumerate(zip(names, chapters), 1):
            body = ''.join(f'<p>{p}</p>' for p in chapter)
            book.writestr(name, f'{head}<body><h1>Chapter {number}</h1>{body}</body></html>')


def plain(media, path, size):
    """Makes a plain text as it comes: alice.txt and speeches, again and again, below chapters."""
    source = (media / 'text/plain/alice.txt').read_bytes()
    for speech in sorted((media / 'text/inaugural').glob('*.txt')):
        source += b'\n\n' + speech.read_bytes()
    with open(path, 'wb') as out:
        for number in itertools.count(1):
            out.write(b'\n\nCHAPTER %d\n\n' % number + source)
            if out.tell() >= size:
                return


def sentence(paragraphs, path):
    """Makes a text of one sentence of a megabyte."""
    words, size = [], 0
    for word in itertools.cycle(' '.join(paragraphs).split()):
        word = word.strip('.!?;:,"“”‘’()[]*_—')
        if word:
            words.append(word)
            size += len(word.encode()) + 1
        if size >= 1_000_000:
            break
    pathlib.Path(path).write_text(' '.join(words) + '.\n')


class Peaks:
    """The peak memory of the session's processes, watched while they live."""

    def __init__(self):
        self.peaks, self.session, self._over = {}, None, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self):
        # A peak that is reached between the last look and the end of a process is not seen.
        while not self._over.wait(0.02):
            pid = self.session and self.session()
            for process in [pid, *self._children(pid)] if pid else []:
                try:
                    with open(f'/proc/{process}/status') as file:
                        lines = dict(line.split(':', 1) for line in file)
                except OSError:
                    continue
                name = PROGRAMS.get(lines.get('Name', '').strip())
                if name and 'VmHWM' in lines:
                    self.peaks[name] = max(self.peaks.get(name, 0), int(lines['VmHWM'].split()[0]) / 1024)

    @staticmethod
    def _children(pid):
        children = []
        try:
            for thread in os.listdir(f'/proc/{pid}/task'):
                with open(f'/proc/{pid}/task/{thread}/children') as file:
                    children += file.read().split()
        except OSError:
            pass
        return children

    def close(self):
        self._over.set()
        self._thread.join()


class Opening:
    def __init__(self, server, build):
        self.server, self.recorder = server, server.recorder
        self.player = Player(build, server.environment)

    def forget(self):
        """Removes what is kept of documents and of places."""
        for name in ('XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'):
            shutil.rmtree(self.server.environment[name], ignore_errors=True)

    def begin(self):
        """Starts a session that has been used."""
        path = f'{self.server.folder}/hello.txt'
        with open(path, 'w') as file:
            file.write('Hello.\n')
        self.first_sound('--from-start', path)
        until(lambda: self.player.status()['status'] == 'ended', 30, 'the end of the greeting')
        self.recorder.wait(0.3)

    def first_sound(self, *arguments):
        """Returns the seconds from a `read` to its first sound, once that is heard."""
        # Only what is recorded from here on is looked at.
        self.recorder.forget(self.recorder.now - 0.1)
        start = self.recorder.now
        self.player('read', '--detach', '--engine', 'espeak', *arguments)

        def onset():
            loud = np.flatnonzero(np.abs(self.recorder.samples(start)).max(axis=1, initial=0) > LOUD)
            return loud[0] / RATE if len(loud) else None
        until(lambda: onset() is not None, 60, 'the first sound')
        return onset()

    def end(self):
        self.player('stop')
        pid = self.player.session()
        if pid:
            os.kill(pid, 15)
            until(lambda: self.player.session() is None, 30, 'the end of the session')
        self.recorder.wait(0.3)

    def once(self, path, kind):
        """Returns the time to the first sound, and the peaks of memory."""
        if kind != 'kept':
            self.forget()
        if kind != 'cold':
            self.begin()
        if kind == 'kept':
            self.first_sound('--from-start', path)
            self.player('stop')
            self.kept(path)
            self.recorder.wait(0.5)
        peaks = Peaks()
        peaks.session = self.player.session
        try:
            time = self.first_sound(*(['--at', '90%'] if kind == 'far' else ['--from-start']), path)
            if kind == 'cold':
                # The reader goes on, and the memory of all of it counts.
                self.kept(path)
            return time, peaks.peaks
        finally:
            peaks.close()
            self.end()

    def kept(self, path):
        """Waits until all that is made of the document is kept."""
        folder = self.server.environment['XDG_CACHE_HOME'] + '/rostrum/documents'
        size = os.path.getsize(path)

        def is_kept():
            self.recorder.forget(self.recorder.now - 0.1)
            try:
                names = os.listdir(folder)
            except OSError:
                return False
            return any(name.endswith('.script') and os.path.getsize(f'{folder}/{name}') > min(size / 2, 100_000)
                       for name in names)
        until(is_kept, 300, 'all of the script')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--media', default=f'{SHARED}/media')
    parser.add_argument('--times', type=int, default=5)
    parser.add_argument('--megabytes', type=int, default=100)
    parser.add_argument('--only', choices=['book', 'huge', 'sentence'])
    options = parser.parse_args()
    media = pathlib.Path(options.media)
    paragraphs = english(media)
    print(f'load before: {", ".join(f"{x:.1f}" for x in os.getloadavg())}')
    print('| text | opened | s, median | s, longest | session MiB | reader MiB | engine MiB |')
    print('|---|---|---|---|---|---|---|')
    with Server() as server:
        environment = server.environment
        build = os.path.abspath(options.build)
        environment['ROSTRUM_ENGINE_PATH'] = f'{build}/engines'
        texts = {'book': (f'{server.folder}/ten-hours.epub', 'EPUB of ten hours'),
                 'huge': (f'{server.folder}/huge.txt', f'plain text of {options.megabytes} MB'),
                 'sentence': (f'{server.folder}/sentence.txt', 'one sentence of 1 MB')}
        opening = Opening(server, build)
        for name, (path, title) in texts.items():
            if options.only not in (None, name):
                continue
            if name == 'book':
                epub(paragraphs, path)
            elif name == 'huge':
                plain(media, path, options.megabytes * 1_000_000)
            else:
                sentence(paragraphs, path)
            for kind in ('cold', 'new', 'kept', 'far'):
                times, peaks = [], {}
                for _ in range(options.times):
                    time, found = opening.once(path, kind)
                    times.append(time)
                    for process, peak in found.items():
                        peaks[process] = max(peaks.get(process, 0), peak)
                memory = ' | '.join(f'{peaks[p]:.0f}' if p in peaks else '–' for p in ('session', 'reader', 'engine'))
                print(f'| {title} | {kind} | {statistics.median(times):.2f} | {max(times):.2f} | {memory} |', flush=True)
    print(f'load after: {", ".join(f"{x:.1f}" for x in os.getloadavg())}')


if __name__ == '__main__':
    main()
