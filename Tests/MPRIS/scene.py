# SPDX-License-Identifier: Apache-2.0
"""The states that cases begin in: one item, its start well inside the first half, playing, paused or stopped."""
import urllib.parse

from cases import Fail, need
from subject import US, Gone, Subject

START = 10.0       # s in the item at which a case begins
ROOM = (5.0, 28.0) # s in which it need not be moved there


class Scene(Subject):
    """A subject that can be brought into a state. `launcher` starts the player again if it left; None if it is not ours."""

    def __init__(self, address, name, media, launcher=None):
        super().__init__(address, name)
        self.media = media
        self.launcher = launcher
        self.item = None  # The track id under which the first file was opened.

    def ensure(self):
        """Makes sure that the player is on the bus."""
        if self.present() and not (self.launcher and self.launcher.process is None):
            return
        if not self.launcher:
            prefix = 'org.mpris.MediaPlayer2.'
            there = [n.removeprefix(prefix) for n in self.bus.daemon('ListNames') if n.startswith(prefix)]
            raise Gone(f'nothing owns {self.name}; players on this bus: {", ".join(sorted(there)) or "none"}')
        self.launch()

    def launch(self):
        """Starts the player anew and waits until it has its name, and until it plays the first file if its command does so."""
        self.item = None
        self.launcher.end()
        try:
            self.until(lambda: not self.present(), '', 5)
        except Fail:
            pass  # A service that outlives the command that started it: the next one will join it.
        self.launcher.start()
        try:
            self.until(self.present, '', 2 * self.patience)
        except Fail:
            raise Gone(f'nothing took the name {self.name}; {self.launcher.end()}')
        self.settle(0.3)
        if '{media}' not in self.launcher.template:
            return

        def plays():
            if self.status == 'Playing' and self.track and self.shows(self.media.first):
                self.item = self.track
            return self.item
        try:
            self.until(plays, '')
        except Gone:
            raise
        except Fail:
            pass

    def open(self, path):
        """Opens a file and waits until it plays; returns its track id."""
        need(self.opens_files, 'SupportedUriSchemes has no file')
        before, uri = self.track, file_uri(path)
        mark = self.mark()
        self.do('OpenUri', 's', uri)

        def there():
            now = self.metadata
            url = now.get('xesam:url')
            fresh = same_file(url, uri) if url else now.get('mpris:trackid') != before
            return fresh and self.track and (self.said(mark, 'Metadata') or self.track != before or url)
        self.until(there, f'Metadata of {uri} after OpenUri')
        self.reaches('Playing')
        return self.track

    def playing(self):
        """Brings the player to play the first file, between 5 and 28 s, at rate 1."""
        self.ensure()
        self.sound()
        if not self.ready():
            self.load()
        low, high = ROOM
        if not low <= self.position <= high:
            self.move()
        if self.status != 'Playing':
            self.do('Play')
            self.reaches('Playing')
        # Playing is said before the first sample is decoded: wait for the clock, but leave its judgement to the cases.
        began = self.position
        try:
            self.until(lambda: self.position != began, '', 3)
        except Gone:
            raise
        except Fail:
            pass
        self.settle()

    def load(self):
        """Makes the first file the current item: by OpenUri, or by starting the player again.

        If neither can be, any item is good.
        """
        if self.opens_files:
            try:
                self.item = self.open(self.media.first)
                return
            except Gone:
                raise
            except Fail:
                if not self.launcher:
                    raise
        if self.launcher:
            self.launch()
        if not self.item:
            self.do('Play')
            self.reaches('Playing')
            self.item = self.track

    def ready(self):
        """Says whether the first file is the current item."""
        ours = self.opens_files or self.launcher
        return (self.item and self.track == self.item and self.status in ('Playing', 'Paused')
                and (not ours or self.shows(self.media.first)))

    def shows(self, path):
        """Says whether Metadata does not name another file."""
        url = self.metadata.get('xesam:url')
        return not url or same_file(url, file_uri(path))

    def another(self):
        """Goes to another item, by OpenUri or by Next, and returns its track id."""
        if self.opens_files:
            return self.open(self.media.second)
        need(self.can('GoNext'), 'SupportedUriSchemes has no file, and CanGoNext is false')
        was = self.metadata
        self.do('Next')
        self.until(lambda: self.track and self.metadata.get('xesam:title') != was.get('xesam:title'),
                   'another title after Next')
        self.reaches('Playing')
        return self.track

    def move(self):
        """Moves to the place where cases begin, by SetPosition or else by Seek.

        A player that cannot seek opens the file anew.
        """
        def there():
            return abs(self.position - START) < 3

        if self.can('Seek'):
            self.do('SetPosition', 'ox', self.track, int(START * US))
            try:
                return self.until(there, '', 3)
            except Gone:
                raise
            except Fail:
                self.do('Seek', 'x', int((START - self.position) * US))
            try:
                return self.until(there, '', 3)
            except Gone:
                raise
            except Fail:
                pass
        if self.opens_files and self.position > ROOM[1]:
            self.item = self.open(self.media.first)

    def sound(self):
        """Sets rate and volume to 1 where a case left something else."""
        if self.maybe('Rate') not in (None, 1.0):
            self.set('Rate', 'd', 1.0)
        if self.maybe('Volume') not in (None, 1.0):
            self.set('Volume', 'd', 1.0)

    def paused(self):
        self.playing()
        self.do('Pause')
        self.reaches('Paused')
        self.settle()

    def stopped(self):
        self.playing()
        self.do('Stop')
        self.reaches('Stopped')
        self.settle()

    def bring(self, status):
        {'Playing': self.playing, 'Paused': self.paused, 'Stopped': self.stopped}[status]()


def file_uri(path):
    return 'file://' + urllib.parse.quote(str(path))


def same_file(one, other):
    """Says whether two URIs name one file, however they are escaped."""
    return urllib.parse.unquote(one) == urllib.parse.unquote(other)
