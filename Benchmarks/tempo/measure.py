#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares pitch-keeping tempo libraries on real speech and on the probe's time code. See README.md."""
import argparse, json, os, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np

HZ, CHANNELS = 44100, 2
RATES = [0.5, 0.75, 1.25, 1.5, 2.0, 3.0]
SPEECH = ['books/dickinson_selected_poems/01-soul_selects_dickinson_64kb.mp3', 'books/sonnets_en/p001.mp3',
          'speech/LJ001-0001.wav', 'speech/jfk.wav', 'speech/198-209-0000.ogg', 'speech/5703-47212-0000.ogg',
          'speech/librivox_wav/sense_and_sensibility_01_austen_64kb-0870.wav', 'speech/prompts_en/demo-congrats.wav']
ENGINES = ['sonic', 'soundtouch', 'soundtouch:quick=1', 'soundtouch:seq=24,seek=15,overlap=10,quick=1',
           'soundtouch:seq=30,seek=12,overlap=12,quick=1', 'soundtouch:seq=36,seek=12,overlap=12,quick=1',
           'soundtouch:seq=36,seek=12,overlap=12,quick=0', 'ctempo', 'atempo', 'atempo:chain=2']
DEAR = ['sonic:quality=1', 'rubberband', 'rubberband:short=1', 'rubberband:finer=1']   # at 2x only


def load(path, seconds):
    raw = subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-i', path, '-t', str(seconds), '-ar', str(HZ), '-ac',
                          str(CHANNELS), '-f', 'f32le', '-'], check=True, stdout=subprocess.PIPE).stdout
    return np.frombuffer(raw, np.float32)


def stretch(tool, engine, rate, source, out, repeat=1):
    run = subprocess.run([tool, engine, str(rate), str(HZ), str(CHANNELS), source, out, str(repeat)], check=True,
                         stdout=subprocess.PIPE, text=True)
    return json.loads(run.stdout), np.fromfile(out, np.float32).reshape(-1, CHANNELS)[:, 0]


def frames(x, centres, width):
    starts = np.rint(centres).astype(int) - width // 2
    padded = np.pad(x, (width, 2 * width))
    return padded[np.clip(starts + width, 0, len(x) + width)[:, None] + np.arange(width)]


def bands(x, centres, width, edges):
    power = np.concatenate([np.abs(np.fft.rfft(frames(x, c, width) * np.hanning(width).astype(np.float32), 2048)) ** 2
                            for c in np.array_split(centres, 1 + len(centres) // 500)])[:, :1024].astype(np.float64)
    sums = np.concatenate([np.zeros((len(power), 1)), np.cumsum(power, axis=1)], axis=1)
    at = np.rint(edges * 2048 / HZ).astype(int)
    return sums[:, at[1:]] - sums[:, at[:-1]]


CACHE = {}


def envelopes(x, rate, lag, hop, width):
    """Returns the original's envelopes in steps that match the stretched sound's.

    They are cached for the other engines at this rate.
    """
    key = (rate, round(lag))
    if key not in CACHE:
        CACHE[key] = np.sqrt(bands(x, np.arange(hop, len(x) / rate - hop, hop) * rate + lag, width, THIRDS)).astype(np.float32)
    return CACHE[key]


THIRDS = 150 * 2.0 ** ((np.arange(16) - 0.5) / 3)


def estoi(a, b, n=30, step=5):
    """Returns the mean correlation of normalised band envelopes in segments of 30 frames (ESTOI's core).

    They are normalised by row and by column.
    """
    scores = []
    for k in range(0, len(a) - n + 1, step):
        unit = []
        for m in (a[k:k + n], b[k:k + n]):
            for axis in (0, 1):
                m = m - m.mean(axis=axis, keepdims=True)
                m = m / (np.sqrt((m ** 2).sum(axis=axis, keepdims=True)) + 1e-9)
            unit.append(m)
        scores.append((unit[0] * unit[1]).sum() / n)
    return float(np.mean(scores))


def pitch(x, centres):
    """Tracks pitch by autocorrelation, 65-400 Hz, at a quarter of the rate; returns (hertz, strength 0..1)."""
    width, low, high = 440 * 4, HZ // 4 // 400, HZ // 4 // 65
    f = frames(x, centres, width)
    f = f.reshape(len(f), -1, 4).mean(axis=2)
    f = (f - f.mean(axis=1, keepdims=True)) * np.hanning(f.shape[1])
    window = np.fft.irfft(np.abs(np.fft.rfft(np.hanning(f.shape[1]), 1024)) ** 2)
    c = np.fft.irfft(np.abs(np.fft.rfft(f, 1024, axis=1)) ** 2, axis=1)
    c = c[:, :high + 2] / (c[:, :1] + 1e-9) / (window[:high + 2] / window[0])
    k = c[:, low:high + 1].argmax(axis=1) + low
    r = np.arange(len(k))
    y0, y1, y2 = c[r, k - 1], c[r, k], c[r, k + 1]
    bend = y0 - 2 * y1 + y2
    shift = 0.5 * (y0 - y2) / np.where(np.abs(bend) > 1e-9, bend, np.inf)
    return HZ / 4 / (k + np.clip(shift, -1, 1)), np.clip(y1, 0, 1)


def rise(x):
    """Returns the rise in dB of the level above 2 kHz over 6 ms, each 2 ms, and that level."""
    f = np.fft.rfft(x)
    f[:int(len(x) * 2000 / HZ)] = 0
    e = np.fft.irfft(f, len(x)) ** 2
    hop = HZ * 2 // 1000
    level = np.convolve(e[:len(e) // hop * hop].reshape(-1, hop).mean(axis=1), np.ones(2) / 2, 'same')
    db = 10 * np.log10(level + 1e-9)
    up = np.zeros(len(db))
    up[3:] = db[3:] - db[:-3]
    return up, db


def quality(x, y, rate):
    hop, width = 0.0128 * HZ, int(0.0256 * HZ)
    out = {'length_error': len(y) - round(len(x) / rate)}
    centres = np.arange(hop, len(y) - hop, hop)
    b = np.sqrt(bands(y, centres, width, THIRDS))
    # A lag is no loss of quality, and neither is drift: find the lag of each 6 s, report it, and compensate for it.
    lags = np.arange(-0.096, 0.0961, 0.004) * HZ
    refs = [envelopes(x, rate, lag, hop, width)[:len(b)] for lag in lags]
    b = b[:len(refs[0])]
    centres = centres[:len(b)]
    pieces, shifts, scores = [], [], []
    for part in np.array_split(np.arange(len(b)), max(1, len(b) // 470)):
        tried = [estoi(r[part], b[part], step=15) for r in refs]
        best = int(np.argmax(tried))
        pieces.append(refs[best][part])
        shifts.append(np.full(len(part), lags[best]))
        scores.append(estoi(refs[best][part], b[part]))
    a, lag = np.concatenate(pieces), np.concatenate(shifts)
    out['estoi'], out['lag_ms'] = float(np.mean(scores)), float(np.median(lag)) / HZ * 1000
    out['drift_ms'] = float(np.ptp(lag)) / HZ * 1000
    out['lag_at_edge'] = bool((np.abs(lag) > 0.095 * HZ).any())
    loud = a.max(axis=1) > 0.02 * np.percentile(a.max(axis=1), 95)
    floor = 1e-3 * a.max()
    d = 20 * np.log10((a + floor) / (b + floor))
    out['lsd_db'] = float(np.sqrt((d[loud] ** 2).mean(axis=1)).mean())
    f0, s0 = pitch(x, centres * rate + lag)
    f1, s1 = pitch(y, centres)
    voiced = (s0 > 0.75) & loud
    cents = 1200 * np.log2(f1[voiced] / f0[voiced])
    gross = np.abs(cents) > 200
    out['pitch_gross'] = float(gross.mean())
    out['pitch_cents'] = float(np.abs(cents[~gross]).mean())
    out['pitch_ratio'] = float(2 ** (np.median(cents) / 1200))
    out['periodicity_lost'] = float((s0 - s1)[voiced].mean())
    # Sharp onsets (plosives, clicks of consonants): is there one as sharp near its expected place?
    up, db = rise(x)
    up2, db2 = rise(y)
    strong = [i for i in range(10, len(up) - 10)
              if up[i] > 12 and up[i] == up[i - 10:i + 11].max() and db[i] > np.percentile(db, 99) - 25]
    kept, extra = [], []
    for i in strong:
        at, reach = i / rate, 12 + 18 / rate
        seg = slice(max(0, int(at - reach)), int(at + reach) + 1)
        if len(up2[seg]):
            kept.append(up2[seg].max() - up[i])
    kept = np.array(kept)
    out['onsets'] = len(kept)
    out['onset_db'] = float(kept.mean()) if len(kept) else None
    out['onsets_lost'] = float((kept < -6).mean()) if len(kept) else None
    return out


def read_code(timecode, y, rate, first):
    """Returns the share of windows on one line, their deviation from start + n * rate, and the pitch."""
    width, n = int(0.040 * HZ), int(0.010 * HZ)
    starts = np.arange(0, len(y) - width, n)
    tones = []
    pos, _, st = timecode.read_windows(y, HZ, starts, width, speed=rate, pitch=tones)
    ideal = first + (st + width / 2) / HZ * rate
    whole = np.floor(ideal)
    edge = 0.6 * width / HZ * rate + 0.03
    due = (ideal - whole > edge + 0.03) & (ideal - whole < 1 - edge - 0.03)   # windows that hold one clean second
    off = (pos - ideal)[~np.isnan(pos)] * 1000
    ok = np.abs(off) < 100
    got = ~np.isnan(pos) & (np.abs(pos - ideal) < 0.1)
    if not ok.any():
        return {'readable': 0.0, 'wrong': int((~ok).sum()), 'mean_ms': 0.0, 'spread_ms': 0.0, 'max_from_mean_ms': 0.0, 'max_ms': 0.0, 'pitch': None}
    return {'readable': float(got[due].mean()), 'wrong': int((~ok).sum()), 'mean_ms': float(off[ok].mean()),
            'spread_ms': float(off[ok].std()), 'max_from_mean_ms': float(np.abs(off[ok] - off[ok].mean()).max()),
            'max_ms': float(np.abs(off[ok]).max()), 'pitch': float(np.mean(tones)) if tones else None}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--tool', default='/tmp/rostrum-tempo/tempo')
    ap.add_argument('--media', default='../shared/media')
    ap.add_argument('--probe', default='../shared/probe')
    ap.add_argument('--seconds', type=float, default=25, help='of each speech file')
    ap.add_argument('--engines', nargs='*', default=ENGINES + DEAR)
    ap.add_argument('--rates', nargs='*', type=float, default=RATES)
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--out', default='/tmp/rostrum-tempo/results.json')
    a = ap.parse_args()
    sys.path.insert(0, a.probe)
    import timecode
    work = os.path.dirname(a.out)
    os.makedirs(work, exist_ok=True)
    parts = []
    for name in SPEECH:
        x = load(os.path.join(a.media, name), a.seconds)
        parts.append(x / max(1e-6, np.abs(x).max()) * 0.7)
    speech = np.concatenate(parts).astype(np.float32)
    speech.tofile(work + '/speech.f32')
    source = timecode.Source(HZ)
    code = np.concatenate([source.second(s) for s in range(34567, 34567 + 180)]).astype(np.float32) / 32768
    np.repeat(code, CHANNELS).tofile(work + '/code.f32')
    x = speech.reshape(-1, CHANNELS)[:, 0]
    print(f'speech {len(x) / HZ:.0f} s', file=sys.stderr)

    def one(job):
        engine, rate = job
        tag = f'{work}/{engine.replace(":", "_")}_{rate}'
        cost, y = stretch(a.tool, engine, rate, work + '/speech.f32', tag + '.f32', 3 if rate == 2 and 'rubber' not in engine else 1)
        row = {'engine': engine, 'rate': rate, 'cpu_per_minute': cost['per_minute'], 'setup': cost['setup'],
               'first_needs_ms': cost['first_needs'] * 1000 / HZ, **quality(x, y, rate)}
        if rate in (1.5, 2.0):
            cost, y = stretch(a.tool, engine, rate, work + '/code.f32', tag + '.f32')
            row['code'] = read_code(timecode, y, rate, 34567)
        os.remove(tag + '.f32')
        print(json.dumps(row), file=sys.stderr)
        return row

    with ThreadPoolExecutor(a.jobs) as pool:
        rows = list(pool.map(one, [(e, r) for r in a.rates for e in a.engines if r == 2 or e not in DEAR]))
    with open(a.out, 'w') as f:
        json.dump(rows, f, indent=1)
    for rate in a.rates:
        print(f'\n### {rate:g}x\n\n| engine | CPU s/min | ESTOI | LSD dB | onsets lost % | onset dB | pitch gross % | cents | periodicity lost '
              '| lag ms | drift ms | first out ms | length off |' + ('| code read % | mean ms | max ms | pitch |' if rate in (1.5, 2.0) else ''))
        print('|' + '---|' * (17 if rate in (1.5, 2.0) else 13))
        for r in rows:
            if r['rate'] != rate:
                continue
            line = (f"| {r['engine']} | {r['cpu_per_minute']:.3f} | {r['estoi']:.3f} | {r['lsd_db']:.2f} | {100 * r['onsets_lost']:.1f} "
                    f"| {r['onset_db']:.1f} | {100 * r['pitch_gross']:.1f} | {r['pitch_cents']:.1f} | {r['periodicity_lost']:.3f} "
                    f"| {r['lag_ms']:.0f}{' (edge)' if r['lag_at_edge'] else ''} | {r['drift_ms']:.0f} | {r['first_needs_ms']:.0f} | {r['length_error']} |")
            if 'code' in r:
                c = r['code']
                line += f" {100 * c['readable']:.0f} | {c['mean_ms']:.1f} | {c['max_ms']:.1f} | {c['pitch'] or 0:.4f} |"
            print(line)


if __name__ == '__main__':
    main()
