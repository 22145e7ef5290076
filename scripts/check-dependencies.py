#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares docs/dependencies.md with the dependencies that are really used.

    check-dependencies.py BUILD_DIR

Swift packages: with Package.swift, and with what the package manager resolved.
Libraries: with the NEEDED entries of each built program and engine module, in both directions.
Debian packages: with scripts/packages.txt, section by section.
"""
import json
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1])
faults = []

# The libraries that every program on the platform uses, and the Swift runtime (under "Swift packages").
PLATFORM = re.compile(
    r'(libc|libm|libgcc_s|libstdc\+\+|libpthread|libdl|libatomic|ld-linux.*)\.so\.\d+$'
    r'|lib(swift|Foundation|_Foundation|dispatch|BlocksRuntime).*\.so$')


def tables():
    """Returns {heading: [row as list of cells]}."""
    found, heading = {}, None
    for line in (root / 'docs/dependencies.md').read_text().splitlines():
        if line.startswith('## '):
            heading = line[3:]
        elif line.startswith('| `'):
            found.setdefault(heading, []).append([cell.strip() for cell in line.strip('|').split('|')])
    return found


def names(cell):
    return re.findall(r'`([^`]+)`', cell)


def same(what, declared, used):
    for name in sorted(used - declared):
        faults.append(f'{what}: {name} is used but not in docs/dependencies.md')
    for name in sorted(declared - used):
        faults.append(f'{what}: {name} is in docs/dependencies.md but not used')


def sections():
    """Returns {Debian package: sections of packages.txt}."""
    found, section = {}, None
    for line in (root / 'scripts/packages.txt').read_text().split('\n'):
        if line.startswith('['):
            section = line.strip('[]')
        elif line and not line.startswith('#'):
            found.setdefault(line.strip(), set()).add(section)
    return found


def needed(path):
    out = subprocess.run(['readelf', '--dynamic', '--wide', path], capture_output=True, text=True, check=True).stdout
    return {lib for lib in re.findall(r'\(NEEDED\)[^\[]*\[([^\]]+)\]', out) if not PLATFORM.match(lib)}


table = tables()

packages = {names(row[0])[0].lower() for row in table['Swift packages']}
manifest = (root / 'Package.swift').read_text()
same('Package.swift', packages, {url.lower() for url in re.findall(r'\.package\(\s*url: "[^"]*/([^"/]+)"', manifest)})
resolved = build.resolve()
while resolved != resolved.parent and not (resolved / 'workspace-state.json').exists():
    resolved = resolved.parent
state = json.loads((resolved / 'workspace-state.json').read_text())
for dependency in state['object']['dependencies']:
    name = dependency['packageRef']['location'].rstrip('/').rsplit('/', 1)[-1].removesuffix('.git').lower()
    if name not in packages:
        faults.append(f'resolved packages: {name} is used but not in docs/dependencies.md')

modules = [p.parent.name for p in (root / 'Plugins').glob('*/manifest.json')]
programs = ['rostrum', 'rostrumd', 'rostrum-engine-runner', 'rostrum-document-reader', 'rostrum-document-fetcher',
            'rostrum-network', 'rostrum-voices', 'rostrum-align']
products = programs + [f'lib{module}.so' for module in modules]
declared = {}
for row in table['Libraries of the system']:
    for product in names(row[2]):
        declared.setdefault(product, set()).add(names(row[0])[0])
for product in sorted(set(declared) - set(products)):
    faults.append(f'docs/dependencies.md names {product}, which is no product')
for product in products:
    same(product, declared.get(product, set()), needed(build / product))

debian = {names(row[1])[0]: {'build'} for row in table['Libraries of the system']}
for row in table['Programs']:
    debian[names(row[0])[0]] = {section.strip() for section in row[1].split(',')}
listed = sections()
same('scripts/packages.txt', set(debian), set(listed))
for package in sorted(set(debian) & set(listed)):
    if debian[package] != listed[package]:
        faults.append(f'scripts/packages.txt has {package} under {sorted(listed[package])}, '
                      f'docs/dependencies.md under {sorted(debian[package])}')

print('\n'.join(faults) or f'{len(products)} products, {len(packages)} packages, {len(debian)} Debian packages: as declared')
sys.exit(1 if faults else 0)
