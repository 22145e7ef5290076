# SPDX-License-Identifier: Apache-2.0
"""Lists of the stand-in server: filters, orders, shelves and search."""
import base64
import binascii
import random
import urllib.parse

from stand_in_catalog import form_episode, form_expanded, form_minified, form_thin, without
from stand_in_progress import number


def _meta(item):
    return item['media']['metadata']


def _row_value(name):
    def value(item, rows):
        return max((getattr(row, name) or 0 for row in rows.get(item['id'], [])), default=0)
    return value


ORDERS = {
    'media.metadata.title': lambda item, _: _meta(item)['title'].lower(),
    'media.metadata.authorName': lambda item, _: _meta(item).get('authorName', '').lower(),
    'media.metadata.authorNameLF': lambda item, _: _meta(item).get('authorNameLF', '').lower(),
    'media.metadata.author': lambda item, _: (_meta(item).get('author') or '').lower(),
    'media.metadata.publishedYear': lambda item, _: int(_meta(item).get('publishedYear') or 0),
    'media.duration': lambda item, _: item['media'].get('duration', 0),
    'media.numTracks': lambda item, _: item['media'].get('numEpisodes', item['media'].get('numTracks', 0)),
    'addedAt': lambda item, _: item['addedAt'], 'size': lambda item, _: item['size'],
    'birthtimeMs': lambda item, _: item['birthtimeMs'], 'mtimeMs': lambda item, _: item['mtimeMs'],
    'sequence': lambda item, _: number((_meta(item).get('series') or [{}])[0].get('sequence')) or 0,
    'progress': _row_value('lastUpdate'), 'progress.createdAt': _row_value('startedAt'),
    'progress.finishedAt': _row_value('finishedAt'), 'random': lambda item, _: random.random()}


def _progress(value, rows):
    row = rows[0] if rows else None
    begun = bool(row) and ((number(row.currentTime) or 0) > 0 or (number(row.ebookProgress) or 0) > 0)
    finished = bool(row) and row.isFinished
    return {'finished': finished, 'not-finished': not finished, 'not-started': not begun and not finished,
            'in-progress': begun and not finished,
            'audio-in-progress': bool(row) and not finished and (number(row.currentTime) or 0) > 0,
            'ebook-in-progress': bool(row) and not finished and (number(row.ebookProgress) or 0) > 0}.get(value, True)


def _matches(item, group, value, rows):
    meta, media = _meta(item), item['media']
    if group == 'genres':
        return value in meta['genres']
    if group == 'tags':
        return value in media['tags']
    if group == 'languages':
        return meta.get('language') == value
    if item['mediaType'] == 'podcast':
        return True
    if group == 'progress':
        return _progress(value, rows.get(item['id'], []))
    if group == 'series':
        return any(series['id'] == value for series in meta['series']) or (value == 'no-series' and not meta['series'])
    if group == 'authors':
        return any(author['id'] == value for author in meta['authors'])
    if group == 'narrators':
        return value in meta['narrators']
    if group == 'publishers':
        return meta.get('publisher') == value
    if group == 'publishedDecades':
        return str(meta.get('publishedYear') or '')[:3] + '0' == value
    if group == 'missing':
        return not meta.get(value)
    if group == 'tracks':
        return {'none': media['numTracks'] == 0, 'single': media['numTracks'] == 1,
                'multi': media['numTracks'] > 1}.get(value, True)
    return group != 'ebooks'


def whole(text):
    """Returns a whole number from 0 on, or None."""
    return int(text) if text.isascii() and text.isdigit() else None


def rows_by_item(user):
    rows = {}
    for row in user.progress:
        rows.setdefault(row.item, []).append(row)
    return rows


def listed(world, user, library, query):
    """Returns the page that is asked for, or None if `limit` or `page` is no number."""
    limit, page = whole(query.get('limit', '0')), whole(query.get('page', '0'))
    if world.version.since(2, 15) and (limit is None or page is None):
        return 'limit' if limit is None else 'page'
    limit, page = limit or 0, page or 0
    rows = rows_by_item(user)
    items = sorted(world.catalog.library_items(library['id']), key=lambda item: -item['addedAt'])
    answer = {'results': [], 'total': 0, 'limit': limit, 'page': page}
    filtered = query.get('filter')
    if filtered:
        group, _, value = filtered.partition('.')
        try:
            value = base64.b64decode(urllib.parse.unquote(value)).decode()
        except (binascii.Error, UnicodeDecodeError):
            value = ''
        items = [item for item in items if _matches(item, group, value, rows)]
    order = query.get('sort')
    if order == 'progress.finishedAt' and not world.version.since(2, 29):
        order = None
    if order in ORDERS:
        items.sort(key=lambda item: ORDERS[order](item, rows), reverse=query.get('desc') == '1')
    answer['total'] = len(items)
    if limit:
        items = items[page * limit:(page + 1) * limit]
    answer['results'] = [form_minified(item) for item in items]
    included = [part.strip().lower() for part in query.get('include', '').split(',') if part.strip()]
    if library['mediaType'] == 'podcast' and 'numepisodesincomplete' in included:
        for entry, item in zip(answer['results'], items):
            done = {row.episode for row in rows.get(item['id'], []) if row.isFinished}
            entry['numEpisodesIncomplete'] = len([e for e in item['media']['episodes'] if e['id'] not in done])
    if query.get('sort'):
        answer['sortBy'] = query['sort']
    answer['sortDesc'] = query.get('desc') == '1'
    if filtered:
        answer['filterBy'] = filtered
    answer.update(mediaType=library['mediaType'], minified=query.get('minified') == '1',
                  collapseseries=query.get('collapseseries') == '1', include=','.join(included),
                  offset=page * limit)
    return answer


def items_in_progress(world, user, limit):
    found = []
    for row in user.progress:
        item = world.catalog.items.get(row.item)
        if not item or row.isFinished or not (
                (number(row.currentTime) or 0) > 0 or (number(row.ebookProgress) or 0) > 0):
            continue
        entry = dict(form_minified(item), progressLastUpdate=row.lastUpdate)
        episode = world.episode(item, row.episode)
        if episode:
            entry['recentEpisode'] = form_episode(episode)
        found.append(entry)
    found.sort(key=lambda entry: -entry['progressLastUpdate'])
    return found[:limit]


def _shelf(identity, label, kind, entities, limit):
    key = 'Label' + label.replace(' ', '')
    return {'id': identity, 'label': label, 'labelStringKey': key, 'type': kind, 'entities': entities[:limit],
            'total': len(entities)}


def _authors(items):
    authors = {}
    for item in items:
        for author in _meta(item)['authors']:
            entry = authors.setdefault(author['id'], {
                'id': author['id'], 'asin': None, 'name': author['name'], 'description': None, 'imagePath': None,
                'libraryId': item['libraryId'], 'addedAt': item['addedAt'], 'updatedAt': item['updatedAt'],
                'numBooks': 0})
            entry['numBooks'] += 1
    return list(authors.values())


def authors(world, library):
    return _authors(world.catalog.library_items(library['id']))


def series(world, library):
    found = {}
    for item in world.catalog.library_items(library['id']):
        for one in _meta(item).get('series', []):
            entry = found.setdefault(one['id'], {
                'id': one['id'], 'name': one['name'], 'nameIgnorePrefix': one['name'],
                'libraryId': library['id'], 'description': None, 'type': 'series', 'books': [],
                'addedAt': item['addedAt'], 'updatedAt': item['updatedAt'], 'totalDuration': 0})
            entry['books'].append(dict(form_minified(item), sequence=one['sequence']))
            entry['totalDuration'] += item['media']['duration']
    return list(found.values())


def personalized(world, user, library, limit):
    items = world.catalog.library_items(library['id'])
    rows = rows_by_item(user)
    newest = sorted(items, key=lambda item: -item['addedAt'])
    shelves = []
    if library['mediaType'] == 'podcast':
        def episodes(wanted):
            found = [(episode, item) for item in items for episode in item['media']['episodes']]
            return [dict(form_minified(item), recentEpisode=form_episode(episode)) for episode, item in found
                    if wanted([row for row in rows.get(item['id'], []) if row.episode == episode['id']])]
        shelves = [
            _shelf('continue-listening', 'Continue Listening', 'episode', episodes(
                lambda own: _progress('in-progress', own) and not own[0].hideFromContinueListening), limit),
            _shelf('newest-episodes', 'Newest Episodes', 'episode', episodes(lambda own: True), limit),
            _shelf('recently-added', 'Recently Added', 'podcast', [form_minified(item) for item in newest], limit),
            _shelf('listen-again', 'Listen Again', 'episode', episodes(lambda own: _progress('finished', own)), limit)]
    else:
        def books(wanted):
            return [form_minified(item) for item in newest if wanted(rows.get(item['id'], []))]
        shelves = [
            _shelf('continue-listening', 'Continue Listening', 'book', books(
                lambda own: _progress('audio-in-progress', own) and not own[0].hideFromContinueListening), limit),
            _shelf('recently-added', 'Recently Added', 'book', [form_minified(item) for item in newest], limit),
            _shelf('discover', 'Discover', 'book', books(lambda own: not own), limit),
            _shelf('listen-again', 'Listen Again', 'book', books(lambda own: _progress('finished', own)), limit),
            _shelf('newest-authors', 'Newest Authors', 'authors', _authors(newest), limit)]
    return [shelf for shelf in shelves if shelf['entities']]


def search(world, library, words, limit):
    words = words.lower()
    found = [item for item in world.catalog.library_items(library['id']) if words in _meta(item)['title'].lower()]
    kind = library['mediaType']
    answer = {kind: [{'libraryItem': form_expanded(item, world.version)} for item in found[:limit]],
              'tags': [], 'genres': []}
    for name, source in (('tags', lambda item: item['media']['tags']), ('genres', lambda item: _meta(item)['genres'])):
        counts = {}
        for item in world.catalog.library_items(library['id']):
            for value in source(item):
                if words in value.lower():
                    counts[value] = counts.get(value, 0) + 1
        answer[name] = [{'name': value, 'numItems': count} for value, count in counts.items()][:limit]
    if kind == 'book':
        books = world.catalog.library_items(library['id'])
        answer['authors'] = [author for author in _authors(books) if words in author['name'].lower()][:limit]
        answer['series'] = [{'series': without(one, 'books'), 'books': one['books']}
                            for one in series(world, library) if words in one['name'].lower()][:limit]
        names = {name for item in books for name in _meta(item)['narrators'] if words in name.lower()}
        answer['narrators'] = [{'name': name, 'numBooks': sum(name in _meta(item)['narrators'] for item in books)}
                               for name in sorted(names)][:limit]
    else:
        answer['episodes'] = []
    return answer


def filter_data(world, library):
    items = world.catalog.library_items(library['id'])
    metas = [_meta(item) for item in items]

    def values(get):
        return list(dict.fromkeys(value for meta in metas for value in get(meta) if value))
    pairs = {}
    for name in ('authors', 'series'):
        pairs[name] = [{'id': one['id'], 'name': one['name']} for one in {
            entry['id']: entry for meta in metas for entry in meta.get(name, [])}.values()]
    return {
        'authors': pairs['authors'], 'genres': values(lambda meta: meta['genres']),
        'tags': list(dict.fromkeys(tag for item in items for tag in item['media']['tags'])), 'series': pairs['series'],
        'narrators': values(lambda meta: meta.get('narrators', [])),
        'languages': values(lambda meta: [meta.get('language')]),
        'publishers': values(lambda meta: [meta.get('publisher')]),
        'publishedDecades': values(lambda meta: [str(meta['publishedYear'])[:3] + '0']
                                   if meta.get('publishedYear') else []),
        'bookCount': 0, 'authorCount': 0, 'seriesCount': 0, 'podcastCount': 0, 'numIssues': 0,
        'loadedAt': library['lastUpdate']}


def recent_episodes(world, user, library, limit, page):
    rows = {row.episode: row for row in user.progress if row.episode}
    found = []
    for item in world.catalog.library_items(library['id']):
        podcast = form_thin(item)['media']
        podcast = dict(podcast, episodes=[])
        for episode in item['media']['episodes']:
            row = rows.get(episode['id'])
            if not (row and row.isFinished):
                found.append(dict(episode, podcast=podcast, libraryId=library['id']))
    found.reverse()
    found.sort(key=lambda episode: -(episode['publishedAt'] or 0))
    start = page * limit
    return {'episodes': found[start:start + limit] if limit else found, 'limit': limit, 'page': page}
