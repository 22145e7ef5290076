#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the links, paths, `make` targets and tests that the documents name exist."""
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

# The tables of rules and of promises name one or more tests in each row, by their sentences.
tests = '\n'.join(p.read_text() for p in (root / 'Tests').rglob('*.swift'))
for name in ('docs/rules.md', 'docs/threat-model.md'):
    header = None
    for number, line in enumerate((root / name).read_text().splitlines(), 1):
        cells = [cell.strip() for cell in line.split('|')][1:-1]
        if not cells:
            header = None
        elif header is None:
            header = cells
        elif header[-1] in ('test', 'tests') and not re.fullmatch('-+', cells[-1]):
            sentences = re.findall(r'`([^`]+)`', cells[-1])
            if not sentences:
                faults.append(f'{name}:{number}: a promise without a test')
            for sentence in sentences:
                if f'func `{sentence}`' not in tests and f'"{sentence}"' not in tests:
                    faults.append(f'{name}:{number}: no such test: {sentence}')

print('\n'.join(faults) or f'{len(listed)} documents: links, paths and targets exist')
sys.exit(1 if faults else 0)
