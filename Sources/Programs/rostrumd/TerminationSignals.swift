// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// SIGTERM, SIGINT and SIGHUP as an event to wait for.
///
/// They are blocked before any other thread exists, and the program's first thread only reads them. If a thread had
/// them unblocked, as libdispatch's `dispatch_main` leaves one, they would end the process immediately.
final class TerminationSignals: Sendable {
    static let ofProgram = TerminationSignals()

    private let stream: AsyncStream<Void>
    private let came: AsyncStream<Void>.Continuation
    private let isAwaited = Atomic(false)

    private init() {
        (stream, came) = AsyncStream.makeStream(of: Void.self)
    }

    private static var ending: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
        return set
    }

    /// Blocks the signals for all threads that are started from now on.
    func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = Self.ending
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Reads the signals forever; before ``take()`` is called, a signal has its default effect.
    func read() -> Never {
        var set = Self.ending
        while true {
            var received: Int32 = 0
            guard sigwait(&set, &received) == 0 else { continue }
            if !isAwaited.load(ordering: .acquiring) {
                signal(received, SIG_DFL)
                raise(received)
                pthread_sigmask(SIG_UNBLOCK, &set, nil)
            }
            came.yield()
        }
    }

    /// Hands the signals over to the caller, which ends the program when ``first()`` returns.
    func take() { isAwaited.store(true, ordering: .releasing) }

    /// Returns when the first signal comes, or when the task is cancelled.
    func first() async {
        for await _ in stream { return }
    }
}
