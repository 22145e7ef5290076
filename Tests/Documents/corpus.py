#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Reads every text of a corpus aloud in a session, and hostile ones, and checks what was heard.

    corpus.py BUILD_DIR [--engine ID] [--voices FOLDER] [--bytes N] [FILE...]

The texts are all of ../shared/media/text unless some are named. Each is read into an output that takes sound as fast as it
comes, while the status is asked for without a break. Every utterance that `rostrum text --json` prints must have been heard,
in its order and once; one that passed between two answers is heard again, from its beginning and in real time. With --bytes,
only so much of the beginning of each text is read. The title and chapters of an EPUB must be those of its own table of contents. Hostile
files, which this script makes, are refused with one line. The session lives.

Prints a line for each fault, and a table; exits with 1 if there was a fault.
"""
import argparse
import glob
import io
import json
import os
import random
import subprocess
import sys
import time
import urllib.parse
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from book_contents import BookContents  # noqa: E402
from session_room import Room  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.environ.get('ROSTRUM_SHARED', os.path.join(HERE, '../../../shared'))
# Seconds without another word, on a busy machine.
PATIENCE = 300
LOCK = '''<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
<enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><enc:CipherData>
<enc:CipherReference URI="%s"/></enc:CipherData></enc:EncryptedData></encryption>'''


class Heard:
    """The places that the status has told, and what is wrong with them."""
    def __init__(self, utterances):
        self.utterances = utterances
        self.seen = [False] * len(utterances)
        self.index = 0
        self.last = -1
        self.places = 0
        self.faults = []

    def take(self, text):
        start, end = text['offset'], text['offset'] + text['length']
        if start < self.last:
            self.faults.append(f'byte {start} was heard behind byte {self.last}')
        self.places += start != self.last
        self.last = start
        while self.index + 1 < len(self.utterances) and self.utterances[self.index + 1]['text']['start'] <= start:
            self.index += 1
        # A word of no length belongs to the utterance in which it begins.
        while self.index < len(self.utterances):
            span = self.utterances[self.index]['text']
            if span['start'] < max(end, start + 1) and span['end'] > start:
                self.seen[self.index] = True
            if span['end'] >= end or self.index + 1 == len(self.utterances):
                break
            self.index += 1

    @property
    def missed(self):
        return [utterance for utterance, seen in zip(self.utterances, self.seen) if not seen]


class Corpus:
    def __init__(self, room, slow, options):
        self.room, self.slow, self.options, self.faults = room, slow, options, 0

    def fault(self, name, what):
        self.faults += 1
        print(f'corpus: FAILED: {name}: {what}', flush=True)

    def utterances(self, path):
        """Returns the utterances of a text, or None and the line that refuses it."""
        asked = self.room.run('text', '--json', path)
        lines = asked.stderr.decode().splitlines()
        if asked.returncode:
            return None, lines
        return [json.loads(line) for line in asked.stdout.splitlines()], lines

    def hear(self, room, path, heard, *words, until=None):
        """Reads a text while it asks for the status; returns the last one."""
        reading = subprocess.Popen([f'{room.build}/rostrum', 'read', path, '--engine', self.options.engine, '--detach',
                                    *words], env=room.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        news = time.monotonic()
        while True:
            # In this order: what was asked before the command has ended may be of what was read before.
            has_started = reading.poll() is not None
            status = room.link.call('status')
            if status['status'] == 'playing' and status.get('text') and self.is_of(status, path):
                if status['text']['offset'] != heard.last:
                    news = time.monotonic()
                heard.take(status['text'])
            if until is not None and heard.last >= until:
                room.link.call('stop')
                break
            if has_started and status['status'] in ('ended', 'error', 'idle', 'paused'):
                break
            if time.monotonic() - news > PATIENCE:
                heard.faults.append(f'nothing more was heard for {PATIENCE} s: {status["status"]}')
                room.link.call('stop')
                break
        _, errors = reading.communicate()
        return status, errors.decode().splitlines()

    @staticmethod
    def is_of(status, path):
        item = status.get('item')
        return bool(item) and urllib.parse.unquote(item['uri']) == f'file://{path}'

    def losses(self):
        """Returns what befell the engine since the last time: stretches that were left out, and why a place was read again."""
        notes, self.room.link.notes = self.room.link.notes, []
        found = [note['params'] for note in notes if note['method'] == 'transition'
                 and note['params'].get('action') in ('stepOver', 'gone', 'retry', 'handOver')]
        return [{key: note[key] for key in ('action', 'step', 'place', 'beyond', 'reason', 'errorMessage') if key in note}
                for note in found]

    def text(self, path):
        """Reads one text; returns a row of the table."""
        name = os.path.relpath(path, f'{SHARED}/media/text')
        utterances, lines = self.utterances(path)
        if utterances is None:
            if len(lines) != 1:
                self.fault(name, f'refused with other than one line: {lines}')
            return [name, 'refused', 0, 0, 0, 0, lines[0] if lines else '']
        limit = self.options.bytes
        if limit and utterances:
            end = utterances[0]['text']['start'] + limit
            utterances = [u for u in utterances if u['text']['start'] <= end]
        heard = Heard(utterances)
        start = time.monotonic()
        status, lines = self.hear(self.room, path, heard, '--from-start',
                                  until=utterances[-1]['text']['start'] if limit and utterances else None)
        seconds = time.monotonic() - start
        losses = self.losses()
        if not limit and status['status'] != 'ended':
            self.fault(name, f'ended as {status["status"]}: {status.get("error")}')
        again, missed = 0, len(heard.missed)
        for utterance in heard.missed:
            if again == self.options.again:
                break
            place = utterance['text']['start']
            one = Heard([utterance])
            self.hear(self.slow, path, one, '--at', f'byte:{place}', '--rate', '2', until=place)
            again += 1
            if not one.seen[0]:
                self.fault(name, f'not heard: bytes {utterance["text"]}: {utterance["spoken"][:60]!r}')
        self.losses()
        for what in heard.faults[:5]:
            self.fault(name, what)
        for loss in losses:
            if loss['action'] == 'stepOver':
                self.fault(name, f'left out: {json.dumps(loss)}')
            else:
                print(f'corpus: {name}: {json.dumps(loss)}', flush=True)
        if path.endswith('.epub'):
            self.contents(name, path)
        if missed > again:
            self.fault(name, f'{missed - again} utterances passed between two answers and were not heard again; see --again')
        return [name, 'read', len(utterances), heard.places, again, round(seconds, 1), '; '.join(lines)[:80]]

    def contents(self, name, path):
        """Compares title and chapters with the book's own."""
        book = BookContents(path)
        self.room.run('read', path, '--engine', self.options.engine, '--detach')
        contents = self.room.link.call('contents')
        self.room.link.call('stop')
        titles = [chapter['title'] for chapter in contents['chapters']]
        if contents['item']['title'] != book.title:
            self.fault(name, f'title {contents["item"]["title"]!r}, in the book {book.title!r}')
        if titles != [title for _, title in book.entries]:
            self.fault(name, f'chapters {titles}, in the book {book.entries}')

    def harmless(self, path):
        """A file that wants to be more than it is: it is read as what stands in it."""
        utterances, lines = self.utterances(path)
        size = sum(len(utterance['spoken']) for utterance in utterances or [])
        if size > 100 or any('root' in utterance['spoken'] for utterance in utterances or []):
            self.fault(os.path.basename(path), f'it is expanded to {size} characters')
        return [os.path.basename(path), 'harmless', len(utterances or []), 0, 0, 0, lines[0] if lines else '']

    def hostile(self, path):
        """A file that nobody can read: each way to open it must say so in one line."""
        for words in (('text', path), ('read', '--detach', '--engine', self.options.engine, path)):
            asked = self.room.run(*words)
            lines = asked.stderr.decode().splitlines()
            if asked.returncode not in (65, 66) or len(lines) != 1 or asked.stdout:
                self.fault(os.path.basename(path), f'{words[0]} exited with {asked.returncode}: {lines}')
        return [os.path.basename(path), 'hostile', 0, 0, 0, 0, lines[0] if lines else '']

    def check(self):
        if not self.room.is_alive:
            self.fault('session', 'it has ended')
            return False
        self.room.link.call('status')
        return True


def archive(**files):
    output = io.BytesIO()
    with zipfile.ZipFile(output, 'w', zipfile.ZIP_DEFLATED) as book:
        for name, content in files.items():
            book.writestr(name, content)
    return output.getvalue()


def hostile_files(folder, book):
    """Makes files that cannot be read."""
    with zipfile.ZipFile(io.BytesIO(book)) as source:
        files = {name: source.read(name) for name in source.namelist()}
    pages = [name for name in files if name.endswith(('.xhtml', '.html'))]
    chance = random.Random(1)
    made = {
        'empty.txt': b'', 'blank.txt': b' \n\t\n' * 100, 'signs.txt': b'* * * --- ... !!!\n', 'zeros.txt': bytes(5000),
        'noise.epub': chance.randbytes(50_000), 'noise.txt': chance.randbytes(50_000), 'noise.pdf': b'%PDF-1.4\n' + chance.randbytes(9000),
        'picture.html': b'\x89PNG\r\n\x1a\n' + bytes(100), 'locked.epub': archive(**files | {'META-INF/encryption.xml': LOCK % pages[0]}),
        'rights.epub': archive(**files | {'META-INF/encryption.xml': LOCK % pages[0], 'META-INF/rights.xml': '<rights/>'}),
        'nothing.epub': archive(mimetype='application/epub+zip'), 'cut.epub': book[:20],
        'bomb.epub': archive(**files | {name: bytes(200 << 20) for name in pages[:1]}),
        'deep.html': b'<div>' * 200_000,
    }
    paths = [write(folder, name, data) for name, data in made.items()]
    os.mkdir(f'{folder}/folder.epub')
    return paths + [f'{folder}/folder.epub', f'{folder}/missing.epub']


def harmless_files(folder):
    """Makes files whose entities would be much, or another file."""
    made = {
        'laughs.fb2': b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + b''.join(
            b'<!ENTITY %c "&%c;&%c;&%c;&%c;&%c;&%c;&%c;&%c;">' % ((98 + n,) + (97 + n,) * 8) for n in range(20))
        + b']><FictionBook><body><section><p>&u;</p></section></body></FictionBook>',
        'outside.fb2': b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
                       b'<FictionBook><body><section><p>&x;</p></section></body></FictionBook>',
    }
    return [write(folder, name, data) for name, data in made.items()]


def write(folder, name, data):
    with open(f'{folder}/{name}', 'wb') as file:
        file.write(data)
    return f'{folder}/{name}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--engine', default='espeak')
    parser.add_argument('--voices', help='the folder of neural voices')
    parser.add_argument('--bytes', type=int)
    parser.add_argument('--again', type=int, default=500, help='so many utterances of a text are heard again at most')
    parser.add_argument('files', nargs='*')
    options = parser.parse_intermixed_args()
    texts = options.files or sorted(
        path for path in glob.glob(f'{SHARED}/media/text/*/*') if '.expected' not in os.path.basename(path))
    if not texts:
        print('corpus: skipped: no ../shared/media/text')
        return 0
    room, slow = Room(options.build, voices=options.voices), Room(options.build, 'null', options.voices)
    corpus = Corpus(room, slow, options)
    rows = []
    try:
        room.link.call('subscribe', topics=['transition'])
        for path in texts:
            rows.append(corpus.text(os.path.abspath(path)))
            print(f'corpus: {rows[-1]}', file=sys.stderr, flush=True)
            if not corpus.check():
                break
        books = [path for path in texts if path.endswith('.epub')]
        if room.is_alive and books:
            with open(min(books, key=os.path.getsize), 'rb') as file:
                hostile = hostile_files(room.folder, file.read())
            for path in hostile:
                rows.append(corpus.hostile(path))
                if not corpus.check():
                    break
            rows += [corpus.harmless(path) for path in harmless_files(room.folder)]
    finally:
        room.close()
        slow.close()
    print('| text | outcome | utterances | places | again | s | said |')
    print('|---|---|---|---|---|---|---|')
    for row in rows:
        print('| ' + ' | '.join(str(cell).replace('|', '/') for cell in row) + ' |')
    print(f'corpus: {options.engine}: {sum(row[1] == "read" for row in rows)} texts read, '
          f'{sum(row[1] in ("refused", "hostile") for row in rows)} refused, {sum(row[2] for row in rows)} utterances heard in order, '
          f'{sum(row[4] for row in rows)} of them in a second look; {corpus.faults} faults')
    return 1 if corpus.faults else 0


if __name__ == '__main__':
    sys.exit(main())
