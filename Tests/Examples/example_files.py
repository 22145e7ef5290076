# SPDX-License-Identifier: Apache-2.0
"""Content for the examples, and the sound expected of it, computed without them."""
import array
import math
import pathlib
import struct
import wave
from dataclasses import dataclass


@dataclass
class Content:
    path: pathlib.Path
    rate: int
    channels: int
    samples: list          # of the whole, as floats
    seek_argument: str
    seek_unit: int         # index of a frame
    bad: bytes
    complaint: str
    has_tracks: bool = True

    def heard(self, frame):
        return self.rate, self.channels, self.samples[frame * self.channels:]


def noise(count):
    """Returns 16-bit numbers that do not repeat, both extremes among them."""
    state, numbers = 1, [-32768, 32767, 0, -1]
    while len(numbers) < count:
        state = (state * 1103515245 + 12345) % 2**31
        numbers.append((state >> 8) % 65536 - 32768)
    return numbers


def wav(path, channels, seconds=2):
    """Makes a file of 16-bit PCM, 17 frames longer than its seconds."""
    rate, numbers = 44100, noise(44100 * seconds * channels + channels * 17)
    with wave.open(str(path), 'wb') as out:
        out.setnchannels(channels)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(array.array('h', numbers).tobytes())
    return Content(path, rate, channels, [number / 32768 for number in numbers], '1.25', 55125,
                   b'RIFX' + bytes(5000), 'is no WAV file')


def expanded(code):
    """Returns the 16-bit value of a mu-law code, from the segment table of ITU-T G.711."""
    code = 255 - code
    segment, step = (code >> 4) & 7, code & 15
    magnitude = ((33 + 2 * step) << segment) - 33
    return (-4 if code >> 7 else 4) * magnitude


def au(path, channels):
    """Makes an .au file: mu-law with one channel, 16-bit PCM with two."""
    rate = 8000
    if channels == 1:
        codes = bytes(number % 256 for number in range(rate * 2 + 17))
        numbers, data, encoding = [expanded(code) for code in codes], codes, 1
    else:
        numbers, encoding = noise(rate * 2 * channels), 3
        data = struct.pack(f'>{len(numbers)}h', *numbers)
    path.write_bytes(struct.pack('>4s5I', b'.snd', 28, len(data), encoding, rate, channels) + b'name' + data)
    return Content(path, rate, channels, [number / 32768 for number in numbers], '1.25', 10000,
                   b'.snx' + bytes(5000), 'is no .au file')


MORSE = dict(zip('abcdefghijklmnopqrstuvwxyz0123456789.,?/=', (
    '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. '
    '----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .-.-.- --..-- ..--.. -..-. -...-').split()))


def text(path, which):
    """Makes a text; the second one has characters without a signal at its beginning, among words and at its end."""
    sentence = 'Paris sos' if which == 1 else '\u00e9\u00e9 Sos, 73 \u2014 \u65e5\u672c' + '\u65e5' * 40 + ' ok\u00df'
    path.write_text(sentence, encoding='utf-8')
    samples = []
    starts = []
    for byte in sentence.encode():
        starts.append(len(samples))
        letter = chr(byte).lower()
        if byte <= 32:
            samples += [0.0] * (4 * 960)
        elif letter in MORSE:
            for signal in MORSE[letter]:
                frames = 3 * 960 if signal == '-' else 960
                for frame in range(frames):
                    fade = min(1.0, min(frame, frames - frame) / 80)
                    samples.append(0.5 * fade * math.sin(2 * math.pi * 600 * frame / 16000))
                samples += [0.0] * 960
            samples += [0.0] * (2 * 960)
    # "Paris sos": in the second word, at two bytes a second.
    return Content(path, 16000, 1, samples, '4.0', starts[6] if which == 1 else 0, 'äöü'.encode() * 9,
                   'has no letters or digits', has_tracks=False)


def read_wav(path):
    """Returns rate, channels, and samples as floats, of a file with 16-bit or float samples."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return 0, 0, []
    at, kind = 12, None
    while at + 8 <= len(data):
        name, size = struct.unpack_from('<4sI', data, at)
        if name == b'fmt ':
            kind, channels, rate = struct.unpack_from('<HHI', data, at + 8)
        if name == b'data' and kind == 1:
            return rate, channels, [n / 32768 for n in array.array('h', data[at + 8:at + 8 + size])]
        if name == b'data' and kind == 3:
            return rate, channels, list(array.array('f', data[at + 8:at + 8 + size]))
        at += 8 + size + (size & 1)
    return 0, 0, []
