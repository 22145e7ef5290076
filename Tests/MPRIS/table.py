# SPDX-License-Identifier: Apache-2.0
"""Runs the suite against several players, and prints one Markdown table: a row for each case, a column for each player."""
import sys

import run
from bus import NoAnswer
from cases import Fail
from players import known
from world import Unable


def several(players, only=None, restart_bus=False):
    columns, unable = {}, False
    for player in players:
        try:
            command = known(player)
            if not command:
                raise Unable('no command is known that starts it')
            print(f'{player} …', file=sys.stderr, flush=True)
            identity, results = run.suite(player, command, True, True, None, only, restart_bus)
            columns[player] = {r.case.name: r for r in results}
        except (Unable, NoAnswer, Fail, RuntimeError, OSError) as fault:
            print(f'mpris_conformance: {player}: {fault}', file=sys.stderr)
            unable = True
    if not columns:
        return 2
    print(markdown(columns, only))
    failed = any(r.outcome == 'FAIL' for column in columns.values() for r in column.values())
    return 2 if unable else 1 if failed else 0


def markdown(columns, only=None):
    """Returns the table, and below it the reason of each failure."""
    lines = ['| case | section | ' + ' | '.join(columns) + ' |', '|---|---|' + '---|' * len(columns)]
    for case in run.selected(only):
        cells = [column[case.name].outcome if case.name in column else '' for column in columns.values()]
        level = '' if case.level == 'must' else f' ({case.level})'
        lines.append(f'| {case.name} | {case.section}{level} | ' + ' | '.join(cells) + ' |')
    totals = [run.counts(column.values()) for column in columns.values()]
    lines.append('| ok / FAIL / differs / n/a | | '
                 + ' | '.join(f'{c["ok"]} / {c["FAIL"]} / {c["differs"]} / {c["n/a"]}' for c in totals) + ' |')
    for player, column in columns.items():
        lines += ['', f'{player}:', ''] + [f'- {r.case.name}: {r.seen}' for r in column.values() if r.outcome in ('FAIL', 'differs')]
    return '\n'.join(lines)
