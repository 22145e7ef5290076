# SPDX-License-Identifier: Apache-2.0
"""The values as a table in Markdown."""
import statistics

OWN = 'rostrum'
STATES = {'idle': 'idle, before any item', 'playing': 'playing', 'paused': 'paused'}
COSTS = (('cpu', 'CPU, ms a minute', 1), ('wakeups', 'wake-ups a second', 2), ('memory', 'memory, PSS, MB', 1))
# metric, title, digits; of a metric in SPREAD also p99 and maximum
ROWS = [
    ('start', 'service start to answering, ms', 1),
    ('activation', 'call to answer, if the bus has to start the service, ms', 1),
    ('position', 'call to answer: Get Position, ms', 3),
    ('pause.answer', 'call to answer: Pause, ms', 2),
    ('play.answer', 'call to answer: Play, ms', 2),
    ('pause.silence', 'key to silence, ms', 1),
    ('play.sound', 'key to sound, ms', 1),
    ('late.sound', 'key to sound, after the paused minute, ms', 1),
    *((f'{state}.{cost}', f'{name}: {title}', digits)
      for state, name in STATES.items() for cost, title, digits in COSTS),
    ('playing.server', 'playing: CPU of the sound server, ms a minute', 1),
    ('playing.dropouts', 'playing: drop-outs, ms', 0),
]
SPREAD = {'start', 'position', 'pause.answer', 'play.answer', 'pause.silence', 'play.sound'}


def p99(values):
    return sorted(values)[min(len(values) - 1, int(0.99 * len(values)))]


def against(values):
    """Returns the ratio of the own value to the best of the others, with that one's name."""
    others = {name: v for name, v in values.items() if name != OWN and v is not None}
    if not others or values.get(OWN) is None:
        return ''
    best = min(others, key=others.get)
    if not others[best]:
        return f'{"above 0" if values[OWN] else "1.00"} ({best})'
    return f'{values[OWN] / others[best]:.2f} ({best})'


def row(title, values, digits):
    cells = ('n/a' if v is None else f'{v:.{digits}f}' for v in values.values())
    return '| ' + ' | '.join([title, *cells, against(values)]) + ' |'


def markdown(data):
    names = list(data['versions'])
    heads = [name + (' (own protocol)' if name == 'mpd' else '') for name in names]
    lines = ['| | ' + ' | '.join([*heads, 'ratio to the best other']) + ' |', '|---' * (len(names) + 2) + '|']
    for metric, title, digits in ROWS:
        taken = {name: data['values'].get(metric, {}).get(name) or None for name in names}
        if not any(taken.values()):
            continue
        n = max(len(v) for v in taken.values() if v)
        forms = [(f'{title} (median of {n})', statistics.median)]
        if metric in SPREAD:
            forms += [('&nbsp; p99', p99), ('&nbsp; maximum', max)]
        lines += [row(head, {k: v and form(v) for k, v in taken.items()}, digits) for head, form in forms]
    load = ', '.join(f'{x:.2f}' for x in data['load'])
    lines += ['', 'Versions: ' + '; '.join(f'{name}: {v}' for name, v in data['versions'].items()) + '.',
              f'Machine: {", ".join(str(x) for x in data["host"].values())}. Load before each round: {load}.']
    for state, name in STATES.items():
        woken = data['threads'].get(state, {}).get(OWN, [])
        if any(woken):
            each = ('; '.join(f'{thread} {count}' for thread, count in threads.items()) or 'none' for threads in woken)
            lines += [f'Wake-ups of {OWN} by thread, {name}, round {n}: {w}.' for n, w in enumerate(each, 1)]
    lines += [f'Failed: {f}' for f in data['failures']]
    return '\n'.join(lines)
