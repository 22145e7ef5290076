#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Takes a neural voice away while it reads a text, at random moments, and checks who reads what from then on.

    voice-kills.py BUILD_DIR --voices FOLDER [--kills 100] [--sizes 20] [--seed N] [--only HOW] [--logs FOLDER]

FOLDER has the runtime and the voice en_US-joe-medium; the files that are cut or removed are copies. Each try has a session
of its own, which reads a text into an output that keeps real time. HOW is one of:

- `once`: the engine's process is killed at a random moment. Another one of the same engine goes on, and nothing is said of it;
  if nothing was heard yet, espeak reads, as with every voice that cannot be opened.
- `each`: so is every process of that engine which follows, at a random moment after its start. espeak goes on.
- `gone`: the model is removed while it is read from, and then the process is killed. espeak goes on.
- `cut`: the model is cut to a size before the text is opened (`--sizes`, from nothing to all but one byte), or, in every second
  try, while it is read, and then the process is killed. espeak goes on.

Where espeak goes on, it begins with the sentence in which the voice was heard last, is told of once (by the command, or by
the status if the command was over), and reads on. Over all of it, each place that is heard lies behind the last one, except
there. Prints a line for each try; exits with 1 if one was not as it should be. The logs of such tries are put into the FOLDER
of `--logs`.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'Tests' / 'Documents'), str(ROOT / 'Tests' / 'Listening')]
from session_room import Room  # noqa: E402
from waiting import until  # noqa: E402

VOICE = 'en_US-joe-medium'
TEXT = '''One fine day, a small boat went down the river. Nobody was in it! The old man saw it from his window, and he put on
his hat. Where did it come from? It had no name, no sail and no oars; it had a blue lamp at the bow. He called his
daughter, who was reading.

She looked up. Then she ran down to the water, faster than he had ever seen her run, and threw a rope. It missed. She
threw it again, and the boat stopped. In the boat lay a letter, and a key which was made of iron. They read the letter
together, twice. It said that the house on the island was theirs now. They had never heard of such a house.
''' * 3
# Seconds from the first sound to the last moment of the first kill.
SPAN = 9.0
# Seconds in which each process that follows is killed after its start.
SOON = 1.5
# Seconds until espeak, or the voice again, must be heard.
PATIENCE = 60


def engines(session, name):
    """Returns the processes of an engine."""
    found = []
    for task in pathlib.Path(f'/proc/{session}/task').iterdir():
        try:
            children = (task / 'children').read_text().split()
        except OSError:
            continue
        for pid in children:
            try:
                words = pathlib.Path(f'/proc/{pid}/cmdline').read_bytes().split(b'\0')
                # What was killed and not yet collected has no words.
                if len(words) > 1 and words[1].decode() == name:
                    found.append(int(pid))
            except OSError:
                continue
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Voices:
    """A folder of voices like another one, with a model that may be harmed."""
    def __init__(self, source, folder):
        self.folder = pathlib.Path(folder)
        for path in pathlib.Path(source).rglob('*'):
            target = self.folder / path.relative_to(source)
            if path.is_dir():
                target.mkdir(parents=True, exist_ok=True)
            elif path.name == 'model.onnx':
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.link(path, target) if os.stat(path).st_dev == os.stat(folder).st_dev else shutil.copy(path, target)
        self.model, self.source = self.folder / VOICE / 'model.onnx', pathlib.Path(source) / VOICE / 'model.onnx'
        self.size = self.source.stat().st_size

    def mend(self):
        shutil.copyfile(self.source, self.model)

    def cut(self, size):
        os.truncate(self.model, size)

    def remove(self):
        self.model.unlink()


class Try:
    """One reading in a session of its own, and everything that was heard of it."""
    def __init__(self, build, voices, text):
        self.room = Room(build, 'null', str(voices.folder))
        self.link, self.text, self.voices = self.room.link, text, voices
        self.link.call('subscribe', topics=['transition'])
        self.heard, self.faults, self.warnings = [], [], []
        # The moment of the last look, and the longest time between two of them, with its end.
        self.looked, self.unseen = None, (0, 0)
        self.start = time.monotonic()
        self.command = subprocess.Popen(
            [f'{self.room.build}/rostrum', 'read', text, '--engine', 'sherpa', '--voice', VOICE, '--detach', '--from-start'],
            env=self.room.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    @property
    def seconds(self):
        return time.monotonic() - self.start

    def look(self):
        """Asks for the status once; returns the engine that is heard, or None."""
        # A word takes longer; without a pause, the questions take the processor from the engines.
        time.sleep(0.004)
        status = self.link.call('status')
        now = self.seconds
        if self.looked is not None:
            self.unseen = max(self.unseen, (now - self.looked, now))
        self.looked = now
        if status.get('warning') and status['warning'] not in self.warnings:
            self.warnings.append(status['warning'])
        if status['status'] == 'error':
            raise RuntimeError(f'the status is an error: {status["error"]}')
        place = status.get('text')
        if status['status'] != 'playing' or not place or status['position']['provenance'] != 'heard':
            return None
        new = (status['engine'], place['offset'])
        if not self.heard or self.heard[-1] != new:
            self.heard.append(new)
        return status['engine']

    def hear(self, condition, what, seconds=PATIENCE):
        """Looks until something holds."""
        end = time.monotonic() + seconds
        while not condition(self.look()):
            if not self.room.is_alive:
                raise RuntimeError('the session has ended')
            if time.monotonic() > end:
                raise RuntimeError(f'waited {seconds} s for {what}; heard last: {self.heard[-3:]}')

    def wait(self, moment):
        self.hear(lambda _: self.seconds >= moment, 'a moment')

    def kill_each(self, name, moments):
        """Kills each process of an engine once, at a random moment after its start, until another engine is heard."""
        due = {}

        def step(engine):
            for pid in engines(self.room.session.pid, name):
                due.setdefault(pid, self.seconds + moments())
            for pid in [pid for pid, moment in due.items() if moment is not None and moment <= self.seconds]:
                kill(pid)
                due[pid] = None
            return engine not in (None, name)
        self.hear(step, 'another engine')
        return len([pid for pid in due if due[pid] is None])

    def notes(self):
        # Answers and notices come in turn, so the records of everything so far are there.
        self.link.call('status')
        return [note['params'] for note in self.link.notes if note['method'] == 'transition']

    def close(self):
        try:
            self.command.wait(30)
        finally:
            self.room.close()
            self.command.stderr.close()


class Judge:
    """The sentences of the text, and what follows from them."""
    def __init__(self, build, text):
        room = Room(build, 'null')
        try:
            lines = room.run('text', '--json', text).stdout.splitlines()
        finally:
            room.close()
        self.sentences = sorted({(line['sentence']['start'], line['sentence']['end']) for line in map(json.loads, lines)})

    def sentence(self, byte):
        return max((start for start, _ in self.sentences if start <= byte), default=0)

    def following(self, byte):
        return min((start for start, _ in self.sentences if start > byte), default=None)

    def order(self, heard, restart):
        """Returns what is wrong with the order of places; at `restart`, a sentence may begin anew."""
        found = []
        for (_, before), (engine, after) in zip(heard, heard[1:]):
            if after < before and not (engine == 'espeak' and after >= restart):
                found.append(f'byte {after} was heard behind byte {before}')
        return found

    def replaced(self, heard, notes, begun):
        """Returns what is wrong with a text that espeak took over."""
        found = []
        if sum(note.get('action') == 'handOver' for note in notes) != 1:
            found.append(f'{sum(note.get("action") == "handOver" for note in notes)} times was the text handed over')
        last = [byte for engine, byte in heard if engine == 'sherpa'][-1:] or [0]
        first = [byte for engine, byte in heard if engine == 'espeak']
        # What was heard in between two looks is at most a word, which may end its sentence.
        fit = {self.sentence(last[0]), self.following(last[0]) if self.ends(last[0]) else None}
        if begun is None or self.sentence(begun) != begun or begun not in fit:
            found.append(f'espeak begins at byte {begun}, the voice was heard at {last[0]}, in the sentence at '
                         f'{self.sentence(last[0])}')
        if not first or self.sentence(first[0]) != begun:
            found.append(f'espeak was first heard at {first[:1]}')
        return found + self.order(heard, begun or 0)

    def ends(self, byte):
        """Returns True if a place is in the last words of its sentence."""
        end = next(end for start, end in self.sentences if start == self.sentence(byte))
        return end - byte < 16


def begun_at(notes):
    """Returns where the engine that took over began."""
    over = next((index for index, note in enumerate(notes) if note.get('action') == 'handOver'), None)
    if over is None:
        return None
    # The answer of the voice that was killed may be on record behind it, and nothing came of it.
    loaded = next((note for note in notes[over:] if note.get('event') == 'loaded'
                   and not any(decision.startswith('dropped') for decision in note.get('decisions', []))), None)
    return loaded and loaded['start']['units']


def reach(one, dice):
    """Waits until a random moment: in one of four tries while the voice is opened, or else while it is heard."""
    if dice.random() < 0.25:
        return one.wait(dice.uniform(0.05, 1.2))
    one.hear(lambda engine: engine, 'a voice')
    one.wait(one.seconds + dice.uniform(0, SPAN))


def once(one, judge, dice):
    reach(one, dice)
    processes = engines(one.room.session.pid, 'sherpa')
    for pid in processes:
        kill(pid)
    if not one.heard:
        one.hear(lambda engine: engine, 'a voice')
    if one.heard[0][0] == 'espeak':
        return judged(one, judge, 'killed before a sound')
    at = one.heard[-1][1]
    goal = judge.following(judge.following(at) or at) or at
    one.hear(lambda _: one.heard and one.heard[-1][1] >= goal, 'the rest of the text')
    found = judge.order(one.heard, 1 << 40)
    if {engine for engine, _ in one.heard} != {'sherpa'} or one.warnings:
        found.append(f'heard of {({engine for engine, _ in one.heard})}, told {one.warnings}')
    return found, 0, f'{len(processes)} killed at byte {at}'


def each(one, judge, dice):
    reach(one, dice)
    first = one.seconds
    killed = one.kill_each('sherpa', lambda: 0 if one.seconds < first + 0.1 else dice.uniform(0, SOON))
    return judged(one, judge, f'{killed} killed, the first after {first:.2f} s')


def gone(one, judge, dice):
    reach(one, dice)
    one.voices.remove()
    for pid in engines(one.room.session.pid, 'sherpa'):
        kill(pid)
    one.hear(lambda engine: engine == 'espeak', 'espeak')
    return judged(one, judge, 'removed')


def cut(one, judge, dice, size=None):
    if size is not None:
        reach(one, dice)
        one.voices.cut(size)
        for pid in engines(one.room.session.pid, 'sherpa'):
            kill(pid)
    one.hear(lambda engine: engine == 'espeak', 'espeak')
    return judged(one, judge, 'cut')


def judged(one, judge, what):
    """Hears espeak into its second sentence, and judges all of it."""
    one.hear(lambda _: begun_at(one.notes()) is not None, 'the record of where espeak began')
    begun = begun_at(one.notes())
    goal = judge.following(begun or 0) or 0
    one.hear(lambda _: one.heard[-1][1] >= goal, 'the second sentence of espeak')
    return judge.replaced(one.heard, one.notes(), begun), 1, f'{what}; {one.heard[0][0]} first, espeak from byte {begun}'


def attempt(how, build, voices, text, judge, dice, size, before, logs):
    """Returns the faults of one try, and a remark."""
    voices.mend()
    if before:
        voices.cut(size)
    one, faults = Try(build, voices, text), []
    try:
        try:
            if how == 'cut':
                faults, messages, remark = cut(one, judge, dice, None if before else size)
            else:
                faults, messages, remark = {'once': once, 'each': each, 'gone': gone}[how](one, judge, dice)
            one.link.call('stop')
            lines = one.command.communicate(timeout=30)[1].splitlines()
            if one.command.returncode or len(lines) > messages or any('espeak goes on' not in line for line in lines):
                faults.append(f'the command ended with {one.command.returncode}: {lines}')
            if len(one.warnings) != messages or any('espeak goes on' not in line for line in one.warnings):
                faults.append(f'the status told {one.warnings}')
            return faults, remark
        except RuntimeError as error:
            faults = [str(error)]
            return faults, ''
    finally:
        if faults:
            faults.append(f'at most {one.unseen[0]:.2f} s passed between two looks, until {one.unseen[1]:.2f} s')
        if faults and logs:
            log = f'{one.room.environment["XDG_STATE_HOME"]}/rostrum/transitions.jsonl'
            os.makedirs(logs, exist_ok=True)
            shutil.copy(log, f'{logs}/{how}-{os.path.basename(one.room.folder)}.jsonl')
        if one.command.poll() is None:
            one.command.kill()
        one.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--voices', required=True)
    parser.add_argument('--kills', type=int, default=100)
    parser.add_argument('--sizes', type=int, default=20)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--only', choices=['once', 'each', 'gone', 'cut'])
    parser.add_argument('--logs', help='a folder for the logs of tries that fail')
    options = parser.parse_args()
    failed, tried = 0, 0
    with tempfile.TemporaryDirectory(prefix='rostrum-voice-') as folder:
        voices = Voices(options.voices, folder)
        text = f'{folder}/boat.txt'
        pathlib.Path(text).write_text(TEXT)
        judge = Judge(options.build, text)
        hows = [('each', 'each', 'once', 'once', 'gone')[number % 5] for number in range(options.kills)]
        steps = max(1, options.sizes - 1)
        sizes = [(voices.size - 1) * step // steps for step in range(options.sizes)]
        plan = [(how, None, False) for how in hows]
        plan += [('cut', size, True) for size in sizes] + [('cut', size, False) for size in sizes[::2]]
        for number, (how, size, before) in enumerate(plan):
            if options.only not in (None, how):
                continue
            dice = random.Random(f'{options.seed} {number}')
            faults, remark = attempt(how, options.build, voices, text, judge, dice, size, before, options.logs)
            tried += 1
            failed += bool(faults)
            name = how if size is None else f'{how} to {size} bytes {"before" if before else "meanwhile"}'
            outcome = 'FAILED' if faults else 'ok'
            print(f'voice-kills: {number} {outcome}: {name}: {remark} {"; ".join(faults)}'.rstrip(), flush=True)
    print(f'voice-kills: {tried} tries, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
