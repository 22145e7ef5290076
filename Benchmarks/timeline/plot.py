# SPDX-License-Identifier: Apache-2.0
"""Plots several series as an SVG file, without a library."""

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, GAP = 300, 200, 50, 40, 40, 40
COLOURS = ['#1b6ca8', '#c8553d', '#3a7d44', '#7a5195']


def nice(top):
    """Returns a round number that is at least this."""
    scale = 10 ** (len(f'{top:.0f}') - 1) if top >= 1 else 1
    while scale > top and scale > 1e-6:
        scale /= 10
    for step in (1, 2, 5, 10):
        if scale * step >= top:
            return scale * step
    return scale * 10


def panel(x, y, title, unit, names, rows):
    """Draws one pair of axes, both linear from 0, so that linear growth is a straight line."""
    right = max(size for size, _ in rows)
    top = nice(max(row[name] for _, row in rows for name in names))
    parts = [f'<g transform="translate({x},{y})">',
             f'<text x="{WIDTH / 2}" y="-8" text-anchor="middle" font-weight="bold">{title}</text>',
             f'<path d="M0,0V{HEIGHT}H{WIDTH}" fill="none" stroke="#444"/>']
    for k in range(5):
        level = HEIGHT - HEIGHT * k / 4
        parts.append(f'<path d="M0,{level:.1f}H{WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="-6" y="{level + 4:.1f}" text-anchor="end">{top * k / 4:g}</text>')
    for size, _ in rows:
        parts.append(f'<text x="{WIDTH * size / right:.1f}" y="{HEIGHT + 16}" text-anchor="middle">{size}</text>')
    parts.append(f'<text x="-38" y="{HEIGHT / 2}" transform="rotate(-90 -38 {HEIGHT / 2})" text-anchor="middle">{unit}</text>')
    for index, name in enumerate(names):
        colour = COLOURS[index]
        points = [(WIDTH * size / right, HEIGHT - HEIGHT * row[name] / top) for size, row in rows]
        line = ' '.join(f'{a:.1f},{b:.1f}' for a, b in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
        parts.append(f'<text x="8" y="{14 + 14 * index}" fill="{colour}">{name}</text>')
    return parts + ['</g>']


def plot(path, series, kinds):
    """Writes a plot.

    `series` maps a name to (size, values by name). `kinds` has a unit and the names of its values, for each row of
    panels.
    """
    step_x, step_y = WIDTH + LEFT + GAP, HEIGHT + BOTTOM + TOP
    width, height = step_x * len(series) + GAP, step_y * len(kinds) + GAP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for row, (unit, names) in enumerate(kinds):
        for column, (title, rows) in enumerate(series.items()):
            parts += panel(LEFT + GAP / 2 + step_x * column, TOP + step_y * row, title, unit, names, rows)
    with open(path, 'w', encoding='utf-8') as f:
        f.write('\n'.join(parts + ['</svg>']) + '\n')
