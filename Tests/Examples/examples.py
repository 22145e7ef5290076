#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and plays engines as their authors do: outside of this package, against an installed Rostrum.

    examples.py BUILD_DIR

Installs BUILD_DIR into a temporary prefix and moves it; builds every project of Examples there, and a fresh one of each language
that `rostrum engines new` knows, which is installed for the user; renders with each and compares every sample with what this script computes by itself.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import example_files

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# language, example, how a file for it is made, ending
KINDS = {
    'c': ('c-wav', example_files.wav, 'wav'),
    'c++': ('cpp-au', example_files.au, 'au'),
    'swift': ('swift-morse', example_files.text, 'txt'),
}
faults = 0


def fault(line):
    global faults
    faults += 1
    print(f'examples: FAULT: {line}', flush=True)


def fresh_name(language):
    return f'fresh-{re.sub("[^a-z]", "x", language)}'


class Place:
    """A prefix, a home and nothing else of this machine's user."""

    def __init__(self, folder, build):
        self.folder = folder
        first, self.prefix = folder / 'first', folder / 'prefix'
        subprocess.run([ROOT / 'scripts/install.sh', build, first], check=True, stdout=subprocess.DEVNULL)
        first.rename(self.prefix)
        self.environment = {
            'PATH': f'{self.prefix}/bin:{os.environ["PATH"]}', 'HOME': str(folder / 'home'), 'LC_ALL': 'C.UTF-8',
            'XDG_RUNTIME_DIR': str(folder / 'run'), 'PKG_CONFIG_PATH': f'{self.prefix}/lib/pkgconfig',
            'ROSTRUM_SDK': f'{self.prefix}/share/rostrum/sdk'}
        for name in ('home', 'run', 'work'):
            (folder / name).mkdir(mode=0o700)
        self.work = folder / 'work'
        # Where the examples will be built; the fresh projects are installed for the user.
        self.environment['ROSTRUM_ENGINE_PATH'] = ':'.join(str(self.work / kind[0] / 'build') for kind in KINDS.values())
        self.own = folder / 'home/.local/share/rostrum/engines'

    def __enter__(self):
        """With a session that ends when the test does."""
        ready, written = os.pipe()
        self.session = subprocess.Popen([self.prefix / 'bin/rostrumd', '--ready-fd', str(written)], env=self.environment,
                                        pass_fds=[written], stderr=subprocess.DEVNULL)
        os.close(written)
        if os.read(ready, 1) != b'\1':
            fault(f'the session does not start: {self.session.wait()}')
        os.close(ready)
        return self

    def __exit__(self, *_):
        self.session.terminate()
        self.session.wait(timeout=30)

    def run(self, *command, environment=None, **options):
        return subprocess.run([str(word) for word in command], env=self.environment if environment is None else environment,
                              cwd=self.work, capture_output=True, text=True, timeout=600, **options)


def build(place, project, *target, environment=None):
    started = time.monotonic()
    made = place.run('make', '-C', project, *target, environment=environment)
    if made.returncode:
        fault(f'{project.name}: make failed:\n{made.stdout}{made.stderr}')
        return None
    warned = [line for line in (made.stdout + made.stderr).splitlines() if 'warning:' in line]
    if warned:
        fault(f'{project.name}: warnings: {warned}')
    engine = project / 'build' / f'{project.name}.engine'
    modules = list(engine.glob('*.so'))
    if len(modules) != 1:
        fault(f'{engine} has {len(modules)} modules')
        return None
    symbols = subprocess.run(['nm', '--dynamic', '--defined-only', modules[0]], capture_output=True, text=True, check=True)
    exported = [name.split('@')[0] for _, kind, name in map(str.split, symbols.stdout.splitlines()) if kind.isupper() and kind != 'A']
    if exported != ['rostrum_engine_entry']:
        fault(f'{modules[0].name} exports {exported[:5]}')
    print(f'examples: {project.name}: built in {time.monotonic() - started:.1f} s, '
          f'{modules[0].stat().st_size // 1024} KiB', flush=True)
    return engine


def play(place, engine, *arguments, expect=0):
    """Exit code and the one line on stderr."""
    identity = engine.name.removesuffix('.engine')
    done = place.run('rostrum', 'play', '--engine', identity, *arguments)
    if done.returncode != expect:
        fault(f'{identity}: rostrum play {" ".join(map(str, arguments))}: {done.returncode}, not {expect}: {done.stderr}')
    return done.stderr


def compare(name, what, rendered, expected):
    """Rate, channels and samples; the samples of one as of the other."""
    if rendered[:2] != expected[:2]:
        fault(f'{name}: {what}: {rendered[:2]} in place of {expected[:2]}')
    heard, right = rendered[2], expected[2]
    if len(heard) != len(right):
        fault(f'{name}: {what}: {len(heard)} samples in place of {len(right)}')
    wrong = next((index for index, pair in enumerate(zip(heard, right)) if abs(pair[0] - pair[1]) > 1e-6), None)
    if wrong is not None:
        fault(f'{name}: {what}: sample {wrong} is {heard[wrong]} in place of {right[wrong]}')


def listen(place, engine, make, ending):
    name = engine.name.removesuffix('.engine')
    out = place.work / f'{name}.out.wav'
    one, two = make(place.work / f'{name}-1.{ending}', 1), make(place.work / f'{name}-2.{ending}', 2)
    for made in (one, two):
        play(place, engine, '--output', f'wav:{out}', made.path)
        compare(name, made.path.name, example_files.read_wav(out), made.heard(0))
        out.unlink(missing_ok=True)
    # A seek lands exactly there, and what comes before is not heard.
    play(place, engine, '--at', one.seek_argument, '--output', f'wav:{out}', one.path)
    compare(name, f'from {one.seek_argument}', example_files.read_wav(out), one.heard(one.seek_unit))
    play(place, engine, '--output', 'null:fast', one.path)
    if one.has_tracks:
        book = place.work / f'{name}.m3u'
        book.write_text(f'{one.path}\n{one.path}\n')
        play(place, engine, '--output', f'wav:{out}', book)
        rate, channels, samples = one.heard(0)
        compare(name, 'two tracks', example_files.read_wav(out), (rate, channels, samples + samples))
    # What it cannot play is told in its own words.
    bad = place.work / f'{name}-bad.{ending}'
    bad.write_bytes(one.bad)
    said = play(place, engine, '--output', f'wav:{out}', bad, expect=65)
    if one.complaint not in said or said.count('\n') != 1:
        fault(f'{name}: of what it cannot play it says: {said!r}')


def installed(place, name):
    """The engine as `make install` put it where the session finds it by itself; None if it did not."""
    engine = place.own / f'{name}.engine'
    listed = place.run('rostrum', 'engines', '--json')
    found = [entry for entry in json.loads(listed.stdout or '[]') if entry['id'] == name]
    if [(entry['state'], entry['path']) for entry in found] != [('available', str(engine))]:
        fault(f'{name}: make install: rostrum engines says {found}')
        return None
    return engine


def remove(place, name):
    """And the one command that takes it away again."""
    done = place.run('rostrum', 'engines', 'remove', name)
    if done.returncode or (place.own / f'{name}.engine').exists():
        fault(f'rostrum engines remove {name}: {done.returncode}: {done.stderr}')


def sanitize(place, project, make, ending):
    """As docs/engine-abi.md debugs an engine: with sanitizers, in the process of a small host."""
    content = make(place.work / f'{project.name}-try.{ending}', 1)
    made = place.run('make', '-C', project, 'try')
    host, module = project / 'build/try/try-engine', project / 'build/try' / f'{project.name}.so'
    ran = place.run(host, module, content.path, content.path) if made.returncode == 0 else made
    if ran.returncode or 'end: track 1' not in ran.stdout:
        fault(f'{project.name}: make try: {ran.returncode}:\n{ran.stdout}{ran.stderr}')


def check(place, engine, content):
    """True if this Rostrum can check engines."""
    help_text = place.run('rostrum', 'engines', 'check', '--help')
    if help_text.returncode or 'rostrum engines check' not in help_text.stdout:
        return False
    done = place.run('rostrum', 'engines', 'check', engine, *content)
    if done.returncode:
        fault(f'{engine.name}: rostrum engines check: {done.returncode}\n{done.stdout}{done.stderr}')
    return True


def main():
    built = pathlib.Path(sys.argv[1]).resolve()
    checked = []
    with tempfile.TemporaryDirectory(prefix='rostrum-examples-') as temporary, Place(pathlib.Path(temporary), built) as place:
        # Without it the new projects must find their SDK by themselves.
        bare = {key: value for key, value in place.environment.items() if key not in ('PKG_CONFIG_PATH', 'ROSTRUM_SDK')}
        examples = {path.name for path in (ROOT / 'Examples').iterdir() if path.is_dir()}
        if examples != {kind[0] for kind in KINDS.values()}:
            fault(f'not every folder of Examples is built here: {sorted(examples)}')
        for language, (example, make, ending) in KINDS.items():
            # The kit has WAV and text of its own.
            content = [] if ending != 'au' else ['--content', make(place.work / 'check.au', 1).path]
            # As it is installed: the same files.
            shutil.copytree(place.prefix / 'share/rostrum/templates' / example, place.work / example)
            project = place.work / example
            engine = build(place, project)
            if engine:
                listen(place, engine, make, ending)
                checked.append(check(place, engine, content))
                # The sanitized build of the Swift one takes longer than all the rest.
                if language != 'swift':
                    sanitize(place, project, make, ending)
            fresh = fresh_name(language)
            made = place.run('rostrum', 'engines', 'new', fresh, '--language', language)
            if made.returncode or made.stderr:
                fault(f'rostrum engines new {fresh}: {made.returncode} {made.stderr}')
                continue
            left = subprocess.run(['grep', '-rIl', '-e', example, '-e', '/usr/local/share/rostrum/sdk', place.work / fresh],
                                  capture_output=True, text=True).stdout
            if left:
                fault(f'{fresh} still has the name of the example, or its SDK: {left}')
            # As the guide does it: one command, and it is there for its author.
            engine = build(place, place.work / fresh, 'install', environment=bare) and installed(place, fresh)
            if engine:
                listen(place, engine, make, ending)
                checked.append(check(place, engine, content))
                remove(place, fresh)
    print(f'examples: {checked.count(True)} of them with `rostrum engines check`' if any(checked)
          else 'examples: this rostrum has no `engines check`: the engines were played, not checked')
    print(f'examples: {faults} faults' if faults else f'examples: {len(checked)} engines built and played: ok')
    sys.exit(1 if faults else 0)


main()
