// SPDX-License-Identifier: Apache-2.0

import CTransport

/// A value that threads share, accessible only under its own lock.
///
/// The lock is a `pthread_mutex_t` and not `Synchronization.Mutex` because thread sanitizers understand it, and so find
/// races around it.
public final class LockedValue<Value>: @unchecked Sendable /* `value` is touched under `mutex` alone */ {
    private let mutex: UnsafeMutableRawPointer?
    private var value: Value

    public init(_ value: sending Value) {
        mutex = ctransport_mutex_create()
        self.value = value
    }

    deinit { ctransport_mutex_destroy(mutex) }

    /// Calls `body` with exclusive access to the value.
    ///
    /// The lock is a leaf lock: `body` takes no other lock, and does not wait.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ctransport_mutex_lock(mutex)
        defer { ctransport_mutex_unlock(mutex) }
        return try body(&value)
    }
}
