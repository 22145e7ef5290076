// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

/// A subscriber is told the state that a command made, by the step that made it.
@Suite struct `Who follows the playback` {
    private let rig = Rig()
    private let told = Told()

    private func follow() async {
        await rig.controller.follow { [rig, told] snapshot in
            told.add(snapshot)
            rig.tape.add("told: \(snapshot.state.status.rawValue)")
        }
    }

    @Test func `is told of a step before a device is asked for anything`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await follow()
        await rig.controller.pause()
        await rig.tape.wait(for: "output: pause")
        let order = rig.tape.lines.filter { $0 == "told: paused" || $0 == "output: pause" }
        #expect(order.prefix(2) == ["told: paused", "output: pause"])
    }

    @Test func `is told what is left of a sleep timer with the step that sets it`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await follow()
        try await rig.controller.sleep(.duration(milliseconds: 600_000))
        #expect(told.last?.sleep?.end == "time")
        #expect(try #require(told.last?.sleep?.remaining) > 590_000)
        try await rig.controller.sleep(.off)
        #expect(told.last?.sleep == nil)
    }

    @Test func `is told the place that the output said ahead, without asking it`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await follow()
        while await rig.controller.snapshot().state.stream != .sounding { await Task.yield() }
        rig.output.hear(90_000)
        rig.output.foretell(60_000)
        #expect(await rig.controller.show { $0.position } == MediaPosition(track: 0, units: 60_000))
        try await rig.controller.setVolume(0.5)
        #expect(told.last?.position == MediaPosition(track: 0, units: 60_000))
        #expect(told.last?.provenance == .heard)
    }

    @Test func `is told where a seek leads, not what still sounds`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await follow()
        rig.output.foretell(60_000)
        try await rig.controller.seek(.seconds(30))
        let first = try #require(told.all.first { $0.position != nil && $0.position?.units != 60_000 })
        #expect(first.position == MediaPosition(track: 0, units: 30_000))
    }

    @Test(.timeLimit(.minutes(1)))
    func `is told when the session comes to the stage, and when it has left`() async throws {
        await follow()
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(told.all.first?.isSessionActive == false)
        #expect(told.last?.isSessionActive == true)
        #expect(told.last?.route == Route(output: "fake", device: "ear"))
        await rig.controller.stop()
        await rig.tape.wait(for: "output: close")
        while told.last?.isSessionActive != false { await Task.yield() }
    }
}

private final class Told: Sendable {
    /// Locked for one access: the controller's steps add, the test reads.
    private let snapshots = Mutex<[PlaybackSnapshot]>([])

    var all: [PlaybackSnapshot] { snapshots.withLock { $0 } }
    var last: PlaybackSnapshot? { all.last }
    func add(_ snapshot: PlaybackSnapshot) { snapshots.withLock { $0.append(snapshot) } }
}
