// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Testing

@testable import AlignmentFile

@Suite struct `The file of an alignment` {
    private let folder: TemporaryFolder
    private let header = AlignmentHeader(text: "a text", recording: "a recording", engine: "espeak", voice: nil)
    private var path: String { folder.path + "/alignment.jsonl" }

    init() throws { folder = try TemporaryFolder() }

    private func steps() -> [AlignmentStep] {
        let voice = VoiceCalibration(
            means: (0..<9).map { Float($0) / 10 }, deviations: (1..<10).map { Float($0) / 7 },
            book: (0..<900).map { Int8($0 % 100 - 50) })
        return (0..<4).map { index in
            var state = AlignmentState(
                voice: voice, text: 100 * (index + 1), track: index / 2, step: Int32(index * 999))
            state.isContinuing = true
            if index > 0 {
                state.recent = [
                    ReadSentence(range: state.text - 20..<state.text - 11, heard: 0..<1000),
                    ReadSentence(range: state.text - 10..<state.text - 1, heard: 40..<900),
                ]
            }
            return AlignmentStep(
                sentences: (0..<10).map { sentence in
                    AlignedSentence(
                        range: 100 * index + 10 * sentence..<100 * index + 10 * sentence + 9, track: index / 2,
                        start: Int64(1000 * sentence), end: Int64(1000 * sentence + 900),
                        error: sentence == 4 ? 0 : 80, isMatched: sentence != 4)
                },
                unmatched: [UnmatchedSound(track: 0, range: 5..<2000)],
                repeated: index == 2 ? [RepeatedSound(track: 0, range: 300..<1900, text: 150..<179)] : [],
                state: state, isLast: index == 3)
        }
    }

    private func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func write(_ count: Int) throws {
        let writer = try AlignmentWriter(path, header)
        for step in steps().prefix(count) { try writer.append(step) }
    }

    @Test func `a file says what was written to it`() throws {
        try write(4)
        let alignment = try AlignmentFile.read(path)
        #expect(alignment.header == header)
        #expect(alignment.sentences == steps().flatMap(\.sentences))
        #expect(alignment.unmatched == steps().flatMap(\.unmatched))
        #expect(alignment.repeated == [RepeatedSound(track: 0, range: 300..<1900, text: 150..<179)])
        #expect(alignment.state == steps().last?.state)
        #expect(alignment.isComplete)
        #expect(try AlignmentWriter(path, header).found == alignment)
    }

    @Test func `a file that is cut anywhere goes on to the same bytes`() throws {
        try write(4)
        let whole = try bytes()
        for size in stride(from: 0, through: whole.count, by: 211) {
            try Data(whole[..<size]).write(to: URL(fileURLWithPath: path))
            let writer = try AlignmentWriter(path, header)
            let done = writer.found.sentences.count / 10
            for step in steps().dropFirst(done) { try writer.append(step) }
            #expect(try bytes() == whole, "cut at \(size)")
        }
    }

    @Test func `a step that repeats nothing is written as it always was`() throws {
        try write(1)
        let text = String(decoding: try bytes(), as: UTF8.self)
        #expect(!text.contains("repeated") && !text.contains("recent"))
        #expect(try AlignmentFile.read(path).state?.neededText == 100, "all text before is done with")
        try FileManager.default.removeItem(atPath: path)
        try write(2)
        #expect(try AlignmentFile.read(path).state?.neededText == 180, "what may be said again is needed")
    }

    @Test(arguments: [
        ("[[0,300,1900,150,179]]", "[[0,300,1900]]"), ("[[0,300,1900,150,179]]", "[[0,1900,300,150,179]]"),
        ("[[0,300,1900,150,179]]", "[[-1,300,1900,150,179]]"), ("[[0,300,1900,150,179]]", "[[0,300,1900,179,150]]"),
        ("[[0,300,1900,150,179]]", "[[0,300,1900,-1,179]]"), ("[280,289,0,1000]", "[280,289,0]"),
        ("[280,289,0,1000]", "[295,299,0,1000]"), ("[280,289,0,1000]", "[280,289,0,1001]"),
        ("[280,289,0,1000]", "[280,289,9,8]"), ("[290,299,40,900]", "[290,301,40,900]"),
    ])
    func `a file is read up to a repetition that cannot be one`(old: String, new: String) throws {
        try write(4)
        let text = String(decoding: try bytes(), as: UTF8.self)
        try #require(text.contains(old))
        try Data(text.replacingOccurrences(of: old, with: new).utf8).write(to: URL(fileURLWithPath: path))
        #expect(try AlignmentFile.read(path).sentences.count == 20)
    }

    @Test func `a file of another text is begun anew`() throws {
        try write(4)
        var other = header
        other.text = "another text"
        let writer = try AlignmentWriter(path, other)
        #expect(writer.found == Alignment(header: other))
        #expect(try AlignmentFile.read(path) == Alignment(header: other))
    }

    @Test func `two writers exclude each other`() throws {
        let writer = try AlignmentWriter(path, header)
        #expect(throws: AlignmentFileError.self) { try AlignmentWriter(path, header) }
        withExtendedLifetime(writer) {}
    }

    @Test func `a damaged file is read as far as it is in order`() throws {
        try write(4)
        let whole = try bytes()
        let good = try AlignmentFile.read(path)
        for place in stride(from: 0, to: whole.count, by: 97) {
            for damage: UInt8 in [0x00, 0x2C, 0x39, 0xFF] {
                var damaged = whole
                damaged[place] = damage
                try Data(damaged).write(to: URL(fileURLWithPath: path))
                guard let alignment = try? AlignmentFile.read(path) else { continue }
                #expect(alignment.sentences.count <= good.sentences.count)
                var end = 0
                for sentence in alignment.sentences {
                    #expect(sentence.range.lowerBound >= end && sentence.start <= sentence.end)
                    end = sentence.range.upperBound
                }
            }
        }
    }

    @Test(arguments: ["", "{}\n", "{\"alignment\":1}\n", "\u{0}\u{0}\n", "{\"alignment\":2,\"header\":7}\n"])
    func `a file of another kind is refused`(content: String) throws {
        try folder.write("alignment.jsonl", Data(content.utf8))
        #expect(throws: AlignmentFileError.self) { try AlignmentFile.read(path) }
    }
}
