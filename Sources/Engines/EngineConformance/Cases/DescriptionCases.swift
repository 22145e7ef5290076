// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineLoader
import EngineTransport
import Glibc

/// Cases for an engine's description of its content.
enum DescriptionCases {
    static let all = [
        ConformanceCase("describe.sizes", "answers stay within the size that the host gives", sizes),
        ConformanceCase(
            "describe.media", "the item has the tracks that were loaded, and texts that can be shown", media),
        ConformanceCase(
            "describe.tracks", "rates, channels and durations are possible, and say how sure they are", tracks),
        ConformanceCase("describe.chapters", "chapters are in order and lie in their tracks", chapters),
    ]

    /// Calls `body` with a struct of the contract, and checks that nothing is written to the bytes behind it.
    private static func filled<T>(
        _ type: T.Type, _ call: String, _ body: (UnsafeMutablePointer<T>) throws(Finding) -> Void
    ) throws(Finding) {
        let size = MemoryLayout<T>.size
        let (room, canary) = (size + 64, UInt8(0xA5))
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 16)
        defer { bytes.deallocate() }
        memset(bytes, 0, size)
        memset(bytes + size, Int32(canary), room - size)
        bytes.storeBytes(of: UInt32(size), as: UInt32.self)
        try body(bytes.assumingMemoryBound(to: type))
        let behind = (size..<room).first { bytes.load(fromByteOffset: $0, as: UInt8.self) != canary }
        try expect(
            behind == nil, "\(call) (a struct of \(size) bytes)", expected: "nothing written behind it",
            came: "byte \(behind ?? 0) changed", .sizes)
        let now = bytes.load(as: UInt32.self)
        try expect(now == UInt32(size), call, expected: "`size` as the host set it", came: "\(now)", .sizes)
    }

    private static func sizes(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        let (functions, engine) = (subject.functions, subject.engine)
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            var chapters: UInt32 = 0
            try filled(rostrum_media.self, "media") { (media) throws(Finding) in
                try subject.mustBeOK(subject.call(.media) { functions.media(engine, media) }, "media", .trackCount)
                chapters = media.pointee.chapter_count
            }
            try filled(rostrum_track.self, "track") { (track) throws(Finding) in
                try subject.mustBeOK(
                    subject.call(.track) { functions.track(engine, 0, track) }, "track (0)", .trackCount)
            }
            if chapters > 0 {
                try filled(rostrum_chapter.self, "chapter") { (chapter) throws(Finding) in
                    let result = subject.call(.chapter) { functions.chapter(engine, 0, chapter) }
                    try subject.mustBeOK(result, "chapter (0)", .chapterOrder)
                }
            }
            var room = [Float](repeating: 0, count: Subject.smallest)
            try filled(rostrum_block.self, "render") { (block) throws(Finding) in
                let result = room.withUnsafeMutableBufferPointer { room in
                    block.pointee.samples = room.baseAddress
                    block.pointee.capacity = UInt32(room.count)
                    return subject.call(.render) { functions.render(engine, block) }
                }
                try subject.mustBeOK(result, "render", .render)
            }
        }
        subject.destroy()
    }

    private static func check(_ text: UnsafePointer<CChar>?, _ call: String, mayBeMissing: Bool = true) throws(Finding)
    {
        let text = CText.read(text)
        if case .missing = text, mayBeMissing { return }
        try expect(
            text.fault() == nil, call, expected: "a text for a person, UTF-8 with an end",
            came: "one \(text.fault() ?? "")", .strings)
    }

    private static func media(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            let media = try subject.media()
            try expect(
                Int(media.track_count) == material.sources.count, "media", expected: "\(material.sources.count) tracks",
                came: "\(media.track_count)", .trackCount)
            try check(media.title, "media, its title")
            try check(media.author, "media, its author")
        }
        subject.destroy()
    }

    private static func tracks(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            for index in material.sources.indices {
                let track = try subject.track(index)
                let call = "track (\(index))"
                try expect(
                    (1000...384_000).contains(track.sample_rate), call, expected: "1000 to 384000 frames a second",
                    came: "\(track.sample_rate)", .sampleRate)
                try expect(
                    (1...8).contains(track.channels), call, expected: "1 to 8", came: "\(track.channels)", .channels)
                try expect(
                    (1...4).contains(track.encoding), call, expected: "an encoding", came: "\(track.encoding)",
                    .encoding)
                try expect(
                    (1...4).contains(track.confidence), call, expected: "a confidence", came: "\(track.confidence)",
                    .confidence)
                let isKnown = track.duration != .min
                try expect(
                    isKnown ? (0...Limits.units).contains(track.duration) : true, call,
                    expected: "a duration, or ROSTRUM_UNKNOWN",
                    came: "\(track.duration)", .unknown)
                try expect(
                    isKnown == (track.confidence != ROSTRUM_CONFIDENCE_UNKNOWN), call,
                    expected: "a duration if and only if there is a confidence in it",
                    came: "\(isKnown ? "\(track.duration)" : "ROSTRUM_UNKNOWN") with confidence \(track.confidence)",
                    .unknown)
                let pace = track.units_per_second
                try expect(
                    Limits.unitRates.contains(pace) && (!material.isAudio || pace == Double(track.sample_rate)), call,
                    expected: material.isAudio ? "\(track.sample_rate) units a second" : "0.1 to 384000 units a second",
                    came: "\(pace)",
                    .unitsPerSecond)
                if !material.isAudio, material.isOurs, isKnown {
                    try expect(
                        track.duration == Int64(Prose.bytes.count), call,
                        expected: "the \(Prose.bytes.count) bytes of the text",
                        came: "\(track.duration)", .textUnits)
                }
                try check(track.codec, "\(call), its codec", mayBeMissing: false)
                try check(track.title, "\(call), its title")
            }
        }
        subject.destroy()
    }

    private static func chapters(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        var seen = 0
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            let count = Int(try subject.media().chapter_count)
            try expect(count <= 100_000, "media", expected: "a number of chapters", came: "\(count)", .chapterOrder)
            seen += count
            var last = (track: UInt32(0), start: Int64(0))
            for index in 0..<count {
                var chapter = rostrum_chapter()
                chapter.size = UInt32(MemoryLayout<rostrum_chapter>.size)
                let call = "chapter (\(index))"
                let result = subject.call(.chapter) {
                    subject.functions.chapter(subject.engine, UInt32(index), &chapter)
                }
                try subject.mustBeOK(result, call, .chapterOrder)
                let end = chapter.end == .min ? chapter.start : chapter.end
                try expect(
                    Int(chapter.track) < material.sources.count && chapter.start >= 0 && end >= chapter.start, call,
                    expected: "a span of one of the \(material.sources.count) tracks",
                    came: "\(chapter.start) to \(chapter.end) of track \(chapter.track)", .chapterSpan)
                try expect(
                    (chapter.track, chapter.start) >= last, call,
                    expected: "one that begins at or behind unit \(last.start) of track \(last.track)",
                    came: "unit \(chapter.start) of track \(chapter.track)", .chapterOrder)
                last = (chapter.track, chapter.start)
                try check(chapter.title, "\(call), its title")
                try check(chapter.source, "\(call), its source")
            }
        }
        subject.destroy()
        if seen == 0 { throw .skip("the content has no chapters") }
    }
}
