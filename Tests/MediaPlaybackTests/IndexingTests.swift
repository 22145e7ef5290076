// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite(.timeLimit(.minutes(1))) struct `A length that is not known exactly` {
    private static func rig(_ confidences: [Confidence], isAble: Bool = true, failures: [Int: Int32] = [:]) -> Rig {
        Rig(
            measuring: FakeEngine.Measuring(
                isAble: isAble, failures: failures.mapValues { EngineError(code: $0, message: "as told") },
                confidences: confidences))
    }

    private static func measured(_ rig: Rig) -> [String] { rig.tape.lines.filter { $0.contains("measure later") } }

    /// Plays until nothing more is measured.
    private static func play(_ rig: Rig, _ request: PlayRequest, first: Int) async throws {
        try await rig.controller.play(request)
        await rig.tape.wait(for: "ffmpeg: measure later \(first)")
        await rig.controller.desk.indexing?.task.value
    }

    private static func parts(at track: Int) -> PlayRequest {
        Rig.request("1.mp3", "2.mp3", "3.mp3", start: .at(.position(MediaPosition(track: track, units: 0))))
    }

    @Test func `is measured once the item is audible, from the current file on, then before it`() async throws {
        let rig = Self.rig([.container, .estimated, .unknown])
        try await Self.play(rig, Self.parts(at: 1), first: 1)
        #expect(Self.measured(rig) == [1, 2, 0].map { "ffmpeg: measure later \($0)" })
        let lines = rig.tape.lines
        let opened = try #require(lines.firstIndex { $0.hasPrefix("output: open") })
        #expect(opened < lines.firstIndex(of: "ffmpeg: measure later 1") ?? 0, "nothing stands in the way of the sound")
    }

    @Test func `is measured, and no other one is`() async throws {
        let rig = Self.rig([.exact, .estimated, .exact])
        try await Self.play(rig, Self.parts(at: 2), first: 1)
        #expect(Self.measured(rig) == ["ffmpeg: measure later 1"])
    }

    @Test func `stays unknown for a server, which would have to send the whole file`() async throws {
        let rig = Self.rig([.estimated, .estimated])
        try await Self.play(rig, Rig.request("https://example.org/1.mp3", "2.mp3"), first: 1)
        #expect(Self.measured(rig) == ["ffmpeg: measure later 1"])
    }

    @Test func `stays unknown with an engine that cannot measure, which is asked once`() async throws {
        let rig = Self.rig([.estimated, .estimated], isAble: false)
        try await Self.play(rig, Rig.request("1.mp3", "2.mp3"), first: 0)
        #expect(Self.measured(rig) == ["ffmpeg: measure later 0"])
    }

    @Test(arguments: [(EngineError.usage, [0, 1]), (EngineError.crashed, [0])])
    func `does not stop the others if its file is unreadable; the end of the process does`(
        _ code: Int32, _ tracks: [Int]
    ) async throws {
        let rig = Self.rig([.estimated, .estimated], failures: [0: code])
        try await Self.play(rig, Rig.request("1.mp3", "2.mp3"), first: 0)
        #expect(Self.measured(rig) == tracks.map { "ffmpeg: measure later \($0)" })
    }

    @Test func `is no longer measured once its book was left`() async throws {
        let rig = Self.rig([.estimated, .estimated])
        rig.gate.close("measure")
        try await rig.controller.play(Rig.request("1.mp3", "2.mp3"))
        await rig.tape.wait(for: "ffmpeg: measure later 0")
        let task = await rig.controller.desk.indexing?.task
        try await rig.controller.play(Rig.request("other.mp3", "more.mp3"))
        rig.gate.open("measure")
        await task?.value
        await rig.controller.desk.indexing?.task.value
        #expect(Self.measured(rig).count { $0 == "ffmpeg: measure later 1" } <= 1, "of the second book alone")
        #expect(await rig.controller.desk.indexing?.uri == "other.mp3")
    }
}
