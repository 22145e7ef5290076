#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks names and the summaries of doc comments.

- No two files in Sources, Plugins and Tests have the same name, so that a name says which file is meant.
- The summary of a doc comment is a verb phrase or a noun phrase.
- The name of a test is a sentence that says what holds, and the name of a suite its subject: neither is a question.
"""
import collections
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent

# The names that a tool prescribes for a file of its kind.
PRESCRIBED = {'Package.swift', 'manifest.json', 'module.modulemap', 'shim.h'}
# Modules that were compiled once, with the headers of their time.
KEPT = 'Tests/Fixtures/Engines/abi-'
# Words that neither a verb phrase nor a noun phrase begins with.
SUMMARY = re.compile(
    r'\s*/// (What|Who|Whom|Whose|Where|Whether|How|When|Why|If|Of|For|In|At|With|By|From|To|On|As|Like|Until|Since|'
    r'Before|After|Behind|Beside|Between|Without|Within|Through|Per)\b')
DOCUMENTED = ('Sources/', 'Plugins/', 'Tests/Support/')
# A raw identifier of a function or type, or a display name.
TEST = re.compile(r'(?:\b(?:func|struct|class|enum|actor) `|@(?:Test|Suite)\(")((what|whether|who|where|how)\b[^`"]*)',
                  re.IGNORECASE)

places = collections.defaultdict(list)
faults = []
for folder in ('Sources', 'Plugins', 'Tests'):
    for path in sorted((root / folder).rglob('*')):
        place = str(path.relative_to(root))
        hidden = any(part.startswith(('.', '__')) for part in path.relative_to(root).parts)
        if hidden or not path.is_file():
            continue
        if path.name not in PRESCRIBED and not place.startswith(KEPT):
            places[path.name].append(place)
        if path.suffix != '.swift':
            continue
        continues = False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            summary = place.startswith(DOCUMENTED) and not continues and SUMMARY.match(line)
            if summary:
                faults.append(f'{place}:{number}: the summary begins with “{summary[1]}”; begin it with a verb for a '
                              'function, and with a noun for a type, property or case')
            continues = line.lstrip().startswith('///')
            test = place.startswith('Tests/') and TEST.search(line)
            if test:
                faults.append(f'{place}:{number}: “{test[1]}” begins with “{test[2]}”; name what holds in a sentence, '
                              'and the subject of a suite by a noun')
faults += [
    f'{name}: {", ".join(found)}; rename all but one' for name, found in sorted(places.items()) if len(found) > 1 and name != 'main.swift'
]

print('\n'.join(faults) or f'{len(places)} names of files; names of tests and summaries are phrases')
sys.exit(1 if faults else 0)
