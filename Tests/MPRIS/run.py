# SPDX-License-Identifier: Apache-2.0
"""Runs cases against one player, and collects what each of them saw."""
import re
import time
from typing import NamedTuple

# Importing these registers their cases, in the order in which they run.
import root  # noqa: F401
import introspection  # noqa: F401
import properties  # noqa: F401
import calls  # noqa: F401
import states  # noqa: F401
import changes  # noqa: F401
import position  # noqa: F401
import seeking  # noqa: F401
import rate  # noqa: F401
import metadata  # noqa: F401
import opening  # noqa: F401
import tracklist  # noqa: F401
import controllers  # noqa: F401
import life  # noqa: F401
from bus import Bus, NoAnswer
from cases import ALL, Fail, NotApplicable
from media import Media
from scene import Scene
from world import World


class Result(NamedTuple):
    case: object
    outcome: str   # ok, FAIL, n/a; differs for a recommendation that is not followed
    seen: str
    seconds: float
    trace: list

    def line(self):
        level = '' if self.case.level == 'must' else f'; {self.case.level}'
        return f'{self.outcome:<4}  {self.case.name}  ({self.case.section}{level})' + (f' - {self.seen}' if self.seen else '')


def selected(pattern):
    return [c for c in ALL if not pattern or re.search(pattern, c.name)]


def run(case, scene):
    """Runs one case. A player that fails it is ended, so that the next case starts it again."""
    began, mark = time.monotonic(), scene.mark()
    try:
        outcome, seen = 'ok', case.run(scene) or ''
        # A crash may come a moment after the last answer: it belongs to this case, not to the next.
        scene.settle(0.2, 0.2)
        if scene.launcher and scene.launcher.process and (scene.launcher.process.code or 0) < 0:
            outcome, seen = 'FAIL', f'{seen}; then it died'
    except NotApplicable as reason:
        outcome, seen = 'n/a', str(reason)
    except (Fail, NoAnswer) as reason:
        outcome, seen = 'differs' if case.level == 'should' and isinstance(reason, Fail) else 'FAIL', str(reason)
    if outcome == 'FAIL' and scene.launcher and scene.launcher.process and scene.launcher.process.code is not None:
        seen += f'; the process ended with {scene.launcher.process.code}'
    if outcome == 'FAIL' and scene.launcher:
        scene.launcher.end()  # What went wrong here is not to spoil the next case.
    trace = scene.bus.journal[mark:]
    if not alive(scene):
        scene.bus.close()
        scene.bus = Bus(scene.address)
    return Result(case, outcome, seen, time.monotonic() - began, trace)


def alive(scene):
    """Says whether the connection to the bus still works."""
    try:
        scene.bus.daemon('GetId')
        return True
    except (NoAnswer, OSError, ValueError, KeyError):
        return False


def suite(player, command=None, private=False, sound=True, media=None, only=None, restart_bus=False, report=None,
          same_user=False):
    """Runs the selected cases against a player, and returns (what the player calls itself, results)."""
    results = []
    with World(private, sound, same_user) as world:
        files = Media(world.folder + '/media', media)
        launcher = world.launcher(files.fill(command), command) if command else None
        scene = Scene(world.address, player, files, launcher)
        scene.restart_bus = world.restart_bus if private and restart_bus else None
        try:
            scene.ensure()
            identity = scene.maybe('Identity', 'org.mpris.MediaPlayer2') or player
            for case in selected(only):
                results.append(run(case, scene))
                if report:
                    report(results[-1])
        finally:
            scene.close()
    return identity, results


def counts(results):
    return {outcome: sum(r.outcome == outcome for r in results) for outcome in ('ok', 'FAIL', 'differs', 'n/a')}
