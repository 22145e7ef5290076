# SPDX-License-Identifier: Apache-2.0
"""A connection to the session bus that calls and listens, and keeps everything it received in the order of arrival.

A bus delivers what one sender sends to one receiver in the order of sending. Calls and signals therefore share one
connection: the journal shows whether a player sent a signal before or after its answer.
"""
import time
from typing import NamedTuple

from jeepney import DBusAddress, HeaderFields, MessageFlag, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection

DAEMON = 'org.freedesktop.DBus'
PROPERTIES = 'org.freedesktop.DBus.Properties'
OBJECT = '/org/mpris/MediaPlayer2'
ANSWER = 20.0  # s that a busy machine may take for the answer to a call


class Entry(NamedTuple):
    """A message in the journal. `at` is the monotonic time of its arrival, for a call that of sending."""
    index: int
    at: float
    kind: str       # call, answer, error, signal
    sender: str
    interface: str
    member: str     # of an error its name
    signature: str
    body: tuple
    serial: int     # the sender's own number of the message

    def __str__(self):
        body = ', '.join(repr(x) for x in self.body)
        return f'{self.at:.4f} #{self.serial} {self.kind:<6} {self.interface + "." if self.interface else ""}{self.member}({body})'


class Answer(NamedTuple):
    """The answer to a call; `error` is the name of an error or None."""
    error: str
    signature: str
    body: tuple
    sent: float
    at: float

    @property
    def value(self):
        return self.body[0] if self.body else None


class NoAnswer(Exception):
    """Nothing came back in time, or the bus itself went away."""


HEARD = (f"type='signal',path='{OBJECT}'", f"type='signal',sender='{DAEMON}',member='NameOwnerChanged'")


class Bus:
    """A connection; `rules` are those of the signals that it hears from the start."""

    def __init__(self, address, rules=HEARD):
        try:
            self.connection = open_dbus_connection(address, auth_timeout=ANSWER)
        except OSError as fault:
            raise NoAnswer(f'no connection to the bus at {address}: {fault}')
        self.unique = self.connection.unique_name
        self.journal = []
        # Answers that came before others that were asked for earlier: D-Bus does not order them.
        self.early = {}
        for rule in rules:
            self.daemon('AddMatch', 's', rule)

    def close(self):
        self.connection.close()

    def _note(self, message, kind=None):
        fields = message.header.fields
        kind = kind or {MessageType.method_return: 'answer', MessageType.error: 'error',
                        MessageType.signal: 'signal'}.get(message.header.message_type, 'call')
        entry = Entry(len(self.journal), time.monotonic(), kind, fields.get(HeaderFields.sender, ''),
                      fields.get(HeaderFields.interface, ''),
                      fields.get(HeaderFields.member, '') or fields.get(HeaderFields.error_name, ''),
                      fields.get(HeaderFields.signature, ''), message.body, message.header.serial)
        self.journal.append(entry)
        return entry

    def receive(self, seconds):
        """Takes one message into the journal and returns (entry, message); None if none came in that time."""
        try:
            message = self.connection.receive(timeout=max(0.0, seconds))
        except TimeoutError:
            return None
        except OSError as lost:
            raise NoAnswer(f'the bus went away: {lost}')
        return self._note(message), message

    def tell(self, destination, interface, member, signature=None, *body):
        """Sends a call that expects no answer."""
        self.send(destination, interface, member, signature, *body, flags=MessageFlag.no_reply_expected)

    def send(self, destination, interface, member, signature=None, *body, path=OBJECT, flags=0):
        """Sends a call without waiting; returns its serial number."""
        message = new_method_call(DBusAddress(path, destination, interface), member, signature or None, body)
        message.header.flags = flags
        serial = next(self.connection.outgoing_serial)
        message.header.serial = serial
        self._note(message, 'call')
        try:
            self.connection.send(message, serial=serial)
        except OSError as lost:
            raise NoAnswer(f'the bus went away: {lost}')
        return serial

    def answer(self, serial, sent, seconds=ANSWER, what='the call'):
        """Waits for the answer to a call; what else arrives meanwhile goes into the journal before it."""
        end = sent + seconds
        while serial not in self.early:
            got = self.receive(end - time.monotonic())
            if got is None:
                raise NoAnswer(f'no answer to {what} within {seconds:g} s')
            entry, message = got
            answered = message.header.fields.get(HeaderFields.reply_serial)
            if answered is not None:
                self.early[answered] = entry
        entry = self.early.pop(serial)
        return Answer(entry.member if entry.kind == 'error' else None, entry.signature, entry.body, sent, entry.at)

    def call(self, destination, interface, member, signature=None, *body, path=OBJECT, seconds=ANSWER):
        sent = time.monotonic()
        serial = self.send(destination, interface, member, signature, *body, path=path)
        return self.answer(serial, sent, seconds, member)

    def daemon(self, member, signature=None, *body):
        """Calls the bus itself and returns the value of the answer, None for an error."""
        answer = self.call(DAEMON, DAEMON, member, signature, *body, path='/org/freedesktop/DBus')
        return None if answer.error else answer.value

    def owner(self, name):
        """Returns the unique name that owns a name, or None."""
        return self.daemon('GetNameOwner', 's', name)
