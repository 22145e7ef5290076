# SPDX-License-Identifier: Apache-2.0
"""Listening sessions of the stand-in server: open ones, and those that were kept elsewhere and are sent later."""
import datetime
import uuid

import stand_in_progress
from stand_in_catalog import form_expanded, session_metadata, without
from stand_in_progress import number, plain


class Sessions:
    def __init__(self, world):
        self.world = world
        self.open = {}
        self.stored = {}
        self.devices = {}

    def _settings(self, item):
        settings = self.world.catalog.libraries[item['libraryId']]['settings']
        return {name: settings[name] for name in ('markAsFinishedTimeRemaining', 'markAsFinishedPercentComplete')}

    def _described(self, user, item, episode, body, device):
        now = self.world.stamp()
        day = datetime.datetime.fromtimestamp(now / 1000, datetime.timezone.utc)
        media = episode or item['media']
        metadata = session_metadata(item)
        book = item['mediaType'] == 'book'
        return {
            'id': str(uuid.uuid4()), 'userId': user.id, 'libraryId': item['libraryId'], 'libraryItemId': item['id'],
            'bookId': item['media']['id'] if book or not episode else None,
            'episodeId': episode['id'] if episode else None, 'mediaType': item['mediaType'],
            'mediaMetadata': metadata, 'chapters': media.get('chapters', []),
            'displayTitle': episode['title'] if episode else metadata['title'] if book else '',
            'displayAuthor': item['media']['metadata'].get('authorName') or metadata.get('author'),
            'coverPath': item['media']['coverPath'], 'duration': media.get('duration', 0), 'playMethod': 0,
            'mediaPlayer': body.get('mediaPlayer', 'unknown'), 'deviceInfo': device,
            'serverVersion': self.world.version.text, 'date': day.strftime('%Y-%m-%d'),
            'dayOfWeek': day.strftime('%A'), 'timeListening': 0, 'startTime': 0, 'currentTime': 0, 'startedAt': now,
            'updatedAt': now}

    def _device(self, user, sent):
        sent = sent or {}
        kept = {name: sent.get(name) for name in
                ('deviceId', 'clientVersion', 'manufacturer', 'model', 'clientName', 'sdkVersion') if sent.get(name)}
        made = f'{sent.get("manufacturer", "")} {sent.get("model", "")}'.strip()
        kept.setdefault('clientName', 'Unknown')
        kept.setdefault('clientVersion', self.world.version.text)
        if made:
            kept['deviceName'] = made
        key = (user.id, sent.get('deviceId'))
        if key in self.devices:
            # It is in the data base now, whose columns are never absent.
            kept.setdefault('sdkVersion', '')
        return dict(kept, id=self.devices.setdefault(key, str(uuid.uuid4())), userId=user.id, ipAddress='127.0.0.1')

    def play(self, user, item, episode, body):
        device = self._device(user, body.get('deviceInfo'))
        for other in [one for one in self.open.values() if one['userId'] == user.id
                      and one['deviceInfo'].get('deviceId') == device.get('deviceId')]:
            self._keep(self.open.pop(other['id']))
        session = self._described(user, item, episode, body, device)
        row = stand_in_progress.find(user, item['id'], episode['id'] if episode else None)
        tracks = [episode['audioTrack']] if episode else item['media'].get('tracks', [])
        direct = tracks and not body.get('forceTranscode') and (
            body.get('forceDirectPlay') or all(
                track['mimeType'] in (body.get('supportedMimeTypes') or []) for track in tracks))
        if not direct:
            session['playMethod'] = 2
            tracks = [{'index': 1, 'startOffset': 0, 'duration': session['duration'], 'codec': None, 'metadata': None,
                       'title': session['displayTitle'], 'contentUrl': f'/hls/{session["id"]}/output.m3u8',
                       'mimeType': 'application/vnd.apple.mpegurl'}]
        place = row.currentTime if row and not row.isFinished else 0
        session.update(startTime=plain(place), currentTime=plain(place))
        session.update(audioTracks=tracks, libraryItem=form_expanded(item, self.world.version))
        self.open[session['id']] = session
        return session

    def sync(self, user, session, body):
        item = self.world.catalog.items.get(session['libraryItemId'])
        if not item:
            return False
        session['currentTime'] = body.get('currentTime', session['currentTime'])
        session['timeListening'] += number(body.get('timeListened')) or 0
        session['updatedAt'] = self.world.stamp()
        episode = self.world.episode(item, session['episodeId'])
        duration = body.get('duration') or session['duration']
        place = number(session['currentTime']) or 0
        payload = dict(self._settings(item), currentTime=session['currentTime'], duration=duration,
                       progress=place / duration if duration else 0)
        self.world.write_progress(user, item, episode, payload)
        return True

    def close(self, user, session, body):
        if body.get('currentTime') is not None:
            self.sync(user, session, body)
        self._keep(self.open.pop(session['id']))

    def _keep(self, session):
        if session['timeListening']:
            self.stored[session['id']] = without(session, 'audioTracks', 'libraryItem')

    def take_local(self, user, sent):
        """Takes a session that was kept elsewhere; returns what `local-all` says of it."""
        identity = sent.get('id') or str(uuid.uuid4())
        item = self.world.catalog.items.get(sent.get('libraryItemId'))
        episode = self.world.episode(item, sent.get('episodeId')) if item else None
        if not item or (item['mediaType'] == 'podcast' and not episode):
            return {'id': sent.get('id'), 'success': False, 'error': 'Media item not found'}
        media = episode or item['media']
        session = self.stored.get(identity)
        if session:
            session.update({name: sent[name] for name in ('currentTime', 'timeListening', 'updatedAt')
                            if name in sent})
        else:
            session = self._described(user, item, episode, sent, self._device(user, sent.get('deviceInfo')))
            session.update({name: sent[name] for name in (
                'startTime', 'currentTime', 'timeListening', 'startedAt', 'updatedAt') if name in sent})
            session.update(id=identity, playMethod=3, coverPath=None, chapters=[])
            self.stored[identity] = session
        row = stand_in_progress.find(user, item['id'], episode['id'] if episode else None)
        updated = stand_in_progress.stamp(sent.get('updatedAt')) or 0
        if row and row.lastUpdate > updated:
            return {'id': identity, 'success': True, 'progressSynced': False}
        duration = media['duration']
        payload = dict(self._settings(item), currentTime=sent.get('currentTime'), duration=duration,
                       progress=(number(sent.get('currentTime')) or 0) / duration if duration else 0,
                       lastUpdate=updated)
        self.world.write_progress(user, item, episode, payload, always_keeps_stamp=True)
        return {'id': identity, 'success': True, 'progressSynced': True}

    def listed(self, user, item=None):
        found = [session for session in self.stored.values() if session['userId'] == user.id
                 and (not item or session['libraryItemId'] == item)]
        found.sort(key=lambda session: -session['updatedAt'])
        return [dict(session, timeListening=plain(session['timeListening']) or None, chapters=[],
                     deviceInfo={'sdkVersion': '', **session['deviceInfo']}) for session in found]

    def statistics(self, user):
        items, days, weekdays, total = {}, {}, {}, 0
        for session in self.stored.values():
            if session['userId'] != user.id:
                continue
            seconds = number(session['timeListening']) or 0
            total += seconds
            entry = items.setdefault(session['libraryItemId'], {
                'id': session['libraryItemId'], 'timeListening': 0, 'mediaMetadata': session['mediaMetadata']})
            entry['timeListening'] += seconds
            days[session['date']] = days.get(session['date'], 0) + seconds
            weekdays[session['dayOfWeek']] = weekdays.get(session['dayOfWeek'], 0) + seconds
        return {'totalTime': plain(total), 'items': items, 'days': days, 'dayOfWeek': weekdays,
                'today': days.get(datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%d'), 0),
                'recentSessions': self.listed(user)[:10]}
