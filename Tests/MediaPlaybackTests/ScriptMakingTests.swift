// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import ReadingText
import SpeechScript
import Synchronization
import Testing
import WaitTestSupport

@testable import MediaPlayback

/// A text whose script is still being made while it is read.
@Suite(.timeLimit(.minutes(1))) struct ScriptMakingTests {
    /// A resolver of a text of which the first 100 of 1000 bytes have a script; a sentence is ten bytes long.
    private struct GrowingResolver: ItemResolving {
        let document: TextDocument
        let making: ScriptMaking

        init(_ writer: inout ScriptFileWriter?) throws {
            let file = TextDocumentTests.file()
            let text = ReadingDocument(
                text: Array(repeating: 0x78, count: 1000), blocks: [TextBlock(.paragraph, 0..<1000)])
            writer = try ScriptFileWriter(descriptor: file.rawValue, of: text)
            making = ScriptMaking(end: 0) {}
            document = TextDocument(text: TextDocumentTests.file(), script: file, making: making)
            try Self.make(&writer, making, to: 100)
        }

        /// Makes more of the script.
        static func make(_ writer: inout ScriptFileWriter?, _ making: ScriptMaking, to end: Int) throws {
            for start in stride(from: writer?.end ?? 0, to: end, by: 10) {
                let range = start..<start + 10
                try writer?.append(Utterance(range: range, sentence: range, block: 0, spoken: "x"))
            }
            try writer?.publish()
            making.advance(to: Int64(end))
        }

        func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
            var item = try await FakeResolver().resolve(request)
            if item.content.kind == .text { item.content.document = document }
            return item
        }
    }

    private var writer: ScriptFileWriter?
    private let resolver: GrowingResolver
    private let rig: Rig

    init() throws {
        resolver = try GrowingResolver(&writer)
        rig = Rig(resolver: resolver)
    }

    @Test func `words that are spoken before the text is known to be open are marked`() async throws {
        let (controller, espeak) = (rig.controller, EngineID("espeak"))
        rig.gate.close("load")
        let play = Task { try await controller.play(Rig.request("a.txt")) }
        await rig.tape.wait(for: "espeak: load a.txt")
        rig.engines.report(.mark(generation: 1, kind: .word, position: 0, length: 3))
        await rig.until { await controller.desk.early[espeak] != nil }
        rig.gate.open("load")
        try await play.value
        #expect(await controller.snapshot().media?.marks.heard(at: 2)?.length == 3)
    }

    @Test mutating func `a seek behind what was made waits, and what plays goes on meanwhile`() async throws {
        let controller = rig.controller
        try await controller.play(Rig.request("a.txt"))
        try await controller.seek(.position(MediaPosition(track: 0, units: 50)))
        await rig.tape.wait(for: "espeak: seek 0:50 (2)")
        await rig.isAudible(2)
        let seek = Task { try await controller.seek(.position(MediaPosition(track: 0, units: 555))) }
        await rig.until { await !controller.snapshot().state.seeks.isEmpty }
        #expect(await controller.snapshot().state.isPlaying)
        #expect(!rig.tape.lines.contains { $0.contains("0:555") })
        try GrowingResolver.make(&writer, resolver.making, to: 600)
        try await seek.value
        await rig.tape.wait(for: "espeak: seek 0:555 (3)")
    }

    @Test mutating func `a sentence that is named by its number is sought as far as the script is made`() async throws {
        let controller = rig.controller
        try await controller.play(Rig.request("a.txt"))
        try await controller.seek(.spoken(.sentence, number: 6))
        await rig.tape.wait(for: "espeak: seek 0:50 (2)")
        await rig.isAudible(2)
        let seek = Task { try await controller.seek(.spoken(.sentence, number: 56)) }
        await rig.until { await !controller.snapshot().state.seeks.isEmpty }
        #expect(await controller.snapshot().state.isPlaying)
        try GrowingResolver.make(&writer, resolver.making, to: 300)
        try GrowingResolver.make(&writer, resolver.making, to: 600)
        try await seek.value
        await rig.tape.wait(for: "espeak: seek 0:550 (3)")
        try GrowingResolver.make(&writer, resolver.making, to: 1000)
        try writer?.finish()
        resolver.making.end(.success(()))
        let none = await #expect(throws: PlaybackError.self) {
            try await controller.seek(.spoken(.sentence, number: 101))
        }
        #expect(none?.kind == .noInput && none?.message.hasPrefix("no sentence 101: “") == true)
        #expect(none?.message.hasSuffix("” has 100") == true)
        await rig.isAudible(3)
    }

    @Test mutating func `a sentence that is sought in vain is refused with what is known`() async throws {
        let controller = rig.controller
        try await controller.play(Rig.request("a.txt"))
        let seek = Task { try await controller.seek(.spoken(.sentence, number: 56)) }
        await rig.until { await !controller.snapshot().state.seeks.isEmpty }
        try GrowingResolver.make(&writer, resolver.making, to: 200)
        resolver.making.end(.failure(ItemError(.unsupported, "a.txt: its reader ended before it was done")))
        let error = await #expect(throws: PlaybackError.self) { try await seek.value }
        #expect(error?.message.hasPrefix("no sentence 56 among the 20 of “") == true)
        #expect(error?.message.hasSuffix("that are known: a.txt: its reader ended before it was done") == true)
        #expect(await controller.snapshot().state.isPlaying)
    }

    @Test mutating func `a seek that overtakes one by the number of a sentence counts`() async throws {
        let controller = rig.controller
        try await controller.play(Rig.request("a.txt"))
        let seek = Task { try await controller.seek(.spoken(.paragraph, number: 2)) }
        await rig.until { await !controller.snapshot().state.seeks.isEmpty }
        try await controller.seek(.position(MediaPosition(track: 0, units: 70)))
        await rig.tape.wait(for: "espeak: seek 0:70 (2)")
        _ = await seek.result
        #expect(await controller.snapshot().state.seeks.isEmpty)
    }

    @Test mutating func `a text is opened at a sentence, and ends at another one`() async throws {
        let controller = rig.controller
        var request = Rig.request("a.txt", start: .at(.spoken(.sentence, number: 20)))
        request.until = .spoken(.sentence, number: 25)
        let play = Task { [request] in try await controller.play(request) }
        await rig.until { await controller.snapshot().state.lookUp != nil }
        #expect(!rig.tape.lines.contains { $0.hasPrefix("espeak: load") })
        try GrowingResolver.make(&writer, resolver.making, to: 300)
        try await play.value
        #expect(await controller.snapshot().state.current?.position.units == 190)
        #expect(await controller.items[opening: "a.txt"].limit == .position(MediaPosition(track: 0, units: 240)))
        var options = ResumeOptions()
        options.until = .spoken(.sentence, number: 26)
        try await controller.resume(lastOf: .text, options)
        #expect(await controller.items[opening: "a.txt"].limit == .position(MediaPosition(track: 0, units: 250)))
    }

    @Test mutating func `an end that is sought while the text is paused leaves it paused`() async throws {
        let controller = rig.controller
        try await controller.play(Rig.request("a.txt"))
        var options = ResumeOptions()
        options.until = .spoken(.sentence, number: 23)
        let resume = Task { [options] in try await controller.resume(lastOf: .text, options) }
        await rig.until { await controller.snapshot().state.lookUp != nil }
        await controller.pause()
        try GrowingResolver.make(&writer, resolver.making, to: 300)
        _ = await resume.result
        #expect(await controller.snapshot().state.status == .paused)
    }

    @Test mutating func `an end that is named by its number while the text is looked up counts`() async throws {
        let controller = rig.controller
        let play = Task { try await controller.play(Rig.request("a.txt", start: .at(.spoken(.sentence, number: 20)))) }
        await rig.until { await controller.isComing(.text, of: .main) }
        var options = ResumeOptions()
        options.until = .spoken(.sentence, number: 23)
        let join = Task { [options] in try await controller.resume(lastOf: .text, options) }
        await rig.until { await controller.joinedCount > 0 }
        try GrowingResolver.make(&writer, resolver.making, to: 300)
        try await play.value
        try await join.value
        #expect(await controller.snapshot().state.current?.position.units == 190)
        #expect(await controller.items[opening: "a.txt"].limit == .position(MediaPosition(track: 0, units: 220)))
    }

    @Test func `a recording has no sentences that are counted`() async throws {
        let rig = Rig()
        let words = "sentence:3: “a.mp3” is no text; give a time"
        let refusal = await #expect(throws: PlaybackError.self) {
            try await rig.controller.play(Rig.request("a.mp3", start: .at(.spoken(.sentence, number: 3))))
        }
        #expect(refusal == PlaybackError(.usage, message: words))
        try await rig.controller.play(Rig.request("a.mp3"))
        let error = await #expect(throws: PlaybackError.self) {
            try await rig.controller.seek(.spoken(.sentence, number: 3))
        }
        #expect(error?.kind == .usage && error?.message.hasSuffix("is no text; give a time") == true)
    }

    @Test mutating func `a text is opened at its place when that was made, at the beginning of a sentence`()
        async throws
    {
        resolver.making.advance(to: 100)
        let first = Rig(resolver: FakeResolver())
        try await first.controller.play(Rig.request("a.txt"))
        first.output.hear(777)
        await first.controller.stop()
        await first.tape.wait(for: "store: a.txt 777")
        await first.controller.shutDown()
        let next = Rig(store: first.store, resolver: resolver)
        let play = Task { try await next.controller.play(Rig.request("a.txt")) }
        await next.until { await next.controller.snapshot().state.lookUp != nil }
        try GrowingResolver.make(&writer, resolver.making, to: 700)
        #expect(await next.controller.snapshot().state.lookUp != nil)
        try GrowingResolver.make(&writer, resolver.making, to: 800)
        try await play.value
        #expect(await next.controller.snapshot().state.current?.position.units == 770)
    }

    @Test(arguments: [.saved, .at(.position(MediaPosition(track: 0, units: 900)))] as [PlayRequest.Start])
    func `a text whose place is never reached is not begun`(start: PlayRequest.Start) async throws {
        let first = Rig(resolver: FakeResolver())
        try await first.controller.play(Rig.request("a.txt"))
        first.output.hear(777)
        await first.controller.stop()
        await first.tape.wait(for: "store: a.txt 777")
        await first.controller.shutDown()
        let next = Rig(store: first.store, resolver: resolver)
        let play = Task { try await next.controller.play(Rig.request("a.txt", start: start)) }
        await next.until { await next.controller.snapshot().state.lookUp != nil }
        resolver.making.end(.failure(ItemError(.unsupported, "a.txt: its reader ended before it was done")))
        let error = await #expect(throws: PlaybackError.self) { try await play.value }
        #expect(error?.message.contains("its reader ended") == true)
        #expect(!next.tape.lines.contains { $0.hasPrefix("espeak: load") })
    }

    // MARK: The wait itself

    @Test func `a wait for a place ends once`() async throws {
        let making = ScriptMaking(end: 10) {}
        let told = Watched<[Int64]>([])
        #expect(making.whenReached(9) { _ in told.change { $0.append(9) } } == nil)
        for place in [10, 25, 30] as [Int64] {
            #expect(making.whenReached(place) { _ in told.change { $0.append(place) } } != nil)
        }
        making.advance(to: 26)
        #expect(told.value.sorted() == [9, 10, 25])
        making.advance(to: 12)
        #expect(making.hasReached(25) && !making.hasReached(26))
        making.end(.success(()))
        #expect(told.value.count == 4 && making.hasReached(.max))
    }

    @Test func `it is given up when nobody refers to it, and whoever waits is told`() {
        let told = Watched<[String]>([])
        var making: ScriptMaking? = ScriptMaking(end: 0) { told.change { $0.append("given up") } }
        making?.whenReached(5) { outcome in
            if case .failure = outcome { told.change { $0.append("failed") } }
        }
        #expect(told.value.isEmpty)
        making = nil
        #expect(told.value == ["given up", "failed"])
    }
}
