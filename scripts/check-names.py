#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no two files in Sources, Plugins and Tests have the same name, so that a name says which file is meant."""
import collections
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent

# The names that a tool prescribes for a file of its kind.
PRESCRIBED = {'Package.swift', 'manifest.json', 'module.modulemap', 'shim.h'}
# Modules that were compiled once, with the headers of their time.
KEPT = 'Tests/Fixtures/Engines/abi-'

places = collections.defaultdict(list)
for folder in ('Sources', 'Plugins', 'Tests'):
    for path in sorted((root / folder).rglob('*')):
        place = str(path.relative_to(root))
        hidden = any(part.startswith(('.', '__')) for part in path.relative_to(root).parts)
        if path.is_file() and not hidden and path.name not in PRESCRIBED and not place.startswith(KEPT):
            places[path.name].append(place)
faults = [
    f'{name}: {", ".join(found)}' for name, found in sorted(places.items())
    if len(found) > 1
]

print('\n'.join(faults) or f'{len(places)} names of files')
sys.exit(1 if faults else 0)
