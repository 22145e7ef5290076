# SPDX-License-Identifier: Apache-2.0
"""A model of a language with pairs of words, in the ARPA format that recognisers read."""
import collections
import math

# What is taken from each count and left to pairs that were not seen.
DISCOUNT = 0.7


def write(path, sentences):
    """Writes the model of some sentences, each a list of words (absolute discounting, with back-off to single words)."""
    words, pairs = collections.Counter(), collections.Counter()
    for sentence in sentences:
        framed = ['<s>', *sentence, '</s>']
        words.update(framed[1:])
        pairs.update(zip(framed, framed[1:]))
    total = sum(words.values())
    begun, followers = collections.Counter(), collections.defaultdict(list)
    for (first, second), count in pairs.items():
        begun[first] += count
        followers[first].append(second)

    def back_off(word):
        if word not in followers:
            return 0.0
        left = DISCOUNT * len(followers[word]) / begun[word]
        unseen = 1 - sum(words[second] for second in followers[word]) / total
        return math.log10(left / max(unseen, 1e-9))

    with open(path, 'w') as file:
        print(f'\\data\\\nngram 1={len(words) + 1}\nngram 2={len(pairs)}\n\n\\1-grams:', file=file)
        print(f'-99 <s> {back_off("<s>"):.4f}', file=file)
        for word in sorted(words):
            print(f'{math.log10(words[word] / total):.4f} {word} {back_off(word):.4f}', file=file)
        print('\n\\2-grams:', file=file)
        for (first, second), count in sorted(pairs.items()):
            print(f'{math.log10((count - DISCOUNT) / begun[first]):.4f} {first} {second}', file=file)
        print('\n\\end\\', file=file)
