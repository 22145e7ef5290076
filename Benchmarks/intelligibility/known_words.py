# SPDX-License-Identifier: Apache-2.0
"""Sentences and recordings of ../shared/media whose words are known."""
import csv
import itertools
import pathlib
import re

# Words of a sentence: fewer say little about a voice, more are often cut by the engine.
LENGTHS = range(6, 19)
SONNETS = 'books/sonnets_en'
# A line begins when its first sound is heard, so it is cut this much before, in seconds.
BEFORE = 0.1


def words(text):
    """Returns the words as the recogniser's dictionary writes them."""
    return re.findall(r"[a-z]+(?:'[a-z]+)*", text.lower().replace('’', "'"))


def sentences(media, dictionary, count):
    """Returns so many sentences of public texts, all of whose words are in the dictionary."""
    sources = [fair(text, dictionary) for text in (
        [row[2] for row in transcripts(media)], prose(media / 'text/plain/alice.txt'),
        *(prose(media / f'text/inaugural/{name}.txt') for name in ('1961-Kennedy', '1865-Lincoln', '1793-Washington')))]
    # Of each text in turn, so that none outweighs the others.
    mixed = itertools.chain.from_iterable(itertools.zip_longest(*sources))
    found = list(dict.fromkeys(sentence for sentence in mixed if sentence))
    if len(found) < count:
        raise SystemExit(f'only {len(found)} sentences are fit')
    return found[:count]


def transcripts(media):
    with open(media / 'speech/ljspeech_metadata.csv', newline='') as file:
        return list(csv.reader(file, delimiter='|', quoting=csv.QUOTE_NONE))


def prose(path):
    paragraphs = re.split(r'\n\s*\n', path.read_text(encoding='utf-8', errors='replace').replace('\r', ''))
    text = [re.sub(r'\s+', ' ', paragraph).strip() for paragraph in paragraphs]
    return [part for paragraph in text for part in re.split(r'(?<=[.!?]) (?=[A-Z])', paragraph)]


def all_texts(media):
    """Returns the words of every text from which sentences and recordings come, sentence by sentence."""
    texts = [row[2] for row in transcripts(media)] + prose(media / 'text/plain/alice.txt')
    texts += [part for path in sorted((media / 'text/inaugural').glob('*.txt')) for part in prose(path)]
    return [words(text) for text in texts] + [said for _, pieces in recordings(media, None) for _, _, said in pieces]


def fair(texts, dictionary):
    """Returns the texts that are one plain sentence of known words, spread evenly over all of them."""
    kept = []
    for text in texts:
        said = words(text)
        is_plain = re.fullmatch(r"[A-Z][A-Za-z' ,;:]*[.!?]?", text) and len(said) in LENGTHS
        if is_plain and all(word in dictionary for word in said):
            kept.append(text if text[-1] in '.!?' else text.rstrip(',;:') + '.')
    step = max(1, len(kept) // 60)
    return kept[::step]


def recordings(media, lines):
    """Returns files with their pieces: start and end in seconds (`None` for the end of the file), and the words.

    `lines` is the file with the times of the lines of verse; without it, all times are 0.
    """
    found = []
    text = {row[0]: row[2] for row in transcripts(media)}
    for name in ('LJ001-0001', 'LJ001-0002'):
        found.append((media / f'speech/{name}.mp3', [(0, None, words(text[name]))]))
    spoken = (media / 'text/inaugural/1961-Kennedy.txt').read_text()
    # He said "and so", as is printed, and the recording has the one sentence.
    line = re.search(r'And so, my fellow Americans[^.]*\.', spoken).group()
    found.append((media / 'speech/jfk.mp3', [(0, None, words(line))]))
    for line in (media / 'speech/librivox_wav/transcription').read_text().splitlines():
        said, name = re.fullmatch(r'<s> (.*) </s> \((.*)\)', line).groups()
        path = media / f'speech/librivox_wav/{name}.wav'
        if path.exists():
            found.append((path, [(0, None, said.split())]))
    return found + sonnets(media, lines)


def sonnets(media, times):
    rows = [line.split('\t') for line in pathlib.Path(times).read_text().splitlines() if line[:1].isdigit()] if times else []
    found = []
    for track in (1, 2, 3):
        page = (media / SONNETS / f'p00{track}.xhtml').read_text(encoding='utf-8')
        said = [words(text) for text in re.findall(r'<span[^>]*>([^<]*)</span>', page)]
        # The title is a numeral in the text and a word in the recording.
        said[0] = [{'I': 'one', 'II': 'two', 'III': 'three'}[re.search(r'>(I+)<', page).group(1)]]
        starts = [int(row[2]) / 1000 - BEFORE for row in rows if row[0] == str(track)]
        starts = starts or [0] * len(said)
        ends = [*starts[1:], None]
        found.append((media / SONNETS / f'p00{track}.mp3',
                      [(max(0, start), end, text) for start, end, text in zip(starts, ends, said, strict=True)]))
    return found
