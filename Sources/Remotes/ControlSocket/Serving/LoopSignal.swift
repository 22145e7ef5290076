// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import SessionProtocol
import Synchronization

/// The messages of tasks to the socket's thread.
final class LoopSignal: Sendable {
    struct Contents: Sendable {
        /// Clients whose requests are all answered, and from which no more can come.
        var quiet: [ClientID] = []
        var isStopping = false
    }

    /// A file descriptor that is readable when there is something to take.
    let wake: Int32
    // The lock is needed because any task puts and the socket's thread takes; it is held for an append or a swap.
    private let contents = Mutex(Contents())

    init() throws(SessionError) {
        wake = gnu_wake_descriptor()
        guard wake >= 0 else {
            throw SessionError(.unavailable, "cannot make an eventfd: \(reason(errno)); close programs")
        }
    }

    deinit { close(wake) }

    /// Tells the thread that the output of a client has something left to write, or is broken.
    func look() { change { _ in } }
    func quiet(_ client: ClientID) { change { $0.quiet.append(client) } }
    func stop() { change { $0.isStopping = true } }

    private func change(_ body: (inout Contents) -> Void) {
        contents.withLock { body(&$0) }
        var one: UInt64 = 1
        _ = write(wake, &one, MemoryLayout<UInt64>.size)
    }

    func take() -> Contents {
        var count: UInt64 = 0
        _ = read(wake, &count, MemoryLayout<UInt64>.size)
        return contents.withLock { contents in
            defer { contents = Contents(isStopping: contents.isStopping) }
            return contents
        }
    }
}
