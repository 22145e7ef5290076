// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import WaitTestSupport

@testable import ControlSocket

/// Time that passes when a test says so.
private final class HandClock: Sendable {
    private struct State {
        var now = ContinuousClock.now
        var sleepers: [(end: ContinuousClock.Instant, waiter: CheckedContinuation<Void, Never>)] = []
        var watchers: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
    }

    // Reason for the lock: the timer's task sleeps, the test moves time; held for one access.
    private let state = Mutex(State())

    var idle: IdleClock {
        IdleClock(
            now: { self.state.withLock { $0.now } },
            sleep: { end in
                await withCheckedContinuation { waiter in
                    let (isOver, seen) = self.state.withLock { state in
                        if end <= state.now { return (true, [CheckedContinuation<Void, Never>]()) }
                        state.sleepers.append((end, waiter))
                        let seen = state.watchers.filter { $0.count <= state.sleepers.count }.map(\.waiter)
                        state.watchers.removeAll { $0.count <= state.sleepers.count }
                        return (false, seen)
                    }
                    if isOver { waiter.resume() }
                    for watcher in seen { watcher.resume() }
                }
            })
    }

    /// Returns when so many sleep.
    func sleeping(_ count: Int = 1) async {
        await withCheckedContinuation { waiter in
            let isSo = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, waiter))
                return false
            }
            if isSo { waiter.resume() }
        }
    }

    func pass(_ duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.end <= state.now }.map(\.waiter)
            state.sleepers.removeAll { $0.end <= state.now }
            return due
        }
        for waiter in due { waiter.resume() }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct `The life of a session that was started for one` {
    private let clock = HandClock()
    private let player = ClientID(rawValue: 1)

    private func lifetime(endsByItself: Bool = true) -> SessionLifetime {
        SessionLifetime(endsByItself: endsByItself, idle: .seconds(60), clock: clock.idle)
    }

    private func end(of lifetime: SessionLifetime) async { for await _ in lifetime.ending { return } }

    @Test func `ends a minute after what was detached is over`() async {
        var lifetime = lifetime()
        lifetime.update(isInUse: true)
        lifetime.update(isInUse: false)
        await clock.sleeping()
        clock.pass(.seconds(61))
        await end(of: lifetime)
    }

    @Test func `does not end while it is in use, however long that is`() async {
        var lifetime = lifetime()
        let rung = Mutex(false)
        let ending = lifetime.ending
        let watch = Task { for await _ in ending { rung.withLock { $0 = true } } }
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        await clock.sleeping()
        // A call, say, behind which it goes on.
        lifetime.update(isInUse: true)
        clock.pass(.seconds(3600))
        // The timer that was asleep has looked, and sleeps no more, when another begins to.
        lifetime.update(isInUse: false)
        await clock.sleeping()
        #expect(!rung.withLock { $0 })
        clock.pass(.seconds(61))
        await until { rung.withLock({ $0 }) }
        watch.cancel()
    }

    @Test(arguments: [true, false]) func `does not end at once with what is held, which goes on behind that`(
        _ isInUse: Bool
    ) async {
        var lifetime = lifetime()
        let rung = Mutex(false)
        let ending = lifetime.ending
        let watch = Task { for await _ in ending { rung.withLock { $0 = true } } }
        lifetime.attach(player)
        lifetime.renderBegan()
        lifetime.update(isInUse: isInUse)
        let isLast = lifetime.detach(player)
        #expect(isLast)
        lifetime.endIfDone(isInUse: isInUse)
        lifetime.renderEnded()
        #expect(lifetime.isDue)
        lifetime.endIfDone(isInUse: isInUse)
        if isInUse {
            // Were it about to end, that would come before what comes a minute after this.
            lifetime.update(isInUse: false)
            await clock.sleeping()
            #expect(!rung.withLock { $0 })
            clock.pass(.seconds(61))
        }
        while !rung.withLock({ $0 }) { await Task.yield() }
        watch.cancel()
    }

    @Test func `counts by the limit that was set last, also if it was counting already`() async throws {
        var lifetime = lifetime()
        let rung = Mutex(false)
        let ending = lifetime.ending
        let watch = Task { for await _ in ending { rung.withLock { $0 = true } } }
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        await clock.sleeping()
        lifetime.set(idle: .seconds(120))
        clock.pass(.seconds(61))
        // It looked, and sleeps on for the other half.
        await clock.sleeping()
        #expect(!rung.withLock { $0 })
        clock.pass(.seconds(60))
        while !rung.withLock({ $0 }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        rung.withLock { $0 = false }
        lifetime.set(idle: .seconds(10))
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        await clock.sleeping()
        clock.pass(.seconds(11))
        while !rung.withLock({ $0 }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        watch.cancel()
    }

    @Test func `begins to count anew with each command`() async {
        var lifetime = lifetime()
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        await clock.sleeping()
        clock.pass(.seconds(59))
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        clock.pass(.seconds(2))
        // It looked, and sleeps on for the rest of the new minute.
        await clock.sleeping()
        clock.pass(.seconds(58))
        await end(of: lifetime)
    }

    @Test func `ends with its last player at once, behind what is under way`() async {
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.renderBegan()
        let isLast = lifetime.detach(player)
        #expect(isLast)
        lifetime.endIfDone(isInUse: false)
        #expect(!lifetime.isDue)
        lifetime.renderEnded()
        #expect(lifetime.isDue)
        lifetime.endIfDone(isInUse: false)
        await end(of: lifetime)
    }

    @Test func `a service stays, and only what plays ends with the last player`() {
        var lifetime = lifetime(endsByItself: false)
        lifetime.attach(player)
        lifetime.attach(ClientID(rawValue: 2))
        let left = [lifetime.detach(player), lifetime.detach(ClientID(rawValue: 2))]
        #expect(left == [false, true])
        lifetime.endIfDone(isInUse: false)
        #expect(!lifetime.isDue)
    }

    // MARK: What plays when the last player leaves

    @Test func `what plays ends with its last player`() {
        var lifetime = lifetime()
        lifetime.attach(player)
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && endsWithIt)
    }

    @Test(arguments: [false, true])
    func `what somebody else asks to play outlives the last player, if it succeeds`(_ hasFailed: Bool) {
        let other = ClientID(rawValue: 2)
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.requestBegan(other, plays: true)
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && !endsWithIt)
        let endsNow = lifetime.requestEnded(other, plays: true, hasFailed: hasFailed)
        #expect(endsNow == hasFailed)
    }

    @Test func `of two who ask, the last failure ends what plays`() {
        let (first, second) = (ClientID(rawValue: 2), ClientID(rawValue: 3))
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.requestBegan(first, plays: true)
        lifetime.requestBegan(second, plays: true)
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && !endsWithIt)
        let endsWithFirst = lifetime.requestEnded(first, plays: true, hasFailed: true)
        #expect(!endsWithFirst)
        let endsNow = lifetime.requestEnded(second, plays: true, hasFailed: true)
        #expect(endsNow)
    }

    @Test func `what turns out to play while it is carried out counts as such`() {
        let other = ClientID(rawValue: 2)
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.requestBegan(other)
        lifetime.requestPlays(other)
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && !endsWithIt)
        let endsNow = lifetime.requestEnded(other, plays: true, hasFailed: false)
        #expect(!endsNow)
    }

    @Test func `a player is told of the end of the item that took the place of its own, and not of that one's`() {
        var lifetime = lifetime()
        lifetime.attach(player)
        // What it asked for is not there yet.
        lifetime.adopt(player, item: "file:///old")
        #expect(lifetime.attached(to: "file:///own") == [player])
        lifetime.note(player, item: "file:///own")
        lifetime.adopt(player, item: "file:///other")
        #expect(lifetime.attached(to: "file:///own").isEmpty)
        #expect(lifetime.attached(to: "file:///other") == [player])
        lifetime.adopt(ClientID(rawValue: 2), item: "file:///other")
        #expect(lifetime.attached(to: "file:///other") == [player], "who plays nothing is no player")
    }

    @Test func `a request that asks for no sound does not keep what plays`() {
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.requestBegan(ClientID(rawValue: 2))
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && endsWithIt)
    }

    @Test func `a request of the player that leaves does not keep what plays`() {
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.requestBegan(player, plays: true)
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && endsWithIt)
        let endsNow = lifetime.requestEnded(player, plays: true, hasFailed: true)
        #expect(!endsNow)
    }

    @Test func `a player who comes meanwhile keeps what plays`() {
        let other = ClientID(rawValue: 2)
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.requestBegan(other, plays: true)
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && !endsWithIt)
        lifetime.attach(ClientID(rawValue: 3))
        let endsNow = lifetime.requestEnded(other, plays: true, hasFailed: true)
        #expect(!endsNow)
    }
}
