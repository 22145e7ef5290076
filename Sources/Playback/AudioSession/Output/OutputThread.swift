// SPDX-License-Identifier: Apache-2.0

import Clocks
import Glibc
import Synchronization

/// The way in which an output's thread sleeps: in poll(2), or in the loop of a sound server's library.
public protocol OutputWait: Sendable {
    /// Returns when something happened, after `wake`, or at `deadline` (as `MonotonicTime`). Runs on the output's
    /// thread.
    ///
    /// - Parameter hasWork: Returns `true` if work is pending, and `wait` must then return at once. Call it after the
    ///   last step that can consume a `wake` without returning: preparing to sleep may consume the signal of work that
    ///   arrived since the caller checked.
    func wait(until deadline: Int64?, unless hasWork: () -> Bool)

    /// Ends the current `wait`, or the next one if it finds work.
    ///
    /// Callable from any thread, after the work was queued.
    func wake()
}

/// A dedicated thread for one output, used as the executor of its actor.
///
/// Foreign audio libraries are called only here, never in the cooperative pool, which has as few threads as the machine
/// has processors. The thread starts with the first job and ends after `retire`.
public final class OutputThread: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var turn: Turn?
        var isRunning = false
        var isRetired = false
        var isTurnNew = false

        var hasWork: Bool { !jobs.isEmpty || isRetired || isTurnNew }
    }

    /// A function in an object: to pass a function itself out of the lock allocates.
    private final class Turn: Sendable {
        let run: @Sendable () -> Int64?
        init(_ run: @escaping @Sendable () -> Int64?) { self.run = run }
    }

    private let name: String
    private let wait: any OutputWait
    private let isUrgent: Bool
    /// Reason for the lock: jobs come from any thread; held for an access.
    private let state = Mutex(State())
    private let current = Atomic<UInt>(0)

    /// Creates a thread that starts with the first job.
    ///
    /// - Parameter isUrgent: `true` if the output is audible, so that late sound is heard as a click.
    public init(name: String, wait: any OutputWait, isUrgent: Bool = true) {
        self.name = name
        self.wait = wait
        self.isUrgent = isUrgent
    }

    /// Sets the function that runs on the thread after jobs and after everything that ended a wait.
    ///
    /// It returns the time at which it must be called again at the latest.
    public func setTurn(_ turn: @escaping @Sendable () -> Int64?) {
        state.withLock {
            $0.turn = Turn(turn)
            $0.isTurnNew = true
        }
        wait.wake()
    }

    /// Ends the thread as soon as it has nothing to do.
    ///
    /// Jobs that arrive later still run.
    public func retire() {
        state.withLock {
            $0.isRetired = true
            $0.turn = nil
        }
        wait.wake()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Once it is queued, the job may run and end, and the actor that owns this executor with it; the wake-up comes
        // after that.
        let own = Unmanaged.passRetained(self)
        defer { own.release() }
        let mustStart = state.withLock { state in
            state.jobs.append(job)
            if state.isRunning { return false }
            state.isRunning = true
            return true
        }
        if mustStart { start() } else if !isCurrent { wait.wake() }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    public func checkIsolated() {
        precondition(isCurrent, "not on the thread of \(name)")
    }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool { current.load(ordering: .relaxed) == UInt(pthread_self()) }

    private func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<OutputThread>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            // Nothing can be played without a thread, but a job that never runs would hang its caller.
            context.release()
            run()
            return
        }
        pthread_detach(thread)
    }

    /// Names the thread for `top -H` and debuggers.
    private func nameThread() {
        let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = name.withCString { write(descriptor, $0, min(strlen($0), 15)) }
        close(descriptor)
    }

    private func run() {
        current.store(UInt(pthread_self()), ordering: .relaxed)
        nameThread()
        // Linux has a priority for each thread, and PulseAudio gives this one to its own. Most users may not set it;
        // the refusal does no harm.
        if isUrgent { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -11) }
        let executor = asUnownedSerialExecutor()
        // The two arrays take turns, so that neither is copied.
        var jobs: [UnownedJob] = []
        while true {
            let turn = state.withLock { state in
                swap(&jobs, &state.jobs)
                state.isTurnNew = false
                return state.turn
            }
            for job in jobs { job.runSynchronously(on: executor) }
            jobs.removeAll(keepingCapacity: true)
            let deadline = turn?.run()
            let (mustWait, isOver) = state.withLock { state in
                guard state.jobs.isEmpty else { return (false, false) }
                if state.isRetired {
                    state.isRunning = false
                    current.store(0, ordering: .relaxed)
                    return (false, true)
                }
                return (true, false)
            }
            if isOver { return }
            if mustWait { wait.wait(until: deadline) { state.withLock { $0.hasWork } } }
        }
    }
}
