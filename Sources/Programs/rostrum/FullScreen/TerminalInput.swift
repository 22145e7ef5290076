// SPDX-License-Identifier: Apache-2.0

import Glibc
import TerminalPlayer

/// The keys and the mouse of the terminal at the standard input; times are monotonic, in ms.
struct TerminalInput {
    private var parser = KeyboardParser()
    /// The time of the last bytes.
    private var since: Int64 = 0

    /// Reads once, and returns what the listener did; `nil` if the terminal is gone.
    ///
    /// It waits if nothing has come.
    mutating func read(now: Int64) -> [PlayerEvent]? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        since = now
        return count > 0 ? parser.take(bytes[..<count]) : nil
    }

    /// Returns the time until a beginning that nothing has followed is a key of its own; `nil` if there is none.
    func untilFinished(_ now: Int64) -> Int64? { parser.patience.map { max(0, since + $0 - now) } }

    /// Returns that key, if its time has come and nothing waits to be read.
    mutating func finish(_ now: Int64) -> [PlayerEvent] {
        guard untilFinished(now) == 0 else { return [] }
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, 0) == 0 ? parser.finish() : []
    }
}
