#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the commands exist that messages tell the user to run.

`rostrum WORD` in a string literal of Sources must be a subcommand of the client, and so must the second word if the
first one only has subcommands. It reads the sources as text.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from swift_text import without_comments

root = pathlib.Path(__file__).resolve().parent.parent
LITERAL = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"', re.S)
COMMAND = re.compile(r'\brostrum ([a-z]+)\b(?! *=)(?: ([a-z]+)\b)?')

client = {p: without_comments(p.read_text()) for p in (root / 'Sources/Programs/rostrum').rglob('*.swift')}


def configuration(name):
    """Returns the name and the subcommands of a command, given its type."""
    for text in client.values():
        declared = re.search(rf'\b(?:struct|extension) {name}\b', text)
        if declared:
            text = text[declared.start():]
            match = re.search(r'CommandConfiguration\((.*?)\n    \w|CommandConfiguration\((.*)', text, re.S)
            if match:
                words = match.group(1) or match.group(2)
                own = re.search(r'commandName: "([^"]+)"', words)
                listed = re.search(r'subcommands: \[(.*?)\]', words, re.S)
                return own and own.group(1), re.findall(r'(\w+)\.self', listed.group(1)) if listed else []
    sys.exit(f'scripts/check-commands.py: no configuration of {name}; teach it the new code')


commands = {'help': []}
for kind in configuration('Rostrum')[1]:
    name, inner = configuration(kind)
    commands[name] = [configuration(part)[0] for part in inner]

faults = []
count = 0
for path in sorted((root / 'Sources').rglob('*.swift')):
    text = without_comments(path.read_text())
    for literal in LITERAL.finditer(text):
        for first, second in COMMAND.findall(literal.group()):
            count += 1
            what = f'rostrum {first}'
            if first in commands and (not commands[first] or not second or second in commands[first]):
                continue
            if first in commands:
                what += f' {second}'
            faults.append(f'{path.relative_to(root)}: no such command: {what}')
if not count or len(commands) < 10:
    sys.exit('scripts/check-commands.py: found no commands; teach it the new code')

print('\n'.join(faults) or f'{count} commands in messages exist')
sys.exit(1 if faults else 0)
