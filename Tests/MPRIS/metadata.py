# SPDX-License-Identifier: Apache-2.0
"""Cases of Metadata: what is said about the current item, and when."""
import os
import re
import urllib.parse

from cases import case, check, need
from scene import file_uri, same_file
from spec import METADATA, NO_TRACK
from subject import US

PATH = re.compile(r'/|(/[A-Za-z0-9_]+)+')


@case('Player.Metadata')
def every_entry_has_its_type(p):
    """Each entry of Metadata that the specification names has the type that it names."""
    p.playing()
    wrong = [f'{n} is {kind}, not {METADATA[n]}' for n, (kind, _) in p.get('Metadata').items()
             if n in METADATA and kind != METADATA[n]]
    check(not wrong, '; '.join(wrong))
    return ', '.join(sorted(p.get('Metadata')))


@case('Player.Metadata, Track_Id')
def the_current_item_has_a_track_id(p):
    """While there is a current item, mpris:trackid is an object path, and neither NoTrack nor another path below /org/mpris."""
    for state in ('Playing', 'Paused'):
        p.bring(state)
        kind, track = p.get('Metadata').get('mpris:trackid', ('nothing', ''))
        check(kind == 'o' and PATH.fullmatch(track), f'{kind} {track!r} when {state}')
        check(track != NO_TRACK, f'NoTrack when {state}')
        check(not track.startswith('/org/mpris/') and track != '/org/mpris', f'{track} is below /org/mpris')
    return track


@case('Track_Id')
def two_items_have_two_track_ids(p):
    """Another item has another mpris:trackid."""
    p.playing()
    first = p.track
    second = p.another()
    check(first != second, f'both have {first}')


@case('Player.Metadata', 'practice')
def a_track_id_stays(p):
    """The id of an item does not change while it plays, pauses and is sought in."""
    p.playing()
    before = p.track
    if p.can('Seek'):
        p.do('Seek', 'x', 3 * US)
        p.settle()
    p.do('Pause')
    p.reaches('Paused')
    p.do('Play')
    p.reaches('Playing')
    check(p.track == before, f'{before} became {p.track}')


@case('Player.Metadata')
def the_length_is_in_microseconds(p):
    """mpris:length is the length of the item in microseconds."""
    p.playing()
    need('mpris:length' in p.get('Metadata'), 'mpris:length is not there')
    kind, length = p.get('Metadata')['mpris:length']
    check(kind == 'x' and length > 0, f'{kind} {length}')
    wanted = p.media.seconds if p.opens_files else None
    check(not wanted or abs(length / US - wanted) < 0.5, f'{length} for an item of {wanted} s')
    return f'{length / US:.3f} s'


@case('Player.Metadata', 'practice')
def title_and_artist_are_those_of_the_file(p):
    """xesam:title is a string, xesam:artist a list of strings, and both are what the file's tags say."""
    p.playing()
    found = p.get('Metadata')
    kind, title = found.get('xesam:title', ('nothing', ''))
    check(kind == 's' and title, f'xesam:title is {kind} {title!r}')
    tags = p.media.tags if p.opens_files else None
    check(not tags or title == tags['title'], f'xesam:title is {title!r}')
    kind, artist = found.get('xesam:artist', ('nothing', []))
    check(not tags or (kind, artist) == ('as', [tags['artist']]), f'xesam:artist is {kind} {artist}')
    return repr(title)


@case('Player.Metadata', 'practice')
def an_item_without_tags_has_a_title(p):
    """An item without tags has a title nevertheless: the name of its file."""
    p.playing()
    need(p.opens_files, 'SupportedUriSchemes has no file')
    p.open(p.media.plain)
    p.settle()
    title = p.metadata.get('xesam:title', '')
    check(isinstance(title, str) and title.strip(), f'xesam:title is {title!r}')
    check('without' in title.lower(), f'xesam:title is {title!r}, the file is {p.media.plain.name}')
    return repr(title)


@case('Player.Metadata', 'practice')
def the_url_is_a_uri(p):
    """xesam:url is a URI with a scheme, escaped, that leads to the file."""
    p.playing()
    url = p.metadata.get('xesam:url')
    need(url is not None, 'xesam:url is not there')
    check(isinstance(url, str) and urllib.parse.urlsplit(url).scheme, f'{url!r}')
    check(' ' not in url, f'not escaped: {url!r}')
    check(not p.opens_files or same_file(url, file_uri(p.media.first)), f'{url!r}')
    return url.rsplit('/', 1)[-1]


@case('Player.Metadata')
def the_picture_is_there(p):
    """mpris:artUrl, if it is there, is a URI; if that is a file, the file exists."""
    p.playing()
    need(p.metadata.get('mpris:artUrl'), 'mpris:artUrl is not there')
    url = p.metadata['mpris:artUrl']
    parts = urllib.parse.urlsplit(url)
    check(parts.scheme, f'{url!r} is no URI')
    check(parts.scheme != 'file' or os.path.isfile(urllib.parse.unquote(parts.path)), f'{url} does not exist')
    return url


@case('Player.Metadata', 'practice')
def who_hears_of_playing_finds_the_item(p):
    """When PlaybackStatus is signalled as Playing, Metadata already describes the item that plays."""
    p.stopped()
    need(p.opens_files, 'SupportedUriSchemes has no file')
    mark = p.mark()
    p.do('OpenUri', 's', file_uri(p.media.second))
    p.until(lambda: 'Playing' in p.said(mark, 'PlaybackStatus'), 'PropertiesChanged to Playing after OpenUri')
    found = p.get('Metadata')
    kind, track = found.get('mpris:trackid', ('nothing', ''))
    check(kind == 'o' and track != NO_TRACK, f'mpris:trackid is {kind} {track!r} when Playing is signalled')
    check('xesam:title' in found or 'xesam:url' in found, f'only {sorted(found)} when Playing is signalled')
    url = found.get('xesam:url', ('s', None))[1]
    check(not url or same_file(url, file_uri(p.media.second)), f'it still describes {url}')
    return ', '.join(sorted(found))


@case('Player.Metadata')
def metadata_is_kept_when_paused(p):
    """Pause does not change Metadata."""
    p.playing()
    before = p.get('Metadata')
    p.do('Pause')
    p.reaches('Paused')
    p.settle()
    check(p.get('Metadata') == before, f'{before} became {p.get("Metadata")}')


@case('Player.Metadata', 'practice')
def without_an_item_there_is_no_track_id(p):
    """When stopped without a current item, Metadata is empty or has NoTrack; with one, it keeps the item's id."""
    p.playing()
    before = p.track
    p.do('Stop')
    p.reaches('Stopped')
    p.settle()
    now = p.metadata.get('mpris:trackid')
    check(now in (None, NO_TRACK, before), f'{before} became {now} at Stop')
    return 'kept' if now == before else str(now)
