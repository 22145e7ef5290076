# SPDX-License-Identifier: Apache-2.0
"""Books of several files, cut from one signal where no codec has a frame boundary."""
import os
import subprocess

import numpy as np

import placecode
from material import CACHE

FOLDER = CACHE / 'joints-1'
PARTS = (60_001, 70_013, 52_923)  # frames

# What is played: the name of the file, then rate, channels, and what the encoder is told.
FORMATS = {
    'wav': ('wav', 44100, 2, ['-c:a', 'pcm_s16le']),
    'flac': ('flac', 44100, 2, ['-c:a', 'flac']),
    'mp3, constant rate, LAME tag': ('mp3', 44100, 2, ['-c:a', 'libmp3lame', '-b:a', '128k']),
    'mp3, variable rate, LAME tag': ('mp3', 44100, 2, ['-c:a', 'libmp3lame', '-q:a', '4']),
    'mp3, 22 kHz (MPEG-2), LAME tag': ('mp3', 22050, 1, ['-c:a', 'libmp3lame', '-b:a', '64k']),
    'm4a (AAC, edit list)': ('m4a', 44100, 2, ['-c:a', 'aac', '-b:a', '128k']),
    'opus': ('opus', 48000, 2, ['-c:a', 'libopus', '-b:a', '128k']),
    'ogg (Vorbis)': ('ogg', 44100, 2, ['-c:a', 'libvorbis', '-q:a', '4']),
}

# Changes from one file to the next, and what changes there.
CHANGES = {
    'flac 44.1 kHz, then mp3: codec': ['flac', 'mp3, constant rate, LAME tag'],
    'm4a 44.1 kHz, then ogg: codec': ['m4a (AAC, edit list)', 'ogg (Vorbis)'],
    'mp3 44.1 kHz stereo, then opus: rate': ['mp3, constant rate, LAME tag', 'opus'],
    'opus, then m4a 44.1 kHz: rate': ['opus', 'm4a (AAC, edit list)'],
    'ogg 44.1 kHz, then mp3 22 kHz mono: both': ['ogg (Vorbis)', 'mp3, 22 kHz (MPEG-2), LAME tag'],
    'mp3 22 kHz mono, then flac: both': ['mp3, 22 kHz (MPEG-2), LAME tag', 'flac'],
}

# One after the other: what every joint into a sound server is heard at.
CHAIN = ['mp3, constant rate, LAME tag', 'mp3, constant rate, LAME tag', 'flac', 'opus', 'm4a (AAC, edit list)',
         'mp3, 22 kHz (MPEG-2), LAME tag', 'ogg (Vorbis)', 'opus']


def short(name):
    kind, rate, channels, _ = FORMATS[name]
    return f'{kind} {rate / 1000:g} kHz {"stereo" if channels == 2 else "mono"}'


class Book:
    """Files that carry the signal from 0 on; `ends` is where each of them ends, in seconds."""

    def __init__(self, formats):
        self.paths, self.ends, self.rates = [], [], []
        start = 0.0
        for index, name in enumerate(formats):
            frames = PARTS[index % len(PARTS)]
            path, rate = _file(name, start, frames)
            start += frames / rate
            self.paths.append(path)
            self.ends.append(start)
            self.rates.append(rate)


def _file(name, start, frames):
    kind, rate, channels, encoder = FORMATS[name]
    stem = f'{list(FORMATS).index(name)}-{round(start * 1e6)}-{frames}'
    path = FOLDER / f'{stem}.{kind}'
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        x = placecode.signal(start + np.arange(frames) / rate)
        part = FOLDER / f'{stem}.part.{kind}'
        made = subprocess.run(
            ['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 's16le', '-ar', str(rate), '-ac', str(channels), '-i', 'pipe:0',
             *encoder, str(part)], input=np.repeat(np.round(x * 32767).astype('<i2'), channels).tobytes())
        if made.returncode:
            raise SystemExit(f'gapless: ffmpeg could not make {path.name}')
        os.replace(part, path)
    return str(path), rate
