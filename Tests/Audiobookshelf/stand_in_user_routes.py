# SPDX-License-Identifier: Apache-2.0
"""What the stand-in server answers about a user: places, bookmarks and listening sessions."""
import math

import stand_in_progress
import stand_in_queries as queries
from stand_in_answers import file_answer, json_answer, not_found, text_answer
from stand_in_routes import route


@route('GET', '/api/me')
def me(request):
    described = request.user.described()
    if request.old_token:
        described['isOldToken'] = True
    return json_answer(described)


@route('GET', '/api/me/progress', since=(2, 36))
def all_progress(request):
    return json_answer({'mediaProgress': [row.described() for row in request.user.progress]})


@route('GET', '/api/me/sessions', since=(2, 36))
def my_sessions(request):
    token = request.refresh_token()
    found = [{'id': name, 'ipAddress': '127.0.0.1', 'userAgent': request.headers.get('User-Agent'),
              'deviceInfo': None, 'createdAt': int(one['opened'] * 1000), 'updatedAt': int(one['opened'] * 1000),
              'current': one['pair'][1] == token}
             for name, one in request.world.accounts.sessions.items() if one['user'] == request.user.id]
    return json_answer({'total': len(found), 'numPages': 1, 'page': 0, 'itemsPerPage': 10, 'sessions': found})


@route('GET', '/api/me/items-in-progress')
def items_in_progress(request):
    limit = queries.whole(request.query.get('limit', '25')) or 25
    return json_answer({'libraryItems': queries.items_in_progress(request.world, request.user, limit)})


@route('GET', '/api/me/progress/:row/remove-from-continue-listening')
def hide(request, row):
    found = next((one for one in request.user.progress if one.id == row), None)
    if not found:
        return not_found()
    found.hideFromContinueListening, found.lastUpdate = True, request.world.stamp()
    request.world.forget_lists()
    return me(request)


@route('GET', '/api/me/progress/:item')
@route('GET', '/api/me/progress/:item/:episode')
def progress(request, item, episode=None):
    row = stand_in_progress.find(request.user, item, episode)
    return json_answer(row.described()) if row else not_found()


@route('PATCH', '/api/me/progress/batch/update')
def batch_update(request):
    rows = request.json()
    if not isinstance(rows, list) or not rows:
        return text_answer('Missing request payload', 400, 'text/html')
    for row in rows:
        _write(request, row.get('libraryItemId'), row.get('episodeId'), row)
    return text_answer('OK')


def _write(request, item, episode, payload):
    found = request.world.catalog.items.get(item)
    if not found:
        return text_answer('Library item not found', 404, 'text/html')
    one = request.world.episode(found, episode)
    if episode and not one:
        return text_answer('Episode not found', 404, 'text/html')
    if not episode and found['mediaType'] != 'book':
        return text_answer('Library item is not a book', 400, 'text/html')
    request.world.write_progress(request.user, found, one, payload)
    return text_answer('OK')


@route('PATCH', '/api/me/progress/:item')
@route('PATCH', '/api/me/progress/:item/:episode')
def update_progress(request, item, episode=None):
    payload = request.json()
    return _write(request, item, episode, payload if isinstance(payload, dict) else {})


@route('DELETE', '/api/me/progress/:row')
def delete_progress(request, row):
    before = len(request.user.progress)
    request.user.progress = [one for one in request.user.progress if one.id != row]
    request.world.forget_lists()
    found = len(request.user.progress) != before
    return text_answer('OK') if found or not request.world.version.since(2, 33) else not_found()


@route('GET', '/api/me/bookmarks', since=(2, 36))
@route('GET', '/api/me/bookmarks/:item', since=(2, 36))
def bookmarks(request, item=None):
    return json_answer({'bookmarks': [mark for mark in request.user.bookmarks
                                      if not item or mark['libraryItemId'] == item]})


@route('POST|PATCH', '/api/me/item/:item/bookmark')
def bookmark(request, item):
    request.item(item)
    body = request.json()
    time, title = body.get('time'), body.get('title')
    if isinstance(time, bool) or not isinstance(time, (int, float)):
        return text_answer('Invalid time', 400, 'text/html')
    if not isinstance(title, str) or not title:
        return text_answer('Invalid title', 400, 'text/html')
    marks = request.user.bookmarks
    mark = next((one for one in marks if (one['libraryItemId'], one['time']) == (item, time)), None)
    if request.method == 'PATCH' and not mark:
        return not_found()
    if mark:
        mark['title'] = title
    else:
        mark = {'libraryItemId': item, 'time': time, 'title': title, 'createdAt': request.world.stamp()}
        marks.append(mark)
    return json_answer(mark)


@route('DELETE', '/api/me/item/:item/bookmark/:time')
def delete_bookmark(request, item, time):
    time = stand_in_progress.number(time)
    kept = [one for one in request.user.bookmarks if (one['libraryItemId'], one['time']) != (item, time)]
    found = len(kept) != len(request.user.bookmarks)
    request.user.bookmarks = kept
    return text_answer('OK') if found else not_found()


# Listening sessions

def _listed(request, item=None):
    count = queries.whole(request.query.get('itemsPerPage', '10')) or 10
    page = queries.whole(request.query.get('page', '0')) or 0
    found = request.world.sessions.listed(request.user, item)
    return json_answer({'total': len(found), 'numPages': math.ceil(len(found) / count), 'page': page,
                        'itemsPerPage': count, 'sessions': found[page * count:(page + 1) * count]})


@route('GET', '/api/me/listening-sessions')
def listening_sessions(request):
    return _listed(request)


@route('GET', '/api/me/item/listening-sessions/:item')
def item_sessions(request, item):
    return _listed(request, item)


@route('GET', '/api/me/listening-stats')
def statistics(request):
    return json_answer(request.world.sessions.statistics(request.user))


@route('POST', '/api/items/:item/play')
@route('POST', '/api/items/:item/play/:episode')
def play(request, item, episode=None):
    found = request.item(item)
    if episode and found['mediaType'] == 'book':
        return text_answer('Bad Request', 400)
    one = request.world.episode(found, episode)
    if episode and not one:
        return not_found()
    return json_answer(request.world.sessions.play(request.user, found, one, request.json()))


@route('POST', '/api/session/local')
def local_session(request):
    result = request.world.sessions.take_local(request.user, request.json())
    return text_answer('OK') if result['success'] else text_answer(result['error'], 500, 'text/html')


@route('POST', '/api/session/local-all')
def local_sessions(request):
    sessions = request.json().get('sessions')
    if not isinstance(sessions, list):
        return text_answer('Internal Server Error', 500)
    return json_answer({'results': [request.world.sessions.take_local(request.user, one) for one in sessions]})


def _open(request, name):
    session = request.world.sessions.open.get(name)
    return session if session and session['userId'] == request.user.id else None


@route('GET', '/api/session/:name')
def session(request, name):
    found = _open(request, name)
    return json_answer(found) if found else not_found()


@route('POST', '/api/session/:name/sync')
def sync(request, name):
    found = _open(request, name)
    if not found:
        return not_found()
    request.world.sessions.sync(request.user, found, request.json())
    return text_answer('OK')


@route('POST', '/api/session/:name/close')
def close(request, name):
    found = _open(request, name)
    if not found:
        return not_found()
    request.world.sessions.close(request.user, found, request.json())
    return text_answer('OK')


@route('GET', '/public/session/:name/track/:index', since=(2, 22), open_to_all=True)
def public_track(request, name, index):
    found = request.world.sessions.open.get(name)
    item = request.world.catalog.items.get(found['libraryItemId']) if found else None
    if not item:
        return not_found()
    one = request.world.episode(item, found['episodeId'])
    tracks = [one['audioTrack']] if one else item['media']['tracks']
    track = next((track for track in tracks if str(track['index']) == index), None)
    stored = request.world.catalog.file(item, track['ino']) if track else None
    return file_answer(stored, request.headers, request.fault) if stored else not_found()
