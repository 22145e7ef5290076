#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the DocC references of the modules that others program against, and fails on a warning, such as a link that does not resolve.

    docc.py BUILD_DIR OUTPUT

Takes the symbols from the modules in BUILD_DIR, where `swift build` puts them, and writes OUTPUT/MODULE.doccarchive.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

root = pathlib.Path(__file__).resolve().parent.parent

# Each module with the modules that its pages link to; those come first.
MODULES = {
    'BookTimeline': [],
    'PlaybackCore': ['BookTimeline'],
    'AudioSession': [],
    'MediaPlayback': ['BookTimeline', 'PlaybackCore', 'AudioSession'],
    'EngineSDK': [],
}
# What docc warns of and the house allows: a parameter is described only if its name and type do not say everything.
HOUSE_STYLE = r"Parameter '\w+' is missing documentation"


def target():
    """Returns the triple that the toolchain builds for."""
    said = subprocess.run(['swift', '-print-target-info'], capture_output=True, text=True, check=True).stdout
    return json.loads(said)['target']['triple']


def c_modules(build):
    """Returns the compiler options that find the modules of our C code and of the libraries."""
    options = []
    for folder in sorted((root / 'Sources').glob('System/*')) + [root / 'Sources/Contract/EngineABI/include']:
        if (folder / 'module.modulemap').exists():
            options += ['-Xcc', f'-I{folder}']
    for generated in sorted(build.glob('*.build/module.modulemap')):
        if (root / 'Sources/System' / generated.parent.stem).exists():
            options += ['-Xcc', f'-fmodule-map-file={generated}']
    return options


def convert(module, build, output, work):
    """Builds the reference of one module; returns what was wrong with it."""
    graphs = work / module
    graphs.mkdir()
    extracted = subprocess.run(
        ['swift', 'symbolgraph-extract', '-module-name', module, '-target', target(), '-I', build / 'Modules',
         '-minimum-access-level', 'public', '-skip-synthesized-members', '-output-dir', graphs, *c_modules(build)],
        capture_output=True, text=True)
    if extracted.returncode:
        return f'{module}: {extracted.stderr.strip() or extracted.stdout.strip()}'
    # Extensions of other modules' types are not part of this module's reference.
    for graph in graphs.glob('*@*'):
        graph.unlink()
    catalog = next(root.glob(f'Sources/*/{module}/Documentation.docc'), None)
    archive = output / f'{module}.doccarchive'
    shutil.rmtree(archive, ignore_errors=True)
    others = [option for other in MODULES[module] for option in ('--dependency', output / f'{other}.doccarchive')]
    told = work / f'{module}.json'
    converted = subprocess.run(
        [docc, 'convert', *([catalog] if catalog else []), '--additional-symbol-graph-dir', graphs,
         '--fallback-display-name', module, '--fallback-bundle-identifier', f'rostrum.{module}',
         '--enable-experimental-external-link-support', *others, '--diagnostics-file', told, '--output-path', archive],
        capture_output=True, text=True)
    if converted.returncode or not told.exists():
        return f'{module}: docc: {converted.returncode}: {converted.stderr.strip()}'
    return '\n'.join(one_line(module, diagnostic) for diagnostic in json.loads(told.read_text())['diagnostics']
                     if not re.fullmatch(HOUSE_STYLE, diagnostic['summary']))


def strange_code():
    """Returns the code of articles that is not in the file that the article says it is from, and so is not compiled."""
    for article in sorted(root.glob('Sources/*/*/Documentation.docc/*.md')):
        text = article.read_text()
        source = re.search(r'<!-- code: (\S+) -->', text)
        lines = [line.strip() for line in (root / source[1]).read_text().splitlines()] if source else []
        for code in re.findall(r'```swift\n(.*?)\n```', text, re.DOTALL):
            wanted = [line.strip() for line in code.splitlines()]
            if not any(lines[at:at + len(wanted)] == wanted for at in range(len(lines))):
                yield f'{article.relative_to(root)}: not in {source[1] if source else "any file"}: {wanted[0]} …'


def one_line(module, diagnostic):
    """Returns a diagnostic as one line."""
    place = urllib.parse.urlparse(diagnostic.get('source', '')).path.removeprefix(f'{root}/') or module
    line = diagnostic.get('range', {}).get('start', {}).get('line')
    return f'{place}:{line}: {diagnostic["summary"]}' if line else f'{place}: {diagnostic["summary"]}'


build, output = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
# The tool of the same toolchain.
docc = pathlib.Path(shutil.which('swift')).resolve().parent / 'docc'
output.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as temporary:
    faults = [fault for module in MODULES if (fault := convert(module, build, output, pathlib.Path(temporary)))]
faults += strange_code()
print('\n'.join(faults) or f'{len(MODULES)} references in {output}')
sys.exit(1 if faults else 0)
