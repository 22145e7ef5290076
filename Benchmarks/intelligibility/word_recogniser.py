# SPDX-License-Identifier: Apache-2.0
"""An offline recogniser, the same for everything that is heard, and the errors in what it hears."""
import subprocess

import numpy as np
import pocketsphinx

import bigram_model

RATE = 16_000
# Silence before and behind each sentence, in seconds: the recogniser was trained with some.
MARGIN = 0.3
# Noise under everything, of 32768 (−61 dB): the recogniser was never trained with silence that is all zeros, which
# eSpeak NG makes also within words. Without it, it takes four of five of its words for others.
NOISE = 30


def samples(path, filters=()):
    """Returns the sound of a file as the recogniser takes it: mono, 16 kHz, 16 bits."""
    chain = ['-af', ','.join(filters)] if filters else []
    made = subprocess.run(['ffmpeg', '-v', 'error', '-i', str(path), *chain, '-ac', '1', '-ar', str(RATE), '-f', 's16le', '-'],
                          check=True, capture_output=True)
    return np.frombuffer(made.stdout, dtype='<i2')


class WordRecogniser:
    """PocketSphinx with the sounds and the dictionary of its package, and a model of the texts that are read.

    Each sentence is heard by itself: the means of its own spectrum are taken off, not those of what came before.
    """
    def __init__(self, texts, folder):
        known = self.dictionary()
        model = folder / 'texts.arpa'
        bigram_model.write(model, [said for text in texts if (said := [word for word in text if word in known])])
        self.decoder = pocketsphinx.Decoder(lm=str(model), loglevel='FATAL')

    @staticmethod
    def dictionary():
        with open(pocketsphinx.get_model_path('en-us/cmudict-en-us.dict')) as file:
            return {line.split()[0] for line in file if '(' not in line.split()[0]}

    def words(self, sound):
        silence = np.zeros(int(MARGIN * RATE), dtype='<i2')
        heard = np.concatenate([silence, sound, silence])
        # The same noise under each sentence.
        noise = np.random.default_rng(1).normal(0, NOISE, len(heard))
        self.decoder.start_utt()
        self.decoder.process_raw((heard + noise).clip(-32768, 32767).astype('<i2').tobytes(), full_utt=True)
        self.decoder.end_utt()
        best = self.decoder.hyp()
        return best.hypstr.split() if best else []


def errors(said, heard):
    """Returns the least number of words that are wrong, missing or too many."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(said):
        previous, row = row, [i + 1] + [0] * len(heard)
        for j, other in enumerate(heard):
            row[j + 1] = min(previous[j] + (word != other), previous[j + 1] + 1, row[j] + 1)
    return row[-1]


class Score:
    """The errors of each sentence, as one tool said it."""
    def __init__(self, name, lengths, wrong, seconds):
        self.name, self.lengths, self.wrong, self.seconds = name, np.array(lengths), np.array(wrong), seconds

    @property
    def rate(self):
        return self.wrong.sum() / self.lengths.sum()

    def interval(self, other=None, draws=4000):
        """Returns the 95 % interval of the rate, or of the difference from another's, over sentences drawn with return."""
        chance = np.random.default_rng(1)
        chosen = chance.integers(0, len(self.lengths), (draws, len(self.lengths)))
        wrong = self.wrong if other is None else self.wrong - other.wrong
        rates = wrong[chosen].sum(axis=1) / self.lengths[chosen].sum(axis=1)
        return tuple(np.percentile(rates, [2.5, 97.5]))
