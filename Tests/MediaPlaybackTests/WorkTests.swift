// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PassageMap
import PlaybackCore
import Testing
import TransitionRecords

@testable import MediaPlayback

@Suite(.timeLimit(.minutes(1))) struct `A recording and its text` {
    private func isNoted(_ words: String, _ rig: Rig) -> Bool {
        rig.log.entries.contains { $0.fields["message"] == .string(words) }
    }

    @Test func `go on in each other at the same passage`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(25_000)
        try await rig.controller.switchEngine(to: EngineID("espeak"))
        var state = await rig.controller.snapshot().state
        #expect(state.current?.item.uri == "book.txt" && state.current?.engine == EngineID("espeak"))
        await rig.tape.wait(for: "espeak: load book.txt at 0:9 ")
        #expect(isNoted("goes on in “Text” at the same passage (aligned, within 0.2 s)", rig))
        rig.output.hear(27)
        try await rig.controller.switchEngine(to: EngineID("ffmpeg"))
        state = await rig.controller.snapshot().state
        #expect(state.current?.item.uri == "book.m4b")
        await rig.tape.wait(for: "ffmpeg: seek 0:68889 ")
    }

    @Test func `do not drift, however often they change`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(27_500)
        for _ in 0..<10 {
            try await rig.controller.switchEngine(to: EngineID("espeak"))
            #expect(await rig.controller.snapshot().position?.units == 9)
            rig.output.hear(9)
            try await rig.controller.switchEngine(to: EngineID("ffmpeg"))
            #expect(await rig.controller.snapshot().position?.units == 10_000)
            rig.output.hear(10_000)
        }
    }

    @Test func `stay where they are if nothing tells the passage`() async throws {
        var works = try FakeWorks()
        works.map = PassageMap([])
        let rig = Rig(works: works)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(25_000)
        await #expect {
            try await rig.controller.switchEngine(to: EngineID("espeak"))
        } throws: { ($0 as? PlaybackError)?.kind == .unavailable }
        let state = await rig.controller.snapshot().state
        #expect(state.current?.item.uri == "book.m4b" && state.isPlaying)
    }

    @Test func `have one place: what was heard later counts`() async throws {
        let clock = HandClock()
        let rig = Rig(wallClock: clock, works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(2_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 2000")
        clock.advance(seconds: 10)
        try await rig.controller.play(Rig.request("book.txt"))
        #expect(isNoted("goes on where “Book” was left (aligned, within 0.2 s)", rig))
        rig.output.hear(27)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.txt 27")
        clock.advance(seconds: 10)
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(rig.tape.lines.contains { $0.hasPrefix("ffmpeg: load book.m4b at 0:68889 ") }, "\(rig.tape.lines)")
        // The place itself is kept until it is heard again.
        if case .progress(let place) = await rig.store.place(of: "book.m4b", owner: .main) {
            #expect(place.position.units == 2_000)
        }
        rig.output.hear(31_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 31000")
        try await rig.controller.resume(lastOf: .text)
        #expect(await rig.controller.snapshot().position?.units == 21)
    }

    @Test func `find the words of a text that was changed before they look for its place`() async throws {
        let old = "One two. Three four. Five six."
        let store = FakeStore(tape: Tape())
        try await store.save(
            SavedPlace(
                owner: .main, uri: "book.txt", kind: .text, engine: EngineID("espeak"),
                position: MediaPosition(track: 0, units: 21), provenance: .heard, updatedAt: 1_700_000_000_000,
                context: TextContext(
                    position: 21, size: 30, before: Array(old.utf8.prefix(21)), after: Array(old.utf8.dropFirst(21)))),
            durably: true)
        var works = try FakeWorks()
        works.document = try FakeWorks.document("A preface.", "One two.", "Three four.", "Five six.")
        works.map = PassageMap([
            .init(sound: 0..<10, text: 11..<20, grade: .aligned, error: 0.2),
            .init(sound: 10..<30, text: 20..<32, grade: .aligned, error: 0.2),
            .init(sound: 30..<100, text: 32..<41, grade: .aligned, error: 0.25),
        ])
        let rig = Rig(wallClock: HandClock(), store: store, works: works)
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(await rig.controller.snapshot().position?.units == 30_000)
    }

    @Test func `keep to a place of their own that cannot be compared`() async throws {
        let clock = HandClock()
        let rig = Rig(wallClock: clock, works: try FakeWorks())
        for (item, units) in [("book.m4b", 2_000), ("book.txt", 27)] as [(String, Int64)] {
            try await rig.controller.play(Rig.request(item, start: .beginning))
            rig.output.hear(units)
            await rig.controller.stop()
            await rig.tape.wait(for: "store: \(item) \(units)")
            clock.advance(seconds: 10)
        }
        rig.store.set(unreadable: "book.m4b")
        try await rig.controller.resume(lastOf: .audio)
        let place = try #require(await rig.controller.snapshot().position)
        #expect(place.units <= 2_000, "\(rig.tape.lines)")
    }

    @Test func `are two works for another owner, and for a part`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(25_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 25000")
        var guest = Rig.request("book.txt")
        guest.owner = OwnerID("kitchen")
        try await rig.controller.play(guest)
        #expect(await rig.controller.snapshot().position?.units == 0)
    }
}
