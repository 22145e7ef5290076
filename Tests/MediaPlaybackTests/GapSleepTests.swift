// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PassageMap
import PlaybackCore
import Testing
import TransitionRecords

@testable import MediaPlayback

/// The end of a chapter that lies in a gap, or behind it.
@Suite(.timeLimit(.minutes(1))) struct `A sleep timer before a gap` {
    /// The second section of the text, at byte 9, begins with the second chapter, at 50 s.
    private func works() throws -> FakeWorks {
        var works = try FakeWorks()
        works.map = PassageMap([
            .init(sound: 0..<50, text: 0..<9, grade: .aligned, error: 0.2),
            .init(sound: 50..<100, text: 9..<30, grade: .aligned, error: 0.2),
        ])
        return works
    }

    private func isAsleep(_ rig: Rig) async -> Bool {
        await rig.controller.snapshot().state.suppressions.contains(.sleep)
    }

    /// Plays to damage from 45 to 60 s with a timer, and lets the sound end there.
    private func cross(_ rig: Rig, _ request: SleepRequest, damage: Range<Int64> = 45_000..<60_000) async throws {
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(9_000)
        try await rig.controller.sleep(request)
        await rig.report(damage: damage)
        await rig.tape.wait(for: "output: limit 0:\(damage.lowerBound)")
        rig.output.hear(damage.lowerBound)
        await rig.end()
    }

    @Test func `ends with the chapter, within the text`() async throws {
        let rig = Rig(works: try works())
        try await cross(rig, .chapter(nil))
        await rig.hears("book.txt")
        await rig.tape.wait(for: "output: limit 0:9")
        #expect(await isAsleep(rig) == false)
        rig.output.hear(9)
        await rig.end()
        await rig.until { await isAsleep(rig) }
        let state = await rig.controller.snapshot().state
        #expect(state.current?.item.uri == "book.txt" && state.sleep == nil)
        #expect(await rig.position == 9)
        // In the morning, it goes on with the rest of the gap, and then with the recording.
        try await rig.controller.resume()
        await rig.hears("book.txt")
        rig.output.hear(19)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.position == 76_190)
    }

    @Test func `is taken back to where the listener was, and not to where the text began`() async throws {
        let rig = Rig(history: FakeHistory(), works: try works())
        try await cross(rig, .chapter(nil))
        await rig.hears("book.txt")
        await rig.tape.wait(for: "output: limit 0:9")
        rig.output.hear(9)
        await rig.end()
        await rig.until { await isAsleep(rig) }
        try await rig.controller.undo()
        let current = await rig.controller.snapshot().state.current
        #expect(current?.item.uri == "book.m4b" && current?.position.units == 9_000, "\(String(describing: current))")
    }

    @Test(arguments: [(SleepRequest.book, false), (.duration(milliseconds: 3_600_000), true)])
    func `ends with the text of a last gap, which is the end of the book`(
        _ request: SleepRequest, _ stays: Bool
    ) async throws {
        var works = try FakeWorks()
        (works.lengths, works.present) = ([30_000, 70_000], [0])
        let rig = Rig(works: works)
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.tape.wait(for: "output: limit 0:30000")
        try await rig.controller.sleep(request)
        rig.output.hear(30_000)
        await rig.end()
        await rig.hears("book.txt")
        #expect(await rig.controller.snapshot().state.sleep != nil, "the book goes on")
        rig.output.hear(29)
        await rig.end()
        await rig.until { await rig.controller.snapshot().state.intent == .pause }
        #expect((await rig.controller.snapshot().state.sleep != nil) == stays)
    }

    @Test func `stays for a chapter behind the gap`() async throws {
        let rig = Rig(works: try works())
        try await cross(rig, .chapter(1))
        await rig.hears("book.txt")
        #expect(await isAsleep(rig) == false)
        rig.output.hear(19)
        await rig.end()
        await rig.hears("book.m4b")
        await rig.until {
            await rig.controller.snapshot().state.sleep?.end == .place(MediaPosition(track: 0, units: 100_000))
        }
        #expect(await isAsleep(rig) == false)
    }

    @Test func `ends where the gap begins if the chapter does`() async throws {
        let rig = Rig(works: try works())
        try await cross(rig, .chapter(nil), damage: 49_700..<60_000)
        await rig.until { await isAsleep(rig) }
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.m4b")
        await rig.tape.wait(for: "store: book.m4b 49700")
        // What is missing is not skipped.
        try await rig.controller.resume()
        await rig.hears("book.txt")
    }

    /// A resolver of texts that have the sections of one document.
    private struct SectionResolver: ItemResolving {
        var document: TextDocument

        func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
            var item = try await FakeResolver().resolve(request)
            if item.content.kind == .text { item.content.document = document }
            return item
        }
    }

    @Test func `gives way to one that is set in the text`() async throws {
        let works = try FakeWorks()
        let rig = Rig(works: works, resolver: SectionResolver(document: works.document))
        try await cross(rig, .chapter(1), damage: 12_000..<22_000)
        await rig.hears("book.txt")
        try await rig.controller.sleep(.chapter(nil))
        rig.output.hear(19)
        await rig.end()
        await rig.hears("book.m4b")
        // It is the chapter in which the recording goes on, and not the one behind it.
        await rig.until {
            await rig.controller.snapshot().state.sleep?.end == .place(MediaPosition(track: 0, units: 50_000))
        }
    }

    /// A resolver that finds no text.
    private struct SoundResolver: ItemResolving {
        func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
            guard !request.asText else { throw ItemError(.missing, "no such file: book.txt") }
            return try await FakeResolver().resolve(request)
        }
    }

    @Test func `and the listener's own end, which comes in the gap, whose text cannot be found`() async throws {
        let rig = Rig(works: try works(), resolver: SoundResolver())
        var request = Rig.request("book.m4b")
        request.until = .seconds(51)
        try await rig.controller.play(request)
        rig.output.hear(9_000)
        await rig.report(damage: 45_000..<60_000)
        await rig.tape.wait(for: "output: limit 0:45000")
        rig.output.hear(45_000)
        await rig.end()
        await rig.until { await rig.controller.snapshot().state.intent == .pause }
        let state = await rig.controller.snapshot().state
        #expect(state.current?.item.uri == "book.m4b" && state.phase == .ready && state.error == nil)
        await rig.tape.wait(for: "store: book.m4b 45000")
    }

    @Test func `and the listener's own end, which comes in the gap`() async throws {
        let rig = Rig(works: try works())
        var request = Rig.request("book.m4b")
        request.until = .seconds(51)
        try await rig.cross(request, damage: 45_000..<60_000)
        let limit = await rig.controller.items[opening: "book.txt"].limit
        #expect(limit == .position(MediaPosition(track: 0, units: 9)))
        await rig.end()
        await rig.until { await rig.controller.snapshot().state.intent == .pause }
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt")
    }
}
