// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import ReadingText
import SessionProtocol
import SpeechScript
import Testing

@Suite struct `A part of a text that is read` {
    private static let texts = [
        "", "a", "one line\n", "Ærø og Ålborg\nslut\n\nmere", "\n\n\n", "海の向こうへ行く😀😀é", "a\r\nb\r\n",
        "ein langer Absatz ohne Ende und ohne Zeilen\nkurz\nkurz\n",
    ]

    @Test(arguments: texts)
    func `has the byte that was asked for, in whole characters and within the limit`(text: String) throws {
        let folder = try TemporaryFolder()
        let bytes = Array(text.utf8)
        let path = try folder.write("a.txt", Data(bytes))
        let view = ReadingTextView(Content(uri: "file://" + path, kind: .text, tracks: [.file(path: path)], title: "A"))
        for limit in [1, 2, 3, 4, 5, 8, 13, 30, 64, 131_072] {
            for byte in 0...Int64(bytes.count + 2) {
                let passage = try view.passage(at: byte, limit: limit)
                let end = passage.offset + Int64(passage.text.utf8.count)
                #expect(passage.uri == "file://" + path && passage.size == Int64(bytes.count))
                #expect(Array(passage.text.utf8) == Array(bytes[Int(passage.offset)..<Int(end)]))
                // A character that is longer than the limit is there nevertheless.
                #expect(passage.text.utf8.count <= max(limit, 4))
                #expect(passage.sentences == [])
                if byte < bytes.count { #expect(passage.offset <= byte && byte < end, "\(byte) of \(limit)") }
            }
        }
        let whole = try view.passage(at: 0, limit: 131_072)
        #expect(whole.text == text)
    }

    @Test func `is made of whole lines, if those are short enough`() throws {
        let folder = try TemporaryFolder()
        let lines = (0..<2000).map { "line \($0) of a text\n" }
        let path = try folder.write("a.txt", Data(lines.joined().utf8))
        let view = ReadingTextView(Content(uri: "x", kind: .text, tracks: [.file(path: path)], title: "A"))
        var place: Int64 = 0
        var text = ""
        while text.utf8.count < lines.joined().utf8.count {
            let passage = try view.passage(at: place, limit: 1000)
            #expect(passage.offset == place && passage.text.hasPrefix("line ") && passage.text.hasSuffix("text\n"))
            text += passage.text
            place += Int64(passage.text.utf8.count)
        }
        #expect(text == lines.joined())
        #expect(try view.passage(at: 1234, limit: 1000).text.hasPrefix("line "))
    }

    @Test func `has the sentences of its utterances, and a damaged script takes none of the text away`() throws {
        let folder = try TemporaryFolder()
        let text = Array("First of all. A second, which is long. Third.\nFourth.".utf8)
        let sentences = [0..<13, 14..<38, 39..<45, 46..<53]
        let document = try TextDocument(
            text: Self.file("text", text, in: folder), script: Self.file("script", [], in: folder))
        var writer = try ScriptFileWriter(
            descriptor: document.script.rawValue,
            of: ReadingDocument(text: text, blocks: [TextBlock(.paragraph, 0..<text.count)]))
        for sentence in sentences {
            // A long sentence is said in two breaths.
            let middle = sentence.lowerBound + sentence.count / 2
            let ranges =
                sentence.count > 20 ? [sentence.lowerBound..<middle, middle..<sentence.upperBound] : [sentence]
            for range in ranges {
                try writer.append(Utterance(range: range, sentence: sentence, block: 0, spoken: "x"))
            }
        }
        try writer.finish()
        var content = Content(uri: "x", kind: .text, tracks: [.file(path: "/nowhere")], title: "A")
        content.document = document
        let view = ReadingTextView(content)
        let all = sentences.map { TextPassage.Sentence(start: Int64($0.lowerBound), end: Int64($0.upperBound)) }
        #expect(try view.passage(at: 0, limit: 1000).sentences == all)
        // The place is in the second breath of the second sentence, in a line of its own that is too long.
        let part = try view.passage(at: 30, limit: 12)
        #expect(part.offset == 30 && part.text == "is long. Thi" && part.sentences == [all[1], all[2]])
        #expect(try view.passage(at: 50, limit: 1000).sentences == [all[3]])

        #expect(ftruncate(document.script.rawValue, 100) == 0)
        let damaged = try view.passage(at: 0, limit: 1000)
        #expect(Array(damaged.text.utf8) == text && damaged.sentences == [])
    }

    @Test func `says up to where its sentences are known, while the script is being made`() throws {
        let folder = try TemporaryFolder()
        let text = [UInt8](repeating: 0x61, count: 60)
        let document = try TextDocument(
            text: Self.file("text", text, in: folder), script: Self.file("script", [], in: folder))
        var writer = try ScriptFileWriter(
            descriptor: document.script.rawValue,
            of: ReadingDocument(text: text, blocks: [TextBlock(.paragraph, 0..<60)]))
        var content = Content(uri: "x", kind: .text, tracks: [.file(path: "/nowhere")], title: "A")
        content.document = document
        let view = ReadingTextView(content)
        func state() throws -> [Int64?] {
            let passage = try view.passage(at: 0, limit: 40)
            return [passage.known, passage.sentences.last?.end]
        }
        #expect(try state() == [0, nil])
        for (start, expected) in [(0, [20, 20]), (20, [nil, 40]), (40, [nil, 40])] as [(Int, [Int64?])] {
            let range = start..<start + 20
            try writer.append(Utterance(range: range, sentence: range, block: 0, spoken: "x"))
            try writer.publish()
            #expect(try state() == expected)
        }
        try writer.finish()
        #expect(try view.passage(at: 50, limit: 40).known == nil)
    }

    private static func file(_ name: String, _ bytes: [UInt8], in folder: TemporaryFolder) throws -> SharedDescriptor {
        let descriptor = open(try folder.write(name, Data(bytes)), O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        return SharedDescriptor(owning: descriptor)
    }

    @Test func `is refused with a reason, if there is none`() throws {
        let folder = try TemporaryFolder()
        let latin = try folder.write("latin.txt", Data([0x61, 0xE9, 0x62]))
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let pipe = SharedDescriptor(owning: ends[0])
        defer { close(ends[1]) }
        let cases: [(TrackSource, String)] = [
            (.file(path: latin), "it is not UTF-8"), (.file(path: folder.path + "/none"), "No such file or directory"),
            (.descriptor(pipe, name: "x"), "it came through a pipe"),
            (.file(path: folder.path), "it came through a pipe"),
            (.url("https://example.org/a.txt", headers: []), "only its engine has it"),
        ]
        for (source, reason) in cases {
            let view = ReadingTextView(Content(uri: "x", kind: .text, tracks: [source], title: "A"))
            let failure = #expect(throws: ReadingTextView.Failure.self) { try view.passage(at: 0, limit: 10) }
            #expect(failure?.reason == reason)
        }
    }
}
