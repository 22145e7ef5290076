// SPDX-License-Identifier: Apache-2.0

import CTransport

/// A value that threads share, reached under its own lock only.
///
/// A `pthread_mutex_t` and not `Synchronization.Mutex`: thread sanitizers see it, so that a race beside it is found.
public final class LockedValue<Value>: @unchecked Sendable /* `value` is touched under `mutex` alone */ {
    private let mutex: UnsafeMutableRawPointer?
    private var value: Value

    public init(_ value: sending Value) {
        mutex = ctransport_mutex_create()
        self.value = value
    }

    deinit { ctransport_mutex_destroy(mutex) }

    /// Leaf locks only: `body` takes no other, and does not wait.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ctransport_mutex_lock(mutex)
        defer { ctransport_mutex_unlock(mutex) }
        return try body(&value)
    }
}
