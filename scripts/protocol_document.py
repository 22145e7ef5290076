# SPDX-License-Identifier: Apache-2.0
"""Headings and tables of docs/session-protocol.md, for check-protocol.py."""
import re
import sys


def quoted(cell):
    """Returns the name that a cell or a heading is about."""
    match = re.search(r'`([^`]+)`', cell)
    return match.group(1) if match else cell


def codes_in(text):
    """Returns error codes, which are written with a minus sign or a hyphen."""
    return [-int(code) for code in re.findall(r'[−-](32\d{3})\b', text)]


class Row:
    def __init__(self, line, headers, cells):
        self.line, self.cells = line, dict(zip(headers, cells))

    def __getitem__(self, header):
        return self.cells.get(header, '')


class Section:
    def __init__(self, title, level, line):
        self.title, self.level, self.line = title, level, line
        self.numbered = []

    @property
    def text(self):
        return '\n'.join(line for _, line in self.numbered)

    def states(self, word):
        return f'**{word}:**' in self.text

    def rows(self, first):
        """Returns the rows of all tables whose first column has this heading."""
        headers, rows = None, []
        for number, line in self.numbered:
            if not line.startswith('|'):
                headers = None
                continue
            cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
            if headers is None:
                headers = cells
            elif not set(line) <= set('|- ') and headers[0] == first:
                rows.append(Row(number, headers, cells))
        return rows


class Document:
    def __init__(self, path):
        self.path, self.lines = path, path.read_text().splitlines()
        self.sections, self.anchors = [], set()
        for number, line in enumerate(self.lines, 1):
            heading = re.match(r'(#+) (.*)', line)
            if heading:
                self.sections.append(Section(heading.group(2), len(heading.group(1)), number))
                slug = re.sub(r'[^\w\- ]', '', heading.group(2).lower()).replace(' ', '-')
                count, anchor = 0, slug
                while anchor in self.anchors:
                    count += 1
                    anchor = f'{slug}-{count}'
                self.anchors.add(anchor)
            elif self.sections:
                self.sections[-1].numbered.append((number, line))

    def section(self, title):
        for section in self.sections:
            if section.title == title:
                return section
        sys.exit(f'{self.path}: no heading: {title}')

    def line(self, title):
        return self.section(title).line

    def children(self, title):
        """Returns the sections below one, by their titles."""
        start = self.sections.index(self.section(title))
        found = {}
        for section in self.sections[start + 1:]:
            if section.level <= self.sections[start].level:
                break
            found[section.title] = section
        return found
