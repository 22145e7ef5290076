# SPDX-License-Identifier: Apache-2.0
"""Scenes of a book and its text: the same passage on both sides, a damaged minute, a file that cannot be opened."""
import json
import os

from sound_server import until
from tones import CHAPTERS, LENGTH, SENTENCES, joins, make, order, sounds, LONGEST_GAP

SWITCHES = 10
TRIES = 3
# Of the scenes in which most is only waited for.
FAST = '2'
# Seconds in the damaged book: its files, and what is lost of the second one.
LENGTHS = (12, 70, 8)
LOST = (2, 62)
# Said behind what is lost, so that the recording goes on before its chapter ends.
CLOSING = ' That is all of it.'
# Milliseconds that are heard between a command and the status that is asked for then, at most.
HEARD = 2000
# Seconds without a sound before a neural voice, at most: its engine starts, and reads the model from the disk.
LONGEST_START = 6.0


def voices():
    """Returns the folder of neural voices of this machine, or None."""
    folder = os.environ.get('ROSTRUM_VOICES') or os.path.expanduser('~/.local/share/rostrum/voices')
    return folder if os.path.isdir(f'{folder}/runtime') and os.path.isdir(f'{folder}/en_US-joe-medium') else None


def records(player):
    with open(player.environment['XDG_STATE_HOME'] + '/rostrum/transitions.jsonl') as file:
        return [json.loads(line) for line in file]


def starts(player, first):
    """Returns where items began by the log, from a record on: the ending of the item's name, the track and the units."""
    return [(record['item'].rsplit('.', 1)[-1], record['start']['track'], record['start']['units'])
            for record in records(player)[first:] if record['kind'] == 'event' and record.get('event') == 'play']


class Passages:
    """Where a byte of the text is said, if each chapter is said evenly: chapter by chapter, title and sentences."""

    def __init__(self, player, book, lengths):
        utterances = [json.loads(line) for line in player('text', '--json', f'{book}/text.html').splitlines()]
        titles = [title for title, _ in CHAPTERS]
        self.starts = [min(u['text']['start'] for u in utterances if u['section'] == title) for title in titles]
        self.starts.append(max(u['text']['end'] for u in utterances))
        self.lengths = lengths

    def chapter(self, byte):
        return max(n for n in range(len(self.lengths)) if n == 0 or byte >= self.starts[n])

    def seconds(self, byte):
        n = self.chapter(byte)
        share = (byte - self.starts[n]) / (self.starts[n + 1] - self.starts[n])
        return sum(self.lengths[:n]) + share * self.lengths[n]


def switches(player, recorder, book, report):
    """Changes there and back many times; compares the place after each one, and where each one begins."""
    passages = Passages(player, book, (LENGTH,) * 3)
    player('play', '--detach', '--at', '45', book)
    first = len(records(player))
    worst, chapters = 0.0, set()
    for _ in range(SWITCHES):
        for engine in ('espeak', 'ffmpeg'):
            until(lambda: player.status().get('work', {}).get('errorMs') is not None, 20, 'the other side')
            bound = player.status()['work']['errorMs']
            before = player.status()
            player('engine', engine)
            after = player.status()
            recording, text = (before, after) if engine == 'espeak' else (after, before)
            byte = until(lambda: (player.status() if engine == 'espeak' else text)['text'], 20, 'a word')['offset']
            off = abs(passages.seconds(byte) * 1000 - recording['position']['ms'])
            worst = max(worst, off / (bound + HEARD))
            chapters.add((recording['chapter']['index'], passages.chapter(byte)))
    began = starts(player, first)
    player('stop')
    texts, recordings = [s[1:] for s in began if s[0] == 'html'], [s[1:] for s in began if s[0] != 'html']
    report.check(worst <= 1, f'each place within its stated error: {worst:.2f} of it at most')
    report.check(chapters == {(1, 1)}, f'in the same chapter: {chapters}')
    report.check(len(texts) == len(recordings) == SWITCHES, f'{len(texts)} changes to the text, {len(recordings)} back')
    report.check(len(set(texts)) == 1 and len(set(recordings)) == 1,
                 f'no drift over {SWITCHES} changes there and back: {set(texts)}, {set(recordings)}')


def placed(status):
    """Returns a status that has a word and the other side of it, or None."""
    return status if status['text'] and status.get('work', {}).get('errorMs') is not None else None


def neural(player, recorder, book, report):
    """The neural voice reads the text from the middle of the recording, and the recording goes on."""
    # A voice is loaded from the disk; on a busy machine, another one reads meanwhile.
    for _ in range(TRIES):
        player('read', '--detach', '--from-start', '--engine', 'sherpa', f'{book}/text.html')
        if player.status()['engine'] == 'sherpa':
            break
    passages = Passages(player, book, (LENGTH,) * 3)
    first, start = len(records(player)), recorder.now
    player('play', '--detach', '--at', '40', book)
    recorder.wait(1)
    until(lambda: player.status().get('work', {}).get('errorMs') is not None, 20, 'the other side')
    before = player.status()
    player('engine', 'sherpa')
    begun = until(lambda: player.status()['text'], 20, 'a word')['offset']
    recorder.wait(3)
    work = until(lambda: placed(player.status()), 20, 'a word, and the other side')
    player('engine', 'ffmpeg')
    after = player.status()
    recorder.wait(1.5)
    player('stop')
    heard = sounds(recorder.samples(start))
    report.check(order(heard) == [650, 'speech', 650], f'recording, neural voice, recording: {order(heard)}')
    report.check(work['engine'] == 'sherpa' and not work.get('warning'), f'spoken by {work["engine"]}: {work.get("warning")}')
    edges = joins(heard)
    report.check(bool(edges) and max(edges) <= LONGEST_START and edges[-1] <= LONGEST_GAP,
                 f'silences before and behind the neural voice: {edges} s')
    sides = ((before, begun, before['work']['errorMs']), (after, work['text']['offset'], work['work']['errorMs']))
    worst = max(abs(passages.seconds(byte) * 1000 - recording['position']['ms']) / (bound + HEARD)
                for recording, byte, bound in sides)
    report.check(worst <= 1, f'each place of the neural voice within its stated error: {worst:.2f} of it at most')
    chapters = {(recording['chapter']['index'], passages.chapter(byte)) for recording, byte, _ in sides}
    report.check(chapters == {(1, 1)}, f'in the same chapter: {chapters}')
    report.check([s[0] == 'html' for s in starts(player, first)] == [False, True, False],
                 f'one change there and one back: {starts(player, first)}')


def damage(path, lengths, lost):
    size = os.path.getsize(path)
    with open(path, 'r+b') as file:
        file.seek(int(size * lost[0] / lengths))
        file.write(bytes(int(size * (lost[1] - lost[0]) / lengths)))


def minute(player, recorder, book, report):
    """A book of which a minute is damaged, from before it to its end."""
    make(book, LENGTHS, 'flac', CLOSING)
    damage(f'{book}/02 Two.flac', LENGTHS[1], LOST)
    player('library', 'add', book)
    passages = Passages(player, book, LENGTHS)
    first, start = len(records(player)), recorder.now
    player('play', '--detach', '--at', str(LENGTHS[0] - 3), '--rate', FAST, book)
    until(lambda: player.status()['item']['uri'].endswith('text.html'), 60, 'the text')
    byte = until(lambda: player.status()['text'], 20, 'a word')['offset']
    until(lambda: player.status()['item']['uri'].endswith('Minute'), 60, 'the recording behind it')
    behind = player.status()
    until(lambda: player.status()['status'] == 'ended', 60, 'the end of the book')
    recorder.wait(0.3)
    heard = sounds(recorder.samples(start))
    report.check(order(heard) == [400, 650, 'speech', 650, 900], f'a damaged minute is read: {order(heard)}')
    report.check(max(joins(heard), default=9) <= LONGEST_GAP, f'silences around it: {joins(heard)} s')
    # The chapters are known, and what is between them within a quarter and an announcement.
    error = 15 + (LOST[1] - LOST[0]) / 4
    begins, ends = LENGTHS[0] + LOST[0], LENGTHS[0] + LOST[1]
    at = passages.seconds(byte)
    report.check(abs(at - begins) <= error, f'read from {at:.1f} s on; it is damaged from {begins} s on')
    at = behind['position']['ms'] / 1000
    report.check(ends - 1 <= at <= ends + error, f'the recording goes on at {at:.1f} s; it is whole from {ends} s on')
    notes = [record.get('message') or '' for record in records(player)[first:]]
    report.check(sum('are damaged and left out' in note for note in notes) == 1
                 and sum('is missing; it is read from' in note for note in notes) == 1
                 and sum('has said what is missing' in note for note in notes) == 1, 'the log says so, once each')
    report.check([s[0] == 'html' for s in starts(player, first)] == [False, True, False],
                 f'it has three beginnings: {starts(player, first)}')


def middle(player, recorder, book, report):
    """The second file of the damaged book cannot be opened any more, and is come to while the first one plays."""
    damage(f'{book}/02 Two.flac', 1, (0, 0.2))
    first, start = len(records(player)), recorder.now
    player('play', '--detach', '--at', str(LENGTHS[0] - 2), '--rate', FAST, book)
    until(lambda: player.status()['item']['uri'].endswith('text.html'), 60, 'the text')
    until(lambda: player.status()['item']['uri'].endswith('Minute'), 60, 'the recording behind it')
    recorder.wait(1)
    player('stop')
    recorder.wait(0.3)
    heard = sounds(recorder.samples(start))
    report.check(order(heard) == [400, 'speech', 900], f'a file in the middle that cannot be opened is read: {order(heard)}')
    report.check(starts(player, first)[-1][1:] == (2, 0), f'all of it: {starts(player, first)}')


def unopened(player, recorder, book, report):
    """The first file that is there cannot be opened, and one is missing before it: the text of both comes first."""
    with open(f'{book}/02 Two.wav', 'r+b') as file:
        file.write(bytes(65536))
    first, start = len(records(player)), recorder.now
    player('play', '--detach', '--from-start', '--rate', FAST, book)
    until(lambda: player.status()['item']['uri'].endswith('Second'), 60, 'the recording behind it')
    recorder.wait(2)
    player('stop')
    recorder.wait(0.3)
    heard = sounds(recorder.samples(start))
    report.check(order(heard) == ['speech', 900], f'a file that cannot be opened is read: {order(heard)}')
    spoken = sum(seconds for kind, seconds in heard if kind == 'speech')
    texts = [s[2] for s in starts(player, first) if s[0] == 'html']
    report.check(texts == [0] and spoken > SENTENCES, f'{spoken:.1f} s of speech for two chapters, from byte {texts}')


def replays(player, report):
    """Repeats every decision above from the log alone."""
    log = player.environment['XDG_STATE_HOME'] + '/rostrum/transitions.jsonl'
    said = player('replay', log).strip()
    report.check(int(said.split()[0]) > 100, f'the log replays without a difference: {said}')
