// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing
import TransitionRecords

/// A subscriber is told the state that a command made, by the step that made it.
@Suite struct `A follower of the playback` {
    private let rig = Rig()
    private let told = ReportedSnapshots()

    private func follow() async {
        await rig.controller.follow { [rig, told] snapshot in
            told.add(snapshot, isRecorded: rig.log.entries.contains { $0.fields["event"] == "pause" })
        }
    }

    @Test func `is told of a step before it is logged`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await follow()
        await rig.controller.pause()
        let first = try #require(told.recorded.first { $0.snapshot.state.status == .paused })
        #expect(!first.isRecorded)
        #expect(rig.log.entries.contains { $0.fields["event"] == "pause" })
    }

    @Test func `is told the remaining time of a sleep timer with the step that sets it`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await follow()
        try await rig.controller.sleep(.duration(milliseconds: 600_000))
        #expect(told.last?.sleep?.end == "time")
        #expect(try #require(told.last?.sleep?.remaining) > 590_000)
        try await rig.controller.sleep(.off)
        #expect(told.last?.sleep == nil)
    }

    @Test func `is told the position that the output predicted, without asking the output`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await follow()
        await rig.until { await rig.controller.snapshot().state.stream == .sounding }
        rig.output.hear(90_000)
        rig.output.foretell(60_000)
        #expect(await rig.controller.show { $0.position } == MediaPosition(track: 0, units: 60_000))
        try await rig.controller.setVolume(0.5)
        #expect(told.last?.position == MediaPosition(track: 0, units: 60_000))
        #expect(told.last?.provenance == .heard)
    }

    @Test func `is told the target of a seek, not what still sounds`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await follow()
        rig.output.foretell(60_000)
        let before = await rig.controller.show { $0.state.generation }
        try await rig.controller.seek(.seconds(30))
        let first = try #require(told.all.first { $0.state.generation > before })
        #expect(first.position == MediaPosition(track: 0, units: 30_000))
    }

    @Test func `is not told of words that were spoken before a seek`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.engines.report(.mark(generation: 1, kind: .word, position: 10, length: 4))
        await rig.until { await rig.controller.show({ $0.media?.marks.heard(at: 30_000) }) != nil }
        await rig.controller.pause()
        await follow()
        try await rig.controller.seek(.seconds(30))
        let media = try #require(told.all.first?.media)
        #expect(media.marks.heard(at: 30_000) == nil)
    }

    @Test func `is told of a sleep timer that is extended during a pause`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        try await rig.controller.sleep(.duration(milliseconds: 600_000))
        await rig.controller.pause()
        await follow()
        try await rig.controller.sleep(.extend(milliseconds: 600_000))
        #expect(try #require(told.last?.sleep?.remaining) > 1_190_000)
    }

    @Test(.timeLimit(.minutes(1)))
    func `is told the position at which an engine is late`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await follow()
        rig.output.foretell(60_000)
        rig.output.report.yield(.starved(generation: 1))
        await rig.until { told.last?.state.stream == .starved }
        #expect(told.last?.position == MediaPosition(track: 0, units: 60_000))
    }

    @Test(.timeLimit(.minutes(1)))
    func `is told of a changed route during a pause`() async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.controller.pause()
        await follow()
        let route = Route(output: "fake", device: "other ear")
        rig.output.report.yield(.routeChanged(route))
        await rig.until { told.last?.route == route }
        #expect(told.last?.state.status == .paused)
    }

    @Test(.timeLimit(.minutes(1)))
    func `is told when the session becomes active, and when it is inactive again`() async throws {
        await follow()
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(told.all.first?.isSessionActive == false)
        #expect(told.last?.isSessionActive == true)
        #expect(told.last?.route == Route(output: "fake", device: "ear"))
        await rig.controller.stop()
        await rig.tape.wait(for: "output: close")
        await rig.until { told.last?.isSessionActive == false }
    }
}

private final class ReportedSnapshots: Sendable {
    /// Locked for one access: the controller's steps add, the test reads.
    private let state = Mutex<[(snapshot: PlaybackSnapshot, isRecorded: Bool)]>([])

    var recorded: [(snapshot: PlaybackSnapshot, isRecorded: Bool)] { state.withLock { $0 } }
    var all: [PlaybackSnapshot] { recorded.map(\.snapshot) }
    var last: PlaybackSnapshot? { all.last }
    func add(_ snapshot: PlaybackSnapshot, isRecorded: Bool) { state.withLock { $0.append((snapshot, isRecorded)) } }
}
