// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// An executor that runs commands on the socket's thread.
///
/// So no other thread has to be woken between a request and its effect, which can take milliseconds on a busy machine.
/// Jobs must not block the thread, because every client waits for it.
final class LoopExecutor: TaskExecutor {
    /// The number of jobs that may run before the sockets are checked.
    private static let batch = 64

    private struct State {
        var jobs: [UnownedJob] = []
        var isOver = false
    }

    // The lock is needed because any thread enqueues and the socket's thread takes; it is held for an append or a swap.
    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)
    private let signal: LoopSignal

    init(signal: LoopSignal) { self.signal = signal }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Once it is queued, the job may run and end, and whoever owns this executor with it.
        let own = Unmanaged.passRetained(self)
        defer { own.release() }
        let isTaken = state.withLock { state in
            if !state.isOver { state.jobs.append(job) }
            return !state.isOver
        }
        guard isTaken else { return globalConcurrentExecutor.enqueue(job) }
        if thread.load(ordering: .relaxed) != UInt(pthread_self()) { signal.look() }
    }

    // MARK: For the socket's thread

    func begin() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

    var hasJobs: Bool { state.withLock { !$0.jobs.isEmpty } }

    func runJobs() {
        let executor = asUnownedTaskExecutor()
        var count = 0
        while count < Self.batch {
            let jobs = state.withLock { state in
                defer { state.jobs.removeAll() }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: executor) }
            count += jobs.count
        }
    }

    /// Runs what is left, and what comes later, on the global executor.
    func end() {
        let left = state.withLock { state in
            state.isOver = true
            return state.jobs
        }
        for job in left { globalConcurrentExecutor.enqueue(job) }
    }
}
