// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import Synchronization

/// Sleeps in poll(2) on a few descriptors of the output.
public final class PollWait: OutputWait {
    private let reader: Int32
    private let writer: Int32
    private let watched = Atomic<Int32>(-1)
    /// Milliseconds after which a wait ends that nothing can wake.
    private static let step: Int32 = 20

    public init() {
        var ends: [Int32] = [-1, -1]
        // Poll passes over negative ones.
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

    /// What the next waits look at.
    ///
    /// On the output's thread.
    public func watch(readable descriptor: Int32?) {
        watched.store(descriptor ?? -1, ordering: .relaxed)
    }

    /// Only what ends a wait reads the signal; what was left before is looked for all the same.
    public func wait(until deadline: Int64?, unless hasWork: () -> Bool) {
        // A negative one is passed over.
        let watched = watched.load(ordering: .relaxed)
        var descriptors = [watched, reader].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var milliseconds: Int32 = -1
        if let deadline {
            let left = max(0, deadline - MonotonicTime.now())
            milliseconds = Int32(clamping: (left + 999_999) / MonotonicTime.millisecond)
        }
        // Without a pipe nothing wakes it.
        if reader < 0 { milliseconds = milliseconds < 0 ? Self.step : min(milliseconds, Self.step) }
        if hasWork() { milliseconds = 0 }
        guard gnu_poll(&descriptors, descriptors.count, milliseconds) > 0 else { return }
        if descriptors[1].revents != 0 {
            var drained = [UInt8](repeating: 0, count: 64)
            _ = read(reader, &drained, drained.count)
        }
    }

    public func wake() {
        var one: UInt8 = 1
        _ = write(writer, &one, 1)
    }
}
