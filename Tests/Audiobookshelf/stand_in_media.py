# SPDX-License-Identifier: Apache-2.0
"""Fills the catalogue of the stand-in server: from a folder of sound, or with as many items as asked for."""
import json
import pathlib
import random
import subprocess

from stand_in_catalog import AUDIO, EPOCH, PICTURES, StoredFile


def probe(path):
    """Returns duration, codec and chapters of a file, as ffprobe sees them."""
    answer = subprocess.run(
        ['ffprobe', '-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-select_streams', 'a',
         '-show_chapters', str(path)], capture_output=True, text=True, check=True)
    facts = json.loads(answer.stdout)
    chapters = [{'id': number, 'start': float(chapter['start_time']), 'end': float(chapter['end_time']),
                 'title': chapter.get('tags', {}).get('title', f'Chapter {number + 1}')}
                for number, chapter in enumerate(facts.get('chapters', []))]
    return round(float(facts['format']['duration']), 6), facts['streams'][0]['codec_name'], chapters


def scan(catalog, root):
    """Takes up `root/books/AUTHOR/TITLE/FILES` and `root/podcasts/TITLE/FILES`."""
    root = pathlib.Path(root)
    for kind, name, depth in (('book', 'books', '*/*'), ('podcast', 'podcasts', '*')):
        if not (root / name).is_dir():
            continue
        library = catalog.add_library(name.capitalize(), kind, str(root / name))
        for folder in sorted(path for path in (root / name).glob(depth) if path.is_dir()):
            _take_up(catalog, library, folder)


def _take_up(catalog, library, folder):
    audio, stored, cover = [], {}, None
    for path in sorted(folder.iterdir()):
        state, extension = path.stat(), path.suffix.lower()
        ino = str(state.st_ino)
        mtime = int(state.st_mtime_ns / 1e6)
        if extension in AUDIO:
            duration, codec, chapters = probe(path)
            audio.append(catalog.audio_file(None, len(audio) + 1, ino, str(path), state.st_size, mtime, duration,
                                            codec, chapters))
            stored[ino] = StoredFile(None, str(path), kind=AUDIO[extension], name=path.name)
        elif extension in PICTURES and not cover:
            cover = {'ino': ino, 'metadata': catalog.file_metadata(str(path), path.name, extension, state.st_size,
                                                                   mtime)}
            stored[ino] = StoredFile(None, str(path), kind=PICTURES[extension], name=path.name)
    if not audio:
        return
    if library['mediaType'] == 'book':
        item = catalog.book(library, folder.parent.name, folder.name, audio, cover)
    else:
        item = catalog.podcast(library, folder.name, audio, cover)
    for file in stored.values():
        file.item = item['id']
    catalog.add_item(item, stored)


GENRES = ['Fiction', 'Travel', 'History', 'Crime', 'Science', 'Poetry']
TAGS = ['short', 'favourite', 'winter', 'to do']
WORDS = 'lamp river stone winter harbour glass letter wolf garden signal mirror orchard engine island night'.split()


def synthesize(catalog, books, podcasts=0, episodes=0, seed=1):
    """Makes books and podcasts whose files are patterns of bytes; nothing of them is on the disk."""
    chance = random.Random(seed)
    number = 1_000_000
    library = catalog.add_library('Many Books', 'book')
    for index in range(books):
        author = f'{chance.choice(WORDS).capitalize()} {chance.choice(WORDS).capitalize()}son'
        title = ('The ' if index % 3 == 0 else '') + ' '.join(
            word.capitalize() for word in chance.sample(WORDS, 2)) + f' {index}'
        audio, stored = [], {}
        for track in range(1, 1 + (index % 4 or 1)):
            size = chance.randrange(100_000, 900_000)
            ino, name = str(number), f'{track:02} - Part {track}.mp3'
            number += 1
            audio.append(catalog.audio_file(None, track, ino, f'/media/{author}/{title}/{name}', size, EPOCH,
                                            round(size / 8000, 3)))
            stored[ino] = StoredFile(None, size=size, name=name)
        series = (f'Series {index // 5}', str(index % 5 + 1)) if index % 2 else None
        item = catalog.book(library, author, title, audio, genre=GENRES[index % 6], tags=[TAGS[index % 4]],
                            series=series, year=str(1950 + index % 75))
        for file in stored.values():
            file.item = item['id']
        catalog.add_item(item, stored)
    if not podcasts:
        return
    library = catalog.add_library('Many Podcasts', 'podcast')
    for index in range(podcasts):
        audio, stored = [], {}
        for episode in range(1, episodes + 1):
            size = chance.randrange(50_000, 400_000)
            ino, name = str(number), f'Episode {episode}.mp3'
            number += 1
            audio.append(catalog.audio_file(None, episode, ino, f'/media/p{index}/{name}', size, EPOCH,
                                            round(size / 8000, 3)))
            stored[ino] = StoredFile(None, size=size, name=name)
        item = catalog.podcast(library, f'Programme {index}', audio, genre=GENRES[index % 6])
        for file in stored.values():
            file.item = item['id']
        catalog.add_item(item, stored)
