// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import Clocks
import Dispatch
import Synchronization

/// A wait that receives work and a wake-up at the worst moment: after the thread's last check of its queue, before it
/// sleeps.
public final class WorstMoment: OutputWait {
    private let inner: any OutputWait
    private let woken = DispatchSemaphore(value: 0)
    /// Locked for one access.
    private let state = Mutex<(work: (@Sendable () -> Void)?, slept: Int)>((nil, 0))

    public init(_ inner: any OutputWait) {
        self.inner = inner
    }

    /// The number of waits that lasted until their deadline.
    public var slept: Int { state.withLock(\.slept) }

    /// Sets the work that the next wait finds too late; it must end in a `wake` from another thread.
    public func leave(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.work = work } }

    public func wait(until deadline: Int64?, unless hasWork: () -> Bool) {
        let work = state.withLock { state in
            defer { state.work = nil }
            return state.work
        }
        if let work {
            while woken.wait(timeout: .now()) == .success {}
            work()
            _ = woken.wait(timeout: .now() + 30)
        }
        inner.wait(until: deadline, unless: hasWork)
        if let deadline, MonotonicTime.now() >= deadline { state.withLock { $0.slept += 1 } }
    }

    public func wake() {
        inner.wake()
        woken.signal()
    }

    /// Repeatedly posts a job at the worst moment to a thread that sleeps in `wait`.
    ///
    /// It returns 0 if each job was done before the thread's deadline, and stops at the first that was not.
    public static func lost(of jobs: Int, by wait: any OutputWait) async -> Int {
        let moment = WorstMoment(wait)
        let worker = Worker(OutputThread(name: "worst-moment", wait: moment, isUrgent: false))
        await worker.begin()
        for _ in 0..<jobs where moment.slept == 0 {
            await withCheckedContinuation { continuation in
                moment.leave { Task { await worker.run { continuation.resume() } } }
                // The wait that receives the work comes after this job.
                Task { await worker.run {} }
            }
        }
        await worker.end()
        return moment.slept
    }

    private actor Worker {
        private let thread: OutputThread
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        init(_ thread: OutputThread) { self.thread = thread }

        func begin() { thread.setTurn { MonotonicTime.now() + 30 * MonotonicTime.second } }
        func run(_ body: @Sendable () -> Void) { body() }
        func end() { thread.retire() }
    }
}
