#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what the documents point at exists: links, paths in the tree, and `make` targets."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
TOP = ('Sources', 'Plugins', 'Tests', 'Benchmarks', 'Examples', 'docs', 'scripts', '.ci')

listed = subprocess.run(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
                        cwd=root, capture_output=True, text=True, check=True).stdout.split()
make_targets = set(re.findall(r'^([a-z]+):', (root / 'Makefile').read_text(), re.M))
faults = []
for name in listed:
    path = root / name
    if not path.exists():
        continue
    fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith('```'):
            fenced = not fenced
        links = [] if fenced else re.findall(r'\]\(([^)#\s]+)[^)]*\)', line)
        for link in links:
            if '://' not in link and not (path.parent / link).exists():
                faults.append(f'{name}:{number}: no such file: {link}')
        for quoted in re.findall(r'`([^`\s]+)`', line):
            first = quoted.split('/')[0]
            if '/' in quoted and first in TOP and not re.search(r'[*…<{$A-Z]{4,}|[*…<{$]|ID', quoted) \
                    and not (root / quoted).exists():
                faults.append(f'{name}:{number}: no such path: {quoted}')
        for target in re.findall(r'(?:^|`)make ([a-z]+)', line):
            if target not in make_targets:
                faults.append(f'{name}:{number}: no such target: make {target}')

# The table of rules names tests by their sentences.
tests = '\n'.join(p.read_text() for p in (root / 'Tests').rglob('*.swift'))
for number, line in enumerate((root / 'docs/rules.md').read_text().splitlines(), 1):
    cells = [cell.strip() for cell in line.split('|')]
    if len(cells) != 5 or not cells[3].startswith('`'):
        continue
    sentence = cells[3].strip('`')
    if f'func `{sentence}`' not in tests and f'"{sentence}"' not in tests:
        faults.append(f'docs/rules.md:{number}: no such test: {sentence}')

# So do the tables of promises, any number in a row.
for number, line in enumerate((root / 'docs/threat-model.md').read_text().splitlines(), 1):
    cells = [cell.strip() for cell in line.split('|')]
    if len(cells) != 4 or set(cells[1]) == {'-'}:
        continue
    if cells[2] == 'tests':
        continue
    named = re.findall(r'`([^`]+)`', cells[2])
    if not named:
        faults.append(f'docs/threat-model.md:{number}: a promise without a test')
    for sentence in named:
        if f'func `{sentence}`' not in tests:
            faults.append(f'docs/threat-model.md:{number}: no such test: {sentence}')

print('\n'.join(faults) or f'{len(listed)} documents: links, paths and targets exist')
sys.exit(1 if faults else 0)
