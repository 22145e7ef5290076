# SPDX-License-Identifier: Apache-2.0
"""A book whose chapters are tones, with a text, and what of both is heard in a recording."""
import os
import subprocess
import wave

import numpy as np

from sound_server import RATE

CHAPTERS = [('One', 400), ('Two', 650), ('Three', 900)]
# A gap is read if it is more than twice as long as the announcement of a chapter.
LENGTH = 32
SENTENCES = 4
# Seconds without a sound between recording and text, at most: an engine's process may have to start.
LONGEST_GAP = 2.0
STEP = 0.05



def write(path, frequency, seconds):
    time = np.arange(seconds * RATE) / RATE
    samples = (np.sin(2 * np.pi * frequency * time) * 8000).astype('<i2')
    if path.endswith('.flac'):
        subprocess.run(['ffmpeg', '-loglevel', 'error', '-f', 's16le', '-ar', str(RATE), '-ac', '1', '-i', '-', path],
                       input=samples.tobytes(), check=True)
        return
    with wave.open(path, 'wb') as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())


def make(folder, lengths=(LENGTH, LENGTH, LENGTH), ending='wav', closing=''):
    os.mkdir(folder)
    body = ''
    for number, ((title, frequency), seconds) in enumerate(zip(CHAPTERS, lengths), 1):
        write(f'{folder}/{number:02} {title}.{ending}', frequency, seconds)
        words = ' '.join(f'In chapter {title.lower()} this is sentence {n} of them.' for n in range(1, SENTENCES + 1))
        body += f'<h1>{title}</h1><p>{words}{closing}</p>'
    with open(f'{folder}/text.html', 'w', encoding='utf-8') as file:
        file.write(f'<html><head><title>Tones</title></head><body>{body}</body></html>' + '<!-- ' + 'x' * 5000 + ' -->')


def sounds(samples):
    """Returns what is heard, in order: a frequency, 'speech' or 'silence', with the seconds that it lasts."""
    heard = []
    size = int(STEP * RATE)
    for start in range(0, len(samples) - size + 1, size):
        part = samples[start:start + size].mean(axis=1)
        kind = 'silence'
        if np.sqrt((part ** 2).mean()) > 0.003:
            spectrum = np.abs(np.fft.rfft(part * np.hanning(size))) ** 2
            peak = int(spectrum.argmax())
            pure = spectrum[max(0, peak - 2):peak + 3].sum() > 0.98 * spectrum.sum()
            nearest = min((abs(peak * RATE / size - f), f) for _, f in CHAPTERS)
            kind = nearest[1] if pure and nearest[0] < 25 else 'speech'
        if heard and heard[-1][0] == kind:
            heard[-1][1] += STEP
        else:
            heard.append([kind, STEP])
    return heard


def order(heard):
    """Returns the kinds without silences and without what is shorter than a quarter of a second."""
    kinds = []
    for kind, seconds in heard:
        if kind != 'silence' and seconds >= 0.25 and (not kinds or kinds[-1] != kind):
            kinds.append(kind)
    return kinds


def joins(heard):
    """Returns the seconds of silence between two sounds of different kinds."""
    found, silence, last = [], 0.0, None
    for kind, seconds in heard:
        if kind == 'silence':
            silence += seconds
        elif seconds >= 0.1:
            if last is not None and last != kind:
                found.append(round(silence, 2))
            last, silence = kind, 0.0
    return found


class Report:
    failed = 0

    def check(self, good, words):
        self.failed += not good
        print(f'works: {"ok" if good else "FAILED"}: {words}')
