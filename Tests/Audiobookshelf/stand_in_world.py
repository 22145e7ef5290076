# SPDX-License-Identifier: Apache-2.0
"""Everything that a stand-in server knows, behind one lock."""
import threading
import time

import stand_in_progress
from stand_in_accounts import Accounts, User, Version
from stand_in_catalog import Catalog
from stand_in_faults import Faults
from stand_in_sessions import Sessions


class World:
    """The state of one server.

    `offset` is what its clock is ahead of the true time, in seconds.
    """

    def __init__(self, version='2.36.0', base='', **accounts):
        self.version = Version(version)
        self.base = base.rstrip('/')
        self.offset = 0
        self.fixed = None
        self.lock = threading.RLock()
        self.catalog = Catalog(self.version)
        self.accounts = Accounts(self.version, self.clock, **accounts)
        self.sessions = Sessions(self)
        self.faults = Faults()
        self.cache = {}
        self.log = []
        self.sent = 0

    def clock(self):
        return (self.fixed if self.fixed is not None else time.time()) + self.offset

    def stamp(self):
        return int(self.clock() * 1000)

    def populate_users(self):
        """Adds the users of every test: `root`, who may do everything, `listener` and `limited`."""
        libraries = list(self.catalog.libraries)
        self.accounts.add(User('root', 'rootpass', 'root'))
        self.accounts.add(User('listener', 'listenpass', library=libraries[0] if libraries else None))
        limited = self.accounts.add(User('limited', 'limitedpass', permissions={
            'download': False, 'accessAllLibraries': False}))
        limited.libraries = libraries[1:]

    def episode(self, item, identity):
        if not identity or item['mediaType'] != 'podcast':
            return None
        return next((one for one in item['media']['episodes'] if one['id'] == identity), None)

    def write_progress(self, user, item, episode, payload, always_keeps_stamp=False):
        keeps = always_keeps_stamp or self.version.since(2, 26)
        stand_in_progress.update(user, item, episode, payload, self.stamp(), keeps)
        self.forget_lists()

    def forget_lists(self):
        """Drops what is cached of lists when a place was written; not all of it, from 2.33 on."""
        if not self.version.since(2, 33):
            return self.cache.clear()
        dropped = ['/personalized'] + (['/recent-episodes'] if self.version.since(2, 34) else [])
        for key in [key for key in self.cache if any(name in key[1] for name in dropped)]:
            del self.cache[key]
        return None

    def control(self, order):
        """Carries out an order of a test; returns its answer."""
        answer = {}
        for name, value in order.items():
            if name == 'faults':
                self.faults.add(value)
            elif name == 'clear':
                self.faults.clear()
                self.log.clear()
            elif name == 'clock':
                self.offset = value
            elif name == 'expire':
                self.accounts.expire()
            elif name == 'endSessions':
                self.accounts.close_all()
            elif name == 'changeInos':
                self.catalog.change_inos(self.catalog.items[value])
                self.cache.clear()
            elif name == 'restart':
                self.sessions.open.clear()
                self.cache.clear()
            elif name == 'device':
                # Another device: a place of a user, written as a PATCH of that device would.
                user = self.accounts.named(value['user'])
                item = self.catalog.items[value['item']]
                self.write_progress(user, item, self.episode(item, value.get('episode')), value['progress'])
            elif name == 'items':
                answer['items'] = [{
                    'id': item['id'], 'title': item['media']['metadata']['title'], 'library': item['libraryId'],
                    'files': [file['ino'] for file in item['libraryFiles']],
                    'episodes': [one['id'] for one in item['media'].get('episodes', [])]}
                    for item in self.catalog.items.values()]
            elif name == 'progress':
                answer['progress'] = [row.described() for row in self.accounts.named(value).progress]
            elif name == 'log':
                answer.update(log=list(self.log), sent=self.sent)
            else:
                raise KeyError(name)
        return answer
