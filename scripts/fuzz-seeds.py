#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes inputs from which the fuzz targets of documents and voices start.

    fuzz-seeds.py FOLDER

FOLDER gets a folder for each target, with small files that reach its parsers. Their last bytes choose the parser, as the
targets say.
"""
import json
import pathlib
import sys

PLAIN = '''The Title
by An Author

CHAPTER I. Down

It was 3.14 p.m. on 24 December 1999; "Dr. Smith," she said, "owes £5.50 (e.g. to J. R. Doe) -- see www.example.org."

    A verse of lines,
    of two of them.

* * *

CHAPTER II

Caf\u00e9, na\u00efve\u2026 \u2018quoted\u2019 \u2014 \u4f60\u597d\u3002 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0645\u0631\u062d\u0628\u0627 XIV 1/2 50 km/h 1,000,000.
'''
MARKDOWN = '''---
title: A Title
lang: en
---
# One

Some *words*, `code` and [a link](http://example.org/a "t"), a note[^1] and https://example.org.

- a
  - b
1. c

> quoted

| a | b |
|---|---|
| 1 | 2 |

```swift
let a = 1
```

[^1]: The note.

Two
===
<p>html</p>
'''
LATEX = r'''\documentclass{article}
\title{A Title}\author{An Author}
\newcommand{\me}[1]{\emph{#1}}
\begin{document}\maketitle
\section{One}\label{s}
Words \me{here}, na\"{\i}ve caf\'e --- ``quoted'' \cite{a} \footnote{A note.} $x^2 + \frac{1}{2}$ % remark
\begin{itemize}\item a \item b\end{itemize}
\begin{verbatim}
code \here
\end{verbatim}
\begin{equation} E = mc^2 \end{equation}
\end{document}
'''
SRT = '1\n00:00:01,000 --> 00:00:02,500\n<i>Hello</i>\nthere,\n\n2\n00:00:02,600 --> 00:00:04,000\nworld. {\\an8}- Yes.\n'
VTT = '''WEBVTT - title

NOTE remark

STYLE
::cue { color: red }

id
00:01.000 --> 00:02.000 align:start
<v Anna>Hello <b>there</b> &amp; <00:01.500>you

00:03.000 --> 00:04.000
<v Anna>again.
'''
HTML = '''<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A Title - Site</title>
<meta property="og:title" content="A Title"><script>x</script></head><body>
<nav><a href="/">Home</a><a href="/b">B</a></nav>
<article><h1>A Title</h1><p class="byline">by An Author</p>
<p>The first paragraph has enough words, commas, and sentences to be the main content of the page. It goes on.</p>
<p lang="de">Ein Absatz<sup><a href="#n1" role="doc-noteref">1</a></sup> &nbsp;mit <ruby>a<rt>b</rt></ruby>.</p>
<ul><li>a<li>b<ol><li>c</ol></ul><table><tr><th>a<td>b</table><pre>code</pre><img alt="picture">
<blockquote>quoted</blockquote><math><mi>x</mi></math><p hidden>no</p><p style="display:none">no</p>
<aside id="n1" role="doc-footnote">The note.</aside></article><footer>&copy; 2020</footer></body></html>
'''
FB2 = '''<?xml version="1.0" encoding="UTF-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description>
<title-info><author><first-name>An</first-name><last-name>Author</last-name></author><book-title>A Title</book-title>
<lang>en</lang></title-info></description><body><title><p>A Title</p></title><section><title><p>One</p></title>
<epigraph><p>e</p></epigraph><p>Words<a l:href="#n1" type="note">1</a>.</p><empty-line/><poem><stanza><v>a</v><v>b</v>
</stanza></poem><subtitle>* * *</subtitle><cite><p>c</p></cite></section></body>
<body name="notes"><section id="n1"><title><p>1</p></title><p>The note.</p></section></body></FictionBook>
'''
SSML = '''<?xml version="1.0"?><speak version="1.1" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en-US">
<metadata>no</metadata><p><s>One <sub alias="two">2</sub>.</s><break time="2s"/><s xml:lang="fr">Trois <emphasis>mots</emphasis>.</s></p>
<say-as interpret-as="characters">ABC</say-as> <phoneme alphabet="ipa" ph="t&#x259;mei&#x325;&#x27E;ou&#x325;">tomato</phoneme>
<voice gender="female"><prosody rate="slow">words</prosody></voice></speak>
'''
OPF = '''<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata
xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A Title</dc:title><dc:creator>An Author</dc:creator>
<dc:language>en</dc:language></metadata><manifest>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="1" href="1.xhtml" media-type="application/xhtml+xml" media-overlay="s"/>
<item id="2" href="2%2Exhtml" media-type="application/xhtml+xml"/>
<item id="s" href="1.smil" media-type="application/smil+xml"/></manifest>
<spine toc="x"><itemref idref="1"/><itemref idref="2" linear="no"/></spine>
<guide><reference type="toc" href="nav.xhtml"/></guide></package>'''
NAV = '''<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol>
<li><a href="1.xhtml">One</a><ol><li><a href="1.xhtml#b">B</a></li></ol></li><li><a href="2.xhtml">Two</a></li></ol></nav>
<nav epub:type="landmarks"><ol><li><a epub:type="bodymatter" href="1.xhtml">Start</a></li></ol></nav></body></html>'''
NCX = '''<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint id="a" playOrder="1"><navLabel><text>One</text>
</navLabel><content src="1.xhtml#b"/></navPoint></navMap></ncx>'''
PAGE = '''<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body
epub:type="bodymatter"><h1 id="a">One</h1><p id="b">Words<a epub:type="noteref" href="2.xhtml#n">1</a>, more.</p><hr/></body></html>'''
NOTES = '''<html xmlns="http://www.w3.org/1999/xhtml"><body><aside id="n" epub:type="footnote"><p>The note.</p></aside></body></html>'''
SMIL = '''<smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body><seq><par><text src="1.xhtml#a"/>
<audio src="1.mp3" clipBegin="0s" clipEnd="0:00:01.233"/></par><par><text src="1.xhtml#b"/><audio src="1.mp3" clipBegin="1233ms"/>
</par></seq></body></smil>'''
LOCK = '''<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData
xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/><CipherData>
<CipherReference URI="OPS/font.otf"/></CipherData></EncryptedData></encryption>'''
DTBOOK = '''<dtbook xmlns="http://www.daisy.org/z3986/2005/dtbook/" xml:lang="en"><book><frontmatter><doctitle>A Title</doctitle>
</frontmatter><bodymatter><level1><h1>One</h1><pagenum>1</pagenum><p>Words<noteref idref="#n">1</noteref>.</p>
<note id="n"><p>The note.</p></note></level1></bodymatter></book></dtbook>'''
DAISY = OPF.replace('href="1.xhtml" media-type="application/xhtml+xml"', 'href="book.xml" media-type="application/x-dtbook+xml"')
NCC = '''<html><head><title>A Title</title></head><body><h1 id="a"><a href="1.smil#t1">One</a></h1></body></html>'''
NCC_SMIL = '''<smil><body><seq><par id="t1"><text src="1.html#b"/><audio src="1.mp3"/></par></seq></body></smil>'''
CONFIG = {'audio': {'sample_rate': 22050, 'quality': 'medium'}, 'espeak': {'voice': 'en-us'}, 'phoneme_type': 'espeak',
          'inference': {'noise_scale': 0.667, 'length_scale': 1, 'noise_w': 0.8}, 'num_speakers': 2,
          'speaker_id_map': {'a': 0, 'b': 1}, 'language': {'code': 'en_US', 'name_english': 'English'},
          'phoneme_id_map': {'_': [0], '^': [1], '$': [2], ' ': [3], 'a': [14], '\u02d0': [122]}}
VOICE = {'name': 'voice', 'language': 'en-US', 'languageName': 'English', 'quality': 'medium', 'speakers': ['a'],
         'sampleRate': 22050, 'license': 'MIT', 'modelBytes': 63000000}
ENTRY = {'id': 'abc123', 'uri': 'web:example.org/a', 'url': 'https://example.org/a', 'file': 'abc123-1.txt', 'name': 'a.txt',
         'charset': 'utf-8', 'addedAt': 1700000000000, 'isArchived': False}
DICTIONARY = r'''# remark
gif = jif
"Polish" = pole-ish
New York = Noo Yawk
/(\d+)fps/i = $1 frames
[de]
Rostrum = [[r'0str@m]]
[*]
um =
'''


def book(**parts):
    return ''.join(f'\n={name.strip("_")}{text}' for name, text in parts.items())


def pages():
    """Words on pages, as PaperPages takes them."""
    lines = [(3 | 12 << 3, 10, 'Head'), (1 | 10 << 3, 20, 'Words'), (4 | 10 << 3, 0, 'go'), (4 | 10 << 3, 0, 'hyphen-'),
             (1 | 10 << 3, 24, 'ated'), (1 | 8 << 3, 190, '1')]
    one = b''.join(bytes([kind]) + (bytes([top]) if kind & 1 else b'') + bytes([20 + 12 * n]) + word.encode() + b' '
                   for n, (kind, top, word) in enumerate(lines))
    return one + b'\xff\x96\xc8' + one[1:]


def varint(number):
    result = b''
    while number > 0x7f:
        result += bytes([number & 0x7f | 0x80])
        number >>= 7
    return result + bytes([number])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def seeds():
    """Returns the inputs of each target, by name."""
    def text(words, choice):
        return (words if isinstance(words, bytes) else words.encode()) + bytes([choice])
    model = b'\x08\x08' + field(7, b'graph' * 20) + field(14, field(1, b'model_type') + field(2, b'vits'))
    epub = dict(o=OPF, n=NAV, x=NCX, _1=PAGE, _2=NOTES, s=SMIL, e=LOCK)
    return {
        'TextFuzz': [text(PLAIN, 0), text(PLAIN.encode('utf-16'), 0), text(PLAIN.encode('latin-1', 'replace'), 0),
                     text(MARKDOWN, 1), text(LATEX, 2), text(SRT, 3), text(VTT, 4), text(pages(), 5)],
        'MarkupFuzz': [text(HTML, 0), text(PAGE, 1), text(FB2, 2), text(SSML, 3), text('OPS/a.xhtml\n../b%2F./c#d', 5),
                       text(book(**epub), 6), text(book(_1=PAGE), 6), text(book(o=DAISY, d=DTBOOK), 7),
                       text(book(a=NCC, m=NCC_SMIL, t=PAGE), 7)],
        'SpeechFuzz': [text(PLAIN.replace('\n\n', '\f') + '\0' + DICTIONARY, choice) for choice in (0x01, 0x62, 0x13, 0xa4)]
        + [text(PLAIN, choice) for choice in (0x00, 0x02, 0x03, 0x04, 0x15)],
        'ScriptFuzz': [b'\xff', b'\x00\x20\xff\xff', bytes.fromhex('536d727574736f52') + bytes(160)],
        'OrderFuzz': [b'name a.epub\ncharset utf-8\nlanguage en\nskip notes\nemoji\nlongest 200', b'read\nwarning a\nwarning b',
                      b'failed corrupt\nmessage a', b'url https://a/\nheader A:b\nprivate\nfingerprint ab\nbytes 9\nmilliseconds 9',
                      b'fetched\naddress https://a/\nbytes 3\ntype text/html\ncharset utf-8', b'failed missing\nmessage a',
                      b'text/html; charset="utf-8"', b'Text/Plain ;x="a;charset=no";\tCharset = \'koi8-r\'', b'audio/mpeg'],
        'VoiceFuzz': [text(json.dumps(CONFIG), 0), text(json.dumps(CONFIG, ensure_ascii=False), 0), text(model, 1),
                      text('# Card\n* License: MIT\n', 2), text(json.dumps(VOICE), 3)],
        'ReadingListFuzz': [json.dumps(ENTRY).encode(), b'https://u:p@example.org/a/b.epub?c#d\ntext/html'],
    }


def main():
    folder = pathlib.Path(sys.argv[1])
    for target, inputs in seeds().items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs):
            (folder / target / f'seed-{number}').write_bytes(data)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
