# SPDX-License-Identifier: Apache-2.0
"""Cases of OpenUri."""
from cases import case, check, need
from scene import file_uri
from subject import short


def openable(p):
    p.ensure()
    need(p.opens_files, 'SupportedUriSchemes has no file')


@case('Player.OpenUri')
def a_file_plays(p):
    """OpenUri of a file plays it; the change of mpris:trackid tells when."""
    openable(p)
    p.playing()
    p.open(p.media.second)
    p.until(lambda: p.position > 0.5, 'a position of the second file')
    check(p.status == 'Playing', f'the player is {p.status}')


@case('Player.OpenUri')
def a_file_plays_when_stopped(p):
    """OpenUri starts playback if it is stopped."""
    openable(p)
    p.stopped()
    p.open(p.media.second)
    p.until(lambda: p.position > 0.5, 'a position of the second file')


@case('Player.OpenUri', 'practice')
def a_name_with_blanks_is_opened_escaped(p):
    """The argument is a URI: %20 is a blank of the file's name."""
    openable(p)
    p.playing()
    p.open(p.media.second)
    p.open(p.media.first)
    p.until(lambda: p.position > 0.3, 'a position of the first file')
    p.settle()
    p.item = p.track


@case('Player.OpenUri')
def an_unknown_scheme_has_no_effect(p):
    """OpenUri with a scheme that is not supported does nothing, and may answer with an error."""
    openable(p)
    schemes = p.get('SupportedUriSchemes', 'org.mpris.MediaPlayer2')
    check('nothing' not in schemes, 'the scheme "nothing" is supported')
    unaffected(p, 'nothing://example.org/sound.mp3')


@case('Player.OpenUri', 'practice')
def what_is_no_uri_has_no_effect(p):
    """OpenUri with an empty string, or one that is no URI, does nothing, and may answer with an error."""
    openable(p)
    unaffected(p, '', 'no uri at all', '://', 'file://', '%')


@case('Player.OpenUri', 'practice')
def a_missing_file_is_an_error_or_has_no_effect(p):
    """OpenUri of a file that does not exist answers with an error, or does nothing; the player lives."""
    openable(p)
    unaffected(p, file_uri(p.media.missing), an_error_is_enough=True)


@case('Player.OpenUri', 'practice')
def a_file_without_sound_does_no_harm(p):
    """After OpenUri of a file that cannot be played, the player lives and plays what is opened next."""
    openable(p)
    p.playing()
    p.call('OpenUri', 's', file_uri(p.media.text))
    p.observe(2)
    p.lives()
    status = p.status
    p.open(p.media.second)
    return f'it was {status}'


def unaffected(p, *uris, an_error_is_enough=False):
    """Opens what cannot be played, and checks that what plays continues."""
    seen = []
    for uri in uris:
        p.playing()
        track = p.track
        answer = p.call('OpenUri', 's', uri)
        p.observe(2)
        p.lives()
        told = short(answer.error) or 'no error'
        if not (answer.error and an_error_is_enough):
            check((p.status, p.track) == ('Playing', track),
                  f'OpenUri({uri!r}): {told}, and {track} Playing became {p.track} {p.status}')
        seen.append(told)
    p.playing()  # What was not playable may do harm only to the next item.
    return ', '.join(seen)
