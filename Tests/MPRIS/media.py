# SPDX-License-Identifier: Apache-2.0
"""The files that are played: made in a temporary folder by ffmpeg, never kept."""
import os
import pathlib
import subprocess

SECONDS = 60.0
CHAPTERS = 3

MARKS = ';FFMETADATA1\ntitle=A Book\nartist=Nobody\nalbum=Books\n' + ''.join(
    f'[CHAPTER]\nTIMEBASE=1/1\nSTART={k * 20}\nEND={k * 20 + 20}\ntitle=Part {k + 1}\n' for k in range(CHAPTERS))


class Media:
    """`first` and `second` are tagged files of 60 s, `book` has three chapters of 20 s, `plain` has no tags.

    `fresh` is a file that one case alone opens.
    """

    def __init__(self, folder, given=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.tags = None if given else {'title': 'The First', 'artist': 'Nobody', 'album': 'Sounds'}
        self.seconds = None if given else SECONDS
        self.first = pathlib.Path(given).resolve() if given else self._tone(
            'the first.mp3', 220, '-metadata', 'title=The First', '-metadata', 'artist=Nobody', '-metadata',
            'album=Sounds', '-c:a', 'libmp3lame', '-b:a', '96k')
        self.second = self._tone('second.wav', 330, '-metadata', 'title=The Second', '-metadata', 'artist=Nobody')
        self.plain = self._tone('without-tags.wav', 440, '-map_metadata', '-1', '-fflags', '+bitexact')
        self.fresh = self._tone('fresh.wav', 385, '-metadata', 'title=The Fresh One')
        marks = self.folder / 'chapters.txt'
        marks.write_text(MARKS)
        self.book = self._tone('book.m4b', 275, '-f', 'ffmetadata', '-i', str(marks), '-map', '0:a', '-map_metadata', '1',
                               '-map_chapters', '1', '-c:a', 'aac', '-b:a', '64k', '-f', 'ipod')
        self.missing = self.folder / 'missing.mp3'
        self.text = self.folder / 'broken.mp3'
        self.text.write_text('no sound is in this file\n' * 20)

    def _tone(self, name, hertz, *options):
        path = self.folder / name
        made = subprocess.run(
            ['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i',
             f'sine=frequency={hertz}:sample_rate=44100:duration={SECONDS:g}', *options, str(path)])
        if made.returncode:
            raise RuntimeError(f'ffmpeg could not make {name}')
        os.chmod(path, 0o644)
        return path

    def fill(self, command):
        """Puts the paths into a command line: {media}, {second}, {book}, {plain}."""
        places = {'media': self.first, 'second': self.second, 'book': self.book, 'plain': self.plain}
        for name, path in places.items():
            command = command.replace('{' + name + '}', f"'{path}'")
        return command
