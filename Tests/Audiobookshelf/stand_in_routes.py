# SPDX-License-Identifier: Apache-2.0
"""What the stand-in server answers to which request, as the real one does in its versions."""
import json
import re
import urllib.parse

import stand_in_progress
import stand_in_queries as queries
from stand_in_answers import (UNAUTHORIZED, Answer, file_answer, forbidden, json_answer, not_found, page_answer,
                              text_answer, unknown_route)
from stand_in_catalog import StoredFile, form_episode, form_expanded, form_thin

ROUTES = []


def route(method, pattern, since=None, open_to_all=False):
    """Enters a handler for a path; a handler of a newer version answers 404 before."""
    expression = re.compile(re.sub(r':(\w+)', r'(?P<\1>[^/]+)', pattern) + r'/?')

    def enter(handler):
        ROUTES.append((method.split('|'), expression, since, open_to_all, handler))
        return handler
    return enter


class Request:
    def __init__(self, world, method, target, headers, body=b'', address='127.0.0.1'):
        self.world, self.method, self.headers, self.body, self.address = world, method, headers, body, address
        self.target = target
        self.path, _, query = target.partition('?')
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        self.user, self.old_token, self.fault = None, False, {}

    def token(self):
        bearer = self.headers.get('Authorization', '')
        return bearer[7:] if bearer.startswith('Bearer ') else self.query.get('token')

    def refresh_token(self):
        cookie = re.search(r'refresh_token=([^;]+)', self.headers.get('Cookie', ''))
        return self.headers.get('x-refresh-token') or (cookie and cookie[1])

    def json(self):
        """Returns the body; of another type than JSON nothing arrives."""
        kind = self.headers.get('Content-Type', '')
        if kind.startswith('application/x-www-form-urlencoded'):
            return dict(urllib.parse.parse_qsl(self.body.decode()))
        if not kind.startswith('application/json') or not self.body:
            return {}
        value = json.loads(self.body)
        if not isinstance(value, (dict, list)):
            raise ValueError('neither an object nor an array')
        return value

    def item(self, name):
        item = self.world.catalog.items.get(name)
        if not item:
            raise Refused(not_found())
        if not self.user.may_see(item['libraryId']):
            raise Refused(forbidden())
        return item

    def library(self, name):
        library = self.world.catalog.libraries.get(name)
        if library and not self.user.may_see(name):
            raise Refused(forbidden())
        if not library:
            raise Refused(text_answer('Library not found', 404, 'text/html'))
        return library


class Refused(Exception):
    def __init__(self, answer):
        super().__init__()
        self.answer = answer


def answer(request):
    """Returns the answer to a request."""
    world, path = request.world, request.path
    for prefix in (world.base, '/audiobookshelf'):
        if prefix and (path == prefix or path.startswith(prefix + '/')):
            path = path[len(prefix):] or '/'
            break
    else:
        if world.base:
            return page_answer(f'Cannot {request.method} {path}', 404)
    for methods, expression, since, open_to_all, handler in ROUTES:
        match = expression.fullmatch(path)
        if not match or request.method not in methods or (since and not world.version.since(*since)):
            continue
        if not open_to_all:
            held = world.accounts.holder(request.token())
            if not held:
                return Answer(401, None, UNAUTHORIZED.body)
            request.user, request.old_token = held
        key = (request.user.name, request.target) if request.user and path.startswith('/api/libraries') \
            and request.method == 'GET' and request.query.get('sort') != 'random' else None
        if key and key in world.cache:
            return world.cache[key]
        try:
            result = handler(request, **match.groupdict())
        except Refused as refused:
            result = refused.answer
        except ValueError:
            return page_answer('Bad Request', 400)
        if key:
            world.cache[key] = result
        return result
    return unknown_route(request.method, path)


# Server

@route('GET', '/status', open_to_all=True)
def status(request):
    return json_answer({
        'app': 'audiobookshelf', 'serverVersion': request.world.version.text, 'isInit': True, 'language': 'en-us',
        'authMethods': ['local'], 'authFormData': {
            'authLoginCustomMessage': '' if request.world.version.since(2, 33) else None}})


@route('GET', '/ping', open_to_all=True)
def ping(request):
    return json_answer({'success': True})


@route('GET', '/healthcheck', open_to_all=True)
def healthcheck(request):
    return text_answer('OK')


def _limited(request, handler):
    allowed, fields = request.world.accounts.attempt(request.address)
    result = handler() if allowed else json_answer({'error': 'Too many authentication requests'}, 429)
    result.fields = fields + result.fields
    return result


def _cookie(pair, life):
    return ('Set-Cookie', f'refresh_token={pair[1]}; Max-Age={int(life)}; Path=/; HttpOnly; SameSite=Lax')


@route('POST', '/login', open_to_all=True)
def login(request):
    def handler():
        accounts, body = request.world.accounts, request.json()
        if not body.get('username') or not body.get('password'):
            return text_answer('Bad Request', 400)
        user = accounts.named(body['username'])
        if not user or not user.active or user.password != body['password']:
            return Answer(401, None, b'Unauthorized')
        pair = accounts.open(user)
        returned = request.headers.get('x-return-tokens') == 'true'
        fields = [] if returned or not request.world.version.since(2, 26) else [_cookie(pair, accounts.refresh_life)]
        return json_answer(accounts.login_answer(user, pair, returned), fields=fields)
    return _limited(request, handler)


@route('POST', '/auth/refresh', since=(2, 26), open_to_all=True)
def refresh(request):
    def handler():
        accounts = request.world.accounts
        user, pair = accounts.renew(request.refresh_token())
        if not user:
            return json_answer({'error': pair}, 401)
        by_header = bool(request.headers.get('x-refresh-token'))
        return json_answer(accounts.login_answer(user, pair, by_header),
                           fields=[_cookie(pair, accounts.refresh_life)])
    return _limited(request, handler)


@route('POST', '/logout', open_to_all=True)
def logout(request):
    request.world.accounts.close(request.refresh_token())
    if request.query.get('allDevices') == '1' and request.world.version.since(2, 36):
        request.world.accounts.close_all()
    return json_answer({'redirect_url': None}, fields=[
        ('Set-Cookie', 'refresh_token=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT')])


@route('POST', '/api/authorize')
def authorize(request):
    return json_answer(request.world.accounts.login_answer(request.user))


@route('POST', '/api/api-keys', since=(2, 26))
def make_key(request):
    if request.user.kind not in ('root', 'admin'):
        return forbidden()
    body = request.json()
    user = request.world.accounts.users[body['userId']]
    key = request.world.accounts.add_key(user, body['name'], body.get('expiresIn'))
    return json_answer({'apiKey': {'apiKey': key, 'id': key[-8:], 'name': body['name'], 'userId': user.id,
                                   'isActive': True, 'createdByUserId': request.user.id,
                                   'expiresAt': '2036-11-21T09:36:34.977Z',
                                   'createdAt': '2026-11-21T08:36:34.977Z', 'updatedAt': '2026-11-21T08:36:34.977Z',
                                   'user': {'id': user.id, 'username': user.name, 'type': user.kind}}})


# Libraries

@route('GET', '/api/libraries')
def libraries(request):
    return json_answer({'libraries': [library for name, library in request.world.catalog.libraries.items()
                                      if request.user.may_see(name)]})


@route('GET', '/api/libraries/:name')
def library(request, name):
    found = request.library(name)
    if 'filterdata' in request.query.get('include', ''):
        return json_answer({'filterdata': queries.filter_data(request.world, found), 'issues': 0,
                            'numUserPlaylists': 0, 'library': found})
    return json_answer(found)


@route('GET', '/api/libraries/:name/items')
def library_items(request, name):
    result = queries.listed(request.world, request.user, request.library(name), request.query)
    if isinstance(result, str):
        return text_answer(f'Invalid request. {result} must be a positive integer', 400, 'text/html')
    return json_answer(result)


@route('GET', '/api/libraries/:name/personalized')
def personalized(request, name):
    limit = queries.whole(request.query.get('limit', '10')) or 10
    return json_answer(queries.personalized(request.world, request.user, request.library(name), limit))


@route('GET', '/api/libraries/:name/search')
def search(request, name):
    found = request.library(name)
    if 'q' not in request.query:
        return text_answer('Invalid request. Query param "q" must be a string', 400, 'text/html')
    limit = queries.whole(request.query.get('limit', '12')) or 12
    return json_answer(queries.search(request.world, found, request.query['q'], limit))


@route('GET', '/api/libraries/:name/authors')
def authors(request, name):
    return json_answer({'authors': queries.authors(request.world, request.library(name))})


def _paged(request, found):
    limit = queries.whole(request.query.get('limit', '0')) or 0
    page = queries.whole(request.query.get('page', '0')) or 0
    part = found[page * limit:(page + 1) * limit] if limit else found
    return json_answer({'results': part, 'total': len(found), 'limit': limit, 'page': page, 'sortDesc': False,
                        'minified': False, 'include': ''})


@route('GET', '/api/libraries/:name/series')
def series(request, name):
    return _paged(request, queries.series(request.world, request.library(name)))


@route('GET', '/api/libraries/:name/collections')
def collections(request, name):
    request.library(name)
    return _paged(request, [])


@route('GET', '/api/libraries/:name/recent-episodes')
def recent_episodes(request, name):
    found = request.library(name)
    if found['mediaType'] != 'podcast':
        return not_found()
    limit = queries.whole(request.query.get('limit', '0')) or 0
    page = queries.whole(request.query.get('page', '0')) or 0
    return json_answer(queries.recent_episodes(request.world, request.user, found, limit, page))


# Items

@route('GET', '/api/items/:name')
def item(request, name):
    found = request.item(name)
    if request.query.get('expanded') != '1':
        return json_answer(form_thin(found))
    if 'progress' in request.query.get('include', ''):
        row = stand_in_progress.find(request.user, name, request.query.get('episode'))
        return json_answer(dict(form_expanded(found, request.world.version),
                                userMediaProgress=row.described() if row else None))
    return json_answer(form_expanded(found, request.world.version))


@route('POST', '/api/items/batch/get')
def batch_get(request):
    wanted = request.json().get('libraryItemIds') or []
    if not wanted:
        return text_answer('Invalid payload', 403, 'text/html')
    found = [one for name, one in request.world.catalog.items.items() if name in wanted]
    if request.world.version.since(2, 34) and any(not request.user.may_see(one['libraryId']) for one in found):
        return forbidden()
    return json_answer({'libraryItems': [form_expanded(one, request.world.version) for one in found]})


@route('GET', '/api/podcasts/:name/episode/:episode')
def episode(request, name, episode):
    found = request.item(name)
    if found['mediaType'] != 'podcast':
        return text_answer('Internal Server Error', 500)
    one = request.world.episode(found, episode)
    return json_answer(form_episode(one)) if one else not_found()


@route('GET', '/api/items/:name/cover', open_to_all=True)
def cover(request, name):
    found = request.world.catalog.items.get(name)
    picture = next((file for file in found['libraryFiles'] if file['fileType'] == 'image'), None) if found else None
    stored = request.world.catalog.file(found, picture['ino']) if picture else None
    if not stored and found and found['media']['coverPath']:
        # One that was taken out of the sound.
        stored = StoredFile(name, size=2000, kind='image/webp', name='cover.webp')
    if not stored:
        return not_found()
    if request.query.get('raw') == '1':
        return file_answer(stored, {}, {})
    # There is no converter here: the picture goes out as it is, under its own type.
    accepts = request.headers.get('Accept', '*/*')
    wanted = request.query.get('format') or ('webp' if 'webp' in accepts or '*/*' in accepts else 'jpeg')
    kind = f'image/{wanted}' if not stored.path else stored.kind
    fields = [('Cache-Control', 'private, max-age=86400')] if 'ts' in request.query else []
    return Answer(200, kind, stored.read(0, stored.size), fields, chunked=True)


@route('GET|HEAD', '/api/items/:name/file/:ino')
def file(request, name, ino):
    stored = request.world.catalog.file(request.item(name), ino)
    return file_answer(stored, request.headers, request.fault) if stored else not_found()


@route('GET|HEAD', '/feed/:name/item/:ino/:title', open_to_all=True)
def feed_file(request, name, ino, title):
    # A feed that somebody opened: its enclosures need no token.
    found = request.world.catalog.items.get(name)
    stored = request.world.catalog.file(found, ino) if found else None
    return file_answer(stored, request.headers, request.fault) if stored else not_found()


@route('GET', '/api/items/:name/file/:ino/download')
def download(request, name, ino):
    found = request.item(name)
    if not request.user.permissions['download']:
        return forbidden()
    stored = request.world.catalog.file(found, ino)
    return file_answer(stored, request.headers, request.fault, download=True) if stored else not_found()
