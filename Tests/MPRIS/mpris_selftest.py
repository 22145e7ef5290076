#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Gives the suite a player that keeps to the specification, then one fault after another: it must see each fault.

    mpris_selftest.py [--only PATTERN]

Exits with 1 if a case fails the right player, or passes a fault that it must notice. PATTERN selects faults by name.
"""
import argparse
import pathlib
import re
import shlex
import sys

sys.dont_write_bytecode = True  # The player is another user, and may not be able to write here.

import run
from faulty_control import FAULTS
from media import Media
from scene import Scene
from world import World

Scene.patience = 5.0  # The fake player does everything at once.
FAKE = pathlib.Path(__file__).resolve().with_name('fake_player.py')


def attempt(world, files, cases, fault=None):
    """Runs cases against the fake player, with a fault or without one."""
    command = shlex.join(['/usr/bin/python3', '-B', str(FAKE), str(files.first), str(files.book)]
                         + (['--fault', fault] if fault else []))
    scene = Scene(world.address, 'fake', files, world.launcher(command, '{media}'))
    scene.restart_bus = world.restart_bus
    try:
        return [run.run(case, scene) for case in cases]
    finally:
        scene.launcher.end()
        world.launchers.remove(scene.launcher)
        scene.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--only', metavar='PATTERN', default='')
    only = parser.parse_args().only
    cases = {c.name: c for c in run.ALL}
    unknown = [f.case for f in FAULTS.values() if f.case not in cases]
    if unknown:
        raise SystemExit(f'mpris_selftest: there are no cases {unknown}')
    wrong = 0
    with World(private=True, sound=False) as world:
        files = Media(world.folder + '/media')
        faults = {n: f for n, f in FAULTS.items() if re.search(only, n)}
        held = {f.case for f in faults.values()} if only else set(cases)
        clean = attempt(world, files, [c for n, c in cases.items() if n in held])
        for result in clean:
            if result.outcome == 'FAIL':
                wrong += 1
                print(f'FAIL  the right player: {result.line()}', flush=True)
        print(f'{len(clean)} cases on the right player', flush=True)
        for name, fault in faults.items():
            result, = attempt(world, files, [cases[fault.case]], name)
            seen = result.outcome == 'FAIL'
            wrong += not seen
            print(f'{"ok  " if seen else "FAIL"}  {name}: {fault.case} - {result.outcome} {result.seen}', flush=True)
    applicable = {r.case.name for r in clean if r.outcome != 'n/a'}
    unproven = sorted(applicable - {f.case for f in FAULTS.values()})
    print(f'{len(clean)} cases on the right player, {len(clean) - len(applicable)} of them not applicable; '
          f'{len(faults)} faults')
    if unproven:
        print('without a fault: ' + ', '.join(unproven))
    print(f'{wrong} failed' if wrong else 'the suite sees what it must')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
