# SPDX-License-Identifier: Apache-2.0
"""Cases of org.mpris.MediaPlayer2: who the player is and what it says it can do. Quit is in life.py."""
import re

from bus import DAEMON
from cases import case, check, need
from spec import ROOT, TRACKLIST


@case('MediaPlayer2.Identity')
def the_identity_is_a_name(p):
    """Identity is a string that names the player to people."""
    p.ensure()
    kind, value = p.variant('Identity', ROOT)
    check(kind == 's' and value.strip(), f'{kind} {value!r}')
    return repr(value)


@case('MediaPlayer2.DesktopEntry')
def the_desktop_entry_is_a_basename(p):
    """DesktopEntry is the name of a .desktop file without folder and extension."""
    p.ensure()
    value = p.maybe('DesktopEntry', ROOT)
    need(value is not None, 'DesktopEntry is not there')
    kind, value = p.variant('DesktopEntry', ROOT)
    check(kind == 's' and value and '/' not in value and not value.endswith('.desktop'), f'{kind} {value!r}')
    return repr(value)


@case('MediaPlayer2.SupportedUriSchemes')
def the_schemes_are_lower_case(p):
    """SupportedUriSchemes is a list of schemes, in lower case and without a colon."""
    p.ensure()
    kind, value = p.variant('SupportedUriSchemes', ROOT)
    check(kind == 'as', f'type {kind}')
    wrong = [v for v in value if not re.fullmatch(r'[a-z][a-z0-9+.-]*', v)]
    check(not wrong, f'not schemes in lower case: {wrong}')
    return f'{len(value)} schemes'


@case('MediaPlayer2.SupportedMimeTypes')
def the_mime_types_have_their_form(p):
    """SupportedMimeTypes is a list of media types of the form audio/mpeg."""
    p.ensure()
    kind, value = p.variant('SupportedMimeTypes', ROOT)
    check(kind == 'as', f'type {kind}')
    wrong = [v for v in value if not re.fullmatch(r'[\w.+-]+/[\w.+*-]+', v)]
    check(not wrong, f'not media types: {wrong}')
    return f'{len(value)} types'


@case('MediaPlayer2.SupportedMimeTypes', 'practice')
def no_scheme_or_type_is_named_twice(p):
    """The lists of schemes and of media types have no entry twice."""
    p.ensure()
    twice = [v for name in ('SupportedUriSchemes', 'SupportedMimeTypes') for v in set(p.get(name, ROOT))
             if p.get(name, ROOT).count(v) > 1]
    check(not twice, f'twice: {sorted(twice)}')


@case('MediaPlayer2.HasTrackList')
def a_track_list_is_there_if_it_is_announced(p):
    """HasTrackList is true if and only if the object implements the TrackList interface."""
    p.ensure()
    says = p.get('HasTrackList', ROOT)
    there = p.maybe('Tracks', TRACKLIST)
    check(says == (there is not None), f'HasTrackList is {says}, Tracks ' + ('answers' if there is not None else 'does not'))
    return f'{says}'


@case('MediaPlayer2.CanRaise')
def raise_does_what_can_raise_says(p):
    """With CanRaise false, Raise does nothing and may answer NotSupported; with true, it answers without an error."""
    p.playing()
    can, mark = p.get('CanRaise', ROOT), p.mark()
    answer = p.call('Raise', interface=ROOT)
    p.observe()
    check(not (can and answer.error), f'CanRaise is true, but Raise answered {answer.error}')
    check(answer.error in (None, DAEMON + '.Error.NotSupported'), f'Raise answered {answer.error}: {answer.value}')
    check(p.status == 'Playing' and not p.seeks(mark), f'after Raise the player is {p.status}')
    return f'CanRaise {can}'


@case('MediaPlayer2.CanSetFullscreen')
def fullscreen_follows_can_set_fullscreen(p):
    """With CanSetFullscreen false, setting Fullscreen has no effect and may answer with an error."""
    p.ensure()
    now = p.maybe('Fullscreen', ROOT)
    need(now is not None, 'Fullscreen is not there')
    can = p.maybe('CanSetFullscreen', ROOT)
    need(can is False, f'CanSetFullscreen is {can}')
    p.set('Fullscreen', 'b', not now, ROOT)
    p.observe()
    check(p.get('Fullscreen', ROOT) == now, f'Fullscreen became {not now}')
