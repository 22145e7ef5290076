#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the position of stretched sound in three ways.

Run measure.py first: it leaves speech.f32 and code.f32 in the work folder.

ramp     a ramp in the second channel, so that each output sample names its input (exact; speech decides the splices)
accept   the probe's own line fit over stretched code, with the windows of its CPU and speed figures
restart  restarts at random positions of the code: the time until a window can be read, and its error
"""
import argparse, os, subprocess, sys
import numpy as np

HZ = 44100


def stretch(a, engine, rate, x):
    src, out = a.work + '/p.f32', a.work + '/p_out.f32'
    x.astype(np.float32).tofile(src)
    subprocess.run([a.tool, engine, str(rate), str(HZ), '2', src, out], check=True, stdout=subprocess.DEVNULL)
    return np.fromfile(out, np.float32).reshape(-1, 2)


def ramp(a, engine):
    x = np.fromfile(a.work + '/speech.f32', np.float32).reshape(-1, 2)[:HZ * 40].copy()
    x[:, 1] = np.arange(len(x)) * 1e-7
    for rate in (0.5, 0.75, 1.25, 1.5, 2, 3):
        y = stretch(a, engine, rate, x)[:, 1].astype(float) / 1e-7
        n = np.arange(len(y))
        m = slice(HZ // 2, len(y) - HZ // 2)
        e = (y - n * rate)[m] / HZ * 1000
        print(f'{engine} {rate:g}x: mean {e.mean():+.1f} ms, around it {e.min() - e.mean():+.1f} .. {e.max() - e.mean():+.1f}, '
              f'slope {np.polyfit(n[m], y[m], 1)[0] / rate:.6f}, first {np.argmax(np.abs(y - n) > 1) / HZ * 1000:.1f} ms exact, '
              f'last {(len(x) - 1 - y[-HZ // 10:].max()) / HZ * 1000:.1f} ms not heard')


def accept(a, engine):
    import timecode
    from measures import _line
    y = stretch(a, engine, 2, np.fromfile(a.work + '/code.f32', np.float32))[:, 0]
    for length, hop in ((10, .020), (4.5, .005), (1.5, .005)):
        tried, fits = 0, []
        for at in np.arange(1, len(y) / HZ - length, 5 if length == 10 else length / 2):
            tried += 1
            p, _, s = timecode.read_windows(y, HZ, np.arange(int(at * HZ), int((at + length) * HZ) - 1764, int(hop * HZ)), 1764, 2.0)
            t = (s + 882) / HZ
            fit = _line(t, p, 2.0)
            if fit:
                fits.append((np.polyfit(t[fit[1]], p[fit[1]], 1)[0], fit[1].mean()))
        print(f'{engine} {length} s: accepted {len(fits)} of {tried}' + (
            f', slope {np.mean([f[0] for f in fits]):.4f}, on the line {100 * np.mean([f[1] for f in fits]):.0f} %' if fits else ''))


def restart(a, engine, times=150):
    import timecode
    rng = np.random.default_rng(5)
    soon, off, wrong = [], [], 0
    for _ in range(times):
        place = 34567 + rng.uniform(0, 160)
        y = stretch(a, engine, 2, np.repeat(timecode.signal(place + np.arange(int(3.2 * HZ)) / HZ), 2))[:, 0]
        p, _, s = timecode.read_windows(y, HZ, np.arange(0, int(1.2 * HZ), HZ // 200), 1764, 2.0)
        e = (p - (place + (s + 882) / HZ * 2)) * 1000
        on = ~np.isnan(p) & (np.abs(e) < 100)
        wrong += int((~np.isnan(p) & ~on).sum())
        if on.any():
            soon.append(s[on][0] / HZ * 1000)
            off.append(e[on][0])
    print(f'{engine}: read {len(soon)} of {times}' + (f', after {np.median(soon):.0f} ms (p95 {np.percentile(soon, 95):.0f}, '
          f'max {max(soon):.0f}), off {np.mean(off):.1f} ms (sd {np.std(off):.1f}), wrong windows {wrong}' if soon else ''))


if __name__ == '__main__':
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('what', choices=['ramp', 'accept', 'restart'])
    ap.add_argument('engines', nargs='*', default=['ctempo'])
    ap.add_argument('--tool', default='/tmp/rostrum-tempo/tempo')
    ap.add_argument('--work', default='/tmp/rostrum-tempo')
    ap.add_argument('--probe', default='../shared/probe')
    args = ap.parse_args()
    sys.path.insert(0, args.probe)
    for one in args.engines or ['ctempo']:
        globals()[args.what](args, one)
