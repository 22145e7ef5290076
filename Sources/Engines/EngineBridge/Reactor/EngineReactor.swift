// SPDX-License-Identifier: Apache-2.0

import Atomics
import CTransport
import EngineHost
public import EngineTransport
import Glibc

/// The one thread that talks to all engines, so that nobody else waits for any of them.
///
/// It sleeps without a time-out unless an answer is outstanding.
public final class EngineReactor: Sendable {
    typealias Job = @Sendable (ReactorThread) -> Void

    /// Guards what other threads leave for the reactor's.
    private let jobs: LockedValue<[Job]>
    /// Wakes the thread; also rung by rings that turn out to be broken.
    let alarm: EventDescriptor
    private let stuck = ManagedAtomic(0)

    /// Processes that were killed and do not end, since they wait for a disk or a server that does not answer.
    public var leftBehind: Int { stuck.load(ordering: .relaxed) }

    /// - Parameter now: monotonic nanoseconds; deadlines are counted in it.
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

    /// Runs on the reactor's thread, after what was submitted before.
    func submit(_ job: @escaping Job) {
        jobs.withLock { $0.append(job) }
        alarm.signal()
    }

    /// The thread must not keep the reactor alive: it ends with it, and with its last engine.
    private final class Mailbox: Sendable {
        private let reactor: LockedValue<WeakReactor>
        init(_ reactor: EngineReactor) { self.reactor = LockedValue(WeakReactor(value: reactor)) }

        /// nil once nobody can submit anything more.
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
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
