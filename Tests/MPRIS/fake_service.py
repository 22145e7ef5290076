# SPDX-License-Identifier: Apache-2.0
"""The D-Bus side of the fake player: introspection, properties, the checks of calls, its name, and the loop."""
import os
import xml.sax.saxutils as escape

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection

from bus import DAEMON, OBJECT, PROPERTIES
from spec import METHODS_OF, PLAYER, PROPERTIES_OF, ROOT, SIGNALS_OF, TRACKLIST

ERROR = DAEMON + '.Error.'


class Refused(Exception):
    """A call that is answered with an error; the arguments are its name and a sentence."""


class Service:
    """An object with methods for those of the interfaces; properties(interface), write(name, value), tell(), idle() and tick()
    are those of the player."""

    def __init__(self):
        self.connection = open_dbus_connection(os.environ['DBUS_SESSION_BUS_ADDRESS'], auth_timeout=20)
        self.flags = 4  # Of RequestName: do not wait behind another owner.
        self.running = True

    def emit(self, interface, member, signature, *body):
        self.connection.send(new_signal(DBusAddress(OBJECT, interface=interface), member, signature, body))

    def describe(self):
        """Returns the introspection data."""
        text = '<node>'
        for interface in (ROOT, PLAYER, TRACKLIST):
            text += f'<interface name="{interface}">'
            for name, (given, returned) in METHODS_OF[interface].items():
                kinds = [(k, 'in') for k in split(given)] + [(k, 'out') for k in split(returned)]
                text += f'<method name="{name}">' + ''.join(f'<arg type="{k}" direction="{d}"/>' for k, d in kinds) + '</method>'
            for name, kinds in SIGNALS_OF[interface].items():
                text += f'<signal name="{name}">' + ''.join(f'<arg type="{k}"/>' for k in split(kinds)) + '</signal>'
            for name in self.properties(interface):
                kind, writable, _ = PROPERTIES_OF[interface][name]
                text += (f'<property name="{name}" type="{escape.escape(kind)}" access="{"readwrite" if writable else "read"}">'
                         f'<annotation name="{DAEMON}.Property.EmitsChangedSignal" '
                         f'value="{"false" if name in ("Position", "CanControl") else "true"}"/></property>')
            text += '</interface>'
        for interface in (DAEMON + '.Introspectable', PROPERTIES, DAEMON + '.Peer'):
            text += f'<interface name="{interface}"/>'
        return text + '</node>'

    def Get(self, interface, name):
        return self.property(interface, name)

    def property(self, interface, name):
        found = self.properties(interface)
        if name not in found:
            raise Refused('UnknownProperty', name)
        return found[name]

    def GetAll(self, interface):
        return self.properties(interface)

    def Set(self, interface, name, variant):
        self.property(interface, name)
        wanted = PROPERTIES_OF[interface][name]
        if not wanted.writable or name == 'Fullscreen':
            raise Refused('PropertyReadOnly', name)
        if variant[0] != wanted.type:
            raise Refused('InvalidArgs', f'{name} is {wanted.type}')
        self.write(name, variant[1])

    def Introspect(self):
        return self.describe()

    def Ping(self):
        return None

    def find(self, interface, member):
        """Returns the signatures of a method, (in, out)."""
        known = {**METHODS_OF, PROPERTIES: {'Get': ('ss', 'v'), 'GetAll': ('s', 'a{sv}'), 'Set': ('ssv', '')},
                 DAEMON + '.Introspectable': {'Introspect': ('', 's')}, DAEMON + '.Peer': {'Ping': ('', '')}}
        if interface and interface not in known:
            raise Refused('UnknownInterface', interface)
        for name in [interface] if interface else known:
            if member in known[name]:
                return known[name][member]
        raise Refused('UnknownMethod', member)

    def exists(self, path):
        return path == OBJECT

    def fits(self, member, signature, wanted):
        return signature == wanted

    def handle(self, message):
        fields = message.header.fields
        member = fields[HeaderFields.member]
        try:
            if not self.exists(fields[HeaderFields.path]):
                raise Refused('UnknownObject', fields[HeaderFields.path])
            given, returned = self.find(fields.get(HeaderFields.interface), member)
            if not self.fits(member, fields.get(HeaderFields.signature, ''), given):
                raise Refused('InvalidArgs', f'{member} takes ({given})')
            value = getattr(self, member)(*message.body)
            reply = new_method_return(message, returned or None, (value,) if returned else ())
        except Refused as reason:
            reply = new_error(message, ERROR + reason.args[0], 's', (reason.args[1],))
        self.tell()
        self.answer(message, reply)

    def answer(self, message, reply):
        if not message.header.flags & 1:
            self.connection.send(reply)

    def own(self, name):
        """Takes a name; one that is taken gets the number of the process behind it."""
        bus = DBusAddress('/org/freedesktop/DBus', DAEMON, DAEMON)
        for wanted in (name, f'{name}.instance{os.getpid()}'):
            got = self.connection.send_and_get_reply(new_method_call(bus, 'RequestName', 'su', (wanted, self.flags)))
            if got.body[0] == 1:
                return

    def serve(self):
        self.own('org.mpris.MediaPlayer2.fake')
        while self.running:
            try:
                message = self.connection.receive(timeout=self.idle())
            except TimeoutError:
                self.tick()
                continue
            except OSError:
                return  # The bus has ended.
            if message.header.message_type is MessageType.method_call:
                self.handle(message)


def split(signature):
    """Returns the complete types of a signature; those that occur here."""
    found = []
    while signature:
        size = 5 if signature.startswith('a{sv}') else 6 if signature.startswith('aa{sv}') else 2 if signature[0] == 'a' else 1
        found.append(signature[:size])
        signature = signature[size:]
    return found
