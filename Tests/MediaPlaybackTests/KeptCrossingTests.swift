// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PassageMap
import PlaybackCore
import Synchronization
import Testing
import TransitionRecords

@testable import MediaPlayback

/// The reading of a gap in which the session is killed, or that the listener leaves.
@Suite(.timeLimit(.minutes(1))) struct `A gap that was being read` {
    private let clock = HandClock()

    /// Reads in a gap to a byte of the text, keeps that place, and returns a session that begins after a kill.
    private func killed(at byte: Int64, damage: Range<Int64> = 12_000..<22_000) async throws -> Rig {
        let rig = Rig(wallClock: clock, works: try FakeWorks())
        try await rig.cross(damage: damage, clock: clock)
        clock.advance(seconds: 1)
        rig.output.hear(byte)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: book.txt \(byte)")
        await rig.controller.placesAreSaved()
        return Rig(wallClock: clock, store: rig.store, works: try FakeWorks())
    }

    @Test func `goes on in the next session, and then with the recording`() async throws {
        let rig = try await killed(at: 15)
        try await rig.controller.resume()
        await rig.hears("book.txt")
        #expect(rig.tape.lines.contains { $0.hasPrefix("espeak: load book.txt at 0:15 ") }, "\(rig.tape.lines)")
        rig.output.hear(19)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.position == 28_333, "\(rig.tape.lines)")
        await rig.controller.placesAreSaved()
        #expect(try await rig.store.setting(.gap) == nil, "nothing is left to go on with")
    }

    @Test func `goes on in the text if the next session plays the recording`() async throws {
        let rig = try await killed(at: 27, damage: 12_000..<60_000)
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.hears("book.txt")
        #expect(rig.tape.lines.contains { $0.hasPrefix("espeak: load book.txt at 0:21 ") }, "\(rig.tape.lines)")
        rig.output.hear(29)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.position == 100_000)
    }

    @Test func `goes on behind it if all of it was read`() async throws {
        let rig = try await killed(at: 20)
        try await rig.controller.resume(lastOf: .text)
        await rig.hears("book.m4b")
        #expect(await rig.position == 28_333)
    }

    @Test func `is over if the next session plays something else, or the text from elsewhere`() async throws {
        let rig = try await killed(at: 15)
        try await rig.controller.play(Rig.request("other.txt"))
        await rig.controller.placesAreSaved()
        #expect(try await rig.store.setting(.gap) == nil)
        let again = try await killed(at: 15)
        try await again.controller.play(
            Rig.request("book.txt", start: .at(.position(MediaPosition(track: 0, units: 10)))))
        await again.end(atLimit: false)
        await again.until { await again.controller.snapshot().state.phase == .ended }
        #expect(await again.controller.snapshot().state.current?.item.uri == "book.txt")
    }

    @Test func `goes on after a stop in the same session`() async throws {
        let rig = Rig(wallClock: clock, works: try FakeWorks())
        try await rig.cross()
        clock.advance(seconds: 1)
        rig.output.hear(15)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.txt 15")
        try await rig.controller.resume(lastOf: .text)
        rig.output.hear(19)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.position == 28_333)
    }

    @Test func `is found behind the file that is back`() async throws {
        let first = try await killed(at: 15)
        var works = try FakeWorks()
        // The book has two files now, and what is behind byte 20 is in the second one.
        (works.lengths, works.present) = ([25_000, 75_000], [0, 1])
        let rig = Rig(wallClock: clock, store: first.store, works: works)
        rig.engines.files.withLock { $0 = 2 }
        try await rig.controller.resume()
        await rig.hears("book.txt")
        rig.output.hear(19)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.controller.snapshot().position == MediaPosition(track: 1, units: 3_333))
    }

    @Test(arguments: ["", "{}", #"{"gap":{"start":{"track":0,"units":1},"text":[5,-1]}}"#, "[1"])
    func `that is nonsense is none`(_ text: String) { #expect(GapCrossing(text: text) == nil) }

    @Test func `is kept with everything`() throws {
        var crossing = GapCrossing(
            gap: RecordingGaps.Gap(start: .start, end: MediaPosition(track: 1, units: 7), text: 3..<9),
            recording: FakeWorks.recording, text: FakeWorks.text, files: 2)
        (crossing.until, crossing.sleep) = (MediaPosition(track: 1, units: 8), MediaPosition(track: 1, units: 9))
        #expect(GapCrossing(text: try #require(crossing.encoded)) == crossing)
    }
}
