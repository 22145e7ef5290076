#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the targets of Package.swift against the layers of docs/architecture.md.

A target's layer is the folder in which it lies. It may depend on the layers listed here and on nothing else.
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
    'Playback': {'Core', 'Playback', 'System'},
    'Contract': {'Contract'},
    'Engines': {'Core', 'Playback', 'Contract', 'Engines', 'System'},
    'Outputs': {'Playback', 'Outputs', 'System'},
    'Library': {'Core', 'Playback', 'Library', 'System'},
    'Remotes': {'Core', 'Playback', 'Remotes', 'System'},
    'Programs': {'Core', 'Playback', 'Contract', 'Engines', 'Outputs', 'Library', 'Remotes', 'System'},
    'System': {'System'},
    'Plugins': {'Contract', 'Plugins', 'System'},
}
# The Swift SDK is for engines. A host that linked it would depend on one language's engines.
FOR_PLUGINS_ONLY = {'EngineSDK'}


def layer(path):
    parts = pathlib.PurePath(path).parts
    return parts[1] if parts[0] == 'Sources' else parts[0]


described = subprocess.run(['swift', 'package', 'describe', '--type', 'json'], cwd=root, capture_output=True, text=True)
if described.returncode:
    sys.exit('swift package describe failed: ' + described.stderr)
targets = {t['name']: t for t in json.loads(described.stdout)['targets']}
text = (root / 'docs/architecture.md').read_text()
faults = []
for name, target in sorted(targets.items()):
    own = layer(target['path'])
    if own == 'Tests':
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
