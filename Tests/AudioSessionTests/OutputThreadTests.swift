// SPDX-License-Identifier: Apache-2.0

import AudioSession
import Dispatch
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An output's thread` {
    @Test(
        .enabled(
            if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1,
            "while one thread of the pool waits, the task goes on in another"))
    func `stays until whoever queued its last job has woken it`() async {
        let wait = LastWake()
        await Self.work(with: wait)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                wait.looked.wait()
                continuation.resume()
            }
        }
        #expect(wait.foundThread)
    }

    /// Lets an actor work whose last reference goes when its job has ended.
    ///
    /// The task then continues elsewhere, while the thread that queued the job is still about to wake the output's.
    private static func work(with wait: LastWake) async {
        let worker = Worker(wait)
        await worker.begin()
        wait.slept.wait()
        wait.arm()
        await worker.run()
    }

    private actor Worker {
        private let last: LastReference
        nonisolated let unownedExecutor: UnownedSerialExecutor

        init(_ wait: LastWake) {
            let thread = OutputThread(name: "last-wake", wait: wait, isUrgent: false)
            wait.thread.withLock { $0.reference = thread }
            unownedExecutor = thread.asUnownedSerialExecutor()
            last = LastReference(thread, wait)
        }

        func begin() {}
        func run() {}
    }

    /// The reference to the thread that its actor has.
    private final class LastReference: Sendable {
        private let thread: Mutex<OutputThread?>
        private let wait: LastWake

        init(_ thread: OutputThread, _ wait: LastWake) {
            self.thread = Mutex(thread)
            self.wait = wait
        }

        deinit {
            wait.noteRetiring()
            thread.withLock { thread in
                thread?.retire()
                thread = nil
            }
            wait.gone.signal()
        }
    }
}

/// A wait whose last wake-up lasts until the thread has ended and its actor is gone, and then looks whether the
/// `OutputThread` is still there.
private final class LastWake: OutputWait {
    struct Weak: Sendable {
        weak var reference: OutputThread?
    }

    let thread = Mutex(Weak())
    /// Signalled before each sleep.
    let slept = DispatchSemaphore(value: 0)
    /// Signalled when the actor is gone.
    let gone = DispatchSemaphore(value: 0)
    /// Signalled when the armed wake-up has looked.
    let looked = DispatchSemaphore(value: 0)
    private let inner = PollWait()
    private let ended = DispatchSemaphore(value: 0)
    private let isArmed = Atomic(false)
    private let retiring = Atomic<UInt>(0)
    private let found = Atomic(false)
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        // The destructor runs at the end of the thread, when `OutputThread` no longer runs.
        pthread_key_create(&key) { ended in
            if let ended { Unmanaged<DispatchSemaphore>.fromOpaque(ended).takeRetainedValue().signal() }
        }
        self.key = key
    }

    deinit { pthread_key_delete(key) }

    var foundThread: Bool { found.load(ordering: .sequentiallyConsistent) }

    func arm() { isArmed.store(true, ordering: .sequentiallyConsistent) }

    /// Notes that the running thread wakes the output's thread only to end it.
    func noteRetiring() { retiring.store(UInt(pthread_self()), ordering: .sequentiallyConsistent) }

    func wait(until deadline: Int64?, unless hasWork: () -> Bool) {
        if pthread_getspecific(key) == nil { pthread_setspecific(key, Unmanaged.passRetained(ended).toOpaque()) }
        slept.signal()
        inner.wait(until: deadline, unless: hasWork)
    }

    func wake() {
        inner.wake()
        guard isArmed.load(ordering: .sequentiallyConsistent),
            retiring.load(ordering: .sequentiallyConsistent) != UInt(pthread_self())
        else { return }
        ended.wait()
        gone.wait()
        found.store(thread.withLock { $0.reference != nil }, ordering: .sequentiallyConsistent)
        looked.signal()
    }
}
