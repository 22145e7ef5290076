// SPDX-License-Identifier: Apache-2.0

import Glibc

/// SIGTERM, SIGINT and SIGHUP as something to wait for, on a thread of its own.
struct TerminationSignals {
    private let stream: AsyncStream<Void>

    /// To be made before other threads, which inherit the blocked signals.
    init() {
        signal(SIGPIPE, SIG_IGN)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let waiting = set
        let thread = Thread {
            var set = waiting
            var received: Int32 = 0
            while sigwait(&set, &received) == 0 { continuation.yield() }
        }
        thread.start()
    }

    /// Returns when the first one comes, or the task is cancelled.
    func first() async {
        for await _ in stream { return }
    }
}

/// A detached thread.
private struct Thread {
    let body: @Sendable () -> Void

    func start() {
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
