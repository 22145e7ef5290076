# SPDX-License-Identifier: Apache-2.0
"""What all processes of a player cost over a time in which nobody asks anything of it."""
import collections
import os
import time

from session import cpu_ns, now


def wakeups(pids):
    """Returns the names of process and thread, and the voluntary context switches, of each living thread."""
    counts = {}
    for pid in pids:
        try:
            tasks = os.listdir(f'/proc/{pid}/task')
            with open(f'/proc/{pid}/comm', encoding='utf-8', errors='replace') as f:
                process = f.read().strip()
        except OSError:
            continue
        for task in tasks:
            try:
                with open(f'/proc/{pid}/task/{task}/status', encoding='utf-8', errors='replace') as f:
                    fields = dict(line.rstrip('\n').split(':\t', 1) for line in f if ':\t' in line)
            except OSError:
                continue
            counts[int(task)] = f'{process}/{fields["Name"]}', int(fields['voluntary_ctxt_switches'])
    return counts


def proportional(pids):
    """Returns the PSS in MB."""
    kilobytes = 0
    for pid in pids:
        with open(f'/proc/{pid}/smaps_rollup', encoding='ascii') as f:
            kilobytes += next(int(line.split()[1]) for line in f if line.startswith('Pss:'))
    return kilobytes / 1024


def measure(player, server, seconds):
    """Returns the values of one `seconds` long minute, and the wake-ups in it by the threads' names.

    Threads that ended meanwhile are missing, and so are processes.
    """
    pids = player.pids()
    before, used, served, began = wakeups(pids), {p: cpu_ns(p) for p in pids}, cpu_ns(server), now()
    time.sleep(seconds)
    pids = player.pids()
    after, wall = wakeups(pids), (now() - began) / 1e9
    cpu = sum((cpu_ns(p) or 0) - (used.get(p) or 0) for p in pids)
    threads = collections.Counter()
    for task, (name, count) in after.items():
        threads[name] += count - before.get(task, (name, 0))[1]
    values = {'cpu': cpu / 1e6 * 60 / wall, 'server': (cpu_ns(server) - served) / 1e6 * 60 / wall,
              'wakeups': sum(threads.values()) / wall, 'memory': proportional(pids)}
    return values, {name: count for name, count in threads.items() if count}
