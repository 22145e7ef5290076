// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// SIGTERM, SIGINT and SIGHUP as something to wait for.
///
/// They are blocked before any other thread exists, and the program's first thread does nothing but read them: a
/// thread that has them open, as libdispatch's `dispatch_main` leaves one, would end the process where it stands.
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

    /// For all threads that start from now on.
    func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = Self.ending
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Reads them for ever; before `take` was called, one does what it does to any program.
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

    /// From here on they are the caller's, who ends the program when `first` returns.
    func take() { isAwaited.store(true, ordering: .releasing) }

    /// Returns when the first one comes, or the task is cancelled.
    func first() async {
        for await _ in stream { return }
    }
}
