// SPDX-License-Identifier: Apache-2.0

import TaskChains
import Testing
import WaitTestSupport

/// A task for which several wait.
@Suite(.timeLimit(.minutes(1))) struct SharedTaskTests {
    /// A task that ends when it is cancelled, or told to, and returns whether it was cancelled.
    private struct Work {
        let told = Watched(false)
        let shared: SharedTask<Bool>

        init(patience: Duration = .zero) {
            let told = told
            shared = SharedTask(patience: patience) {
                _ = await told.wait { $0 }
                return Task.isCancelled
            }
        }

        func waiter() -> Task<Bool, Never> {
            let shared = shared
            return Task { await shared.value }
        }
    }

    @Test func `all who wait get the result`() async {
        let work = Work()
        let waiters = (0..<3).map { _ in
            #expect(work.shared.join())
            return work.waiter()
        }
        work.told.change { $0 = true }
        for waiter in waiters { #expect(await waiter.value == false) }
    }

    @Test func `it is cancelled when the last who waits is, and not before`() async {
        let work = Work()
        let waiters = (0..<2).map { _ in
            #expect(work.shared.join())
            return work.waiter()
        }
        waiters[0].cancel()
        #expect(work.shared.join(), "one waits")
        let third = work.waiter()
        waiters[1].cancel()
        third.cancel()
        for waiter in waiters + [third] { #expect(await waiter.value == true) }
        #expect(!work.shared.join(), "it was given up")
    }

    @Test func `with patience, one who comes soon after the last has left gets the result`() async {
        let work = Work(patience: .seconds(50))
        #expect(work.shared.join())
        work.shared.leave()
        #expect(work.shared.join())
        let waiter = work.waiter()
        work.told.change { $0 = true }
        #expect(await waiter.value == false)
    }

    @Test func `patience has an end`() async {
        let work = Work(patience: .milliseconds(1))
        #expect(work.shared.join())
        let waiter = work.waiter()
        waiter.cancel()
        #expect(await waiter.value == true)
        #expect(!work.shared.join())
    }

    @Test func `one who leaves counts no longer`() async {
        let work = Work()
        #expect(work.shared.join() && work.shared.join())
        let waiter = work.waiter()
        work.shared.leave()
        work.told.change { $0 = true }
        #expect(await waiter.value == false)
        let other = Work()
        #expect(other.shared.join())
        other.shared.leave()
        #expect(!other.shared.join())
    }
}
