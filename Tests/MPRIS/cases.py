# SPDX-License-Identifier: Apache-2.0
"""The list of cases, and how one of them ends."""
from typing import Callable, NamedTuple

# Levels: what the specification demands, what it recommends, and what D-Bus services and MPRIS clients rely on.
LEVELS = ('must', 'should', 'practice')


class Fail(Exception):
    """The player does something else than the case demands; the message says what was seen."""


class NotApplicable(Exception):
    """The case asks for something that this player does not offer; the message says what."""


class Case(NamedTuple):
    name: str
    section: str
    level: str
    sentence: str
    run: Callable


ALL = []


def case(section, level='must', name=None):
    """Registers a function as a case. Its name is the subject (its file) and the function's name, its sentence the docstring."""
    assert level in LEVELS

    def register(function):
        subject = function.__module__.removesuffix('_cases')
        said = name or function.__name__.replace('_', ' ')
        ALL.append(Case(f'{subject}: {said}', section, level, ' '.join((function.__doc__ or '').split()), function))
        return function
    return register


def check(holds, seen):
    """Fails a case unless something holds."""
    if not holds:
        raise Fail(seen)


def need(offered, what):
    """Ends a case as not applicable unless the player offers what it asks for."""
    if not offered:
        raise NotApplicable(what)
