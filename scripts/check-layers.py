#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the targets of Package.swift against the layers, and the graph of the layers in the documents against both.

    check-layers.py           checks
    check-layers.py --graph   prints the graph, as README.md and docs/architecture.md must have it

A target's layer is the folder in which it lies. It may depend on the layers listed here and on no others.
Each target must be described in docs/architecture.md.
"""
import json
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent

ALLOWED = {
    'Core': {'Core'},
    'Documents': {'Documents', 'System'},
    'Playback': {'Core', 'Documents', 'Playback', 'System'},
    'Contract': {'Contract'},
    'Engines': {'Core', 'Documents', 'Playback', 'Contract', 'Engines', 'System'},
    'Outputs': {'Playback', 'Outputs', 'System'},
    'Library': {'Core', 'Documents', 'Playback', 'Library', 'System'},
    'Remotes': {'Core', 'Remotes', 'System'},
    'Programs': {'Core', 'Documents', 'Playback', 'Engines', 'Outputs', 'Library', 'Remotes', 'System'},
    'System': {'System'},
    'Plugins': {'Contract', 'Plugins', 'System'},
}
# The Swift SDK is for engines. A host that linked it would depend on engines in one language.
FOR_PLUGINS_ONLY = {'EngineSDK'}
# All but Core and Contract depend on it, so the graph is clearer without it.
NOT_DRAWN = 'System'
WITH_GRAPH = ('README.md', 'docs/architecture.md')


def layer(path):
    parts = pathlib.PurePath(path).parts
    return parts[1] if parts[0] == 'Sources' else parts[0]


def layers_below(targets):
    """Returns the layers that each layer's targets depend on, itself left out."""
    below = {}
    for target in targets.values():
        own = layer(target['path'])
        if own in ALLOWED and own != NOT_DRAWN:
            others = {layer(targets[name]['path']) for name in target.get('target_dependencies', [])}
            below.setdefault(own, set()).update(others - {own, NOT_DRAWN})
    return below


def reachable(name, below):
    """Returns the layers that a layer depends on, directly or not."""
    found, waiting = set(), [name]
    while waiting:
        new = below.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def graph(targets):
    """Returns the graph as text. An arrow that follows from others is left out, and a layer's arrows are drawn once."""
    below = layers_below(targets)
    direct = {name: sorted(other for other in others
                           if not any(other in reachable(between, below) for between in others - {other}))
              for name, others in below.items()}
    drawn = set()

    def lines(name):
        if name in drawn or not direct.get(name):
            return [name]
        drawn.add(name)
        result = []
        for index, other in enumerate(direct[name]):
            is_last = index == len(direct[name]) - 1
            lead = '─' if index == 0 else ' '
            branch = lead + ('─' if is_last and index == 0 else '┬' if index == 0 else '└' if is_last else '├') + '─► '
            for number, line in enumerate(lines(other)):
                before = f'{name} ' if index == 0 and number == 0 else ' ' * (len(name) + 1)
                result.append(before + (branch if number == 0 else '     ' if is_last else ' │   ') + line)
        return result

    tops = set(below) - set().union(*below.values())
    return '\n'.join(f'    {line}' for top in sorted(tops, key=lambda top: (-len(reachable(top, below)), top))
                     for line in lines(top))


described = subprocess.run(['swift', 'package', 'describe', '--type', 'json'], cwd=root, capture_output=True, text=True)
if described.returncode:
    sys.exit('swift package describe failed: ' + described.stderr)
targets = {t['name']: t for t in json.loads(described.stdout)['targets']}
drawing = graph(targets)
if sys.argv[1:] == ['--graph']:
    print(drawing)
    sys.exit()
text = (root / 'docs/architecture.md').read_text()
faults = [f'{name} does not have the graph of the layers, which is\n\n{drawing}\n'
          for name in WITH_GRAPH if f'\n\n{drawing}\n\n' not in (root / name).read_text()]
for name, target in sorted(targets.items()):
    own = layer(target['path'])
    # They may depend on anything, and nothing depends on them.
    if own in ('Tests', 'Benchmarks'):
        continue
    if own not in ALLOWED:
        faults.append(f'{name} lies in {target["path"]}, which is no layer')
        continue
    if not re.search(rf'`{re.escape(name)}`', text):
        faults.append(f'{name} is not described in docs/architecture.md')
    for dependency in target.get('target_dependencies', []):
        other = layer(targets[dependency]['path'])
        if other not in ALLOWED[own]:
            faults.append(f'{name} ({own}) depends on {dependency} ({other})')
        if own == other == 'Plugins' and (root / targets[dependency]['path'] / 'manifest.json').exists():
            faults.append(f'{name} depends on the engine {dependency}: engines do not know each other')
        if dependency in FOR_PLUGINS_ONLY and own not in ('Plugins', 'Contract'):
            faults.append(f'{name} ({own}) depends on {dependency}, which is for engines')

print('\n'.join(faults) or f'{len(targets)} targets: layers as declared')
sys.exit(1 if faults else 0)
