#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the stand-in server misbehaves exactly as it is asked to, and no longer."""
import email.utils
import http.client
import json
import sys
import time
import urllib.error
import urllib.request

import stand_in_media
import stand_in_server
from stand_in_world import World

world = World()
stand_in_media.synthesize(world.catalog, 3, 1, 2)
world.populate_users()
server = stand_in_server.StandIn(world)
faults = []


def ask(method, path, body=None, **fields):
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(server.address + path, data, method=method)
    request.add_header('Content-Type', 'application/json')
    for name, value in fields.items():
        request.add_header(name.replace('_', '-'), value)
    try:
        answer = urllib.request.urlopen(request, timeout=10)
    except urllib.error.HTTPError as error:
        answer = error
    return answer


def expect(what, found, wanted):
    if found != wanted:
        faults.append(f'{what}: {found!r} instead of {wanted!r}')


def order(**orders):
    answer = ask('POST', '/stand-in', orders)
    expect('order', answer.status, 200)
    return json.loads(answer.read())


user = json.loads(ask('POST', '/login', {'username': 'listener', 'password': 'listenpass'},
                      x_return_tokens='true').read())['user']
bearer = 'Bearer ' + user['accessToken']
item = next(iter(world.catalog.items.values()))
track = item['media']['tracks'][0]
address, size = track['contentUrl'], track['metadata']['size']


def fetch(**fields):
    """Returns status and length of a file; a length of -N if it ended after N bytes."""
    answer = ask('GET', address, Authorization=bearer, **fields)
    try:
        return answer.status, len(answer.read())
    except http.client.IncompleteRead as error:
        return answer.status, -len(error.partial)


whole = ask('GET', address, Authorization=bearer)
tag, true = whole.headers['ETag'], whole.read()
order(faults=[{'match': 'GET .*/file/', 'cut': 5000}])
expect('cut', fetch(), (200, -5000))
expect('after the cut', fetch(), (200, size))
order(faults=[{'match': '/file/', 'status': 401, 'skip': 1}])
expect('before 401', fetch(Range='bytes=0-99'), (206, 100))
expect('401 in mid-file', fetch(Range='bytes=100-199')[0], 401)
order(faults=[{'match': '/file/', 'length': 7}])
expect('wrong length', fetch(), (200, -size))
order(faults=[{'match': '/file/', 'short': 7}])
expect('shorter file', fetch(), (200, size - 7))
order(faults=[{'match': '/file/', 'ranges': False}])
expect('no ranges', fetch(Range='bytes=0-9'), (200, size))
order(faults=[{'match': '/file/', 'etag': '"other"'}])
expect('If-Range of another tag', fetch(Range='bytes=5-9', If_Range=tag), (200, size))
expect('If-Range of its tag', fetch(Range='bytes=5-9', If_Range=tag), (206, 5))
order(faults=[{'match': '/file/', 'garble': 3}])
body = ask('GET', address, Authorization=bearer).read()
expect('garbled', [at for at, (left, right) in enumerate(zip(true, body)) if left != right], [3])
order(faults=[{'match': '/file/', 'rate': 50_000, 'cut': 20_000}, {'match': 'status', 'delay': 0.2}])
start = time.monotonic()
fetch()
expect('slow', 0.3 < time.monotonic() - start < 2, True)
start = time.monotonic()
expect('late', (ask('GET', '/status').status, time.monotonic() - start >= 0.2), (200, True))
order(faults=[{'match': 'status', 'status': 503, 'times': 2}, {'match': 'ping', 'drop': True}])
expect('5xx', [ask('GET', '/status').status for _ in range(3)], [503, 503, 200])
try:
    ask('GET', '/ping')
    faults.append('a dropped request was answered')
except (http.client.RemoteDisconnected, ConnectionError, urllib.error.URLError):
    pass
order(clock=86_400)
ahead = email.utils.parsedate_to_datetime(ask('GET', '/status').headers['Date']).timestamp() - time.time()
expect('clock', round(ahead / 100), 864)
order(clock=0, changeInos=item['id'])
expect('changed ino', fetch()[0], 404)
expanded = json.loads(ask('GET', f'/api/items/{item["id"]}?expanded=1', Authorization=bearer).read())
address = expanded['media']['tracks'][0]['contentUrl']
expect('new ino', fetch(), (200, size))
order(device={'user': 'listener', 'item': item['id'], 'progress': {'currentTime': 12, 'duration': 100}})
row = json.loads(ask('GET', f'/api/me/progress/{item["id"]}', Authorization=bearer).read())
expect('other device', row['currentTime'], 12)
order(expire=True)
expect('expired', fetch()[0], 401)
renewed = json.loads(ask('POST', '/auth/refresh', x_refresh_token=user['refreshToken']).read())['user']
bearer = 'Bearer ' + renewed['accessToken']
expect('renewed', fetch(), (200, size))
order(endSessions=True)
expect('ended', ask('POST', '/auth/refresh', x_refresh_token=renewed['refreshToken']).status, 401)
ask('GET', address + '?token=' + renewed['accessToken']).read()
log = json.dumps(order(log=True))
expect('tokens in the log', [name for name in ('accessToken', 'refreshToken') if renewed[name] in log], [])
server.stop()
print('\n'.join(faults) or 'misbehaviour: as asked for')
sys.exit(1 if faults else 0)
