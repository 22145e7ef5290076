#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes texts and media of the kinds that have killed libespeak-ng and libavformat, or sent them into endless loops.

    make-killers.py FOLDER

Each is made here from words and numbers of our own, following reports in public trackers: the number in a name is that
of the issue. Some versions of the libraries have been fixed since; a session must live with the others. Texts begin and
end with a harmless sentence, so that one can hear that reading continues after the bad place.
"""
import math
import os
import struct
import sys

RATE = 8000


def text(bad):
    return ("This comes before it. \n\n" + bad + "\n\nThis comes after it.\n").encode()


TEXTS = {
    # espeak-ng#2495: a word that stacks suffixes overruns a buffer on the stack.
    "suffixes-2495": text("s'" * 220),
    # espeak-ng#824: long strings without sense, in a language whose rules look far ahead.
    "signs-824": text("=-" * 300 + " " + "ы=" * 300 + " " + "+7-" * 200),
    # espeak-ng#1302: numbers beyond 9999, with grammar for the thousands.
    "numbers-1302": text(" ".join(str(9999 + 5201 * n) for n in range(60)) + " " + "9" * 400),
    # espeak-ng#534: signs for people after commas.
    "emoji-534": text(",,,, " + "\U0001F6BA\U0001F6BA\U0001F60D\U0001F60E\U0001F60E" * 40),
    # espeak-ng#1761, #1817, #2517: dots at an end are followed by whatever lies in memory.
    "dots-1761": text("..\n..\n" + "a.. " * 100 + "." * 3000),
    # espeak-ng#2489: a capital between hyphens changes the language within a word.
    "hyphens-2489": text("a Tala-E-Noor a " + "Tala-E-Noor-" * 50),
    # espeak-ng#1073: markup whose marks come thicker than words.
    "markup-1073": text("<speak>" + "".join(f'<mark name="{n}:{n + 3}"/>word {n} ' for n in range(60)) + "</speak>"),
    # No report: what the tables of a library have a last entry for.
    "initials": text("A." * 1000 + " " + "a.b.c." * 300),
    "marks": text("e" + "\u0301\u0302\u0330" * 2000 + " \u200d\u200c\u202e" * 500),
    "one-word": text("abcdefghij" * 2000),
    "brackets": text("[[" * 500 + "]]" * 500 + "[[_^_de]]" * 100),
    "nothing-but-lines": b"\n" * 200000 + b"A word.\n",
    "broken-utf8": b"Before it. " + bytes(range(128, 256)) * 20 + b" \xf4\x90\x80\x80\xed\xa0\x80 After it.",
}


def tone(frames):
    return b"".join(struct.pack("<h", int(8000 * math.sin(n / 5))) for n in range(frames))


def wav(fmt, data, size=None):
    body = b"WAVE" + b"fmt " + struct.pack("<I", len(fmt)) + fmt + b"data"
    body += struct.pack("<I", len(data) if size is None else size) + data
    return b"RIFF" + struct.pack("<I", min(len(body), 0xFFFFFFFF)) + body


def pcm(tag=1, channels=1, rate=RATE, align=2, bits=16):
    return struct.pack("<HHIIHH", tag, channels & 0xFFFF, rate, (rate * align) & 0xFFFFFFFF, align, bits)


def atom(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", len(body) + 8) + kind + body


def full(kind, *parts):
    return atom(kind, b"\0\0\0\0", *parts)


def mp4(stts=None, stsz=None, stsc=None, stco=None, edits=b"", extra=b"", rate=RATE, duration=RATE):
    """Makes a movie with one track of PCM, of which one table can be replaced."""
    sound = tone(RATE)
    ftyp = atom(b"ftyp", b"M4A \0\0\0\0M4A mp42isom")
    offset = len(ftyp) + 8
    entry = atom(b"sowt", b"\0" * 6, struct.pack(">H", 1), b"\0" * 8, struct.pack(">HHHHI", 1, 16, 0, 0, rate << 16))
    table = atom(b"stbl", full(b"stsd", struct.pack(">I", 1), entry),
                 stts or full(b"stts", struct.pack(">III", 1, RATE, 1)),
                 stsc or full(b"stsc", struct.pack(">IIII", 1, 1, RATE, 1)),
                 stsz or full(b"stsz", struct.pack(">II", 2, RATE)),
                 stco or full(b"stco", struct.pack(">II", 1, offset)))
    head = struct.pack(">IIII", 0, 0, RATE, duration)
    media = atom(b"mdia", full(b"mdhd", head, b"\x55\xc4\0\0"),
                 full(b"hdlr", b"\0\0\0\0soun", b"\0" * 13),
                 atom(b"minf", full(b"smhd", b"\0\0\0\0"),
                      atom(b"dinf", full(b"dref", struct.pack(">I", 1), atom(b"url ", b"\0\0\0\1"))), table))
    matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    track = atom(b"trak", full(b"tkhd", struct.pack(">IIIII", 0, 0, 1, 0, duration), b"\0" * 16, matrix, b"\0" * 8),
                 edits, media)
    movie = atom(b"moov", full(b"mvhd", head, struct.pack(">IH", 0x10000, 0x100), b"\0" * 10, matrix, b"\0" * 24,
                               struct.pack(">I", 2)), track, extra)
    return ftyp + atom(b"mdat", sound) + movie


def nested(kind, depth):
    body = b""
    for _ in range(depth):
        body = atom(kind, body)
    return body


def id3(frames, size):
    syncsafe = bytes((size >> shift) & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\x04\0\0" + syncsafe + frames


def flac(blocks):
    info = struct.pack(">HH", 4096, 4096) + b"\0" * 6
    info += ((RATE << 44) | (0 << 41) | (15 << 36) | RATE).to_bytes(8, "big") + b"\0" * 16
    return b"fLaC" + b"\0" + len(info).to_bytes(3, "big") + info + blocks + b"\xff\xf8\x69\x08" + b"\0" * 4000


def ogg(payload, flags, number, lacing=None):
    lacing = lacing if lacing is not None else [255] * (len(payload) // 255) + [len(payload) % 255]
    return (b"OggS\0" + bytes([flags]) + struct.pack("<qIII", 0, 1, number, 0) + bytes([len(lacing)]) + bytes(lacing)
            + payload)


SECOND = tone(RATE)
MEDIA = {
    "channels-65535.wav": wav(pcm(channels=65535), SECOND),
    "align-0.wav": wav(pcm(align=0), SECOND),
    "rate-0.wav": wav(pcm(rate=0), SECOND),
    "rate-4294967295.wav": wav(pcm(rate=0xFFFFFFFF), SECOND),
    "bits-65535.wav": wav(pcm(bits=65535, align=65535), SECOND),
    "size-4294967295.wav": wav(pcm(), SECOND, 0xFFFFFFFF),
    "adpcm-without-table.wav": wav(pcm(tag=2, align=1, bits=4) + b"\x02\0\xff\xff\xff\xff", SECOND),
    # A count of keys that is believed costs gigabytes (reported against mov_read_keys).
    "keys-4294967295.m4a": mp4(extra=atom(b"meta", full(b"keys", struct.pack(">I", 0x0FFFFFFF), b"\0\0\0\x20mdta" * 4))),
    # Tables that promise billions of samples.
    "samples-4294967295.m4a": mp4(stsz=full(b"stsz", struct.pack(">II", 2, 0xFFFFFFFF))),
    "times-4294967295.m4a": mp4(stts=full(b"stts", struct.pack(">III", 1, 0xFFFFFFFF, 0xFFFFFFFF))),
    "time-entries.m4a": mp4(stts=full(b"stts", struct.pack(">I", 0x1FFFFFFF), struct.pack(">II", 1, 1) * 50)),
    "chunks-backwards.m4a": mp4(stsc=full(b"stsc", struct.pack(">IIII", 0x1FFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 7))),
    "offsets-beyond.m4a": mp4(stco=full(b"stco", struct.pack(">III", 2, 0xFFFFFFF0, 4))),
    "edits-65535.m4a": mp4(edits=atom(b"edts", full(
        b"elst", struct.pack(">I", 65535), struct.pack(">IiHH", 1, 0, 1, 0) * 65535))),
    "edit-of-minus-one.m4a": mp4(edits=atom(b"edts", full(
        b"elst", struct.pack(">I", 2), struct.pack(">IiHHIiHH", 0xFFFFFFFF, -1, 1, 0, 0xFFFFFFFF, 0x7FFFFFFF, 1, 0)))),
    "nested-10000.m4a": mp4(extra=nested(b"udta", 10000)),
    "duration-minus-one.m4a": mp4(duration=0xFFFFFFFF),
    # CVE-2018-1999011 and others of its kind: sizes within sizes, in ASF.
    "sizes-in-sizes.wma": bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c") + struct.pack("<QIBB", 2**63 - 1, 3, 1, 2)
    + bytes.fromhex("9107dcb7b7a9cf118ee600c00c205365") + struct.pack("<Q", 2**64 - 24) + b"\xff" * 4000,
    "tag-of-256-mib.mp3": id3(b"TIT2" + b"\x0f\x7f\x7f\x7f\0\0\3" + b"a" * 4000, 0x0FFFFFFF),
    "chapters-in-chapters.mp3": id3(b"CHAP\0\0\x7f\x7f\0\0a\0" + b"\xff" * 16 + b"CTOC\0\0\x7f\x7f\0\0a\0\3\xffa\0" * 900,
                                    100000) + b"\xff\xfb\x90\0" * 4000,
    "picture-of-16-mib.flac": flac(b"\x86\xff\xff\xff" + struct.pack(">IIIIIIII", 3, 0x7FFFFFFF, 0, 0, 0, 0, 0, 1)),
    "comments-4294967295.flac": flac(b"\x84\0\x10\0" + struct.pack("<II", 4, 0x41414141) + b"\xff" * 4088),
    "comments-4294967295.opus": ogg(b"OpusHead\1\1\0\0" + struct.pack("<IHB", 48000, 0, 0), 2, 0)
    + ogg(b"OpusTags" + struct.pack("<II", 0, 0xFFFFFFFF) + b"\xff" * 400, 0, 1) + ogg(b"\xff" * 600, 4, 2),
    "pages-of-nothing.ogg": ogg(b"\x01vorbis" + b"\0" * 4 + struct.pack("<BIIIIBB", 1, RATE, 0, 0, 0, 0xB8, 1), 2, 0)
    + b"".join(ogg(b"", 0, n, []) for n in range(1, 4000)),
    "sizes-unknown.mka": bytes.fromhex("1a45dfa3a3428288") + b"matroska" + bytes.fromhex("18538067" + "01ffffffffffffff")
    + bytes.fromhex("1f43b675" + "01ffffffffffffff") * 3000,
    "sample-tables.aiff": b"FORM" + struct.pack(">I", 0xFFFFFFFF) + b"AIFFCOMM" + struct.pack(
        ">IhIh", 18, 1, 0xFFFFFFFF, 16) + b"\x7f\xff" + b"\xff" * 8 + b"SSND" + struct.pack(">III", 0x7FFFFFFF, 0, 0)
    + SECOND,
    "nothing.m4a": b"",
    "zeros.mp3": bytes(300000),
    "all-ones.mp3": b"\xff" * 300000,
}


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name, data in TEXTS.items():
        with open(os.path.join(folder, name + ".txt"), "wb") as file:
            file.write(data)
    for name, data in MEDIA.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
