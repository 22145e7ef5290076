# SPDX-License-Identifier: Apache-2.0
"""The rules of the stand-in server for places, as the server has them."""
import datetime
import math
import uuid


def number(value):
    """Returns the number that a value counts as, or None."""
    if isinstance(value, bool):
        return float(value)
    try:
        result = float(value)
        return None if math.isnan(result) else result
    except (TypeError, ValueError):
        return None


def stamp(value):
    """Returns the milliseconds that a stamp means: a number, or an ISO text; None for nonsense."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return int(value)
    try:
        return int(datetime.datetime.fromisoformat(str(value).replace('Z', '+00:00')).timestamp() * 1000)
    except ValueError:
        return None


def plain(value):
    """Returns a number as JavaScript writes it: 50 for 50.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class ProgressRow:
    """The place of one user in one book or episode."""

    # What a payload sets as it is sent.
    PLAIN = ('duration', 'currentTime', 'isFinished', 'hideFromContinueListening', 'ebookLocation', 'ebookProgress',
             'finishedAt')

    def __init__(self, user, item, episode, payload, now):
        self.id = str(uuid.uuid4())
        self.user, self.item = user.id, item['id']
        self.episode = episode['id'] if episode else None
        self.media = episode['id'] if episode else item['media']['id']
        self.duration = number(payload.get('duration')) or 0
        self.currentTime = number(payload.get('currentTime')) or 0
        self.isFinished = bool(payload.get('isFinished'))
        self.hideFromContinueListening = bool(payload.get('hideFromContinueListening'))
        self.ebookLocation = payload.get('ebookLocation') or None
        self.ebookProgress = number(payload.get('ebookProgress')) or 0
        self.progress = number(payload.get('progress')) or 0
        self.finishedAt = None
        if self.isFinished:
            self.finishedAt, self.progress = payload.get('finishedAt') or now, 1
        self.startedAt = self.lastUpdate = now

    def described(self):
        return {
            'id': self.id, 'userId': self.user, 'libraryItemId': self.item, 'episodeId': self.episode,
            'mediaItemId': self.media, 'mediaItemType': 'podcastEpisode' if self.episode else 'book',
            'duration': plain(self.duration), 'progress': plain(self.progress),
            'currentTime': plain(self.currentTime), 'isFinished': self.isFinished,
            'hideFromContinueListening': self.hideFromContinueListening, 'ebookLocation': self.ebookLocation,
            'ebookProgress': plain(self.ebookProgress), 'lastUpdate': self.lastUpdate, 'startedAt': self.startedAt,
            'finishedAt': self.finishedAt}

    def _state(self):
        return [getattr(self, name) for name in self.PLAIN] + [self.progress]

    def apply(self, payload, now, keeps_stamp=True):
        """Takes a payload on; nobody compares who is newer."""
        payload = {name: value for name, value in payload.items() if name != 'id'}
        before, place = self._state(), self.currentTime
        if 'isFinished' in payload:
            if payload['isFinished'] and not self.isFinished:
                self.finishedAt, self.progress = payload.pop('finishedAt', None) or now, 1
            elif not payload['isFinished'] and self.isFinished:
                self.finishedAt, self.progress, self.currentTime = None, 0, 0
                payload.pop('finishedAt', None)
                payload.pop('currentTime', None)
        elif number(payload.get('progress')) is not None:
            self.progress = min(1, max(0, number(payload['progress'])))
        for name in self.PLAIN:
            if name in payload:
                setattr(self, name, payload[name])
        moved = self.currentTime != place
        if moved and not payload.get('hideFromContinueListening'):
            self.hideFromContinueListening = False
        near = self._near_end(payload)
        if near and not self.isFinished:
            self.isFinished, self.finishedAt, self.progress = True, self.finishedAt or now, 1
        elif self.isFinished and moved and not near:
            self.isFinished, self.finishedAt = False, None
        if self._state() != before:
            self.lastUpdate = now
        if keeps_stamp and stamp(payload.get('lastUpdate')):
            self.lastUpdate = stamp(payload['lastUpdate'])

    def _near_end(self, payload):
        duration = number(self.duration) or 0
        if duration <= 0:
            return False
        percent = number(payload.get('markAsFinishedPercentComplete'))
        if percent:
            return percent / 100 < (number(self.progress) or 0)
        seconds = number(payload.get('markAsFinishedTimeRemaining'))
        return duration - (number(self.currentTime) or 0) < (10 if seconds is None else seconds)


def find(user, item, episode=None):
    """Returns the row of an item, of a podcast without an episode the first that there is."""
    return next((row for row in user.progress if row.item == item and (not episode or row.episode == episode)), None)


def update(user, item, episode, payload, now, keeps_stamp):
    row = find(user, item['id'], episode['id'] if episode else None)
    if row:
        row.apply(payload, now, keeps_stamp)
    else:
        user.progress.append(ProgressRow(user, item, episode, payload, now))
