# SPDX-License-Identifier: Apache-2.0
"""Cases of Play, Pause, PlayPause and Stop, and of the properties that say which of them can be used."""
from cases import case, check, need
from spec import OUTCOME, STATES
from subject import NEAR, WINDOW, short


@case('Player.PlaybackStatus')
def the_status_is_one_of_three(p):
    """PlaybackStatus is Playing, Paused or Stopped, in each of these states."""
    for state in STATES:
        p.bring(state)
        check(p.variant('PlaybackStatus') == ('s', state), f'{p.variant("PlaybackStatus")} when {state}')


def transition(method, before, after):
    def run(p):
        p.bring(before)
        if before == 'Stopped' and after == 'Playing':
            need(p.can('Play'), 'CanPlay is false when Stopped')
        p.do(method)
        if before == after:
            p.observe()
            check(p.status == after, f'the player is {p.status}')
        else:
            p.reaches(after)
    run.__module__, run.__doc__ = __name__, f'{method} when {before} leads to {after}.'
    # Of Pause when Stopped the specification says nothing.
    level = 'practice' if (method, before) == ('Pause', 'Stopped') else 'must'
    case(f'Player.{method}', level, name=f'{method} when {before} leads to {after}')(run)


for _method, _row in OUTCOME.items():
    for _before, _after in _row.items():
        transition(_method, _before, _after)


def acts_once(p, method, state):
    """Calls a method that has no effect in a state, and fails if anything is signalled or moves."""
    p.bring(state)
    before, mark = p.all(), p.mark()
    p.do(method)
    p.do(method)
    p.observe()
    check(p.status == state, f'{method} when {state}: the player is {p.status}')
    said = p.said(mark, 'PlaybackStatus')
    check(not said, f'{method} when {state} signalled {said}')
    changes = p.changes(mark)
    check(len(changes) < 2, f'{len(changes)} PropertiesChanged: {[sorted(c.names) for c in changes]}')
    check(not p.seeks(mark), f'{method} when {state} sent Seeked')
    check(p.get('Metadata') == before['Metadata'][1], f'{method} when {state} changed Metadata')


@case('Player.Play')
def play_when_playing_has_no_effect(p):
    """Play when playing has no effect: no signal, and the position continues."""
    acts_once(p, 'Play', 'Playing')


@case('Player.Pause')
def pause_when_paused_has_no_effect(p):
    """Pause when paused has no effect: no signal."""
    acts_once(p, 'Pause', 'Paused')


@case('Player.Stop')
def stop_when_stopped_has_no_effect(p):
    """Stop when stopped has no effect: no signal."""
    acts_once(p, 'Stop', 'Stopped')


@case('Player.Pause', 'practice')
def two_calls_at_once_act_once(p):
    """Two Pause, the second sent before the first is answered, pause once: one signal, and both are answered."""
    import time
    p.playing()
    mark, sent = p.mark(), time.monotonic()
    serials = [p.bus.send(p.owner, 'org.mpris.MediaPlayer2.Player', 'Pause') for _ in range(2)]
    errors = [p.bus.answer(s, sent).error for s in serials]
    check(not any(errors), f'answered {errors}')
    p.reaches('Paused')
    p.observe()
    check(p.status == 'Paused', f'the player is {p.status}')
    said = p.said(mark, 'PlaybackStatus')
    check(said == ['Paused'], f'signalled {said}')


@case('Player.PlayPause')
def play_pause_toggles(p):
    """PlayPause pauses what plays and resumes what is paused, each time it is called."""
    p.playing()
    for wanted in ('Paused', 'Playing', 'Paused', 'Playing'):
        p.do('PlayPause')
        p.reaches(wanted)
        p.settle(0.2)
        check(p.status == wanted, f'{wanted}, and then {p.status}')


@case('Player.Stop', 'should')
def play_after_stop_begins_at_the_start(p):
    """Play after Stop starts the track from its beginning."""
    p.stopped()
    need(p.can('Play'), 'CanPlay is false when Stopped')
    p.do('Play')
    p.reaches('Playing')
    at = p.position
    check(at < 3, f'it plays from {at:.2f} s')
    return f'{at:.2f} s'


@case('Player.Pause')
def play_after_pause_continues_at_the_same_place(p):
    """Play after Pause starts from the same position; another one would have to be announced by Seeked."""
    p.paused()
    at, mark = p.position, p.mark()
    p.do('Play')
    p.reaches('Playing')
    began, now = p.place()
    if p.seeks(mark):
        told = p.seeks(mark)[-1].body[0] / 1e6
        check(abs(told - now) < NEAR, f'paused at {at:.2f} s, Seeked said {told:.2f} s, it plays from {now:.2f} s')
        return f'from {at:.2f} s to {told:.2f} s, and Seeked says so'
    check(-NEAR < now - at < NEAR, f'paused at {at:.2f} s, plays from {now:.2f} s')
    return f'{now - at:+.3f} s'


@case('Player: CanControl')
def nothing_can_be_done_without_control(p):
    """With CanControl false, CanPlay, CanPause, CanSeek, CanGoNext and CanGoPrevious are false, too."""
    p.playing()
    names = ('Play', 'Pause', 'Seek', 'GoNext', 'GoPrevious')
    if p.get('CanControl'):
        return 'CanControl is true'
    check(not any(p.can(n) for n in names), f'CanControl is false, but {[n for n in names if p.can(n)]} are true')


@case('Player.CanPlay, Player.CanPause')
def can_play_and_can_pause_do_not_depend_on_the_state(p):
    """While an item plays or is paused, CanPlay and CanPause are true and do not change."""
    p.playing()
    need(p.get('CanControl'), 'CanControl is false')
    playing = (p.get('CanPlay'), p.get('CanPause'))
    p.do('Pause')
    p.reaches('Paused')
    p.settle()
    paused = (p.get('CanPlay'), p.get('CanPause'))
    check(playing[0], 'CanPlay is false while an item plays')
    check(paused[1], 'CanPause is false while an item is paused')
    check(playing == paused, f'(CanPlay, CanPause) are {playing} when playing, {paused} when paused')


REFUSABLE = {'Play': 'Play', 'Pause': 'Pause', 'PlayPause': 'Pause', 'Next': 'GoNext', 'Previous': 'GoPrevious',
             'Seek': 'Seek', 'SetPosition': 'Seek'}


@case('Player.CanGoNext, CanGoPrevious, CanSeek, CanPlay, CanPause')
def what_cannot_be_done_has_no_effect(p):
    """A method whose Can property is false has no effect, and answers without an error; only PlayPause has to answer with
    one."""
    tried = []
    for state in ('Playing', 'Stopped'):
        p.bring(state)
        for method, what in REFUSABLE.items():
            if p.maybe('Can' + what) is not False:
                continue
            if method == 'PlayPause' and state == 'Stopped' and p.can('Play'):
                continue  # CanPlay says that PlayPause starts playback.
            before, mark = (p.status, p.track, p.get('Position')), p.mark()
            arguments = {'Seek': ('x', 5_000_000), 'SetPosition': ('ox', p.track or '/none', 5_000_000)}.get(method, ())
            answer = p.call(method, *arguments)
            p.observe(WINDOW / 2)
            after = (p.status, p.track, p.get('Position'))
            said = f'Can{what} is false, {method} when {state}'
            check(before[:2] == after[:2], f'{said}: {before[:2]} became {after[:2]}')
            moved = (after[2] - before[2]) / 1e6
            check(-0.1 < moved < WINDOW + 1.5 and not p.seeks(mark), f'{said}: the position moved by {moved:.2f} s')
            if method == 'PlayPause':
                check(answer.error, f'{said}: there was no error')
            else:
                check(not answer.error, f'{said}: answered {short(answer.error)}')
            tried.append(f'{method} when {state}')
    need(tried, 'every method can be used in every state')
    return ', '.join(tried)


@case('Player.CanGoNext')
def next_does_what_can_go_next_says(p):
    """With CanGoNext true, Next leads to another track, or to another place in it that Seeked announces; or playback stops."""
    moved(p, 'Next', 'GoNext')


@case('Player.CanGoPrevious')
def previous_does_what_can_go_previous_says(p):
    """With CanGoPrevious true, Previous leads to another track, or to another place in it that Seeked announces; or playback
    stops."""
    moved(p, 'Previous', 'GoPrevious')


def moved(p, method, what):
    p.playing()
    if p.opens_files:
        p.open(p.media.book)  # A player may go from chapter to chapter.
        p.settle()
        if not p.can(what):
            p.item = None
            p.launch() if p.launcher else p.playing()
            p.playing()
    need(p.can(what), f'Can{what} is false')
    track, mark = p.track, p.mark()
    p.do(method)

    def elsewhere():
        return p.seeks(mark) or p.status == 'Stopped' or p.track != track
    p.until(elsewhere, f'another track, Seeked or Stopped after {method}')
    p.settle()
    if p.status != 'Stopped' and p.track != track:
        check(p.said(mark, 'Metadata'), 'another track, but Metadata was not signalled')
        check(p.status == 'Playing', f'{method} when playing: the player is {p.status}')
        return 'another track'
    return 'stopped' if p.status == 'Stopped' else 'within the track'


@case('Player.Next')
def next_when_paused_stays_paused(p):
    """Next when paused does not start playback."""
    p.paused()
    need(p.can('GoNext'), 'CanGoNext is false')
    p.do('Next')
    p.observe(2 * WINDOW)
    check(p.status != 'Playing', 'Next when paused started playback')
    return p.status
