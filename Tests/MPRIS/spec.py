# SPDX-License-Identifier: Apache-2.0
"""The interfaces of the MPRIS D-Bus Interface Specification 2.2, as tables: types, access, optional members, signatures."""
from typing import NamedTuple

ROOT = 'org.mpris.MediaPlayer2'
PLAYER = 'org.mpris.MediaPlayer2.Player'
TRACKLIST = 'org.mpris.MediaPlayer2.TrackList'
PLAYLISTS = 'org.mpris.MediaPlayer2.Playlists'
NO_TRACK = '/org/mpris/MediaPlayer2/TrackList/NoTrack'


class Property(NamedTuple):
    type: str
    writable: bool = False
    optional: bool = False


PROPERTIES_OF = {
    ROOT: {
        'CanQuit': Property('b'),
        'Fullscreen': Property('b', writable=True, optional=True),
        'CanSetFullscreen': Property('b', optional=True),
        'CanRaise': Property('b'),
        'HasTrackList': Property('b'),
        'Identity': Property('s'),
        'DesktopEntry': Property('s', optional=True),
        'SupportedUriSchemes': Property('as'),
        'SupportedMimeTypes': Property('as'),
    },
    PLAYER: {
        'PlaybackStatus': Property('s'),
        'LoopStatus': Property('s', writable=True, optional=True),
        'Rate': Property('d', writable=True),
        'Shuffle': Property('b', writable=True, optional=True),
        'Metadata': Property('a{sv}'),
        'Volume': Property('d', writable=True),
        'Position': Property('x'),
        'MinimumRate': Property('d'),
        'MaximumRate': Property('d'),
        'CanGoNext': Property('b'),
        'CanGoPrevious': Property('b'),
        'CanPlay': Property('b'),
        'CanPause': Property('b'),
        'CanSeek': Property('b'),
        'CanControl': Property('b'),
    },
    TRACKLIST: {
        'Tracks': Property('ao'),
        'CanEditTracks': Property('b'),
    },
}

# A member's name to the types of its arguments: (in, out) of a method, one string of a signal.
METHODS_OF = {
    ROOT: {'Raise': ('', ''), 'Quit': ('', '')},
    PLAYER: {'Next': ('', ''), 'Previous': ('', ''), 'Pause': ('', ''), 'PlayPause': ('', ''), 'Stop': ('', ''),
             'Play': ('', ''), 'Seek': ('x', ''), 'SetPosition': ('ox', ''), 'OpenUri': ('s', '')},
    TRACKLIST: {'GetTracksMetadata': ('ao', 'aa{sv}'), 'AddTrack': ('sob', ''), 'RemoveTrack': ('o', ''),
                'GoTo': ('o', '')},
}
SIGNALS_OF = {
    ROOT: {},
    PLAYER: {'Seeked': 'x'},
    TRACKLIST: {'TrackListReplaced': 'aoo', 'TrackAdded': 'a{sv}o', 'TrackRemoved': 'o', 'TrackMetadataChanged': 'oa{sv}'},
}

# Entries of Metadata with a type of their own: the MPRIS v2 metadata guidelines.
METADATA = {
    'mpris:trackid': 'o', 'mpris:length': 'x', 'mpris:artUrl': 's',
    'xesam:album': 's', 'xesam:albumArtist': 'as', 'xesam:artist': 'as', 'xesam:asText': 's', 'xesam:audioBPM': 'i',
    'xesam:autoRating': 'd', 'xesam:comment': 'as', 'xesam:composer': 'as', 'xesam:contentCreated': 's',
    'xesam:discNumber': 'i', 'xesam:firstUsed': 's', 'xesam:genre': 'as', 'xesam:lastUsed': 's', 'xesam:lyricist': 'as',
    'xesam:title': 's', 'xesam:trackNumber': 'i', 'xesam:url': 's', 'xesam:useCount': 'i', 'xesam:userRating': 'd',
}

# The state that each method leads to from each state.
STATES = ('Playing', 'Paused', 'Stopped')
OUTCOME = {
    'Play': {'Playing': 'Playing', 'Paused': 'Playing', 'Stopped': 'Playing'},
    'Pause': {'Playing': 'Paused', 'Paused': 'Paused', 'Stopped': 'Stopped'},
    'PlayPause': {'Playing': 'Paused', 'Paused': 'Playing', 'Stopped': 'Playing'},
    'Stop': {'Playing': 'Stopped', 'Paused': 'Stopped', 'Stopped': 'Stopped'},
}
