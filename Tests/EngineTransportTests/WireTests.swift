// SPDX-License-Identifier: Apache-2.0

import Glibc
import RandomTestSupport
import Testing

@testable import EngineTransport

@Suite struct WireTests {
    static let track = WireTrack(
        index: 3, sampleRate: 44_100, channels: 2, encoding: 1, duration: 1 << 40, confidence: 3,
        unitsPerSecond: 44_100, codec: "aac", title: "Ænglish – 日本")
    static let chapters = [
        WireChapter(track: 0, start: 0, end: nil, title: nil, source: "nero"),
        WireChapter(track: 1, start: 5, end: 9, title: "two", source: ""),
    ]

    static let hostMessages: [HostMessage] = [
        .hello(version: 1, capacity: 2 << 20),
        .load(
            request: 7,
            HostMessage.Load(
                generation: .max, kind: 2, trackCount: 1, startTrack: 0, start: .max, language: "de-AT", voice: nil,
                rate: 1.5)),
        .source(request: 1, .descriptor(name: "")),
        .source(request: 1, .url("https://example.org/a?b", headers: "A: b\r\n", name: "a")),
        .source(
            request: 1,
            .url("https://h/", headers: nil, name: "", fingerprints: String(repeating: "0", count: 64) + "\n")),
        .source(request: 1, .failed(code: -201)),
        .seek(request: 2, generation: 3, track: 4, position: 5), .setRate(request: 9, 0.5),
        .measure(request: 1, track: 2), .measureLater(request: 1, track: 2), .cover(request: 1, track: 2),
        .cut(request: 4, passage { _ in }), .cut(request: 4, passage { $0.tags = [] }),
        .cut(request: 4, passage { ($0.endTrack, $0.end, $0.format, $0.hasCover) = (2, 0, "mp3", true) }),
        .peaks(request: 1, track: 2, framesPerPeak: 512, first: 1 << 40, count: 4096),
        .describeAll(request: 3),
        .voices(request: 5), .unload(request: 4), .quit,
    ]

    /// Returns a passage after a change.
    static func passage(_ change: (inout HostMessage.Cut) -> Void) -> HostMessage.Cut {
        var cut = HostMessage.Cut(
            startTrack: 1, start: 5, endTrack: 1, end: 6, format: "",
            tags: [WireTag(key: "title", value: "Ænglish – 日本"), WireTag(key: "date", value: "")], hasCover: false)
        change(&cut)
        return cut
    }

    static let engineMessages: [EngineMessage] = [
        .ready(EngineMessage.Ready(abiMajor: 1, abiMinor: 0, id: "tone", version: "1", rates: 0.5...3)),
        .ready(EngineMessage.Ready(abiMajor: 1, abiMinor: 2, id: "x", version: "")),
        .unusable(WireFailure(code: -1, message: "no")), .needSource(request: 1, load: 2, track: 3),
        .needScript(request: 1, load: 2, position: 1 << 40),
        .tracks(load: 1, [track, track]), .tracks(load: 1, []), .chapters(load: 1, chapters),
        .loaded(request: 1, title: nil, author: "A", trackCount: 2, chapterCount: 2), .done(request: .max),
        .index(request: 1, total: 3, part: [0, 255, 7]), .index(request: 1, total: 0, part: []),
        .coverPart(request: 1, total: 3, part: [0, 255, 7]), .coverPart(request: .max, total: 0, part: []),
        .peaks(request: 1, []),
        .peaks(
            request: 1,
            Array(repeating: WirePeak(minimum: -32768, maximum: 32767, rms: 32768), count: 3)),
        .cover(request: 1, mediaType: nil), .cover(request: 1, mediaType: "image/jpeg"),
        .measured(request: 1, duration: nil), .measured(request: 1, duration: 4),
        .cut(request: 4, WireCutResult(isEncoded: true, frames: 0, sampleRate: 8_000, fileExtension: "m4a")),
        .voices(request: 1, []),
        .voices(
            request: 1,
            [
                WireVoice(name: "en-gb", language: "en-GB", about: "English"),
                WireVoice(name: "ü", language: "de", about: nil),
            ]),
        .failed(request: 1, WireFailure(code: -301, message: "bad")),
        .renderFailed(generation: 4, WireFailure(code: -401, message: "")),
        .marks(generation: 1, [WireMark(kind: 1, position: 0, length: 3)]), .log(level: 2, "hello"),
        .damaged(generation: 7, track: 2, 5..<(1 << 40)), .damaged(generation: 1, track: 0, 5..<5),
    ]

    @Test(arguments: hostMessages)
    func `a message of the session survives encoding and decoding`(_ message: HostMessage) throws {
        #expect(try HostMessage(decoding: message.encoded()[...]) == message)
    }

    @Test(arguments: engineMessages)
    func `a message of an engine survives encoding and decoding`(_ message: EngineMessage) throws {
        #expect(try EngineMessage(decoding: message.encoded()[...]) == message)
    }

    @Test(arguments: engineMessages)
    func `a message that is too short or too long is refused`(_ message: EngineMessage) {
        let bytes = message.encoded()
        for count in 0..<bytes.count {
            #expect(throws: WireError.self) { try EngineMessage(decoding: bytes.prefix(count)) }
        }
        #expect(throws: WireError.self) { try EngineMessage(decoding: (bytes + [0])[...]) }
    }

    @Test(arguments: engineMessages)
    func `flipped bits never cause a trap`(_ message: EngineMessage) {
        let bytes = message.encoded()
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                _ = try? EngineMessage(decoding: changed[...])
            }
        }
    }

    @Test func `random bytes never cause a trap`() {
        var random = SplitMix(state: 9)
        for _ in 0..<20_000 {
            let count = Int(random.next() % 80)
            var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if count > 0 { bytes[0] = UInt8(random.next() % 44) }
            _ = try? EngineMessage(decoding: bytes[...])
            _ = try? HostMessage(decoding: bytes[...])
        }
    }

    static let impossible: [(EngineMessage, String)] = {
        func track(_ change: (inout WireTrack) -> Void) -> EngineMessage {
            var changed = Self.track
            change(&changed)
            return .tracks(load: 1, [changed])
        }
        func chapter(_ start: Int64, _ end: Int64?) -> EngineMessage {
            .chapters(load: 1, [WireChapter(track: 0, start: start, end: end, title: nil, source: "")])
        }
        func mark(_ position: Int64, _ length: Int64) -> EngineMessage {
            .marks(generation: 1, [WireMark(kind: 1, position: position, length: length)])
        }
        func peak(_ minimum: Int16, _ maximum: Int16, _ rms: UInt16) -> EngineMessage {
            .peaks(request: 1, [WirePeak(minimum: minimum, maximum: maximum, rms: rms)])
        }
        var messages: [(EngineMessage, String)] = [
            (track { $0.sampleRate = 999 }, "a rate"), (track { $0.channels = 0 }, "no channels"),
            (track { $0.index = Limits.tracks }, "a track beyond all"), (chapter(-1, nil), "a start before all"),
            (chapter(5, 4), "an end before its start"), (chapter(Limits.units + 1, nil), "a start beyond all"),
            (chapter(0, .max), "an end beyond all"), (mark(-1, 0), "a mark before all"),
            (mark(.max, 0), "a mark beyond all"), (mark(0, .max), "a mark without end"),
            (.damaged(generation: 1, track: 0, -1..<5), "damage before all"),
            (.damaged(generation: 1, track: 0, 5..<Limits.units + 1), "damage beyond all"),
            (peak(1, 0, 0), "a peak that is upside down"), (peak(-3, 3, 4), "a peak that is louder than its samples"),
        ]
        let names = [
            "", "a\nb", "a\u{1B}[2J", "a\u{9B}2J", "a\u{7F}", "a\u{2028}b", "a\u{202E}b",
            String(repeating: "x", count: WireVoice.longest + 1),
        ]
        for text in names {
            messages.append((.voices(request: 1, [WireVoice(name: text, language: "en", about: nil)]), "a name"))
            messages.append((.voices(request: 1, [WireVoice(name: "a", language: text, about: nil)]), "a language"))
        }
        for pace in [0, -1, Double.leastNonzeroMagnitude, 1e-300, 0.09, 384_001, 1e300, .infinity, .nan] {
            messages.append((track { $0.unitsPerSecond = pace }, "\(pace) units a second"))
        }
        for length in [-1, Limits.units + 1, Int64.max] {
            messages.append((track { $0.duration = length }, "\(length) units long"))
        }
        return messages
    }()

    @Test(arguments: impossible)
    func `an impossible message is refused`(_ message: EngineMessage, _ what: String) {
        #expect(throws: WireError.self, "\(what)") { try EngineMessage(decoding: message.encoded()[...]) }
    }

    static let impossibleCuts: [(HostMessage.Cut, String)] = [
        (passage { $0.end = 5 }, "nothing"), (passage { $0.end = 4 }, "an end before its start"),
        (passage { $0.start = -1 }, "a start before all"), (passage { $0.end = Limits.units + 1 }, "an end beyond all"),
        (passage { $0.endTrack = 0 }, "a track before its start"),
        (passage { $0.endTrack = Limits.tracks }, "a track beyond all"),
        (passage { $0.format = "M4A" }, "a format in capitals"), (passage { $0.format = "../x" }, "a path"),
        (passage { $0.tags[0].key = "" }, "a tag without a key"),
        (passage { $0.tags[0].key = "a b" }, "a key of words"),
        (passage { $0.tags[0].value = "a\0b" }, "a text with NUL"),
        (passage { $0.tags = Array(repeating: $0.tags[0], count: Limits.tags + 1) }, "too many tags"),
    ]

    @Test(arguments: impossibleCuts)
    func `an impossible order to cut is refused`(_ cut: HostMessage.Cut, _ what: String) {
        let bytes = HostMessage.cut(request: 1, cut).encoded()
        #expect(throws: WireError.self, "\(what)") { try HostMessage(decoding: bytes[...]) }
    }

    @Test(arguments: [
        WireCutResult(isEncoded: false, frames: -1, sampleRate: 44_100, fileExtension: "mp3"),
        WireCutResult(isEncoded: false, frames: Limits.units + 1, sampleRate: 44_100, fileExtension: "mp3"),
        WireCutResult(isEncoded: false, frames: 1, sampleRate: 0, fileExtension: "mp3"),
        WireCutResult(isEncoded: false, frames: 1, sampleRate: 44_100, fileExtension: ""),
        WireCutResult(isEncoded: false, frames: 1, sampleRate: 44_100, fileExtension: "a/b"),
        WireCutResult(isEncoded: false, frames: 1, sampleRate: 44_100, fileExtension: "longname"),
    ])
    func `an impossible description of a cut is refused`(_ result: WireCutResult) {
        let bytes = EngineMessage.cut(request: 1, result).encoded()
        #expect(throws: WireError.self) { try EngineMessage(decoding: bytes[...]) }
    }

    @Test func `the units of audio are its frames, and those of text are not`() {
        var track = Self.track
        #expect(track.isPlausible(isAudio: true) && track.isPlausible(isAudio: false))
        track.unitsPerSecond = 15
        #expect(!track.isPlausible(isAudio: true) && track.isPlausible(isAudio: false))
    }

    @Test(arguments: [
        ("English – 日本", "English – 日本"), ("a\u{9B}2Jb\u{1B}[2J\n", "a 2Jb [2J "),
        ("a\u{202E}b\u{2029}\u{7F}", "a b  "), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ])
    func `the words of a voice about itself command no terminal`(_ about: String, _ expected: String) throws {
        let sent = EngineMessage.voices(request: 1, [WireVoice(name: "a", language: "en", about: about)])
        let came = EngineMessage.voices(request: 1, [WireVoice(name: "a", language: "en", about: expected)])
        #expect(try EngineMessage(decoding: sent.encoded()[...]) == came)
    }

    @Test func `a failure with the code of success is still a failure`() throws {
        let bytes = EngineMessage.failed(request: 1, WireFailure(code: 5, message: "")).encoded()
        #expect(
            try EngineMessage(decoding: bytes[...]) == .failed(request: 1, WireFailure(code: -4, message: "")))
    }

    @Test(arguments: [
        "", "image/", "text/html", "Image/png", "image/a b", "image/\u{1b}[31m", "image/\n", "image/é",
        "image/" + String(repeating: "x", count: 59),
    ])
    func `a picture of a type that is not short and printable is refused`(_ type: String) throws {
        #expect(throws: WireError.self) {
            try EngineMessage(decoding: EngineMessage.cover(request: 1, mediaType: type).encoded()[...])
        }
    }

    @Test func `the most peaks fit into one message`() throws {
        let all = (0..<Int(Limits.peaks)).map { WirePeak(minimum: -Int16($0), maximum: Int16($0), rms: UInt16($0)) }
        let bytes = EngineMessage.peaks(request: 1, all).encoded()
        #expect(bytes.count <= Limits.message)
        #expect(try EngineMessage(decoding: bytes[...]) == .peaks(request: 1, all))
        let more = EngineMessage.peaks(request: 1, all + all.prefix(1)).encoded()
        #expect(throws: WireError.self) { try EngineMessage(decoding: more[...]) }
    }

    @Test func `a string is truncated between characters`() throws {
        let long = String(repeating: "é", count: Limits.string)
        let bytes = EngineMessage.log(level: 1, "a" + long).encoded()
        guard case .log(_, let cut) = try EngineMessage(decoding: bytes[...]) else {
            Issue.record("not a log")
            return
        }
        #expect(cut.utf8.count == Limits.string - 1)
        #expect(("a" + long).hasPrefix(cut))
    }

    @Test func `a book of 10,000 chapters is split into messages that fit`() throws {
        let many = (0..<10_000).map {
            WireChapter(
                track: 0, start: $0, end: nil, title: String(repeating: "x", count: Int($0 % 4096)), source: "nero")
        }
        var back: [WireChapter] = []
        for batch in batches(of: many, size: { 40 + ($0.title?.utf8.count ?? 0) + $0.source.utf8.count }) {
            let bytes = EngineMessage.chapters(load: 1, Array(batch)).encoded()
            #expect(bytes.count <= Limits.message)
            guard case .chapters(_, let part) = try EngineMessage(decoding: bytes[...]) else { continue }
            back += part
        }
        #expect(back == many)
    }

    @Test func `a socket keeps messages apart, carries file descriptors and reports when it is closed`() throws {
        let (a, b) = try MessageSocket.pair()
        let event = try EventDescriptor()
        #expect(a.send([1, 2], descriptors: [event.descriptor], waiting: false) == .sent)
        #expect(a.send([3], waiting: false) == .sent)
        guard case .message([1, 2], let descriptors) = b.receive(waiting: true), descriptors.count == 1 else {
            Issue.record("no descriptor came")
            return
        }
        EventDescriptor(descriptors[0]).signal()
        #expect(event.drain())
        #expect(fcntl(descriptors[0].rawValue, F_GETFD) & FD_CLOEXEC != 0)
        guard case .message([3], _) = b.receive(waiting: true), case .wouldWait = b.receive(waiting: false) else {
            Issue.record("messages ran together")
            return
        }
        #expect(a.send([UInt8](repeating: 0, count: Limits.message + 1), waiting: false) == .sent)
        guard case .malformed = b.receive(waiting: true) else {
            Issue.record("a message of any size is taken")
            return
        }
    }

    @Test func `the other end of a closed socket detects the end`() throws {
        let b: MessageSocket
        do {
            let (a, other) = try MessageSocket.pair()
            b = other
            _ = a
        }
        guard case .end = b.receive(waiting: true) else {
            Issue.record("no end")
            return
        }
        #expect(b.send([1], waiting: false) == .closed)
    }
}
