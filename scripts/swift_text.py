# SPDX-License-Identifier: Apache-2.0
"""Reads Swift sources for check-protocol.py: structures with their coding keys, enumerations, bodies of functions.

It is not a parser: it knows how this project writes its messages, and exits with a line about anything else.
"""
import re
import sys


def without_comments(text):
    return re.sub(r'^[ \t]*//.*$|(?<=[ \t])// .*$', '', text, flags=re.M)


def body_after(text, pattern, shallow=False):
    """Returns the text between the braces behind a pattern; with `shallow`, the pattern must not be within braces."""
    match = re.search(pattern, direct(text) if shallow else text)
    start = match and text.find('{', match.end())
    if not match or start < 0:
        sys.exit(f'scripts/check-protocol.py: cannot find {pattern!r}; teach it the new code')
    depth = 0
    for index, character in enumerate(re.sub(r'"(?:\\.|[^"\\\n])*"', lambda m: ' ' * len(m.group()), text[start:])):
        depth += (character == '{') - (character == '}')
        if depth == 0:
            return text[start + 1:start + index]
    sys.exit(f'scripts/check-protocol.py: no end of {pattern!r}')


def direct(body):
    """Returns a body with blanks in place of everything that is in braces inside it."""
    depth, out = 0, []
    for character in body:
        if character == '}':
            depth -= 1
        out.append(character if depth == 0 or character == '\n' else ' ')
        if character == '{':
            depth += 1
    return ''.join(out)


def cases_of(body):
    """Returns {case: its raw value}."""
    cases = {}
    # A list continues in the next line after a comma.
    for group in re.findall(r'\bcase +((?:[^\n]*,[ \t]*\n)*[^\n]*)', direct(body)):
        for name, value in re.findall(r'`?(\w+)`?(?: = "([^"]*)")?', group):
            cases[name] = value or name
    return cases


class Property:
    def __init__(self, kind):
        self.is_optional = kind.endswith('?')
        self.kind = kind.rstrip('?')
        self.is_array = self.kind.startswith('[')
        self.element = self.kind.strip('[]')


class Structure:
    """A `Codable` structure in the form that it has in JSON."""

    def __init__(self, sources, name, body, file):
        self.sources, self.name, self.body, self.file = sources, name, body, file
        self.properties = {}
        for line in direct(body).splitlines():
            match = re.match(r'\s*(?:public )?(?:internal\(set\) )?var `?(\w+)`?(?:: ([^={]+?))?(?: = (.+))?$', line)
            if match and '{' not in line:
                self.properties[match.group(1)] = Property(match.group(2) or self.inferred(match.group(3) or ''))
        own = next((text for text in [body, *sources.extensions(name)] if 'func encode(to' in direct(text)), None)
        self.encoder = own and body_after(own, r'func encode\(to', shallow=True)
        keys = re.search(r'enum (?:CodingKeys|Key): String, CodingKey', direct(body))
        self.keys = {p: p for p in self.properties}
        if keys:
            self.keys = cases_of(body_after(body, re.escape(keys.group()), shallow=True))
        self.bases = []
        for base in re.findall(r'try (\w+)\.encode\(to: encoder\)', self.encoder or ''):
            if base in self.properties and base not in self.keys:
                self.bases.append(self.properties[base].kind)

    @staticmethod
    def inferred(value):
        if re.fullmatch(r'\d+', value):
            return 'Int'
        return 'Bool' if value in ('true', 'false') else 'String' if value.startswith('"') else value.rstrip('()')

    def flat(self, prefix=''):
        """Returns {path of a field: its type in JSON}."""
        fields = {}
        for name, key in self.keys.items():
            if name not in self.properties:
                sys.exit(f'scripts/check-protocol.py: {self.name} has a key {name}, and no such property')
            p = self.properties[name]
            kind = self.sources.json_type(p, self.name)
            if self.encoder is None:
                kind += ', optional' if p.is_optional else ''
            elif re.search(rf'encodeIfPresent\({name}, forKey: \.{name}\)', self.encoder):
                kind += ', optional'
            elif re.search(rf'encode\({name}, forKey: \.{name}\)', self.encoder):
                kind += ' or null' if p.is_optional else ''
            else:
                # It has a key but is not encoded.
                continue
            path = prefix + key
            fields[path] = kind
            inner = self.sources.resolve(p.element, self.name)
            if inner:
                fields |= self.sources.structure(inner).flat(path + ('[].' if p.is_array else '.'))
        return fields


class Sources:
    PLAIN = {'String': 'string', 'SecretText': 'string', 'Bool': 'boolean', 'Double': 'number', 'Int': 'integer', 'Int32': 'integer',
             'Int64': 'integer', 'JSONValue': 'any'}

    def __init__(self, root, folder):
        self.folder = folder
        self.files = {p.name: without_comments(p.read_text()) for p in sorted((root / folder).rglob('*.swift'))}
        self.structures = {}

    def text(self, file):
        if file not in self.files:
            sys.exit(f'scripts/check-protocol.py: no {file} in {self.folder}; teach it the new code')
        return self.files[file]

    def locate(self, name):
        """Returns the body of a type, given its whole name; None if there is none."""
        outer, _, rest = name.partition('.')
        for file, text in self.files.items():
            declared = re.search(rf'^(?:public |private |fileprivate )?(?:struct|enum) {outer}\b', text, re.M)
            if not declared:
                continue
            body = body_after(text[declared.start():], re.escape(declared.group()))
            for part in rest.split('.') if rest else []:
                if not re.search(rf'struct {part}\b', direct(body)):
                    return None
                body = body_after(body, rf'struct {part}\b', shallow=True)
            return body, file
        return None

    def extensions(self, name):
        for text in self.files.values():
            for match in re.finditer(rf'^extension {re.escape(name)}\b(?!\.)', text, re.M):
                yield body_after(text[match.start():], re.escape(match.group()))

    def structure(self, name):
        if name not in self.structures:
            place = self.locate(name)
            if not place:
                sys.exit(f'scripts/check-protocol.py: no structure {name} in {self.folder}; teach it the new code')
            self.structures[name] = Structure(self, name, *place)
        return self.structures[name]

    def resolve(self, kind, within=''):
        """Returns the whole name of the structure that this name means here; None for a plain value."""
        if kind in self.PLAIN:
            return None
        scopes = within.split('.') if within else []
        for depth in range(len(scopes), -1, -1):
            name = '.'.join(scopes[:depth] + [kind])
            if self.locate(name):
                return name
        return None

    def json_type(self, property, within=''):
        plain = self.PLAIN.get(property.element)
        if plain is None:
            plain = 'object' if self.resolve(property.element, within) else 'string'
        return f'array of {plain}s' if property.is_array else plain

    def enumeration(self, outer, name):
        for text in self.files.values():
            if outer:
                declared = re.search(rf'(?:struct|enum|class|actor|extension) {outer}\b', text)
                if not declared:
                    continue
                text = body_after(text[declared.start():], re.escape(declared.group()))
            if re.search(rf'enum {name}: String', text):
                return body_after(text, rf'enum {name}: String')
        sys.exit(f'scripts/check-protocol.py: no enum {outer}.{name} in {self.folder}; teach it the new code')
