#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests a player on the session bus against the MPRIS D-Bus Interface Specification 2.2 and the practice of D-Bus.

    mpris_conformance.py --player NAME [--private] [--start COMMAND] [--only PATTERN] [--json] [--trace]
    mpris_conformance.py --table [PLAYER ...]
    mpris_conformance.py --list

NAME is what follows org.mpris.MediaPlayer2. in the player's bus name. Without --private, the player that runs in the
user's session is tested: it is paused, stopped and given other files, and its volume changes.

Prints a line for each case; exits with 1 if a case fails, 2 if it could not run. Needs the packages python3-jeepney and
ffmpeg; for --private also dbus and pulseaudio.
"""
import argparse
import json
import sys

try:
    import run
    import table
    from bus import NoAnswer
    from cases import ALL, Fail
    from players import known
    from world import Unable
except ModuleNotFoundError as missing:
    print(f'mpris_conformance: the Python module {missing.name} is missing; apt install python3-jeepney, and run with '
          '/usr/bin/python3', file=sys.stderr)
    sys.exit(2)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--player', metavar='NAME', help='the player: vlc, mpv, rostrum, …')
    parser.add_argument('--start', metavar='COMMAND', help='starts the player; {media}, {second}, {book} and {plain} in '
                        'it become paths of files. For vlc, mpv and rostrum, --private has a command already')
    parser.add_argument('--private', action='store_true', help='runs the player on a bus and a sound server of its own')
    parser.add_argument('--same-user', action='store_true',
                        help='root runs everything as root: the player may lie where nobody else can start it')
    parser.add_argument('--restart-bus', action='store_true', help='also ends and restarts the private bus')
    parser.add_argument('--media', metavar='FILE', help='the item that most cases play, at least 60 s long; one is '
                        'made otherwise')
    parser.add_argument('--only', metavar='PATTERN', help='runs the cases whose names match this regular expression')
    parser.add_argument('--json', action='store_true', help='prints one JSON object at the end instead of lines')
    parser.add_argument('--trace', action='store_true', help='prints under a case that fails every message that was sent or '
                        'received in it')
    parser.add_argument('--list', action='store_true', help='lists the cases with what they hold, and runs nothing')
    parser.add_argument('--table', nargs='*', metavar='PLAYER', help='runs several players, each in a session of its own, '
                        'and prints one Markdown table; without names: rostrum vlc mpv')
    given = parser.parse_args()
    if not given.list and given.table is None and not given.player:
        parser.error('which player? --player NAME')
    return given


def show(result, trace):
    print(result.line(), flush=True)
    if trace and result.outcome == 'FAIL':
        for entry in result.trace:
            print(f'        {str(entry)[:400]}')


def one(given):
    command = given.start or (known(given.player) if given.private else None)
    if given.private and not command:
        raise Unable(f'--private does not know how to start {given.player}; use --start')
    report = None if given.json else lambda result: show(result, given.trace)
    identity, results = run.suite(given.player, command, given.private, True, given.media, given.only, given.restart_bus,
                                  report, given.same_user)
    count = run.counts(results)
    if given.json:
        print(json.dumps({'player': given.player, 'identity': identity, 'counts': count, 'cases': [
            {'name': r.case.name, 'section': r.case.section, 'level': r.case.level, 'holds': r.case.sentence,
             'outcome': r.outcome, 'seen': r.seen, 'seconds': round(r.seconds, 3)} for r in results]}, indent=1))
    else:
        print(f'{identity}: {len(results)} cases, {count["ok"]} ok, {count["FAIL"]} failed, '
              f'{count["differs"]} differ from a recommendation, {count["n/a"]} not applicable')
    if not results:
        raise Unable(f'no case matches {given.only}')
    return 1 if count['FAIL'] else 0


def main():
    given = arguments()
    if given.list:
        for case in ALL:
            print(f'{case.name}  ({case.section}; {case.level})\n      {case.sentence}')
        return 0
    try:
        if given.table is not None:
            return table.several(given.table or ['rostrum', 'vlc', 'mpv'], given.only, given.restart_bus)
        return one(given)
    except (Unable, NoAnswer, Fail, RuntimeError, OSError) as fault:
        print(f'mpris_conformance: {fault}', file=sys.stderr)
        return 2


if __name__ == '__main__':
    sys.exit(main())
