// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Clocks
import Glibc
import Synchronization

/// A wait that sleeps in poll(2) on a few file descriptors of the output.
public final class PollWait: OutputWait {
    private let reader: Int32
    private let writer: Int32
    private let watched = Atomic<Int32>(-1)
    /// The longest wait, in milliseconds, if there is no pipe to end it.
    private static let step: Int32 = 20

    public init() {
        var ends: [Int32] = [-1, -1]
        // If this fails, the descriptors stay negative, and poll ignores those.
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        reader = ends[0]
        writer = ends[1]
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// Sets the file descriptor that the next waits watch.
    ///
    /// It runs on the output's thread.
    public func watch(readable descriptor: Int32?) {
        watched.store(descriptor ?? -1, ordering: .relaxed)
    }

    /// Waits for the watched descriptor, `wake` or the deadline.
    ///
    /// It allocates nothing. Only a wait that ends consumes the signal, and work that was queued before is checked in any case.
    public func wait(until deadline: Int64?, unless hasWork: () -> Bool) {
        // Poll ignores a negative descriptor.
        let watched = watched.load(ordering: .relaxed)
        var descriptors = (
            pollfd(fd: watched, events: Int16(POLLIN), revents: 0),
            pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        )
        var milliseconds: Int32 = -1
        if let deadline {
            let left = max(0, deadline - MonotonicTime.now())
            milliseconds = Int32(clamping: (left + 999_999) / MonotonicTime.millisecond)
        }
        // Without a pipe nothing can wake it.
        if reader < 0 { milliseconds = milliseconds < 0 ? Self.step : min(milliseconds, Self.step) }
        if hasWork() { milliseconds = 0 }
        guard gnu_poll(&descriptors, 2, milliseconds) > 0 else { return }
        if descriptors.1.revents != 0 {
            withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { drained in
                _ = read(reader, drained.baseAddress, drained.count)
            }
        }
    }

    public func wake() {
        var one: UInt8 = 1
        _ = write(writer, &one, 1)
    }
}
