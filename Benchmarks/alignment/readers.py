# SPDX-License-Identifier: Apache-2.0
"""Readers: clips of real readings, whose text and first sound are known.

    readers.py FOLDER      fetches the prompts of five readers from Debian's packages into FOLDER/prompts

A reader is a list of clips. The lines of shared/media/books/sonnets_en are cut at the times of sonnets.tsv; the clips of
everybody else are files of their own. FOLDER may have more readers, each a folder in the form of LJ Speech: `metadata.csv`
with `name|text` in a line, and `wavs/name.wav`.
"""
import difflib
import functools
import pathlib
import re
import subprocess
import sys

import numpy as np

RATE = 22050
ROMAN = {'I': 'One', 'II': 'Two', 'III': 'Three'}
# What the asterisk package for a language is read by.
PROMPTS = {'prompts-en': 'en_US_f_Allison', 'prompts-es': 'es_MX_f_Allison', 'prompts-fr': 'fr_CA_f_June',
           'prompts-it': 'it_IT_m_Carlo', 'prompts-ru': 'ru_RU_f_IvrvoiceRU'}


@functools.lru_cache(maxsize=400)
def sound(path):
    """Returns the samples of a file, mono."""
    form = ['-f', 'g722'] if str(path).endswith('.g722') else []
    data = subprocess.run(['ffmpeg', '-v', 'error', *form, '-i', path, '-ac', '1', '-ar', str(RATE), '-f', 's16le', '-'],
                          check=True, capture_output=True).stdout
    return np.frombuffer(data, 'i2')


def onset(samples):
    """Returns the second at which speech begins in a clip with silence around it."""
    steps = len(samples) // 220
    levels = np.abs(samples[:steps * 220].astype('f4')).reshape(steps, 220).mean(1)
    level = max(levels.max() * 0.03, min(4 * np.percentile(levels, 5), levels.max() * 0.1))
    return next((n for n in range(steps - 2) if levels[n:n + 3].min() > level), 0) * 220 / RATE


class Clip:
    """A piece of a file, with its text; `speech` is the second of the piece at which the text begins."""

    def __init__(self, path, text, language, start=0, end=None, speech=None, pause=True):
        self.path, self.text, self.language, self.start, self.end = str(path), text, language, start, end
        self.speech = onset(self.samples()) if speech is None else speech
        # False if the clip has a pause around it already.
        self.pause = pause

    def samples(self):
        return sound(self.path)[int(self.start * RATE):int(self.end * RATE) if self.end else None]


def sonnets(shared):
    times = [[], [], []]
    for line in (pathlib.Path(__file__).parent / 'sonnets.tsv').read_text().splitlines():
        if line[0].isdigit():
            track, _, ms, _ = line.split('\t')
            times[int(track) - 1].append(int(ms) / 1000)
    clips = []
    for number, seconds in enumerate(times, 1):
        path = shared / f'media/books/sonnets_en/p00{number}.mp3'
        lines = re.findall(r'<span id="f\d+">(.*?)</span>', path.with_suffix('.xhtml').read_text())
        cuts = [0, *(second - 0.1 for second in seconds[1:]), None]
        clips += [Clip(path, ROMAN.get(line, line), 'en', cuts[n], cuts[n + 1], seconds[n] - cuts[n], pause=False)
                  for n, line in enumerate(lines)]
    return clips


def prompts(folder, language, voice):
    """The prompts of a telephone exchange that are no single words; of several that are nearly the same, the first."""
    data = (folder / f'usr/share/doc/asterisk-core-sounds-{language}/core-sounds-{language}.txt').read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode('latin-1')
    clips = []
    for line in text.splitlines():
        match = re.match(r'([\w./-]+?)(?:\.wav)?\s*:\s*(.+)', line)
        if line.startswith(';') or not match:
            continue
        name, words = match.group(1), match.group(2).strip()
        path = folder / f'usr/share/asterisk/sounds/{voice}/{name}.g722'
        if re.search(r'[\[\]()<>&*#@=/]|\.\.\.|www', words) or len(words.split()) < 3 or not path.exists():
            continue
        if any(difflib.SequenceMatcher(None, words, clip.text).ratio() > 0.6 for clip in clips[-25:]):
            continue
        clips.append(Clip(path, words, language))
    return clips


def dictated(folder):
    """A folder in the form of LJ Speech."""
    texts = dict(line.split('|')[:2] for line in (folder / 'metadata.csv').read_text().splitlines())
    return [Clip(path, texts[path.stem], 'en') for path in sorted((folder / 'wavs').glob('*.wav')) if path.stem in texts]


def single(shared):
    """Clips of several readers: LibriSpeech has them without a text but for two, so these are the five of LibriVox."""
    folder = shared / 'media/speech/librivox_wav'
    said = re.findall(r'<s> (.*?) </s> \((.*?)\)', (folder / 'transcription').read_text())
    return [Clip(folder / f'{name}.wav', words.capitalize() + '.', 'en') for words, name in said
            if (folder / f'{name}.wav').exists()]


def readers(shared, folder):
    """Returns what makes the clips of each reader that is there."""
    found = {'sonnets': lambda: sonnets(shared), 'austen': lambda: single(shared)}
    for name, voice in PROMPTS.items():
        if (folder / f'prompts/usr/share/asterisk/sounds/{voice}').exists():
            found[name] = functools.partial(prompts, folder / 'prompts', name[-2:], voice)
    for metadata in sorted(folder.glob('*/metadata.csv')):
        found[metadata.parent.name] = functools.partial(dictated, metadata.parent)
    return found


def fetch(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for language in ('en', 'es', 'fr', 'it', 'ru'):
        for kind in ('', '-g722'):
            name = f'asterisk-core-sounds-{language}{kind}'
            subprocess.run(['apt-get', 'download', '-qq', name], cwd=folder, check=True)
            package = next(folder.glob(f'{name}_*.deb'))
            subprocess.run(['dpkg-deb', '-x', package, folder / 'prompts'], check=True)
            package.unlink()
    for text in (folder / 'prompts').rglob('core-sounds-*.txt.gz'):
        subprocess.run(['gunzip', text], check=True)


if __name__ == '__main__':
    fetch(pathlib.Path(sys.argv[1]).resolve())
