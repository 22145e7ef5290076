# SPDX-License-Identifier: Apache-2.0
"""The libraries, items and files of the stand-in server.

An item is kept in its longest form, that of `GET /api/items/ID?expanded=1`; the other forms are made of it.
"""
import json
import os
import uuid

AUDIO = {'.mp3': 'audio/mpeg', '.m4b': 'audio/mp4', '.m4a': 'audio/mp4', '.mp4': 'audio/mp4', '.opus': 'audio/ogg',
         '.ogg': 'audio/ogg', '.flac': 'audio/flac', '.wav': 'audio/wav', '.aac': 'audio/aac'}
PICTURES = {'.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.png': 'image/png', '.webp': 'image/webp'}
BOOK_SETTINGS = {
    'coverAspectRatio': 1, 'disableWatcher': False, 'autoScanCronExpression': None,
    'skipMatchingMediaWithAsin': False, 'skipMatchingMediaWithIsbn': False, 'audiobooksOnly': False,
    'epubsAllowScriptedContent': False, 'hideSingleBookSeries': False, 'onlyShowLaterBooksInContinueSeries': False,
    'metadataPrecedence': ['folderStructure', 'audioMetatags', 'nfoFile', 'txtFiles', 'opfFile', 'absMetadata'],
    'markAsFinishedPercentComplete': None, 'markAsFinishedTimeRemaining': 10}
PODCAST_SETTINGS = {
    'coverAspectRatio': 1, 'disableWatcher': False, 'autoScanCronExpression': None, 'podcastSearchRegion': 'us',
    'markAsFinishedPercentComplete': None, 'markAsFinishedTimeRemaining': 10}
EPOCH = 1_750_000_000_000
PERIOD = 251
PATTERN = bytes(i * 31 % PERIOD for i in range(PERIOD)) * 66


def without(source, *names):
    return {name: value for name, value in source.items() if name not in names}


def identifier(*words):
    """Returns the same uuid for the same words, so that two runs have the same addresses."""
    return str(uuid.UUID(int=uuid.uuid5(uuid.NAMESPACE_URL, '/'.join(map(str, words))).int, version=4))


class StoredFile:
    """The bytes behind an `ino`: a file of the disk, or a pattern of a size."""

    def __init__(self, item, path=None, size=0, mtime=EPOCH, kind='audio/mpeg', name='file'):
        self.item, self.path, self.kind, self.name = item, path, kind, name
        self.pattern = size
        self.pattern_mtime = mtime

    @property
    def size(self):
        return os.stat(self.path).st_size if self.path else self.pattern

    @property
    def mtime(self):
        return round(os.stat(self.path).st_mtime_ns / 1e6) if self.path else self.pattern_mtime

    def read(self, offset, count):
        if self.path:
            with open(self.path, 'rb') as file:
                file.seek(offset)
                return file.read(count)
        count = max(0, min(count, self.pattern - offset))
        start = offset % PERIOD
        return (PATTERN * (count // len(PATTERN) + 2))[start:start + count]


def form_minified(item):
    media = item['media']
    result = without(item, 'libraryFiles', 'lastScan', 'scanVersion')
    if item['mediaType'] == 'book':
        kept = without(media, 'libraryItemId', 'audioFiles', 'chapters', 'ebookFile', 'tracks')
        kept['metadata'] = without(media['metadata'], 'authors', 'narrators', 'series', 'descriptionPlain')
    else:
        kept = without(media, 'libraryItemId', 'episodes')
        kept['size'] = item['size']
    result['media'] = kept
    return result


def form_expanded(item, version):
    """Returns the form with `expanded=1`, which had no counts before 2.34."""
    if version.since(2, 34):
        return item
    return dict(without(item, 'numFiles'), media=without(
        item['media'], 'numTracks', 'numAudioFiles', 'numChapters', 'numEpisodes'))


def form_thin(item):
    """Returns the form without `expanded=1`."""
    media = item['media']
    result = without(item, 'numFiles', 'size')
    dropped = ['numTracks', 'numAudioFiles', 'numChapters', 'duration', 'size', 'tracks', 'numEpisodes']
    kept = without(media, *dropped)
    kept['metadata'] = without(media['metadata'], 'titleIgnorePrefix', 'authorName', 'authorNameLF', 'narratorName',
                               'seriesName', 'descriptionPlain')
    if item['mediaType'] == 'podcast':
        kept['episodes'] = [form_episode(episode) for episode in media['episodes']]
    result['media'] = kept
    return result


def form_episode(episode):
    return without(episode, 'audioTrack', 'size', 'duration')


def session_metadata(item):
    return form_thin(item)['media']['metadata']


class Catalog:
    def __init__(self, version):
        self.version = version
        self.libraries = {}
        self.items = {}
        self.files = {}

    def add_library(self, name, kind, folder='/media'):
        identity = identifier('library', name)
        settings = dict(BOOK_SETTINGS if kind == 'book' else PODCAST_SETTINGS)
        self.libraries[identity] = {
            'id': identity, 'name': name, 'displayOrder': len(self.libraries) + 1, 'mediaType': kind,
            'folders': [{'id': identifier('folder', name), 'fullPath': folder, 'libraryId': identity,
                         'addedAt': EPOCH}],
            'icon': 'database' if kind == 'book' else 'podcast', 'provider': 'google' if kind == 'book' else 'itunes',
            'settings': settings, 'lastScan': EPOCH, 'lastScanVersion': self.version.text, 'createdAt': EPOCH,
            'lastUpdate': EPOCH}
        return self.libraries[identity]

    def add_item(self, item, files):
        """Takes an item in its expanded form, and its files by `ino`."""
        self.items[item['id']] = item
        self.files.update(files)

    def library_items(self, library):
        return [item for item in self.items.values() if item['libraryId'] == library]

    def file(self, item, ino):
        found = self.files.get(ino)
        return found if found and found.item == item['id'] else None

    def change_inos(self, item):
        """Gives all files of an item other numbers, as a restored library has."""
        text = json.dumps(item)
        for ino in [ino for ino, file in self.files.items() if file.item == item['id']]:
            other = str(int(ino) + 1_000_000)
            self.files[other] = self.files.pop(ino)
            text = text.replace(f'"{ino}"', f'"{other}"').replace(f'/file/{ino}"', f'/file/{other}"')
        item.clear()
        item.update(json.loads(text))
        item['updatedAt'] += 1

    # Building

    def audio_file(self, item, index, ino, path, size, mtime, duration, codec='mp3', chapters=(), tags=None):
        name = os.path.basename(path)
        extension = os.path.splitext(name)[1].lower()
        return {
            'index': index, 'ino': ino, 'metadata': self.file_metadata(path, name, extension, size, mtime),
            'addedAt': EPOCH, 'updatedAt': EPOCH, 'trackNumFromMeta': index, 'discNumFromMeta': None,
            'trackNumFromFilename': index, 'discNumFromFilename': None, 'manuallyVerified': False, 'exclude': False,
            'error': None, 'format': codec, 'duration': duration, 'bitRate': int(size * 8 / max(duration, .001)),
            'language': None, 'codec': codec, 'timeBase': '1/14112000', 'channels': 1, 'channelLayout': 'mono',
            'chapters': list(chapters), 'embeddedCoverArt': None, 'metaTags': tags or {},
            'mimeType': AUDIO.get(extension, 'audio/mpeg')}

    @staticmethod
    def file_metadata(path, name, extension, size, mtime):
        return {'filename': name, 'ext': extension, 'path': path, 'relPath': name, 'size': size, 'mtimeMs': mtime,
                'ctimeMs': mtime, 'birthtimeMs': mtime}

    def base_item(self, library, path, relative, identity, files):
        size = sum(file['metadata']['size'] for file in files)
        return {
            'id': identity, 'ino': str(10_000 + len(self.items)), 'oldLibraryItemId': None, 'libraryId': library['id'],
            'folderId': library['folders'][0]['id'], 'path': path, 'relPath': relative, 'isFile': False,
            'mtimeMs': EPOCH, 'ctimeMs': EPOCH, 'birthtimeMs': EPOCH, 'addedAt': EPOCH + len(self.items) * 1000,
            'updatedAt': EPOCH + len(self.items) * 1000, 'isMissing': False, 'isInvalid': False,
            'mediaType': library['mediaType'], 'numFiles': len(files), 'size': size, 'lastScan': EPOCH,
            'scanVersion': self.version.text, 'libraryFiles': files}

    def library_file(self, audio, kind='audio'):
        return {'ino': audio['ino'], 'metadata': audio['metadata'], 'isSupplementary': None, 'addedAt': EPOCH,
                'updatedAt': EPOCH, 'fileType': kind}

    def book(self, library, author, title, audio, cover=None, genre='Fiction', tags=(), series=None, year='2020',
             narrator='A Voice'):
        relative = f'{author}/{title}'
        identity = identifier('item', library['id'], relative)
        tracks, offset = [], 0
        for file in audio:
            tracks.append(dict(file, title=file['metadata']['filename'], startOffset=offset,
                               contentUrl=f'/api/items/{identity}/file/{file["ino"]}'))
            offset = round(offset + file['duration'], 6)
        chapters = []
        for track in tracks:
            own = track['chapters'] or [{'start': 0, 'end': track['duration'],
                                         'title': os.path.splitext(track['title'])[0]}]
            for chapter in own:
                chapters.append({'id': len(chapters), 'start': round(track['startOffset'] + chapter['start'], 6),
                                 'end': round(track['startOffset'] + chapter['end'], 6), 'title': chapter['title']})
        files = [self.library_file(file) for file in audio] + ([self.library_file(cover, 'image')] if cover else [])
        item = self.base_item(library, f'{library["folders"][0]["fullPath"]}/{relative}', relative, identity, files)
        plain = title[4:] + ', The' if title.startswith('The ') else title
        last, _, first = author[::-1].partition(' ')
        series = [{'id': identifier('series', series[0]), 'name': series[0], 'sequence': series[1]}] if series else []
        item['media'] = {
            'id': identifier('book', identity), 'libraryItemId': identity, 'metadata': {
                'title': title, 'subtitle': None, 'authors': [{'id': identifier('author', author), 'name': author}],
                'narrators': [narrator], 'series': series, 'genres': [genre], 'publishedYear': year,
                'publishedDate': None, 'publisher': None, 'description': None, 'isbn': None, 'asin': None,
                'language': None, 'explicit': False, 'abridged': False, 'titleIgnorePrefix': plain,
                'authorName': author, 'authorNameLF': f'{last[::-1]}, {first[::-1]}', 'narratorName': narrator,
                'seriesName': f'{series[0]["name"]} #{series[0]["sequence"]}' if series else '',
                'descriptionPlain': None},
            'coverPath': cover['metadata']['path'] if cover else None, 'tags': list(tags), 'numTracks': len(tracks),
            'numAudioFiles': len(audio), 'numChapters': len(chapters), 'duration': offset,
            'size': sum(file['metadata']['size'] for file in audio), 'audioFiles': audio, 'chapters': chapters,
            'ebookFile': None, 'tracks': tracks}
        return item

    def podcast(self, library, title, audio, cover=None, author='A Crew', genre='News'):
        identity = identifier('item', library['id'], title)
        files = [self.library_file(file) for file in audio] + ([self.library_file(cover, 'image')] if cover else [])
        item = self.base_item(library, f'{library["folders"][0]["fullPath"]}/{title}', title, identity, files)
        podcast = identifier('podcast', identity)
        episodes = []
        for number, file in enumerate(audio, 1):
            name = os.path.splitext(file['metadata']['filename'])[0]
            track = dict(file, startOffset=0, title=file['metadata']['filename'],
                         contentUrl=f'/api/items/{identity}/file/{file["ino"]}')
            episodes.append({
                'libraryItemId': identity, 'podcastId': podcast, 'id': identifier('episode', identity, name),
                'oldEpisodeId': None, 'index': None, 'season': None, 'episode': str(number), 'episodeType': None,
                'title': name, 'subtitle': None, 'description': None, 'enclosure': None, 'guid': None, 'pubDate': None,
                'chapters': [], 'audioFile': file, 'publishedAt': EPOCH + number * 86_400_000, 'addedAt': EPOCH,
                'updatedAt': EPOCH, 'audioTrack': track, 'size': file['metadata']['size'],
                'duration': file['duration']})
        item['media'] = {
            'id': podcast, 'libraryItemId': identity, 'metadata': {
                'title': title, 'author': author, 'description': None, 'releaseDate': None, 'genres': [genre],
                'feedUrl': None, 'imageUrl': None, 'itunesPageUrl': None, 'itunesId': None, 'itunesArtistId': None,
                'explicit': False, 'language': None, 'type': 'episodic', 'titleIgnorePrefix': title},
            'coverPath': cover['metadata']['path'] if cover else None, 'tags': [], 'numEpisodes': len(episodes),
            'autoDownloadEpisodes': False, 'autoDownloadSchedule': '0 * * * *', 'lastEpisodeCheck': None,
            'maxEpisodesToKeep': 0, 'maxNewEpisodesToDownload': 3,
            'size': sum(file['metadata']['size'] for file in audio), 'episodes': episodes}
        return item
