// SPDX-License-Identifier: Apache-2.0

import Atomics
import CTransport
import Clocks
import EngineHost
public import EngineTransport
import Glibc

/// The single thread that communicates with all engines, so that no other thread waits for any of them.
///
/// It sleeps without a timeout unless a response is outstanding.
public final class EngineReactor: Sendable {
    typealias Job = @Sendable (ReactorThread) -> Void

    /// The jobs that other threads submit to the reactor's thread.
    private let jobs: LockedValue<[Job]>
    /// The eventfd that wakes the thread; rings that turn out to be broken signal it, too.
    let alarm: EventDescriptor
    private let stuck = ManagedAtomic(0)

    /// The number of processes that were killed but do not exit, because they wait for a disk or a server that does not
    /// respond.
    public var leftBehind: Int { stuck.load(ordering: .relaxed) }

    /// Creates a reactor and starts its thread.
    ///
    /// - Parameter now: Returns the monotonic time in nanoseconds, on which deadlines are based.
    public init(now: @escaping @Sendable () -> UInt64 = EngineReactor.monotonic) throws(SystemError) {
        jobs = LockedValue([])
        alarm = try EventDescriptor()
        let mailbox = Mailbox(self)
        let alarm = alarm
        let stuck = stuck
        let started = HostThread.start("engine-io") {
            ReactorThread(alarm: alarm, now: now, leftBehind: stuck, jobs: { mailbox.take() }).run()
        }
        guard started else { throw SystemError("pthread_create", EAGAIN) }
    }

    deinit { alarm.signal() }

    /// Runs a job on the reactor's thread, after those that were submitted before.
    func submit(_ job: @escaping Job) {
        jobs.withLock { $0.append(job) }
        alarm.signal()
    }

    /// A weak reference for the thread, which must not keep the reactor alive: it ends with the reactor and its last
    /// engine.
    private final class Mailbox: Sendable {
        private let reactor: LockedValue<WeakReactor>
        init(_ reactor: EngineReactor) { self.reactor = LockedValue(WeakReactor(value: reactor)) }

        /// Returns the submitted jobs, or `nil` once nothing can submit any more.
        func take() -> [Job]? {
            reactor.withLock { $0.value }.map {
                $0.jobs.withLock { jobs in
                    defer { jobs = [] }
                    return jobs
                }
            }
        }
    }

    private struct WeakReactor: Sendable { weak var value: EngineReactor? }

    public static func monotonic() -> UInt64 {
        UInt64(clamping: MonotonicTime.now())
    }
}
