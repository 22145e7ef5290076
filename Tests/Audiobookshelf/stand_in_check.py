#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replays what a real server answered, and compares with what the stand-in server answers.

Usage: stand_in_check.py [FOLDER]. FOLDER has the recorded pairs, by default ../shared/audiobookshelf/recorded beside
the project; without them the check says so and ends with 0.

Each recorded request is sent in its order, at its time, to a stand-in server with the same items. Status, type, fields
and the shape of the body must be the same, in a place of a listener the values as well.
"""
import copy
import email.utils
import json
import os
import pathlib
import re
import sys
import urllib.error
import urllib.request

import stand_in_server
from stand_in_accounts import User
from stand_in_catalog import AUDIO, PICTURES, StoredFile
from stand_in_world import World

HERE = pathlib.Path(__file__).resolve().parent
# Fields that differ from one run to the next, or that are the transport's own.
PASSING = {'date', 'connection', 'keep-alive', 'etag', 'content-length', 'transfer-encoding', 'set-cookie', 'vary'}
UUID = re.compile(r'[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}')
# Administration, streams in pieces and the socket: no part of what the stand-in is for.
LEFT_OUT = re.compile(r'status-not-init|^init$|admin-|hls|socket')
# The values in a place that come from the clock or by chance.
STAMPS = {'id', 'lastUpdate', 'startedAt', 'finishedAt', 'userId', 'libraryItemId', 'mediaItemId', 'episodeId'}


def shape(value):
    if isinstance(value, bool):
        return 'bool'
    if isinstance(value, (int, float)):
        return 'number'
    return type(value).__name__


def differences(true, ours, path=''):
    """Yields where two bodies differ in shape."""
    if shape(true) != shape(ours):
        yield f'{path or "body"}: {shape(ours)} instead of {shape(true)}'
    elif isinstance(true, dict):
        for name in sorted(set(true) - set(ours)):
            yield f'{path}.{name} is missing'
        for name in sorted(set(ours) - set(true)):
            yield f'{path}.{name} is too much'
        for name in set(true) & set(ours):
            yield from differences(true[name], ours[name], f'{path}.{name}')
        if 'mediaItemId' in true:
            for name in set(true) & set(ours) - STAMPS:
                if true[name] != ours[name]:
                    yield f'{path}.{name}: {ours[name]!r} instead of {true[name]!r}'
    elif isinstance(true, list):
        if len(true) != len(ours):
            yield f'{path}: {len(ours)} instead of {len(true)}'
        for index, (left, right) in enumerate(zip(true, ours)):
            yield from differences(left, right, f'{path}[{index}]')
    elif isinstance(true, str) and not path and UUID.sub('', true) != UUID.sub('', ours):
        yield f'body: {ours[:80]!r} instead of {true[:80]!r}'
    elif path.endswith(('.error', '.progressSynced', '.success', '.playMethod', '.contentUrl')) and true != ours \
            and not UUID.search(str(true)):
        yield f'{path}: {ours!r} instead of {true!r}'


class Replay:
    def __init__(self, folder, version, names):
        self.folder, self.names = folder, names
        self.world = World(version)
        self.known, self.tokens, self.bodies = {}, {}, {}
        self.answered = self.faults = 0
        self.recorded = {path.stem[4:]: json.loads(path.read_text()) for path in sorted(folder.glob('*.json'))}
        self.populate()
        self.server = stand_in_server.StandIn(self.world)

    def body(self, name):
        return self.recorded[name]['response']['body']

    def populate(self):
        """Makes the items, libraries and users that the recordings speak of."""
        source = self.recorded if 'libraries' in self.recorded else {
            path.stem[4:]: json.loads(path.read_text()) for path in sorted(self.folder.parent.glob('*.json'))}
        items = [value['response']['body'] for name, value in self.recorded.items() if name in (
            'item-multifile-expanded', 'item-m4b-expanded', 'podcast-item-expanded', 'item-expanded',
            'podcast-expanded')]
        if source is not self.recorded:
            book = next(item for item in items if item['mediaType'] == 'book')
            other = source['item-m4b-expanded']['response']['body']
            items.append(dict(other, libraryId=book['libraryId'], addedAt=book['addedAt'] - 1))
        libraries = source['libraries']['response']['body']['libraries']
        for library in libraries:
            kind = library['mediaType']
            identity = next((item['libraryId'] for item in items if item['mediaType'] == kind), library['id'])
            self.world.catalog.libraries[identity] = dict(library, id=identity)
        items.sort(key=lambda item: item['addedAt'])
        # A tag has size and time of a file; the time there is rounded, that of the item is cut off.
        tags = [re.fullmatch(r'W/"(\w+)-(\w+)"', value) for record in self.recorded.values()
                if isinstance(record, dict) for field, value in record['response']['headers'] if field == 'ETag']
        mtimes = {int(tag[1], 16): int(tag[2], 16) for tag in tags if tag and tag[2].startswith('1a1fd3')}
        for item in items:
            item = copy.deepcopy({name: value for name, value in item.items() if name != 'userMediaProgress'})
            media = item['media']
            item.setdefault('numFiles', len(item['libraryFiles']))
            if item['mediaType'] == 'book':
                for name, list_name in (('numTracks', 'tracks'), ('numAudioFiles', 'audioFiles'),
                                        ('numChapters', 'chapters')):
                    media.setdefault(name, len(media[list_name]))
            else:
                media.setdefault('numEpisodes', len(media['episodes']))
            kinds = {**AUDIO, **PICTURES}
            files = {}
            for file in item['libraryFiles']:
                facts = file['metadata']
                files[file['ino']] = StoredFile(item['id'], size=facts['size'], mtime=mtimes.get(facts['size'], 0),
                                                name=facts['filename'], kind=kinds[facts['ext']])
            self.world.catalog.add_item(item, files)
        accounts = self.world.accounts
        first = list(self.world.catalog.libraries)[0]
        for name, kind, library in (('root', 'root', None), ('listener', 'user', first), ('limited', 'user', first)):
            accounts.add(User(name, name.replace('ener', 'en') + 'pass', kind, library))
        limited = accounts.named('limited')
        limited.permissions.update(download=False, accessAllLibraries=False)
        limited.libraries = list(self.world.catalog.libraries)[1:]
        self.current = accounts.named('listener' if 'login-user' in self.recorded else 'root')
        self.lasting = set(UUID.findall(json.dumps([items, libraries])))

    def prepare(self, name, record):
        """Puts the server into the state that the recording had."""
        dates = [value for field, value in record['response']['headers'] if field.lower() == 'date']
        self.world.fixed = email.utils.parsedate_to_datetime(dates[0]).timestamp() + 0.95 + self.answered % 50 / 1000
        accounts = self.world.accounts
        if name.startswith('refresh') and not self.world.version.since(2, 35):
            # Tokens of one second are the same below 2.35.1.
            self.world.fixed += 1
        if name == 'short-login':
            accounts.access_life, accounts.refresh_life, accounts.grace = 3, 6, 1.5
        elif name == 'login-rate-limited':
            accounts.attempts['127.0.0.1'] = (self.world.clock(), accounts.limit)
        elif name == 'progress-string-after-restart':
            accounts.access_life, accounts.refresh_life = 3600, 30 * 86400
            accounts.attempts.clear()
            accounts.sessions.clear()
        elif name == 'item-after-file-replaced':
            item = self.world.catalog.items[record['response']['body']['id']]
            self.world.catalog.change_inos(item)
            for file in self.world.catalog.files.values():
                if file.item == item['id']:
                    file.pattern_mtime = 0x1a1fd40d860
        elif name == 'progress-create-finished':
            self.current.progress = [row for row in self.current.progress if row.item not in record['request']['path']]
        elif name.startswith(('limited-', 'inactive-')):
            self.current = accounts.named('limited')
            self.current.active = not name.startswith('inactive-')
            self.current.permissions['accessAllLibraries'] = name.startswith('limited-no-')
        elif name.startswith('skew-'):
            self.current = accounts.named('listener')

    def token(self, placeholder, name):
        if placeholder in self.tokens:
            return self.tokens[placeholder]
        user = self.world.accounts.named('root') if name.startswith('api-key') else self.current
        if name == 'me-legacy-token' or not self.world.version.since(2, 26):
            return user.legacy
        return self.world.accounts.token(user, 'refresh' if 'efresh' in placeholder else 'access')

    def keep_tokens(self, name, body):
        """Remembers the pair of tokens of a log-in under the name that later requests use."""
        mark = {'login-for-refresh': '1', 'refresh': '2', 'login-again': '3', 'short-login': 'a',
                'refresh-after-expiry': 'b', 'login-return-tokens': '0'}.get(name)
        if not isinstance(body, dict):
            return
        if name == 'api-key-create':
            self.tokens['<apiKey>'] = body['apiKey']['apiKey']
        elif name == 'login' and 'accessToken' in body['user']:
            self.tokens['<refreshToken>'] = body['user']['refreshToken']
        elif mark:
            self.tokens[f'<accessToken-{mark}>'] = body['user']['accessToken']
            self.tokens[f'<refreshToken-{mark}>'] = body['user']['refreshToken']

    def filled(self, text, name):
        for true, ours in self.known.items():
            text = text.replace(true, ours)
        return re.sub(r'<[\w-]+>', lambda match: self.token(match[0], name), text)

    def learn(self, true, ours):
        """Remembers under which name the stand-in knows what the recordings name."""
        if isinstance(true, dict) and isinstance(ours, dict):
            for name in set(true) & set(ours):
                if name == 'ino' and true[name] != ours[name]:
                    self.known[true[name]] = ours[name]
                self.learn(true[name], ours[name])
        elif isinstance(true, list) and isinstance(ours, list):
            for left, right in zip(true, ours):
                self.learn(left, right)
        elif isinstance(true, str) and isinstance(ours, str):
            if UUID.fullmatch(true) and true != ours and true not in self.lasting:
                self.known[true] = ours

    def send(self, record, name):
        asked = record['request']
        body = asked['body']
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        request = urllib.request.Request(
            self.server.address + self.filled(asked['path'], name), method=asked['method'],
            data=self.filled(body, name).encode() if body is not None else None)
        for field, value in asked['headers'].items():
            request.add_header(field, self.filled(value, name))
        if body is not None and 'Content-Type' not in asked['headers']:
            request.add_header('Content-Type', 'text/plain')
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            answer = error
        data = answer.read()
        if answer.headers.get('Content-Type', '').startswith('application/json'):
            return answer, json.loads(data)
        return answer, data

    def compare(self, name, record):
        self.prepare(name, record)
        true = record['response']
        answer, body = self.send(record, name)
        if answer.status != true['status']:
            yield f'status {answer.status} instead of {true["status"]}: {str(body)[:100]}'
            return
        fields = {field.lower(): value for field, value in true['headers']}
        for field, value in fields.items():
            ours = answer.headers.get(field)
            if field not in PASSING and ours is None:
                yield f'no field {field}'
            elif field in ('content-type', 'content-range', 'accept-ranges', 'cache-control', 'last-modified',
                           'content-disposition') and ours != value and not ours.startswith('image/'):
                yield f'{field}: {ours} instead of {value}'
            elif field == 'etag' and '/file/' in record['request']['path'] and '1a1fd' in value and ours != value \
                    and 'replace' not in name:
                yield f'etag {ours} instead of {value}'
        if isinstance(true['body'], dict) and '$bytes' in true['body']:
            if len(body) != true['body']['$bytes'] and not fields.get('content-type', '').startswith('image/'):
                yield f'{len(body)} bytes instead of {true["body"]["$bytes"]}'
            return
        if isinstance(body, bytes):
            body = body.decode()
        if true['body'] is None:
            return
        self.learn(true['body'], body)
        self.keep_tokens(name, body)
        yield from differences(true['body'], body)

    def run(self):
        for name, record in self.recorded.items():
            if LEFT_OUT.search(name) or isinstance(record, list):
                continue
            found = list(self.compare(name, record))
            self.answered += 1
            if found:
                self.faults += 1
                print(f'{self.world.version.text} {name}: ' + '; '.join(found[:6]))
        self.server.stop()


def main():
    shared = pathlib.Path(os.environ.get('ROSTRUM_SHARED', HERE.parents[2] / 'shared'))
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else shared / 'audiobookshelf/recorded'
    if not folder.is_dir():
        print(f'stand-in: there are no recordings in {folder}; nothing is compared')
        return 0
    answered = faults = 0
    for version, place in [('2.36.0', folder)] + [(path.name[1:], path) for path in sorted(folder.glob('v2*'))]:
        replay = Replay(place, version, None)
        replay.run()
        answered += replay.answered
        faults += replay.faults
    print(f'stand-in: {answered} recorded answers replayed, {faults} differ')
    return 1 if faults or not answered else 0


if __name__ == '__main__':
    sys.exit(main())
