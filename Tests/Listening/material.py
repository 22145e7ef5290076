# SPDX-License-Identifier: Apache-2.0
"""The files that are played: made once, in .cache of the checkout.

Books are stereo, the right channel the left one inverted. A text is read in mono, alike on both channels: so the
difference of the channels is the book alone, and their sum is the text alone, where both are heard. (The encoder is
told to code sum and difference, so that nothing of the book gets into the sum.)
"""
import os
import pathlib
import subprocess
import wave

import numpy as np

import placecode

CACHE = pathlib.Path(__file__).resolve().parents[2] / '.cache' / 'listening-3'
BOOK_RATE, BOOK_SECONDS = 44100, 420
SHORT_RATE, SHORT_SECONDS = 48000, 8
HOLED_FROM = 700  # s of the code
LEVELS = {'quiet': -20, 'loud': 2}  # dB

TEXT = ('A text that is read aloud. It goes on for some time, so that there is something to hear while the book rests. '
        'The river ran past the mill, and past the bridge, and did not care which of them was older. ') * 6


def samples(rate, start, seconds):
    x = placecode.signal(start + np.arange(int(seconds * rate)) / rate)
    left = np.round(x * 32767).astype('<i2')
    return np.stack([left, -left], axis=1).tobytes()


def book_part(x):
    """Returns the part of a recording that is the book, without the text."""
    return (x[:, 0] - x[:, 1]) / 2


def text_part(x):
    return (x[:, 0] + x[:, 1]) / 2


def book():
    """Makes an m4b of 7 minutes, AAC, in 7 chapters."""
    path = CACHE / 'book.m4b'
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        marks = CACHE / 'chapters.txt'
        marks.write_text(';FFMETADATA1\ntitle=Places\nartist=Nobody\n' + ''.join(
            f'[CHAPTER]\nTIMEBASE=1/1\nSTART={k * 60}\nEND={k * 60 + 60}\ntitle=Minute {k + 1}\n'
            for k in range(BOOK_SECONDS // 60)))
        part = CACHE / f'part-{os.getpid()}.m4b'
        encoder = subprocess.Popen(
            ['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 's16le', '-ar', str(BOOK_RATE), '-ac', '2', '-i', 'pipe:0',
             '-f', 'ffmetadata', '-i', str(marks), '-map', '0:a', '-map_metadata', '1', '-map_chapters', '1',
             '-c:a', 'aac', '-aac_ms', '1', '-b:a', '128k', '-f', 'ipod', str(part)], stdin=subprocess.PIPE)
        for k in range(0, BOOK_SECONDS, 10):
            encoder.stdin.write(samples(BOOK_RATE, k, 10))
        encoder.stdin.close()
        if encoder.wait():
            raise SystemExit('listen: ffmpeg could not make the book')
        os.replace(part, path)
    return str(path)


def short():
    """Makes a WAV of 8 s at the sink's own rate; its code begins at 500 s."""
    path = CACHE / 'short.wav'
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = CACHE / f'part-{os.getpid()}.wav'
        with wave.open(str(part), 'wb') as w:
            w.setparams((2, 2, SHORT_RATE, 0, 'NONE', ''))
            w.writeframes(samples(SHORT_RATE, 500, SHORT_SECONDS))
        os.replace(part, path)
    return str(path)


def holed():
    """Makes a WAV of 8 s in which the signal is off from 1 s to 3 s."""
    def hole(t):
        return np.where((t >= 1) & (t < 3), 0.0, placecode.signal(HOLED_FROM + t))
    return _wav('holed.wav', hole, 8)


def leveled(name):
    """Makes a WAV of 8 s whose signal is louder or softer by that much."""
    return _wav(f'{name}.wav', lambda t: placecode.signal(t) * 10 ** (LEVELS[name] / 20), 8)


def peak(name):
    with wave.open(leveled(name), 'rb') as w:
        return int(np.abs(np.frombuffer(w.readframes(w.getnframes()), '<i2').astype(int)).max()) / 32768


def _wav(name, signal, seconds):
    path = CACHE / name
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = CACHE / f'part-{os.getpid()}-{name}'
        x = np.round(signal(np.arange(seconds * SHORT_RATE) / SHORT_RATE) * 32767).astype('<i2')
        with wave.open(str(part), 'wb') as w:
            w.setparams((2, 2, SHORT_RATE, 0, 'NONE', ''))
            w.writeframes(np.stack([x, -x], axis=1).tobytes())
        os.replace(part, path)
    return str(path)


def text():
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / 'text.txt'
    path.write_text(TEXT)
    return str(path)
