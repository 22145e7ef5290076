# SPDX-License-Identifier: Apache-2.0
"""Those who say sentences or play recordings: Rostrum, and the tools of the voices themselves.

Each returns a list of sounds, one for each sentence or piece, at the recogniser's rate.
"""
import os
import subprocess
from xml.sax.saxutils import escape

import numpy as np

from word_recogniser import RATE, samples

# A pause between two sentences that no voice makes within one, in seconds at 1 ×.
PAUSE = 3
# Of full scale: −50 dB, where the engines say that a sound ends.
LOUD = 104


class Rostrum:
    """Renders in a session of its own, into files: what is written there is what an output would get."""
    def __init__(self, build, folder, voices):
        self.program, self.folder = build / 'rostrum', folder
        self.environment = {**os.environ, 'HOME': str(folder), 'ROSTRUM_ENGINE_PATH': str(build / 'engines'),
                            'ROSTRUM_VOICES': str(voices)}
        self.environment.pop('DBUS_SESSION_BUS_ADDRESS', None)
        for name in ('RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME'):
            path = folder / name.lower()
            path.mkdir(0o700, exist_ok=True)
            self.environment['XDG_' + name] = str(path)

    def run(self, *words):
        subprocess.run([self.program, *map(str, words)], env=self.environment, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)

    def read(self, texts, engine, voice, rate):
        page, sound = self.folder / 'sentences.ssml', self.folder / 'read.wav'
        pause = f'<break time="{PAUSE}s"/>'
        page.write_text('<?xml version="1.0"?><speak version="1.1" xmlns="http://www.w3.org/2001/10/synthesis" '
                        f'xml:lang="en-US">{pause.join(f"<p>{escape(text)}</p>" for text in texts)}</speak>')
        self.run('read', '--from-start', '--engine', engine, '--voice', voice, '--rate', rate, '--output', f'wav:{sound}', page)
        return parts(samples(sound), PAUSE / rate * 0.8, len(texts))

    def play(self, files, rate):
        sound = self.folder / 'played.wav'
        found = []
        for path, pieces in files:
            self.run('play', '--from-start', '--rate', rate, '--output', f'wav:{sound}', path)
            found += cut(samples(sound), pieces, rate)
        return found


def parts(sound, pause, count):
    """Cuts a sound at its long silences."""
    loud = np.flatnonzero(np.abs(sound.astype(int)) > LOUD)
    joints = np.flatnonzero(np.diff(loud) > pause * RATE)
    starts, ends = [loud[0], *loud[joints + 1]], [*loud[joints], loud[-1]]
    if len(starts) != count:
        raise SystemExit(f'{len(starts)} sentences were heard of {count}')
    return [sound[start:end + 1] for start, end in zip(starts, ends)]


def cut(sound, pieces, rate=1):
    return [sound[int(start / rate * RATE):int(end / rate * RATE) if end else None] for start, end, _ in pieces]


def seconds(sounds):
    return sum(map(len, sounds)) / RATE


class OwnEspeak:
    """The program espeak-ng, one sentence at a time."""
    def __init__(self, folder, voice):
        self.sound, self.voice = folder / 'espeak.wav', voice

    def say(self, texts, speed=175, filters=()):
        found = []
        for text in texts:
            subprocess.run(['espeak-ng', '-v', self.voice, '-s', str(speed), '-w', self.sound, text], check=True)
            found += parts(samples(self.sound, filters), 100, 1)
        return found

    def say_in(self, texts, wanted):
        """Says the texts at the speed at which they last nearest to so many seconds; returns the sounds and the speed."""
        low, high = 80, 450
        while high - low > 2:
            middle = (low + high) // 2
            low, high = (middle, high) if seconds(self.say(texts[::4], middle)) * 4 > wanted else (low, middle)
        return self.say(texts, high), high


class OwnSherpa:
    """sherpa-onnx of PyPI, with the phonemizer that its example for voices of Piper uses."""
    def __init__(self, voices, name, language):
        import piper_phonemize
        import sherpa_onnx
        self.phonemize, self.sherpa, self.language = piper_phonemize.phonemize_espeak, sherpa_onnx, language
        folder = voices / name
        self.speech = sherpa_onnx.OfflineTts(sherpa_onnx.OfflineTtsConfig(
            model=sherpa_onnx.OfflineTtsModelConfig(vits=sherpa_onnx.OfflineTtsVitsModelConfig(
                model=str(folder / 'model.onnx'), tokens=str(folder / 'tokens.txt')), num_threads=1)))

    def say(self, texts, speed=1.0, filters=()):
        found = []
        for text in texts:
            order = self.sherpa.GenerationConfig()
            order.speed = speed
            order.phoneme_codepoints = [[ord(sign) for sign in sentence] for sentence in self.phonemize(text, self.language)]
            made = self.speech.generate(text, order)
            found += parts(resampled(np.array(made.samples), made.sample_rate, filters), 100, 1)
        return found

    def say_in(self, texts, wanted):
        low, high = 1.0, 6.0
        while high - low > 0.1:
            middle = (low + high) / 2
            low, high = (middle, high) if seconds(self.say(texts[::4], middle)) * 4 > wanted else (low, middle)
        return self.say(texts, high), round(high, 2)


def resampled(sound, rate, filters):
    made = subprocess.run(
        ['ffmpeg', '-v', 'error', '-f', 'f32le', '-ar', str(rate), '-ac', '1', '-i', '-',
         *(['-af', ','.join(filters)] if filters else []), '-ar', str(RATE), '-f', 's16le', '-'],
        input=sound.astype('<f4').tobytes(), check=True, capture_output=True)
    return np.frombuffer(made.stdout, dtype='<i2')


def decoded(files, rate=1, filters=()):
    """Returns the pieces of files as ffmpeg decodes them, at a speed that a filter makes."""
    return [piece for path, pieces in files for piece in cut(samples(path, filters), pieces, rate)]


def by_sox(files, rate, folder):
    """Returns the pieces of files as sox makes them faster, with its settings for speech."""
    found, sound = [], folder / 'sox.wav'
    for path, pieces in files:
        plain = folder / 'decoded.wav'
        subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', path, plain], check=True)
        subprocess.run(['sox', plain, sound, 'tempo', '-s', str(rate)], check=True)
        found += cut(samples(sound), pieces, rate)
    return found
