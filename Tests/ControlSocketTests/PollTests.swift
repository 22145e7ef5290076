// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import FakeSession
import Glibc
import Synchronization
import Testing
import WaitTestSupport

/// The number of signals that were handled.
private let handled = Atomic(0)

/// Tests the wait of a client: a signal does not end it, and its failure is not the end of its time.
@Suite(.timeLimit(.minutes(1)))
struct PollTests {
    private func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func `a wait goes on after a signal`() async throws {
        let ends = try pipe()
        defer { for end in [ends.read, ends.write] { close(end) } }
        signal(SIGUSR2) { _ in handled.wrappingAdd(1, ordering: .relaxed) }
        defer { signal(SIGUSR2, SIG_DFL) }
        let before = handled.load(ordering: .relaxed)
        let thread = Watched<(id: pthread_t?, ready: Int32?)>((nil, nil))
        let waiting = Task {
            try await blocking {
                // A thread of Dispatch blocks signals, and so do those that it starts.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGUSR2)
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                thread.change { $0.id = pthread_self() }
                var entry = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
                let ready = gnu_poll_on(&entry, 1, 60_000)
                thread.change { $0.ready = ready }
            }
        }
        #expect(await thread.wait { $0.id != nil })
        let id = try #require(thread.value.id)
        for count in 1...20 where thread.value.ready == nil {
            pthread_kill(id, SIGUSR2)
            await until { handled.load(ordering: .relaxed) >= before + count || thread.value.ready != nil }
        }
        #expect(thread.value.ready == nil)
        #expect(write(ends.write, "x", 1) == 1)
        try await waiting.value
        #expect(thread.value.ready == 1)
    }

    @Test(arguments: [0, 5] as [Int32]) func `a wait ends when its time is up`(_ milliseconds: Int32) throws {
        let ends = try pipe()
        defer { for end in [ends.read, ends.write] { close(end) } }
        var entry = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
        #expect(gnu_poll_on(&entry, 1, milliseconds) == 0)
    }

    @Test(arguments: [0, 5, -1] as [Int32]) func `a wait that is not possible fails at once`(_ milliseconds: Int32) {
        // This is more file descriptors than any limit allows.
        let result = gnu_poll_on(nil, 1 << 31, milliseconds)
        let reason = errno
        #expect(result == -1)
        #expect(reason == EINVAL)
    }
}
