# SPDX-License-Identifier: Apache-2.0
"""Cases of org.mpris.MediaPlayer2.TrackList, for players that have it."""
from cases import Fail, case, check, need
from metadata import PATH
from scene import file_uri
from spec import METADATA, NO_TRACK, TRACKLIST
from subject import Gone, short

UNKNOWN = '/org/example/nothing'


def listed(p):
    p.ensure()
    need(p.has_tracks, 'HasTrackList is false')
    p.playing()
    return p.tracks


@case('TrackList.Tracks')
def tracks_are_unique_object_paths(p):
    """Tracks is a list of object paths, each of them once, without NoTrack."""
    tracks = listed(p)
    check(p.variant('Tracks', TRACKLIST)[0] == 'ao', f'type {p.variant("Tracks", TRACKLIST)[0]}')
    check(len(set(tracks)) == len(tracks), f'twice: {[t for t in tracks if tracks.count(t) > 1]}')
    wrong = [t for t in tracks if not PATH.fullmatch(t) or t == NO_TRACK or t.startswith('/org/mpris/')]
    check(not wrong, f'no ids: {wrong}')
    return f'{len(tracks)} tracks'


@case('TrackList.Tracks, Player.Metadata')
def the_current_item_is_in_the_list(p):
    """The current mpris:trackid is one of Tracks."""
    tracks = listed(p)
    check(p.track in tracks, f'{p.track} is not in {tracks}')


@case('TrackList.GetTracksMetadata')
def the_metadata_of_known_tracks_is_returned(p):
    """GetTracksMetadata returns for each known id a map with that mpris:trackid, in the types of the specification."""
    tracks = listed(p)
    answer = p.do('GetTracksMetadata', 'ao', tracks, interface=TRACKLIST)
    check(answer.signature == 'aa{sv}', f'signature {answer.signature}')
    ids = [m.get('mpris:trackid', ('nothing', ''))[1] for m in answer.value]
    check(ids == tracks, f'asked for {tracks}, got {ids}')
    wrong = [f'{n} is {kind}' for m in answer.value for n, (kind, _) in m.items() if n in METADATA and kind != METADATA[n]]
    check(not wrong, '; '.join(sorted(set(wrong))))


@case('TrackList.GetTracksMetadata, Player.Metadata', 'practice')
def both_interfaces_say_the_same_of_the_current_item(p):
    """GetTracksMetadata of the current track and Metadata have the same title, length and address."""
    listed(p)
    current = p.do('GetTracksMetadata', 'ao', [p.track], interface=TRACKLIST).value
    check(len(current) == 1, f'{len(current)} maps for the current track')
    there = p.get('Metadata')
    different = [f'{n}: {current[0][n][1]!r} and {there[n][1]!r}' for n in ('xesam:title', 'mpris:length', 'xesam:url')
                 if n in current[0] and n in there and current[0][n] != there[n]]
    check(not different, '; '.join(different))


@case('TrackList.GetTracksMetadata', 'practice')
def unknown_tracks_are_left_out(p):
    """GetTracksMetadata leaves out ids that it does not know, and answers without an error."""
    tracks = listed(p)
    answer = p.call('GetTracksMetadata', 'ao', [UNKNOWN, *tracks[:1], NO_TRACK], interface=TRACKLIST)
    check(not answer.error, f'answered {short(answer.error)}')
    ids = [m.get('mpris:trackid', ('nothing', ''))[1] for m in answer.value]
    check(ids == tracks[:1], f'got {ids}')
    check(not p.do('GetTracksMetadata', 'ao', [], interface=TRACKLIST).value, 'something for an empty list')


@case('TrackList.GoTo')
def go_to_an_unknown_track_has_no_effect(p):
    """GoTo with an id that is not in the list has no effect."""
    listed(p)
    track, mark = p.track, p.mark()
    for unknown in (UNKNOWN, NO_TRACK):
        p.call('GoTo', 'o', unknown, interface=TRACKLIST)
    p.observe()
    check((p.status, p.track) == ('Playing', track) and not p.seeks(mark), f'{p.track}, {p.status}')


@case('TrackList.GoTo')
def go_to_a_track_moves_there(p):
    """GoTo makes a known track the current one; Metadata is signalled with it, or Seeked if it is within the item."""
    tracks = listed(p)
    if len(tracks) < 2 and p.opens_files:
        p.open(p.media.second)
        p.settle()
        tracks = p.tracks
    others = [t for t in tracks if t != p.track]
    need(others, 'there is only one track')
    mark = p.mark()
    p.do('GoTo', 'o', others[0], interface=TRACKLIST)
    p.until(lambda: p.track == others[0], f'{others[0]} as the current track')
    p.until(lambda: p.said(mark, 'Metadata') or p.seeks(mark), 'Metadata or Seeked after GoTo')
    check(p.status == 'Playing', f'the player is {p.status}')


@case('TrackList.CanEditTracks')
def a_list_that_cannot_be_edited_stays(p):
    """With CanEditTracks false, AddTrack and RemoveTrack have no effect."""
    tracks = listed(p)
    need(not p.get('CanEditTracks', TRACKLIST), 'CanEditTracks is true')
    track = p.track
    p.call('AddTrack', 'sob', file_uri(p.media.second), tracks[-1], True, interface=TRACKLIST)
    p.call('RemoveTrack', 'o', track, interface=TRACKLIST)
    p.observe()
    check(p.tracks == tracks and p.track == track and p.status == 'Playing', f'{tracks} became {p.tracks}, {p.status}')


@case('TrackList.AddTrack, RemoveTrack')
def a_list_that_can_be_edited_is_edited(p):
    """With CanEditTracks true, AddTrack and RemoveTrack change Tracks, and signals of TrackList say so."""
    tracks = listed(p)
    need(p.get('CanEditTracks', TRACKLIST), 'CanEditTracks is false')
    mark = p.mark()
    p.do('AddTrack', 'sob', file_uri(p.media.second), tracks[-1], False, interface=TRACKLIST)
    p.until(lambda: len(p.tracks) > len(tracks), 'another track in Tracks')
    added = [t for t in p.tracks if t not in tracks]
    check(len(added) == 1, f'{added} were added; {[t for t in tracks if t not in p.tracks]} are no longer there')
    check(p.tracks == tracks + added, f'added after the last one, but Tracks are {p.tracks}')
    check(told(p, mark, 'TrackAdded'), f'no signal of TrackList after AddTrack within {p.patience:g} s')
    mark = p.mark()
    p.do('RemoveTrack', 'o', added[0], interface=TRACKLIST)
    p.until(lambda: added[0] not in p.tracks, 'the end of the removed track in Tracks')
    check(p.tracks == tracks, f'{tracks} became {p.tracks} after a track was added and removed')
    check(told(p, mark, 'TrackRemoved'), f'no signal of TrackList after RemoveTrack within {p.patience:g} s')


def told(p, mark, member):
    """Says whether a change of the list was signalled, as itself or as a replacement."""
    def found():
        return [e for e in p.since(mark) if e.interface == TRACKLIST and e.member in (member, 'TrackListReplaced')]
    try:
        return p.until(found, '')
    except Gone:
        raise
    except Fail:
        return False


@case('Player.OpenUri, TrackList')
def what_is_opened_is_in_the_list(p):
    """An item that is opened becomes part of the list, and TrackAdded or TrackListReplaced is signalled."""
    listed(p)
    need(p.opens_files, 'SupportedUriSchemes has no file')
    mark = p.mark()
    p.open(p.media.plain)
    p.until(lambda: p.track in p.tracks, f'the opened item in Tracks: {p.track}')
    check(told(p, mark, 'TrackAdded'), f'neither TrackAdded nor TrackListReplaced within {p.patience:g} s')


@case('TrackList.Tracks', 'practice')
def tracks_is_invalidated(p):
    """PropertiesChanged for Tracks invalidates it, without the value."""
    listed(p)
    need(p.opens_files, 'SupportedUriSchemes has no file')
    mark = p.mark()
    p.open(p.media.second)
    p.settle(1)
    found = [c for c in p.changes(mark, TRACKLIST) if 'Tracks' in c.names]
    check(found, 'no PropertiesChanged of Tracks after another item was opened')
    check(not any('Tracks' in c.values for c in found), 'Tracks was sent with its value')
