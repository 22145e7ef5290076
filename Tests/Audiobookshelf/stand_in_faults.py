# SPDX-License-Identifier: Apache-2.0
"""The misbehaviour that tests ask the stand-in server for.

A fault is an object. Its `match` is a regular expression that is searched in "METHOD path"; `skip` requests pass
before it holds, and it holds for `times` (1 if none is given, -1 for ever). Its other members say what happens:

  delay    seconds before anything is answered
  drop     the connection ends without an answer
  hang     seconds in which nothing is answered, and then the connection ends
  status   this status, with the text that goes with it (`after` sends fields along: [["Retry-After", "3"]])
  rate     bytes a second of the body
  cut      the connection ends after that many bytes of the body
  stall    nothing more comes after that many bytes, until `seconds` have passed
  length   is added to the length that is announced
  short    the file is that much shorter than the catalogue says, with a length that agrees
  ranges   false: a range is not honoured
  etag     this tag instead of the file's own ("" for none)
  garble   the byte at that offset of the body is another one
"""
import re


class Faults:
    def __init__(self):
        self.rules = []

    def add(self, rules):
        for rule in rules:
            self.rules.append(dict(rule, left=rule.get('times', 1), passing=rule.get('skip', 0)))

    def clear(self):
        self.rules.clear()

    def take(self, method, path):
        """Returns what happens to a request: the members of all faults that hold for it."""
        taken = {}
        for rule in self.rules:
            if not rule['left'] or not re.search(rule.get('match', ''), f'{method} {path}'):
                continue
            if rule['passing']:
                rule['passing'] -= 1
                continue
            rule['left'] -= 1
            taken.update({name: value for name, value in rule.items() if name not in (
                'match', 'times', 'skip', 'left', 'passing')})
        return taken
