#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what is read of web pages with what a person judges to be their text, and with other programs.

    pages.py BUILD_DIR                   a table for Rostrum, and for trafilatura and readability-lxml if Python has them
    pages.py BUILD_DIR --differences     also what each keeps or drops against the judgement
    pages.py --blocks PAGE               the blocks of a page, with their numbers

The pages are those of ../shared/media/text/html. `judged.tsv` says of blocks of each page, by their numbers, whether a
listener wants to hear them; what may be either way (references, links to more), what is mostly a formula, and what says the
same as a wanted block is not judged. Recall is the share of the
words that are wanted and kept, precision the share of the words that are kept and wanted. Needs lxml.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import lxml.html

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = os.path.join(os.environ.get('ROSTRUM_SHARED', os.path.join(HERE, '../../../shared')), 'media/text/html')
BLOCKS = set('p div li h1 h2 h3 h4 h5 h6 td th dd dt table ul ol section article nav footer header body dl figure figcaption '
             'blockquote pre tr tbody form main aside center caption noscript br'.split())
# Of the runs of three words of a block: what is missing may be a formula.
KEPT = 0.6


def blocks(markup):
    """Returns the text of a page, divided wherever a browser would begin a line."""
    root = lxml.html.document_fromstring(markup)
    for element in root.xpath('//script|//style|//math|//template|//comment()'):
        element.drop_tree()
    found, run = [], []

    def flush():
        text = ' '.join(''.join(run).split()).replace('[edit]', '')
        run.clear()
        if text:
            found.append(text)

    def walk(element):
        is_block = element.tag in BLOCKS
        if is_block:
            flush()
        run.append(element.text or '')
        for child in element:
            walk(child)
            run.append(child.tail or '')
        if is_block:
            flush()
    body = root.find('body')
    walk(root if body is None else body)
    flush()
    return found


def words(text):
    return re.findall(r'\w+', text.lower())


def runs(of):
    return {tuple(of[index:index + 3]) for index in range(len(of) - 2)}


def kept(block, lines, all_runs):
    """Whether a program's lines have a block; one of a word or two must be a line of its own."""
    own = words(block)
    if len(own) < 3:
        return own in lines
    mine = runs(own)
    return len(mine & all_runs) >= KEPT * len(mine)


def by_rostrum(build, path, folder):
    environment = dict(os.environ, HOME=folder)
    for name in ['RUNTIME_DIR', 'DATA_HOME', 'STATE_HOME', 'CONFIG_HOME', 'CACHE_HOME']:
        environment['XDG_' + name] = os.path.join(folder, name)
        os.makedirs(environment['XDG_' + name], 0o700, exist_ok=True)
    for old in glob.glob(f'{folder}/CACHE_HOME/rostrum/documents/*'):
        os.remove(old)
    result = subprocess.run([f'{build}/rostrumd', 'read-text', '--json', path], env=environment, capture_output=True, check=True)
    with open(glob.glob(f'{folder}/CACHE_HOME/rostrum/documents/*.text')[0], 'rb') as file:
        text = file.read()
    spans = [json.loads(line)['text'] for line in result.stdout.splitlines()]
    # What stands between utterances of a line is punctuation; numbers are as they are written.
    said = bytearray(byte if byte == 0x0A else 0x20 for byte in text)
    for span in spans:
        said[span['start']:span['end']] = text[span['start']:span['end']]
    return said.decode('utf-8', 'replace').splitlines()


def programs(build, folder):
    """Returns each program as a function from a path to lines."""
    def read(path):
        with open(path, 'rb') as file:
            return file.read()
    found = {}
    if build:
        found['Rostrum'] = lambda path: by_rostrum(build, path, folder)
    try:
        import trafilatura
        found['trafilatura'] = lambda path: (trafilatura.extract(read(path)) or '').splitlines()
    except ImportError:
        print('pages: no trafilatura', file=sys.stderr)
    try:
        import readability
        found['readability-lxml'] = lambda path: blocks(readability.Document(read(path).decode()).summary())
    except ImportError:
        print('pages: no readability-lxml', file=sys.stderr)
    return found


def judgements(page, all_blocks):
    """Returns pairs of a block and whether it is wanted."""
    pairs = []
    with open(f'{HERE}/judged.tsv', encoding='utf-8') as file:
        for line in file.read().splitlines()[1:]:
            name, judged, first, last, begins = line.split('\t')
            if name == page:
                if not all_blocks[int(first)].startswith(begins):
                    sys.exit(f'pages: {page}: block {first} begins with {all_blocks[int(first)][:40]!r}, not {begins!r}')
                pairs += [(block, judged == 'in') for block in all_blocks[int(first):int(last) + 1]]
    wanted = [words(block) for block, is_wanted in pairs if is_wanted]
    wanted_runs = runs([word for line in wanted for word in line])
    return [pair for pair in pairs if pair[1] or not kept(pair[0], wanted, wanted_runs)]


def percent(part, whole):
    return f'{100 * part / whole:.0f} %' if whole else '–'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build', nargs='?')
    parser.add_argument('--differences', action='store_true')
    parser.add_argument('--blocks')
    options = parser.parse_args()
    if options.blocks:
        with open(f'{PAGES}/{options.blocks}.html', 'rb') as file:
            for number, block in enumerate(blocks(file.read().decode())):
                print(number, block[:150])
        return
    names = sorted(os.path.basename(path)[:-5] for path in glob.glob(f'{PAGES}/*.html') if '.expected.' not in path)
    with tempfile.TemporaryDirectory() as folder:
        tools = programs(options.build and os.path.abspath(options.build), folder)
        print('| page | words wanted, not wanted |' + ''.join(f' {name}: recall, precision |' for name in tools))
        print('|---|---|' + '---|' * len(tools))
        total = {name: [0, 0, 0] for name in tools}
        for page in names:
            path = f'{PAGES}/{page}.html'
            with open(path, 'rb') as file:
                judged = judgements(page, blocks(file.read().decode()))
            sizes = [sum(len(words(block)) for block, wanted in judged if wanted == side) for side in (True, False)]
            row = f'| {page} | {sizes[0]}, {sizes[1]} |'
            for name, tool in tools.items():
                lines = [words(line) for line in tool(path)]
                all_runs = runs([word for line in lines for word in line])
                has = [(block, wanted, kept(block, lines, all_runs)) for block, wanted in judged]
                good = sum(len(words(block)) for block, wanted, is_kept in has if wanted and is_kept)
                bad = sum(len(words(block)) for block, wanted, is_kept in has if not wanted and is_kept)
                total[name] = [total[name][0] + good, total[name][1] + bad, total[name][2] + sizes[0]]
                row += f' {percent(good, sizes[0])}, {percent(good, good + bad)} |'
                if options.differences:
                    for block, wanted, is_kept in has:
                        if wanted != is_kept:
                            print(f'{page}: {name} {"keeps" if is_kept else "drops"}: {block[:100]}', file=sys.stderr)
            print(row)
        print('| all | |' + ''.join(
            f' {percent(good, wanted)}, {percent(good, good + bad)} |' for good, bad, wanted in total.values()))


if __name__ == '__main__':
    main()
