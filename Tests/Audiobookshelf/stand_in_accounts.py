# SPDX-License-Identifier: Apache-2.0
"""Users, tokens and the limit of log-ins of the stand-in server."""
import base64
import hashlib
import hmac
import json
import secrets
import uuid

from stand_in_catalog import EPOCH, identifier

SECRET = b'stand-in'
PERMISSIONS = {'download': True, 'update': False, 'delete': False, 'upload': False, 'createEreader': False,
               'accessAllLibraries': True, 'accessAllTags': True, 'accessExplicitContent': False,
               'selectedTagsNotAccessible': False}


class Version:
    """A version of the server, comparable with `(2, 26)`."""

    def __init__(self, text):
        self.text = text
        self.numbers = tuple(int(part) for part in text.split('.'))

    def since(self, *numbers):
        return self.numbers >= numbers


def _encode(value):
    return base64.urlsafe_b64encode(value).rstrip(b'=').decode()


def _decode(text):
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


def sign(payload):
    head = _encode(json.dumps({'alg': 'HS256', 'typ': 'JWT'}).encode())
    body = _encode(json.dumps(payload).encode())
    return f'{head}.{body}.' + _encode(hmac.new(SECRET, f'{head}.{body}'.encode(), hashlib.sha256).digest())


def verify(token):
    """Returns what a token says, or None if it is none of ours."""
    try:
        head, body, signature = token.split('.')
        true = hmac.new(SECRET, f'{head}.{body}'.encode(), hashlib.sha256).digest()
        return json.loads(_decode(body)) if hmac.compare_digest(_decode(signature), true) else None
    except (ValueError, UnicodeDecodeError):
        return None


class User:
    def __init__(self, name, password, kind='user', library=None, permissions=None):
        self.id = identifier('user', name)
        self.name, self.password, self.kind = name, password, kind
        self.active = True
        self.library = library
        self.permissions = dict(PERMISSIONS, **(permissions or {}))
        if kind in ('root', 'admin'):
            self.permissions.update({name: True for name in self.permissions})
            self.permissions['selectedTagsNotAccessible'] = False
        self.libraries = []
        self.progress = []
        self.bookmarks = []
        self.hidden_series = []
        self.legacy = sign({'userId': self.id, 'username': name, 'iat': EPOCH // 1000})

    def may_see(self, library):
        return self.permissions['accessAllLibraries'] or library in self.libraries

    def described(self):
        return {
            'id': self.id, 'username': self.name, 'email': None, 'type': self.kind, 'token': self.legacy,
            'mediaProgress': [row.described() for row in self.progress],
            'seriesHideFromContinueListening': self.hidden_series, 'bookmarks': self.bookmarks,
            'isActive': self.active, 'isLocked': False, 'lastSeen': None, 'createdAt': EPOCH,
            'permissions': self.permissions, 'librariesAccessible': self.libraries, 'itemTagsSelected': [],
            'hasOpenIDLink': False}


class Accounts:
    """Who may ask, by which token.

    The times are in seconds. `refused` counts what was refused, `renewals` what was renewed.
    """

    def __init__(self, version, clock, access=3600, refresh=30 * 86400, grace=600, limit=40, window=600):
        self.version, self.clock = version, clock
        self.access_life, self.refresh_life, self.grace = access, refresh, grace
        if not version.since(2, 35):
            self.grace = 0
        self.limit, self.window = limit, window
        self.users = {}
        self.sessions = {}
        self.keys = {}
        self.attempts = {}
        self.generation = 0

    def add(self, user):
        self.users[user.id] = user
        return user

    def named(self, name):
        return next((user for user in self.users.values() if user.name.lower() == str(name).lower()), None)

    # Tokens

    def token(self, user, kind, life=None):
        life = life or (self.access_life if kind == 'access' else self.refresh_life)
        payload = {'userId': user.id, 'username': user.name, 'type': kind, 'iat': int(self.clock()),
                   'exp': int(self.clock() + life), 'generation': self.generation}
        if self.version.since(2, 35, 1):
            payload['jti'] = secrets.token_hex(8)
        return sign(payload)

    def open(self, user):
        """Makes a pair of tokens for a user who has just logged in."""
        pair = (self.token(user, 'access'), self.token(user, 'refresh'))
        self.sessions[str(uuid.uuid4())] = {'user': user.id, 'pair': pair, 'old': None, 'rotated': 0,
                                            'opened': self.clock()}
        return pair

    def renew(self, token):
        """Returns the user and a new pair, or the error."""
        if not token:
            return None, 'No refresh token provided'
        payload = verify(token)
        if not payload:
            return None, 'Invalid refresh token'
        if payload.get('type') != 'refresh':
            return None, 'Invalid token type'
        if payload['exp'] <= self.clock():
            return None, 'Refresh token expired'
        user = self.users.get(payload['userId'])
        if not user or not user.active:
            return None, 'User not found or inactive'
        for session in self.sessions.values():
            if session['pair'][1] == token:
                session['old'], session['rotated'] = token, self.clock()
                session['pair'] = (self.token(user, 'access'), self.token(user, 'refresh'))
                return user, session['pair']
            if session['old'] == token and self.clock() < session['rotated'] + self.grace:
                return user, session['pair']
        return None, 'Invalid refresh token'

    def close(self, token):
        self.sessions = {name: session for name, session in self.sessions.items() if session['pair'][1] != token}

    def close_all(self):
        """Ends the sessions of all, as a changed password does: nothing can be renewed any more."""
        self.sessions.clear()

    def expire(self):
        """Lets every access token that is out expire at once."""
        self.generation += 1

    def add_key(self, user, name, life):
        identity = secrets.token_hex(8)
        key = sign({'keyId': identity, 'name': name, 'type': 'api'})
        self.keys[identity] = {'user': user.id, 'active': True, 'exp': self.clock() + life if life else None}
        return key

    def holder(self, token):
        """Returns the user of a bearer and if the token is of the old kind, or None."""
        payload = verify(token) if token else None
        if not payload:
            return None
        old = False
        if payload.get('type') == 'api':
            key = self.keys.get(payload['keyId'])
            if not self.version.since(2, 26) or not key or not key['active'] or (
                    key['exp'] and key['exp'] <= self.clock()):
                return None
            user = self.users.get(key['user'])
        elif 'exp' in payload:
            refused = payload['type'] == 'refresh' and self.version.since(2, 36)
            stale = payload['type'] == 'access' and payload['generation'] != self.generation
            if refused or stale or payload['exp'] <= self.clock() or not self.version.since(2, 26):
                return None
            user = self.users.get(payload['userId'])
        else:
            user, old = self.users.get(payload['userId']), self.version.since(2, 26)
        return (user, old) if user and user.active else None

    def attempt(self, address):
        """Counts an attempt to log in; returns if it is allowed, and the fields that say so."""
        if not self.version.since(2, 26):
            return True, []
        start, count = self.attempts.get(address, (self.clock(), 0))
        if self.clock() >= start + self.window:
            start, count = self.clock(), 0
        count += 1
        self.attempts[address] = (start, count)
        rest = max(1, int(start + self.window - self.clock()))
        fields = [('RateLimit-Policy', f'{self.limit};w={self.window}'), ('RateLimit-Limit', str(self.limit)),
                  ('RateLimit-Remaining', str(max(0, self.limit - count))), ('RateLimit-Reset', str(rest))]
        if count > self.limit:
            return False, fields + [('Retry-After', str(rest))]
        return True, fields

    # Answers

    def settings(self):
        settings = {
            'id': 'server-settings', 'scannerFindCovers': False, 'scannerCoverProvider': 'google',
            'scannerParseSubtitle': False, 'scannerPreferMatchedMetadata': False, 'scannerDisableWatcher': False,
            'storeCoverWithItem': False, 'storeMetadataWithItem': False, 'metadataFileFormat': 'json',
            'rateLimitLoginRequests': 10, 'rateLimitLoginWindow': 600000, 'allowIframe': False,
            'backupPath': '/srv/metadata/backups', 'backupSchedule': False, 'backupsToKeep': 2, 'maxBackupSize': 1,
            'loggerDailyLogsToKeep': 7, 'loggerScannerLogsToKeep': 2, 'homeBookshelfView': 1, 'bookshelfView': 1,
            'podcastEpisodeSchedule': '0 * * * *', 'sortingIgnorePrefix': False, 'sortingPrefixes': ['the', 'a'],
            'chromecastEnabled': False, 'dateFormat': 'MM/dd/yyyy', 'timeFormat': 'HH:mm', 'language': 'en-us',
            'allowedOrigins': [], 'logLevel': 2, 'version': self.version.text, 'buildNumber': 1,
            'authLoginCustomMessage': None, 'authActiveAuthMethods': ['local'], 'authOpenIDIssuerURL': None,
            'authOpenIDAuthorizationURL': None, 'authOpenIDTokenURL': None, 'authOpenIDUserInfoURL': None,
            'authOpenIDJwksURL': None, 'authOpenIDLogoutURL': None, 'authOpenIDTokenSigningAlgorithm': 'RS256',
            'authOpenIDButtonText': 'Login with OpenId', 'authOpenIDAutoLaunch': False,
            'authOpenIDAutoRegister': False, 'authOpenIDMatchExistingBy': None}
        if not self.version.since(2, 33):
            del settings['allowedOrigins']
        return dict(settings, timeZone='UTC') if self.version.since(2, 34) else settings

    def login_answer(self, user, pair=None, with_refresh=True):
        described = user.described()
        if pair and self.version.since(2, 26):
            described.update(accessToken=pair[0], refreshToken=pair[1] if with_refresh else None)
        return {'user': described, 'userDefaultLibraryId': user.library, 'serverSettings': self.settings(),
                'ereaderDevices': [], 'Source': 'local'}
