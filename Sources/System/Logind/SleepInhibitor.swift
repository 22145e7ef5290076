// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import Synchronization

/// An inhibitor lock of systemd-logind, which keeps the machine from going to sleep by itself.
///
/// Closing the lid still suspends it. On a machine without logind nothing happens. May be used on any thread; no call
/// waits.
public final class SleepInhibitor: Sendable {
    private struct Lock {
        var isWanted = false
        /// The lock, which the end of the process releases, too; -1 if there is none.
        var descriptor: Int32 = -1
    }

    /// The time limit of one call to logind.
    private static let limit = Duration.seconds(2)

    private let queue = BlockingQueue(label: "rostrum.logind")
    private let lock = Mutex(Lock())
    private let reason: String

    /// - Parameter reason: The reason that users are shown, such as `plays`.
    public init(reason: String) { self.reason = reason }

    /// Takes the lock, or releases it.
    public func set(_ isWanted: Bool) {
        let isNew = lock.withLock { lock in
            defer { lock.isWanted = isWanted }
            return lock.isWanted != isWanted
        }
        guard isNew else { return }
        queue.enqueue { [self] in follow() }
    }

    /// Takes or releases the lock as the last call wants it; runs on the queue.
    private func follow() {
        let (isWanted, held) = lock.withLock { ($0.isWanted, $0.descriptor) }
        if isWanted, held < 0 {
            let taken = LogindCall.inhibit(reason: reason, within: Self.limit)
            lock.withLock { $0.descriptor = taken }
        } else if !isWanted, held >= 0 {
            lock.withLock { $0.descriptor = -1 }
            LogindCall.release(held)
        }
    }
}
