// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import MediaPlayback
import PlaybackCore
import ReadingText
import SpeechScript
import Testing

/// The part of a document that `rostrum text` prints.
@Suite struct `A part of what is said` {
    /// Ten sentences of ten bytes in three paragraphs; the fourth is said in two breaths.
    private static func document(in folder: TemporaryFolder) throws -> TextDocument {
        let text = [UInt8](repeating: 0x61, count: 100)
        let path = try folder.write("script", Data())
        let script = SharedDescriptor(owning: open(path, O_RDWR | O_CLOEXEC))
        var writer = try ScriptFileWriter(
            descriptor: script.rawValue,
            of: ReadingDocument(text: text, blocks: [0..<30, 30..<60, 60..<100].map { TextBlock(.paragraph, $0) }))
        for start in stride(from: 0, to: 100, by: 10) {
            let sentence = start..<start + 10
            for range in start == 30 ? [30..<35, 35..<40] : [sentence] {
                try writer.append(Utterance(range: range, sentence: sentence, block: min(start / 30, 2), spoken: "x"))
            }
        }
        try writer.finish()
        return TextDocument(
            text: script, script: script,
            sections: [.init(title: "A", level: 1, start: 0), .init(title: "B", level: 1, start: 50)],
            pages: [.init(label: "i", start: 20), .init(label: "1", start: 70)])
    }

    private static func starts(
        _ document: TextDocument, _ from: String?, _ to: String?, _ count: Int?
    ) throws -> [Int] {
        var selection = try SpokenSelection(
            from: try from.map { try SpokenSelection.Place($0) }, to: try to.map { try SpokenSelection.Place($0) },
            count: count, of: document, named: "a.txt")
        let script = try ScriptFileReader(descriptor: document.script.rawValue)
        guard let place = try script.index(at: selection.start) else { return [] }
        var index = try TextSteps(script, by: .sentence).first(of: place)
        var starts: [Int] = []
        while let utterance = try script.utterance(index) {
            index += 1
            switch selection.verdict(utterance) {
            case .skip: continue
            case .take: starts.append(utterance.range.lowerBound)
            case .end: return starts
            }
        }
        return starts
    }

    @Test(
        arguments: [
            (nil, nil, nil, [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90]),
            (nil, nil, 2, [0, 10]), ("byte:36", nil, 2, [30, 35, 40]), ("byte:40", "byte:60", nil, [40, 50]),
            ("byte:99", nil, nil, [90]), ("byte:100", nil, nil, []), ("50%", "sentence:8", nil, [50, 60]),
            ("sentence:4", "sentence:6", nil, [30, 35, 40]), ("sentence:9", nil, 5, [80, 90]),
            ("sentence:11", nil, nil, []), ("ch:2", "page:1", nil, [50, 60]), ("page:I", "ch:2", 2, [20, 30, 35]),
            (nil, "byte:31", nil, [0, 10, 20, 30, 35]), ("byte:60", "byte:20", nil, []),
            ("paragraph:2", nil, 2, [30, 35, 40]), (nil, "paragraph:2", nil, [0, 10, 20]),
            ("sentence:2", "paragraph:2", nil, [10, 20]), ("paragraph:3", "sentence:9", nil, [60, 70]),
            ("paragraph:4", nil, nil, []),
        ] as [(String?, String?, Int?, [Int])])
    func `is whole sentences from a place on, up to another one`(
        from: String?, to: String?, count: Int?, expected: [Int]
    ) throws {
        let folder = try TemporaryFolder()
        #expect(try Self.starts(Self.document(in: folder), from, to, count) == expected)
    }

    private static let forms = "give byte:1234, 50%, sentence:12, paragraph:3, ch:3 or page:7"

    @Test(
        arguments: [
            ("byte:101", .noInput, "a.txt has only 100 bytes of text"), ("ch:3", .noInput, "no chapter 3: a.txt has 2"),
            ("page:2", .noInput, "no page 2: “a.txt” has pages i to 1"),
            ("1:30", .usage, "bad place: 1:30; \(forms)"),
            ("sentence:0", .usage, "bad place: sentence:0; \(forms)"),
            ("sentence:+1", .usage, "bad place: sentence:+1; \(forms)"),
            ("", .usage, "bad place: empty; \(forms)"),
        ] as [(String, PlaybackError.Kind, String)])
    func `is refused at a place that is none`(place: String, kind: PlaybackError.Kind, message: String) throws {
        let folder = try TemporaryFolder()
        let document = try Self.document(in: folder)
        let error = #expect(throws: PlaybackError.self) { _ = try Self.starts(document, place, nil, nil) }
        #expect(error == PlaybackError(kind, message: message))
    }

    /// The decisions about all of a text.
    private static func missing(_ from: String, _ to: String?) throws -> String? {
        let folder = try TemporaryFolder()
        let document = try document(in: folder)
        var selection = try SpokenSelection(
            from: SpokenSelection.Place(from), to: try to.map { try SpokenSelection.Place($0) }, of: document,
            named: "a.txt")
        var cursor = try ScriptFileReader(descriptor: document.script.rawValue).cursor()
        while let utterance = try cursor.next(), selection.verdict(utterance) != .end {}
        return selection.missing(in: "a.txt")
    }

    @Test(
        arguments: [
            ("sentence:10", nil, nil), ("sentence:11", nil, "a.txt has only 10 sentences"), ("paragraph:3", nil, nil),
            ("paragraph:4", nil, "a.txt has only 3 paragraphs"), ("sentence:8", "sentence:3", nil),
            ("sentence:11", "sentence:12", "a.txt has only 10 sentences"), ("byte:100", nil, nil),
        ] as [(String, String?, String?)])
    func `says how many there are if it lies behind the last`(from: String, to: String?, line: String?) throws {
        #expect(try Self.missing(from, to) == line)
    }
}
