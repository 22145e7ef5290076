#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares docs/session-protocol.md with the code that it describes.

It covers methods, parameters, actions, notifications, fields (names, types, what may be null or missing), values,
limits and error codes, and prints one line for each difference. It reads the sources as text, so it needs no build. A
source that it no longer understands is a difference, too, never a silent pass.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from protocol_document import Document, codes_in, quoted
from swift_text import Sources, body_after, cases_of

root = pathlib.Path(__file__).resolve().parent.parent
PROTOCOL = 'Sources/Remotes/SessionProtocol'
faults = []


def fault(line, message):
    faults.append(f'docs/session-protocol.md{f":{line}" if line else ""}: {message}')


def compare(what, line, documented, coded, where):
    for name in sorted(set(coded) - set(documented)):
        fault(line, f'{what} `{name}` is missing; it is in {where}')
    for name in sorted(set(documented) - set(coded)):
        fault(documented[name] if isinstance(documented, dict) else line, f'no {what} `{name}` in {where}')


def found(pattern, text, what):
    """Returns the match of a pattern; exits if there is none, because the code was changed then."""
    match = re.search(pattern, text, re.S)
    if not match:
        sys.exit(f'scripts/check-protocol.py: cannot find {what}; teach it the new code')
    return match


document = Document(root / 'docs/session-protocol.md')
sources = Sources(root, PROTOCOL)
requests = sources.text('CommandParameters.swift')
answers = sources.text('SessionAnswer.swift')
services = Sources(root, 'Sources/Programs/rostrumd/Service')
service = '\n'.join(services.files.values())


# MARK: Methods and their parameters

SHARED = 'Parameters of `play`, `read`, `clip` and `inspect`'
plays = sources.structure('PlayParameters')
kinds = {}
for structure in map(sources.structure, ('ClipAction', 'PodcastAction', 'CommandParameters', 'PlayParameters', 'Subscription')):
    kinds |= {name: sources.json_type(p) for name, p in structure.properties.items()}

shapes = cases_of(body_after(requests, r'enum Shape: String'))
plain = body_after(requests, r'func plainCommand\(')
addressed = found(
    r'switch self \{\s*case ([^:]*):\s*return \.addressed', requests, 'which methods take an owner').group(1)


def parameters(method):
    """Returns what the code reads for a method: {name: (is it needed, default)}; None for the parameters of `play`."""
    text = found(rf'case \.{method}: (.*?)(?=\n\s*case |\Z)', plain, f'how {method} is read').group(1)
    for helper in re.findall(r'(?<![.\w])(\w+)\(p\)', text):
        text += body_after(requests, rf'func {helper}\(')
    if re.search(r'p\.play(?!\.)', text):
        return None
    names = {}
    for name in re.findall(r'p\.(?:play\.)?(\w+)', text):
        default = re.search(rf'p\.(?:play\.)?{name} \?\? (\d+|LibraryAction\.mostLines)', text)
        value = default and (str(most_lines) if 'most' in default.group(1) else default.group(1))
        names[name] = (f'need(p.{name}' in text or f'need(p.play.{name}' in text, value)
    if re.search(rf'\.{method}\b', addressed):
        names |= {'owner': (False, None), 'item': (False, None)}
    return names


most_lines = int(found(r'mostLines = (\d+)', sources.text('LibraryAction.swift'), 'LibraryAction.mostLines').group(1))
coded = {method: parameters(method) for method in shapes}
for own in re.findall(r'if method == "(\w+)"', sources.text('SessionRequest.swift')):
    owner_of = {'subscribe': 'Subscription', 'clips': 'ClipAction', 'podcasts': 'PodcastAction'}[own]
    coded[own] = {name: (False, None) for name in sources.structure(owner_of).keys}
methods = {name: s for name, s in document.children('Methods').items() if re.fullmatch(r'`\w+`', name)}
compare('method', document.line('Methods'), {quoted(n): s.line for n, s in methods.items()}, coded,
        'CommandParameters.Shape and SessionRequest')
for name, section in methods.items():
    method, expected = quoted(name), coded.get(quoted(name))
    rows = {quoted(row['parameter']): row for row in section.rows('parameter')}
    if expected is None:
        expected = {}
    compare(f'parameter of {method}', section.line, {n: r.line for n, r in rows.items()}, expected, 'CommandParameters')
    for parameter in set(rows) & set(expected):
        row, (needed, default) = rows[parameter], expected[parameter]
        if row['type'] != kinds[parameter]:
            fault(row.line, f'`{parameter}` of {method} is {row["type"]}; the code has {kinds[parameter]}')
        if needed != (row['default'] == 'required'):
            fault(row.line, f'`{parameter}` of {method} is {"" if needed else "not "}required in the code')
        if default and row['default'] != default:
            fault(row.line, f'the default of `{parameter}` of {method} is {default} in the code')
    for enum, file in (('EngineAction', 'engines'), ('LibraryAction', 'library'), ('ClipAction', 'clips'), ('PodcastAction', 'podcasts'), ('SettingsAction', 'settings')):
        if method == file:
            verbs = cases_of(body_after(sources.text(f'{enum}.swift'), r'enum Verb: String'))
            compare(f'action of {method}', section.line,
                    {quoted(r['action']): r.line for r in section.rows('action')}, verbs, f'{enum}.Verb')
    if not section.states('Result'):
        fault(section.line, f'{method} has no result')

# The parameters of `play`, and which of its relatives use them: those that the service reads, also through functions to
# which it passes them.
shared = {quoted(row['parameter']): row for row in document.section(SHARED).rows('parameter')}
compare('parameter of play', document.line(SHARED), {n: r.line for n, r in shared.items()}, plays.keys,
        'PlayParameters')
readers = {m.group(1): body_after(service, rf'func {m.group(1)}\([^{{]*parameters: PlayParameters')
           for m in re.finditer(r'func (\w+)\([^{}]*?parameters: PlayParameters', service)}


def read_by(text, seen=frozenset()):
    used = set(re.findall(r'parameters\.(\w+)', text)) & set(plays.keys)
    for name in set(re.findall(r'(?<![.\w])(\w+)\(', text)) & set(readers) - seen:
        used |= read_by(readers[name], seen | {name})
    return used


for column in ('`play`, `read`', '`clip`', '`inspect`'):
    used = set()
    for method in re.findall(r'`(\w+)`', column):
        case = found(rf'case \.{method}\(let parameters\):(.*?)\n        case ', service, f'who does {method}').group(1)
        used |= read_by(case)
    for name, row in shared.items():
        if (row[column] == '•') != (name in used):
            fault(row.line, f'{column} {"uses" if name in used else "does not use"} `{name}` in the code')
for name, row in shared.items():
    if name in kinds and row['type'] != kinds[name]:
        fault(row.line, f'`{name}` is {row["type"]}; the code has {kinds[name]}')
outputs = re.findall(r'\n    case (\w+)', body_after(sources.text('Validation.swift'), r'enum OutputExpression'))
if 'output' in shared:
    row = shared['output']
    compare('output', row.line, re.findall(r'`(\w+)', row['range']), outputs, 'OutputExpression')


# MARK: Objects and notifications

def fields(section, expected, where):
    rows = {quoted(row['field']): row for row in section.rows('field')}
    compare(f'field of {section.title.strip("`")}', section.line, {n: r.line for n, r in rows.items()}, expected, where)
    for name in set(rows) & set(expected):
        if expected[name] and rows[name]['type'] != expected[name]:
            fault(rows[name].line, f'`{name}` is {rows[name]["type"]}; the code has {expected[name]}')


replies = re.findall(
    r'case (\w+)\((?:\w+: )?\[?(\w+)\]?\)', body_after(sources.text('SessionCommand.swift'), r'enum SessionReply'))
literals = dict(re.findall(r'case \.(\w+)\(let \w+\): try JSONLine\.text\(\["(\w+)":', answers))
objects = {'RPCError': None} | {(kind if kind != 'String' else reply.capitalize()): reply for reply, kind in replies}
notified = dict(re.findall(r'notification\(\s*"(\w+)", (?:try JSONLine\.text\((\w+)|\w)', answers))
objects |= {name: None for name in re.findall(r'func (?:library|peaks|text)\(_ \w+: (\w+)\)', answers)}
listed = {quoted(name): s for name, s in document.children('Objects').items()}
compare('object', document.line('Objects'), {n: s.line for n, s in listed.items()}, objects,
        'SessionReply and SessionLine')
for name in set(listed) & set(objects):
    section, reply = listed[name], objects[name]
    if reply in literals:
        fields(section, {literals[reply]: 'string'}, f'SessionLine.answer(.{reply})')
        continue
    structure = sources.structure(name)
    fields(section, structure.flat(), f'{structure.file}, {name}')
    for base in structure.bases:
        if f'All members of [`{base}`]' not in section.text:
            fault(section.line, f'{name} has all members of {base}, which is not said')
    if reply and not any(f'[`{name}`]' in s.text for s in methods.values()):
        fault(section.line, f'no method has {name} as its result')

listed = {quoted(name): s for name, s in document.children('Notifications').items()}
compare('notification', document.line('Notifications'), {n: s.line for n, s in listed.items()}, notified, 'SessionLine')
if 'finished' in listed:
    fields(listed['finished'], sources.structure('SessionLine.Finished').flat(), 'SessionLine.Finished')
if 'transition' in listed:
    record = (root / 'Sources/Library/TransitionLog/RecordEncoder.swift').read_text()
    names = found(r'func isReserved.*?case (.*?):\s*true', record, 'the members of a record').group(1)
    fields(listed['transition'], {name: None for name in re.findall(r'"(\w+)"', names)}, 'RecordEncoder.isReserved')


# MARK: Values, limits, errors

CORE, PLAYBACK = 'Sources/Core', 'Sources/Playback/MediaPlayback'
RECORDS = 'Sources/Playback/TransitionRecords'
VALUES = [
    ('Status', 'status', CORE, 'PlaybackState', 'Status'), ('Status', 'intent', CORE, '', 'Intent'),
    ('Status', 'suppression', CORE, '', 'Suppression'), ('Status', 'position.provenance', CORE, '', 'Provenance'),
    ('Status', 'duration.confidence', CORE, '', 'Confidence'), ('History', 'jumps[].cause', CORE, 'Jump', 'Cause'),
    ('EngineInfo', 'state', PLAYBACK, 'InstalledEngine', 'State'),
    ('EngineInfo', 'hosting', PLAYBACK, 'InstalledEngine', 'Hosting'),
    ('EngineDetail', 'origin', 'Sources/Engines/EngineCatalog', 'EngineCatalog', 'Origin'),
    ('transition', 'kind', RECORDS, 'TransitionEntry', 'Kind'),
    ('transition', 'cause', RECORDS, 'TransitionEntry', 'Cause'),
]
trees = {}
for title, field, tree, outer, enum in VALUES:
    trees.setdefault(tree, Sources(root, tree))
    parent = 'Notifications' if title == 'transition' else 'Objects'
    section = document.children(parent).get(f'`{title}`')
    row = next((r for r in section.rows('field') if quoted(r['field']) == field), None) if section else None
    if row is None:
        # This was reported above.
        continue
    named = re.match(r'One of ((?:`\w+`(?:, )?)+)\.', row['meaning'])
    values = re.findall(r'`(\w+)`', named.group(1)) if named else []
    compare(f'value of {field}', row.line, values, cases_of(trees[tree].enumeration(outer, enum)), f'{tree}, {enum}')
subscribe = methods.get('`subscribe`')
for row in subscribe.rows('parameter') if subscribe else []:
    if quoted(row['parameter']) == 'topics':
        topics = cases_of(body_after(sources.text('SessionRequest.swift'), r'enum Topic: String'))
        compare('topic', row.line, re.findall(r'`(\w+)`', row['range']), topics, 'Subscription.Topic')

serving = Sources(root, 'Sources/Remotes/ControlSocket/Serving')


def constant(file, name, within=None):
    text = next((tree for tree in (sources, services) if file in tree.files), serving).text(file)
    if within:
        text = body_after(text, rf'struct {within}\b')
    value = found(rf'(?:let|var) {name} = ([\w. *<]+)', text, f'{name} in {file}').group(1).strip()
    value = re.sub(r'(\w+)\.(\w+)', lambda m: str(constant(f'{m.group(1)}.swift', m.group(2))), value)
    if not re.fullmatch(r'[\d_ *<]+', value):
        sys.exit(f'scripts/check-protocol.py: {name} in {file} is no number: {value}')
    return eval(value)  # Digits, * and << only.


LIMITS = {
    'bytes of a request line': ('LineFramer.swift', 'requestLimit'),
    'descriptors of a request': ('Connection.swift', 'descriptorLimit'),
    'requests of a connection under way': ('ClientOutput.swift', 'requestLimit'),
    'requests of a connection that wait for sound': ('ClientWorker.swift', 'mostWaiting'),
    'unread bytes of a connection': ('ClientOutput.swift', 'limit'),
    'connections': ('Crowd.swift', 'clients', 'CrowdLimits'),
    'descriptors of all requests that have not begun': ('Crowd.swift', 'descriptors', 'CrowdLimits'),
    'bytes of all requests that have not begun': ('Crowd.swift', 'input', 'CrowdLimits'),
    'unread bytes of all connections': ('Crowd.swift', 'unread', 'CrowdLimits'),
    'renders under way': ('RenderJobs.swift', 'most'),
    'inspections under way': ('PlaybackService+Play.swift', 'mostInspections'),
}
limits = {row['limit']: row for row in document.section('Limits').rows('limit')}
compare('limit', document.line('Limits'), {n: r.line for n, r in limits.items()}, LIMITS, 'Sources/Remotes')
for name in set(limits) & set(LIMITS):
    value = constant(*LIMITS[name])
    if limits[name]['value'] != str(value):
        fault(limits[name].line, f'{name}: {value} in {LIMITS[name][0]}, not {limits[name]["value"]}')
RANGES = [(title, name, 'Limits', 'Validation') for name in ('rate', 'volume') for title in (SHARED, f'`{name}`')]
RANGES += [('`option`', name, 'OptionExpression', 'OptionExpression') for name in ('balance', 'loudness', 'silence')]
for title, name, enum, file in RANGES:
    if title != SHARED and title not in methods:
        continue
    low, high = found(rf'static let {name} = (-?[\d.]+?) ?\.\.\. ?(-?[\d.]+)', sources.text(f'{file}.swift'),
                      f'{enum}.{name}').groups()
    for row in document.section(title).rows('option' if title == '`option`' else 'parameter'):
        cells = list(row.cells.values())
        if quoted(cells[0]) == name and not re.search(rf'(^|[^\d.-]){low} [^,]*?to {high}', ' '.join(cells[1:])):
            fault(row.line, f'the range of `{name}` is {low} to {high} in {enum}')

rpc = sources.text('RPCError.swift')
exits = dict(re.findall(r'static let (\w+) = Code\(rawValue: (\d+)\)', sources.text('SessionError.swift')))
named = dict(re.findall(r'case \.(\w+): (-32\d+)', rpc))
base = int(found(r'\? (-\d+) - Int\(error\.code\.rawValue\)', rpc, 'how an exit code travels').group(1))
expected = {int(named.get(name, base - int(code))): code for name, code in exits.items()}
for code, name in re.findall(r'RPCError\(code: (-\d+), message: message, exit: \.(\w+)\)', rpc):
    expected[int(code)] = exits[name]
errors = {codes_in(row['code'])[0]: row for row in document.section('Error codes').rows('code')}
compare('error code', document.line('Error codes'), {c: r.line for c, r in errors.items()}, expected,
        'SessionError and RPCError')
for code in set(errors) & set(expected):
    if errors[code]['exit'] != expected[code]:
        fault(errors[code].line, f'{code} has the exit code {expected[code]} in the code')
for number, line in enumerate(document.lines, 1):
    for code in codes_in(line):
        if code not in expected and code != base:
            fault(number, f'no error code {code} in SessionError and RPCError')
    for anchor in re.findall(r'\]\(#([^)]+)\)', line):
        if anchor not in document.anchors:
            fault(number, f'no heading #{anchor}')

print('\n'.join(faults) or f'{len(coded)} methods, {len(objects)} objects, {len(notified)} notifications, '
      f'{len(expected)} error codes: as documented')
sys.exit(1 if faults else 0)
