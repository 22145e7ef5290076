# SPDX-License-Identifier: Apache-2.0
"""The run of a list of cases: each with a subject of its own, a line for each, and an exit code."""
import argparse
import sys


class Skipped(Exception):
    """A case that cannot run here; the words say what is missing."""


def fail(words):
    raise AssertionError(words)


def skip(words):
    raise Skipped(words)


def run(about, name, cases, make, outputs=False, servers=(), more=None):
    """Runs the cases that the arguments name; `make` returns a subject, which is closed after its case.

    `more` adds arguments to the parser. A case that is skipped says so, and does not fail.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build')
    parser.add_argument('--only', default='')
    parser.add_argument('--times', type=int, default=1)
    if outputs:
        parser.add_argument('--output', default='null')
    if servers:
        parser.add_argument('--server', choices=servers, default=servers[0])
    if more:
        more(parser)
    options = parser.parse_args()
    faults = count = skipped = 0
    for _ in range(options.times):
        for case in cases:
            if options.only not in case.__name__:
                continue
            count += 1
            subject = make(options)
            try:
                case(subject)
                print(f'{name}: ok: {case.__doc__}', flush=True)
            except Skipped as reason:
                skipped += 1
                print(f'{name}: skipped: {case.__name__}: {reason}', flush=True)
            except Exception as error:
                faults += 1
                print(f'{name}: FAIL: {case.__name__}: {error}', flush=True)
            finally:
                subject.close()
    print(f'{name}: {count} cases, {faults} failed' + (f', {skipped} skipped' if skipped else ''))
    sys.exit(1 if faults or not count else 0)
