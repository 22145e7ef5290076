#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and plays the projects of Examples as their authors would: outside this package, against an installed Rostrum.

    examples.py BUILD_DIR

Installs BUILD_DIR into a temporary prefix and moves it. Builds every engine of Examples there, and a fresh one in each language
that `rostrum engines new` knows, which is installed for the user. Renders with each, and compares every sample with what this
script computes by itself. Builds the player that embeds MediaPlayback, and reads what it prints while it plays and resumes.
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
# The application that embeds playback.
PLAYER = 'embedded-player'
faults = 0


def fault(line):
    global faults
    faults += 1
    print(f'examples: FAULT: {line}', flush=True)


def fresh_name(language):
    return f'fresh-{re.sub("[^a-z]", "x", language)}'


class Place:
    """A prefix and a home, and nothing else that belongs to this machine's user."""

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
        """Starts a session, which ends when the test does."""
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
    """Plays with an engine, checks the exit code, and returns what was written to stderr."""
    identity = engine.name.removesuffix('.engine')
    done = place.run('rostrum', 'play', '--engine', identity, *arguments)
    if done.returncode != expect:
        fault(f'{identity}: rostrum play {" ".join(map(str, arguments))}: {done.returncode}, not {expect}: {done.stderr}')
    return done.stderr


def compare(name, what, rendered, expected):
    """Compares rate, channels and each sample."""
    if rendered[:2] != expected[:2]:
        fault(f'{name}: {what}: rate and channels are {rendered[:2]}, not {expected[:2]}')
    heard, right = rendered[2], expected[2]
    if len(heard) != len(right):
        fault(f'{name}: {what}: {len(heard)} samples, not {len(right)}')
    wrong = next((index for index, pair in enumerate(zip(heard, right)) if abs(pair[0] - pair[1]) > 1e-6), None)
    if wrong is not None:
        fault(f'{name}: {what}: sample {wrong} is {heard[wrong]}, not {right[wrong]}')


def listen(place, engine, make, ending):
    name = engine.name.removesuffix('.engine')
    out = place.work / f'{name}.out.wav'
    one, two = make(place.work / f'{name}-1.{ending}', 1), make(place.work / f'{name}-2.{ending}', 2)
    for made in (one, two):
        play(place, engine, '--output', f'wav:{out}', made.path)
        compare(name, made.path.name, example_files.read_wav(out), made.heard(0))
        out.unlink(missing_ok=True)
    # A seek is exact: nothing before its target is heard.
    play(place, engine, '--at', one.seek_argument, '--output', f'wav:{out}', one.path)
    compare(name, f'from {one.seek_argument}', example_files.read_wav(out), one.heard(one.seek_unit))
    play(place, engine, '--output', 'null:fast', one.path)
    if one.has_tracks:
        book = place.work / f'{name}.m3u'
        book.write_text(f'{one.path}\n{one.path}\n')
        play(place, engine, '--output', f'wav:{out}', book)
        rate, channels, samples = one.heard(0)
        compare(name, 'two tracks', example_files.read_wav(out), (rate, channels, samples + samples))
    # The engine itself says why it cannot play something.
    bad = place.work / f'{name}-bad.{ending}'
    bad.write_bytes(one.bad)
    said = play(place, engine, '--output', f'wav:{out}', bad, expect=65)
    if one.complaint not in said or said.count('\n') != 1:
        fault(f'{name}: the error for bad content is {said!r}')


def installed(place, name):
    """Returns the engine that `make install` put where the session finds it; None if the session does not."""
    engine = place.own / f'{name}.engine'
    listed = place.run('rostrum', 'engines', '--json')
    found = [entry for entry in json.loads(listed.stdout or '[]') if entry['id'] == name]
    if [(entry['state'], entry['path']) for entry in found] != [('available', str(engine))]:
        fault(f'{name}: make install: rostrum engines says {found}')
        return None
    return engine


def remove(place, name):
    """Removes an engine by the one command that does."""
    done = place.run('rostrum', 'engines', 'remove', name)
    if done.returncode or (place.own / f'{name}.engine').exists():
        fault(f'rostrum engines remove {name}: {done.returncode}: {done.stderr}')


def sanitize(place, project, make, ending):
    """Runs an engine with sanitizers in the process of a small host, as docs/engine-abi.md debugs one."""
    content = make(place.work / f'{project.name}-try.{ending}', 1)
    made = place.run('make', '-C', project, 'try')
    host, module = project / 'build/try/try-engine', project / 'build/try' / f'{project.name}.so'
    ran = place.run(host, module, content.path, content.path) if made.returncode == 0 else made
    if ran.returncode or 'end: track 1' not in ran.stdout:
        fault(f'{project.name}: make try: {ran.returncode}:\n{ran.stdout}{ran.stderr}')


def check(place, engine, content):
    """Runs the conformance kit; returns False if this Rostrum has none."""
    help_text = place.run('rostrum', 'engines', 'check', '--help')
    if help_text.returncode or 'rostrum engines check' not in help_text.stdout:
        return False
    done = place.run('rostrum', 'engines', 'check', engine, *content)
    if done.returncode:
        fault(f'{engine.name}: rostrum engines check: {done.returncode}\n{done.stdout}{done.stderr}')
    return True


def embed(place):
    """Builds the player, and checks state and position while it plays, after a kill, and with a file that is not there."""
    started = time.monotonic()
    project = place.work / PLAYER
    shutil.copytree(ROOT / 'Examples' / PLAYER, project, ignore=shutil.ignore_patterns('.build'))
    # The packages that Rostrum depends on are found as this machine's user finds them; what was built is kept.
    building = {**place.environment, 'HOME': os.environ['HOME'], 'ROSTRUM_SOURCES': str(ROOT)}
    built = ROOT / '.build-examples'
    made = place.run('swift', 'build', '--package-path', project, '--scratch-path', built, environment=building)
    if made.returncode or 'warning: ' in made.stderr:
        fault(f'{PLAYER}: swift build: {made.returncode}:\n{made.stdout[-4000:]}{made.stderr[-4000:]}')
        return
    lines = len((project / 'Sources/EmbeddedPlayer/EmbeddedPlayer.swift').read_text().splitlines())
    print(f'examples: {PLAYER}: {lines} lines, built in {time.monotonic() - started:.1f} s', flush=True)
    environment = {**place.environment, 'ROSTRUM_PREFIX': str(place.prefix)}
    program = ['stdbuf', '-oL', built / 'debug/EmbeddedPlayer']
    book = example_files.wav(place.work / 'book.wav', 1, seconds=6)
    length = len(book.samples) / book.rate

    def position(line, *states):
        said = re.fullmatch(r'(\w+) at ([\d.]+) of ([\d.]+) s: book', line.strip())
        if not said or said[1] not in states or abs(float(said[3]) - length) > 0.06:
            fault(f'{PLAYER}: prints {line!r}; expected one of {states}, of {length:.1f} s')
            return 0
        return float(said[2])

    with subprocess.Popen([*program, book.path, 'null'], env=environment, stdout=subprocess.PIPE, text=True) as player:
        left = [position(player.stdout.readline(), 'idle', 'loading', 'playing') for _ in range(4)]
        player.kill()
    done = place.run(*program, book.path, 'null', environment=environment)
    printed = done.stdout.splitlines()
    if done.returncode or done.stderr or len(printed) < 2:
        fault(f'{PLAYER}: {done.returncode}: {done.stdout}{done.stderr}')
        return
    heard = [position(line, 'loading', 'playing') for line in printed[:-1]] + [position(printed[-1], 'ended')]
    # Half a second: what a kill may lose, and what the first line may say before it is heard.
    if left != sorted(left) or left[-1] < 1 or heard != sorted(heard) or heard[0] < left[-1] - 0.5:
        fault(f'{PLAYER}: played up to {left}, then {heard}')
    if abs(heard[-1] - length) > 0.06:
        fault(f'{PLAYER}: ended at {heard[-1]} of {length}')
    done = place.run(*program, place.work / 'missing.wav', 'null', environment=environment)
    if done.returncode != 1 or done.stdout or 'no such file' not in done.stderr or done.stderr.count('\n') != 1:
        fault(f'{PLAYER}: a file that is not there: {done.returncode}: {done.stdout}{done.stderr}')


def main():
    built = pathlib.Path(sys.argv[1]).resolve()
    checked = []
    with tempfile.TemporaryDirectory(prefix='rostrum-examples-') as temporary, Place(pathlib.Path(temporary), built) as place:
        # New projects must find their SDK without these.
        bare = {key: value for key, value in place.environment.items() if key not in ('PKG_CONFIG_PATH', 'ROSTRUM_SDK')}
        examples = {path.name for path in (ROOT / 'Examples').iterdir() if path.is_dir()}
        if examples != {PLAYER, *(kind[0] for kind in KINDS.values())}:
            fault(f'not every folder of Examples is built here: {sorted(examples)}')
        embed(place)
        for language, (example, make, ending) in KINDS.items():
            # The kit has WAV and text of its own.
            content = [] if ending != 'au' else ['--content', make(place.work / 'check.au', 1).path]
            # The installed copy has the same files.
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
            # One command installs it for its author, as the guide says.
            engine = build(place, place.work / fresh, 'install', environment=bare) and installed(place, fresh)
            if engine:
                listen(place, engine, make, ending)
                checked.append(check(place, engine, content))
                remove(place, fresh)
    print(f'examples: {checked.count(True)} engines passed `rostrum engines check`' if any(checked)
          else 'examples: this rostrum has no `engines check`: the engines were played, not checked')
    print(f'examples: {faults} faults' if faults else f'examples: {len(checked)} engines and the player built and played: ok')
    sys.exit(1 if faults else 0)


main()
