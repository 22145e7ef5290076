# SPDX-License-Identifier: Apache-2.0
"""The title and the table of contents of an EPUB, by a reader that shares nothing with the one that is tested."""
import posixpath
import urllib.parse
import xml.etree.ElementTree as ET
import zipfile

OPF = '{http://www.idpf.org/2007/opf}'
DC = '{http://purl.org/dc/elements/1.1/}'
XHTML = '{http://www.w3.org/1999/xhtml}'
OPS = '{http://www.idpf.org/2007/ops}'
NCX = '{http://www.daisy.org/z3986/2005/ncx/}'


def words(element):
    return ' '.join(''.join(element.itertext()).split())


class BookContents:
    """`title`, and `entries`: the level and title of each entry of the table of contents, in order."""
    def __init__(self, path):
        with zipfile.ZipFile(path) as self.book:
            container = ET.fromstring(self.book.read('META-INF/container.xml'))
            root = next(element for element in container.iter() if element.tag.endswith('rootfile'))
            self.package = root.get('full-path')
            package = ET.fromstring(self.book.read(self.package))
            title = package.find(f'.//{DC}title')
            self.title = words(title) if title is not None else ''
            items = {item.get('id'): item for item in package.iter(f'{OPF}item')}
            self.spine = [self.path(items[item.get('idref')].get('href')) for item in package.iter(f'{OPF}itemref')
                          if item.get('idref') in items]
            self.entries = []
            nav = next((item for item in items.values() if 'nav' in (item.get('properties') or '').split()), None)
            spine = package.find(f'{OPF}spine')
            ncx = items.get(spine.get('toc')) if spine is not None else None
            if nav is not None:
                self.read_nav(self.path(nav.get('href')))
            elif ncx is not None:
                self.read_ncx(self.path(ncx.get('href')))

    def path(self, reference, base=None):
        folder = posixpath.dirname(base or self.package)
        return posixpath.normpath(posixpath.join(folder, urllib.parse.unquote(reference.split('#')[0])))

    def read_nav(self, path):
        tree = ET.fromstring(self.book.read(path))
        toc = next((nav for nav in tree.iter(f'{XHTML}nav') if 'toc' in (nav.get(f'{OPS}type') or '').split()), None)
        if toc is not None:
            for items in toc.findall(f'{XHTML}ol'):
                self.read_list(items, 1, path)

    def read_list(self, items, level, path):
        for item in items.findall(f'{XHTML}li'):
            label = next((child for child in item if child.tag in (f'{XHTML}a', f'{XHTML}span')), None)
            if label is not None:
                target = label.get('href')
                self.add(level, words(label), target and self.path(target, path))
            for inner in item.findall(f'{XHTML}ol'):
                self.read_list(inner, level + 1, path)

    def read_ncx(self, path):
        tree = ET.fromstring(self.book.read(path))

        def walk(parent, level):
            for point in parent.findall(f'{NCX}navPoint'):
                label, content = point.find(f'{NCX}navLabel'), point.find(f'{NCX}content')
                self.add(level, words(label), content is not None and self.path(content.get('src'), path))
                walk(point, level + 1)
        for points in tree.iter(f'{NCX}navMap'):
            walk(points, 1)

    def add(self, level, title, target):
        # An entry that leads to nothing in the spine is none that can be read.
        if title and (not target or target in self.spine):
            self.entries.append((level, title))
