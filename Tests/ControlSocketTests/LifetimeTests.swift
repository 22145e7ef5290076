// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import WaitTestSupport

@testable import ControlSocket

/// A clock that the test moves.
private final class HandClock: Sendable {
    private struct State {
        var now = ContinuousClock.now
        var sleepers: [(end: ContinuousClock.Instant, waiter: CheckedContinuation<Void, Never>)] = []
        var watchers: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
    }

    // The lock is needed because the timer's task sleeps and the test moves the time; it is held for one access.
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

    /// Returns when this many tasks are sleeping.
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
struct `The lifetime of a session that was started for one user` {
    private let clock = HandClock()
    private let player = ClientID(rawValue: 1)

    private func lifetime(endsByItself: Bool = true) -> SessionLifetime {
        SessionLifetime(endsByItself: endsByItself, idle: .seconds(60), clock: clock.idle)
    }

    private func end(of lifetime: SessionLifetime) async { for await _ in lifetime.ending { return } }

    @Test func `ends a minute after detached playback is over`() async {
        var lifetime = lifetime()
        lifetime.update(isInUse: true)
        lifetime.update(isInUse: false)
        await clock.sleeping()
        clock.pass(.seconds(61))
        await end(of: lifetime)
    }

    @Test func `does not end while the session is in use, however long that is`() async {
        var lifetime = lifetime()
        let rung = Mutex(false)
        let ending = lifetime.ending
        let watch = Task { for await _ in ending { rung.withLock { $0 = true } } }
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        await clock.sleeping()
        // For example, playback is held during a phone call.
        lifetime.update(isInUse: true)
        clock.pass(.seconds(3600))
        // The sleeping task has checked the time and ended before another one starts.
        lifetime.update(isInUse: false)
        await clock.sleeping()
        #expect(!rung.withLock { $0 })
        clock.pass(.seconds(61))
        await until { rung.withLock({ $0 }) }
        watch.cancel()
    }

    @Test func `stays while a client wants it to, and ends a minute after that`() async {
        var lifetime = lifetime()
        let rung = Mutex(false)
        let ending = lifetime.ending
        let watch = Task { for await _ in ending { rung.withLock { $0 = true } } }
        lifetime.watch(player, true)
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        lifetime.endIfDone(isInUse: false)
        clock.pass(.seconds(3600))
        // If it were about to end, that would come before the event a minute after this.
        lifetime.watch(player, false)
        await clock.sleeping()
        #expect(!rung.withLock { $0 })
        clock.pass(.seconds(61))
        await until { rung.withLock({ $0 }) }
        watch.cancel()
    }

    @Test(arguments: [true, false]) func `ends with a render, but not at once if playback is held`(
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
            // If it were about to end, that would come before the event a minute after this.
            lifetime.update(isInUse: false)
            await clock.sleeping()
            #expect(!rung.withLock { $0 })
            clock.pass(.seconds(61))
        }
        await until { rung.withLock { $0 } }
        watch.cancel()
    }

    @Test func `uses the limit that was set last, even if it was counting already`() async throws {
        var lifetime = lifetime()
        let rung = Mutex(false)
        let ending = lifetime.ending
        let watch = Task { for await _ in ending { rung.withLock { $0 = true } } }
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        await clock.sleeping()
        lifetime.set(idle: .seconds(120))
        clock.pass(.seconds(61))
        // It has checked the time, and sleeps for the other half.
        await clock.sleeping()
        #expect(!rung.withLock { $0 })
        clock.pass(.seconds(60))
        await until { rung.withLock { $0 } }
        rung.withLock { $0 = false }
        lifetime.set(idle: .seconds(10))
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        await clock.sleeping()
        clock.pass(.seconds(11))
        await until { rung.withLock { $0 } }
        watch.cancel()
    }

    @Test func `starts to count anew with each command`() async {
        var lifetime = lifetime()
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        await clock.sleeping()
        clock.pass(.seconds(59))
        lifetime.requestBegan(player)
        lifetime.requestEnded(player)
        clock.pass(.seconds(2))
        // It has checked the time, and sleeps for the rest of the new minute.
        await clock.sleeping()
        clock.pass(.seconds(58))
        await end(of: lifetime)
    }

    @Test func `ends with its last player, as soon as nothing is under way`() async {
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

    @Test func `a service stays when its last player leaves`() {
        var lifetime = lifetime(endsByItself: false)
        lifetime.attach(player)
        lifetime.attach(ClientID(rawValue: 2))
        let left = [lifetime.detach(player), lifetime.detach(ClientID(rawValue: 2))]
        #expect(left == [false, true])
        lifetime.endIfDone(isInUse: false)
        #expect(!lifetime.isDue)
    }

    // MARK: Playback when the last player leaves

    @Test func `playback ends with its last player`() {
        var lifetime = lifetime()
        lifetime.attach(player)
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && endsWithIt)
    }

    @Test(arguments: [false, true])
    func `playback that another client requests outlives the last player if it succeeds`(_ hasFailed: Bool) {
        let other = ClientID(rawValue: 2)
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.requestBegan(other, plays: true)
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && !endsWithIt)
        let endsNow = lifetime.requestEnded(other, plays: true, hasFailed: hasFailed)
        #expect(endsNow == hasFailed)
    }

    @Test func `if two clients request playback, the last failure ends it`() {
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

    @Test func `a request that turns out to play counts as one that plays`() {
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

    @Test func `a player is told of the end of the item that replaced its own, and not of its own`() {
        var lifetime = lifetime()
        lifetime.attach(player)
        // The requested item is not known yet.
        lifetime.adopt(player, item: "file:///old")
        #expect(lifetime.attached(to: "file:///own") == [player])
        lifetime.note(player, item: "file:///own")
        lifetime.adopt(player, item: "file:///other")
        #expect(lifetime.attached(to: "file:///own").isEmpty)
        #expect(lifetime.attached(to: "file:///other") == [player])
        lifetime.adopt(ClientID(rawValue: 2), item: "file:///other")
        #expect(lifetime.attached(to: "file:///other") == [player], "who plays nothing is no player")
    }

    @Test func `a request that does not play does not keep playback alive`() {
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.requestBegan(ClientID(rawValue: 2))
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && endsWithIt)
    }

    @Test func `a request of the player that leaves does not keep playback alive`() {
        var lifetime = lifetime()
        lifetime.attach(player)
        lifetime.requestBegan(player, plays: true)
        let (isLast, endsWithIt) = (lifetime.detach(player), lifetime.leaveBehind())
        #expect(isLast && endsWithIt)
        let endsNow = lifetime.requestEnded(player, plays: true, hasFailed: true)
        #expect(!endsNow)
    }

    @Test func `a player that attaches meanwhile keeps playback alive`() {
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
