// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import SessionProtocol
import Synchronization

/// The messages to the bus's thread.
final class Mailbox: Sendable {
    struct Contents: Sendable {
        /// The newest state; older ones that were not taken are replaced.
        var state: NowPlaying?
        /// `true` if the position has jumped within the item since the last state that was taken.
        var hasJumped = false
        var preferences: RemotePreferences?
        /// The results of calls, by their numbers.
        var results: [(call: UInt64, failure: SessionError?)] = []
        var isStopping = false
    }

    /// A file descriptor that is readable when there is something to take.
    let wake: Int32
    // The lock is needed because any thread puts and the bus's thread takes; it is held for an append or a swap.
    private let contents = Mutex(Contents())

    init?() {
        wake = gnu_wake_descriptor()
        if wake < 0 { return nil }
    }

    deinit { close(wake) }

    func put(_ body: (inout Contents) -> Void) {
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
