#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Has programs open files through the session that see another file system than it does, as those in a sandbox do.

    sandboxed.py BUILD_DIR [--only NAME] [--times N]

Each program has the user's id. It has a mount namespace of its own, or another root folder. It may not have the session
open a file, neither one that is at that path for it, nor one that is there for the session. What plays goes on, and the
log has the refusal. A program with the session's view opens the file. Run by root, the session and the programs are
those of the user nobody, since root may open everything. Needs namespaces of users; without them, it says so.
"""
import ctypes
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NEW_USER, NEW_MOUNTS = 0x10000000, 0x00020000
SET_DUMPABLE = 4
BOOK = 'book.wav'


def program(kind, address, folder, path):
    """Is the program: enters its sandbox, calls OpenUri, and prints the name of the error and its words."""
    from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call
    from jeepney.io.blocking import open_dbus_connection
    system = ctypes.CDLL(None, use_errno=True)
    # The bus's socket and the modules must be reached before the view changes; the session looks at the call.
    connection = open_dbus_connection(address)
    if kind != 'plain':
        user, group = os.geteuid(), os.getegid()
        if system.unshare(NEW_USER | (0 if kind == 'root' else NEW_MOUNTS)):
            return print(json.dumps({'unable': os.strerror(ctypes.get_errno())}))
        for name, words in (('setgroups', 'deny'), ('uid_map', f'{user} {user} 1'), ('gid_map', f'{group} {group} 1')):
            with open(f'/proc/self/{name}', 'w') as file:
                file.write(words)
    if kind in ('mounts', 'hidden'):
        if system.mount(b'none', folder.encode(), b'tmpfs', 0, None):
            return print(json.dumps({'unable': os.strerror(ctypes.get_errno())}))
        shutil.copy(f'{folder}/../{BOOK}', f'{folder}/inside.wav')
    elif kind == 'root':
        os.chroot(folder)
        os.chdir('/')
    if kind == 'hidden':
        system.prctl(SET_DUMPABLE, 0, 0, 0, 0)
    player = DBusAddress('/org/mpris/MediaPlayer2', 'org.mpris.MediaPlayer2.rostrum', 'org.mpris.MediaPlayer2.Player')
    answer = connection.send_and_get_reply(new_method_call(player, 'OpenUri', 's', ('file://' + path,)), timeout=20)
    failed = answer.header.message_type is MessageType.error
    print(json.dumps({'error': answer.header.fields.get(HeaderFields.error_name) if failed else None,
                      'words': answer.body[0] if failed else ''}))


if __name__ == '__main__' and sys.argv[1:2] == ['--program']:
    program(*sys.argv[2:])
    sys.exit(0)

from desktop_cases import fail, run, skip  # noqa: E402
from service import until  # noqa: E402
from session_bus import OnBus, programs  # noqa: E402


def as_nobody():
    """Runs this again as the user nobody, with copies of what that user may not reach; returns the exit code."""
    nobody = pwd.getpwnam('nobody').pw_uid
    with tempfile.TemporaryDirectory(prefix='rostrum-sandboxed.') as folder:
        os.chmod(folder, 0o755)
        build = programs(os.path.abspath(sys.argv[1]), f'{folder}/bin')
        for name in ('Desktop', 'Listening'):
            shutil.copytree(f'{HERE}/../{name}', f'{folder}/Tests/{name}')
        return subprocess.run(
            ['/usr/bin/python3', f'{folder}/Tests/Desktop/sandboxed.py', build, *sys.argv[2:]],
            env={'PATH': os.environ['PATH'], 'LANG': 'C.UTF-8'}, cwd='/', user=nobody, group=nobody, extra_groups=[]).returncode


class Guarded:
    """A session that plays, and the programs that call it."""

    def __init__(self, build):
        self.session = OnBus(build)
        try:
            self.place = f'{self.session.home}/sandbox'
            os.mkdir(self.place)
            shutil.copy(self.session.book, f'{self.session.home}/{BOOK}')
            shutil.copy(self.session.book, f'{self.place}/inside.wav')
            self.session.start()
            self.session.connect()
            self.session.play()
        except BaseException:
            self.close()
            raise

    def close(self):
        self.session.close()

    def open(self, kind, path):
        """Has a program of a kind open a path; returns its error and its words."""
        done = subprocess.run(
            ['/usr/bin/python3', os.path.join(HERE, 'sandboxed.py'), '--program', kind, self.session.session_bus,
             self.place, path], env=self.session.env, capture_output=True, text=True, timeout=60, cwd='/')
        if done.returncode:
            fail(f'the program failed: {done.stderr.strip()[-300:]}')
        said = json.loads(done.stdout)
        if 'unable' in said:
            skip(f'there are no namespaces here: {said["unable"]}')
        return said['error'], said['words']

    def url(self):
        return self.session.get('Metadata')['xesam:url'][1]


def refused(guarded, kind, *paths):
    before, place = guarded.url(), guarded.session.moves()
    for path in paths:
        error, words = guarded.open(kind, path)
        if not error or 'sees other files than the session' not in words:
            fail(f'OpenUri({path}) answered {error}: {words}')
        if words not in guarded.session.ask('log', '--json'):
            fail(f'the log does not have “{words}”')
    if guarded.url() != before:
        fail(f'{guarded.url()} plays instead of {before}')
    guarded.session.goes_on(place, most=60)


def opened(guarded):
    """A program with the session's view of the files opens one."""
    path = f'{guarded.session.home}/{BOOK}'
    error, words = guarded.open('plain', path)
    if error:
        fail(f'OpenUri answered {error}: {words}')
    until('the file does not play', lambda: guarded.url() == 'file://' + path)


def mounts(guarded):
    """A program with a mount namespace of its own opens nothing, neither what is there for it nor what the session has."""
    refused(guarded, 'mounts', f'{guarded.place}/inside.wav', f'{guarded.session.home}/{BOOK}')


def hidden(guarded):
    """A program that forbids to look at it, and is in a mount namespace of its own, opens nothing."""
    refused(guarded, 'hidden', f'{guarded.place}/inside.wav', f'{guarded.session.home}/{BOOK}')


def rooted(guarded):
    """A program with another root folder opens nothing."""
    refused(guarded, 'root', '/inside.wav', f'{guarded.session.home}/{BOOK}')


CASES = [opened, mounts, hidden, rooted]


if __name__ == '__main__':
    if os.geteuid() == 0 and len(sys.argv) > 1:
        sys.exit(as_nobody())
    run(__doc__, 'sandboxed', CASES, lambda options: Guarded(options.build))
