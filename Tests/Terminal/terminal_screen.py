# SPDX-License-Identifier: Apache-2.0
"""A terminal of its own with a program in it: its screen as rows of text, its keys, and how much it was sent."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import threading
import time

import pyte


class Screen(pyte.Screen):
    """pyte's screen, with the scrolling of a region (SU and SD) that it leaves out and ncurses uses."""

    def scroll_up(self, count=None):
        self._in_region(lambda: self.delete_lines(count))

    def scroll_down(self, count=None):
        self._in_region(lambda: self.insert_lines(count))

    def _in_region(self, act):
        row, column = self.cursor.y, self.cursor.x
        self.cursor.y = self.margins.top if self.margins else 0
        act()
        self.cursor.y, self.cursor.x = row, column


class Stream(pyte.ByteStream):
    csi = dict(pyte.ByteStream.csi, S='scroll_up', T='scroll_down')
    events = pyte.ByteStream.events | {'scroll_up', 'scroll_down'}


class TerminalScreen:
    """Runs a program in a terminal of a size; `seconds_per_kilobyte` makes a terminal that takes its output slowly."""

    def __init__(self, command, env, rows=24, columns=80, term='xterm-256color', seconds_per_kilobyte=0.0):
        self.screen = Screen(columns, rows)
        self.stream = Stream(self.screen)
        self.received = 0
        self.closed = threading.Event()
        self.stalled = threading.Event()
        self._slow = seconds_per_kilobyte
        self._changed = threading.Condition()
        self.process, self.master = pty.fork()
        if self.process == 0:
            # nohup, and a shell that runs the tests in the background, let their children ignore these.
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            os.execve(command[0], command, dict(env, TERM=term, LANG='C.UTF-8'))
        self.resize(rows, columns)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        while True:
            if self.stalled.is_set():
                time.sleep(0.01)
                continue
            try:
                if not select.select([self.master], [], [], 0.2)[0]:
                    continue
                data = os.read(self.master, 1024 if self._slow else 65536)
            except OSError:
                data = b''
            if not data:
                break
            if self._slow:
                time.sleep(self._slow * len(data) / 1024)
            with self._changed:
                self.received += len(data)
                # pyte does not know the sequences for focus and mouse; it ignores them.
                self.stream.feed(data)
                self._changed.notify_all()
        self.closed.set()
        with self._changed:
            self._changed.notify_all()

    @property
    def rows(self):
        with self._changed:
            return [row.rstrip() for row in self.screen.display]

    @property
    def text(self):
        return '\n'.join(self.rows)

    def wait(self, condition, seconds=10, what='the screen'):
        """Returns the rows as soon as `condition` holds for the text, or a text that is part of it."""
        test = condition if callable(condition) else lambda text: condition in text
        end = time.monotonic() + seconds
        with self._changed:
            while True:
                text = '\n'.join(row.rstrip() for row in self.screen.display)
                if test(text):
                    return text.split('\n')
                left = end - time.monotonic()
                if left <= 0 or self.closed.is_set():
                    wanted = condition if isinstance(condition, str) else what
                    raise AssertionError(f'{wanted!r} does not come within {seconds} s; the screen is\n{text}')
                self._changed.wait(left)

    def press(self, keys):
        os.write(self.master, keys if isinstance(keys, bytes) else keys.encode())

    def click(self, row, column):
        """Presses and releases the left button; row and column count from 0."""
        for button in ('M', 'm'):
            self.press(f'\033[<0;{column + 1};{row + 1}{button}')

    def resize(self, rows, columns):
        with self._changed:
            self.screen.resize(rows, columns)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
        os.kill(self.process, signal.SIGWINCH)

    def mark(self, row, column):
        """Returns whether a cell is reversed or bold, and its colours."""
        with self._changed:
            cell = self.screen.buffer[row][column]
            return cell

    def code(self, seconds=10):
        """Waits for the end of the program, and returns its exit code."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.process = 0
                return os.waitstatus_to_exitcode(status)
            self.closed.wait(0.02)
        raise AssertionError(f'the program does not end within {seconds} s; the screen is\n{self.text}')

    def close(self):
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
            self.process = 0
        self.stalled.clear()
        self.closed.wait(2)
        os.close(self.master)


LEFT, RIGHT, UP, DOWN = '\033OD', '\033OC', '\033OA', '\033OB'
ENTER, ESCAPE = '\r', '\033'
