// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineTransport

/// Cases for `rostrum.cover/1`.
enum CoverCases {
    static let all = [
        ConformanceCase("cover.picture", "what is given is a picture within the limit, the same each time", picture),
        ConformanceCase("cover.aside", "giving a picture does not move the place of rendering", aside),
    ]

    private struct Picture: Equatable {
        var mediaType: CText
        var bytes: [UInt8]

        static func == (a: Self, b: Self) -> Bool { a.mediaType.text == b.mediaType.text && a.bytes == b.bytes }
    }

    /// Returns the picture in a track, or `nil` if there is none.
    private static func cover(_ subject: Subject, _ track: Int) throws(Finding) -> Picture? {
        guard let table = try subject.find(ROSTRUM_COVER_EXTENSION, as: rostrum_cover.self) else {
            throw .skip("the engine has no \(ROSTRUM_COVER_EXTENSION)")
        }
        guard let function = table.pointee.cover else {
            throw .fault("get_extension (\(ROSTRUM_COVER_EXTENSION))", expected: "cover", came: "NULL", .functions)
        }
        var mediaType: UnsafePointer<CChar>?
        var bytes: UnsafePointer<UInt8>?
        var length: UInt64 = 0
        let result = subject.call(.cover) { function(subject.engine, UInt32(track), &mediaType, &bytes, &length) }
        guard result != ROSTRUM_ERROR_NOT_FOUND else { return nil }
        let call = "cover (track \(track))"
        try subject.mustBeOK(result, call, .cover)
        let limit = UInt64(ROSTRUM_COVER_LIMIT)
        try expect(
            (1...limit).contains(length), call, expected: "1 to \(limit) bytes", came: "\(length)", .cover)
        guard let bytes else { throw .fault(call, expected: "\(length) bytes", came: "NULL", .cover) }
        let text = CText.read(mediaType)
        try expect(
            text.fault(isLine: true) == nil && Limits.allowsMediaType(text.text), call,
            expected: "the type of a picture",
            came: text.fault(isLine: true).map { "one \($0)" } ?? "“\(text.text)”", .coverType)
        return Picture(mediaType: text, bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(length))))
    }

    private static func picture(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        var pictures = 0
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            for index in material.sources.indices {
                let first = try cover(subject, index)
                _ = try subject.nextBlock()
                let again = try cover(subject, index)
                try expect(
                    first == again, "cover (track \(index)), again", expected: "what it gave before",
                    came: again == nil || first == nil ? "a picture once, and none once" : "another picture",
                    .coverAgain)
                if first != nil { pictures += 1 }
            }
        }
        guard pictures > 0 else { throw .skip("there is no picture in it: give a file with one with --content") }
        subject.destroy()
    }

    private static func aside(_ context: CaseContext) throws(Finding) {
        try context.expectAside("cover", .coverAside) { (subject, track) throws(Finding) in
            _ = try cover(subject, track)
        }
    }
}
