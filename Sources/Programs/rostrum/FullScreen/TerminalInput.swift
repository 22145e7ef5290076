// SPDX-License-Identifier: Apache-2.0

import Glibc
import TerminalPlayer

/// The keys and the mouse of the terminal at the standard input.
struct TerminalInput {
    /// The time in ms after which an Escape that begins no sequence is a key of its own.
    static let escapeLimit: Int64 = 25

    private var parser = KeyboardParser()

    /// `true` if what has come may be the beginning of more.
    var isIncomplete: Bool { parser.isIncomplete }

    /// Reads once, and returns what the listener did; `nil` if the terminal is gone.
    ///
    /// It waits if nothing has come.
    mutating func read() -> [PlayerEvent]? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? parser.take(bytes[..<count]) : nil
    }

    /// Returns the key of which nothing more will come.
    mutating func finish() -> [PlayerEvent] { parser.finish() }
}
