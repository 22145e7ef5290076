# SPDX-License-Identifier: Apache-2.0
"""Recordings that are joined of clips, so that it is known where each sentence begins, and texts that are theirs or not."""
import re
import subprocess

import numpy as np

from readers import RATE, Clip

# The clips of a reader from which recordings are made that differ from their text.
FEW = 60


class Case:
    """A recording and a text of `lines` (text, language); `truth` has for each line the track and second of its beginnings."""

    def __init__(self, name, lines, tracks, seconds, truth):
        self.name, self.lines, self.tracks, self.seconds, self.truth = name, lines, tracks, seconds, truth


def joined(folder, name, text, tracks, speed=1):
    """Joins clips, track by track, with pauses of 0.25 to 0.9 s between them.

    `text` has (words, language, clip): the clip that says them, or None.
    """
    paths, total, places = [], 0, {}
    for number, clips in enumerate(tracks):
        parts, at = [], 0
        for index, clip in enumerate(clips):
            samples = clip.samples()
            places.setdefault(id(clip), []).append((number, (at / RATE + clip.speech) / speed))
            pause = np.zeros(int((0.25 + index % 5 * 0.17) * RATE) if clip.pause else 0, 'i2')
            parts += [samples, pause]
            at += len(samples) + len(pause)
        path = folder / (re.sub(r'\W+', '-', name) + f'-{number}.flac')
        if not path.exists():
            tempo = ['-af', f'atempo={speed}'] if speed != 1 else []
            subprocess.run(['ffmpeg', '-v', 'error', '-y', '-f', 's16le', '-ar', str(RATE), '-ac', '1', '-i', '-', *tempo, path],
                           input=np.concatenate(parts).tobytes(), check=True)
        paths.append(path)
        total += at / RATE / speed
    truth = [places.get(id(clip), []) for _, _, clip in text]
    return Case(name, [(words, language) for words, language, _ in text], paths, total, truth)


def said(clips):
    return [(clip.text, clip.language, clip) for clip in clips]


def sentences(path, separators):
    """Sentences of a plain text, without those that a reader would have to interpret."""
    words = re.sub(r'\s+', ' ', path.read_text(errors='replace'))
    return [part for part in re.split(rf'(?<=[{separators}])\s+', words)
            if 20 < len(part) < 160 and not re.search(r'[<>&"“”\'_*]', part)]


def cases(folder, shared, name, clips):
    """The recordings of a reader: with their text, and with texts that are not quite theirs."""
    poem = shared / 'media/books/dickinson_selected_poems/07-of_all_the_sounds_dickinson_64kb.mp3'
    foreign = [Clip(poem, '', 'en', start, end, 0) for start, end in ((22, 26.5), (30, 33), (37, 45), (48, 52), (55, 61))]
    whole_poem = Clip(poem, '', 'en', 0, None, 0)
    alice = [(words, 'en', None) for words in sentences(shared / 'media/text/plain/alice.txt', '.!?')]
    genesis = [(words, 'de', None) for words in sentences(shared / 'media/text/genesis/german.txt', '.!?;:')]
    few = clips[:FEW]
    # Text that is not read, in the language of the rest.
    unread = alice if few[0].language == 'en' else said(clips[FEW:]) or alice

    def case(what, text, recording, speed=1):
        return joined(folder, f'{name}: {what}', text, [recording], speed)

    yield case('whole', said(few), few)
    for speed in (0.7, 1.5):
        yield case(f'{speed} times the speed', said(few), few, speed)
    for every in (2, 3, 5):
        yield case(f'each {every}. line is not in the text', [line for n, line in enumerate(said(few)) if n % every != every - 1],
                   few)
    for every in (2, 3, 5):
        yield case(f'each {every}. line is not read', said(few), [clip for n, clip in enumerate(few) if n % every != every - 1])
    text, used = [], 0
    for number, line in enumerate(said(few)):
        text.append(line)
        if number % 4 == 3:
            count = 1 + number // 4 % 3
            text += [(words, language, None) for words, language, _ in unread[used:used + count]]
            used += count
    yield case('passages in the text that nobody reads', text, few)
    recording = []
    for number, clip in enumerate(few):
        recording.append(clip)
        if number % 6 == 5:
            recording += [foreign[(number // 6 * 2 + n) % len(foreign)] for n in range(1 + number // 6 % 2)]
    yield case('passages read that are not in the text', said(few), recording)
    yield case('six lines are read twice', said(few), few[:12] + few[6:12] + few[12:])
    yield case('each 7. line is read twice', said(few), [clip for n, clip in enumerate(few) for _ in range(1 + (n % 7 == 3))])
    yield case('a prologue and an epilogue', said(few), [whole_poem, *few, whole_poem])
    third = len(few) // 3
    yield case('the text has the middle third', said(few[third:2 * third]), few)
    yield case('the middle third is read', said(few), few[third:2 * third])
    yield case('wrong text: Alice', alice[100:160], few)
    yield case('wrong text: Genesis in German', genesis[:60], few)
    if len(clips) > FEW:
        yield case('all', said(clips), clips)
