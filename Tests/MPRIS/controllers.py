# SPDX-License-Identifier: Apache-2.0
"""Cases of what the controllers of desktops send, in their order: each is a transcript, see controller.py."""
import time

from bus import DAEMON, PROPERTIES
from cases import Fail, case, check, need
from controller import Controller
from life import ours
from spec import PLAYER, PROPERTIES_OF, ROOT
from subject import short

TRANSCRIPTS = {
    'gnome-shell': 'GNOME Shell',
    'gnome-media-keys': "GNOME's media keys",
    'plasma': 'Plasma',
    'kde-connect': 'KDE Connect',
    'playerctl': 'playerctl',
    'playerctld': 'playerctld',
}


def controlled(transcript, title):
    def run(p):
        p.playing()
        p.move()
        controller = Controller(p, transcript)
        try:
            return controller.replay()
        finally:
            controller.close()
    run.__module__ = __name__
    run.__doc__ = f'What {title} sends is answered, it finds every property that it reads, and what it then shows is true.'
    case('clients', 'practice', name=transcript.replace('-', ' '))(run)


for _transcript, _title in TRANSCRIPTS.items():
    controlled(_transcript, _title)


@case('clients', 'practice')
def who_watches_finds_a_player_that_comes(p):
    """A controller that hears of the name asks at once for both interfaces: they are complete as soon as there is a name."""
    ours(p)
    need(p.get('CanQuit', ROOT), 'CanQuit is false')
    old = p.owner
    watcher = Controller(p, '')
    try:
        watcher.do_match(f"type='signal',sender='{DAEMON}',interface='{DAEMON}',member='NameOwnerChanged',"
                         "path='/org/freedesktop/DBus',arg0namespace='org.mpris.MediaPlayer2'")
        def hear(what):
            """Waits for a change of the name's owner, and answers it as a controller does: on the spot."""
            end = time.monotonic() + 2 * p.patience
            while got := watcher.bus.receive(end - time.monotonic()):
                if (got[0].member, got[0].body[:1]) == ('NameOwnerChanged', (p.name,)):
                    _, before, now = got[0].body
                    return before, now, now and [
                        watcher.bus.call(now, PROPERTIES, 'GetAll', 's', i) for i in (ROOT, PLAYER)]
            raise Fail(f'no NameOwnerChanged after {what}')
        p.bus.call(p.owner, ROOT, 'Quit')
        gone = hear('Quit')
        check(gone[:2] == (old, ''), f'after Quit, NameOwnerChanged said {gone[:2]}')
        p.launcher.start()
        before, _, answers = hear('the start')
        check(before == '', f'NameOwnerChanged said that {before} owned the name')
        for interface, answer in zip((ROOT, PLAYER), answers):
            check(not answer.error, f'GetAll {interface} answered {short(answer.error)}')
            missing = [n for n, q in PROPERTIES_OF[interface].items() if not q.optional and n not in answer.value]
            check(not missing, f'GetAll {interface} had no {", ".join(missing)}')
    finally:
        watcher.close()
        p.item = None
        p.ensure()
        p.settle()
