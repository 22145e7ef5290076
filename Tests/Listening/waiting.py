# SPDX-License-Identifier: Apache-2.0
"""Waits for what must come."""
import select
import socket
import time


def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f'waited {seconds:.0f} s for {what}')
        select.select([], [], [], 0.01)
    return found


def connectable(path):
    with socket.socket(socket.AF_UNIX) as s:
        try:
            s.connect(path)
            return True
        except OSError:
            return False
