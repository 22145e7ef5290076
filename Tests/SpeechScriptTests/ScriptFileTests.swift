// SPDX-License-Identifier: Apache-2.0

import Glibc
import ReadingText
import SpeechScript
import Testing

struct ScriptFileTests {
    @Test(arguments: [0, 1, 15, 16, 17, 500])
    func `a script is read as it was written`(count: Int) throws {
        var samples = ScriptSamples(seed: UInt64(count + 1))
        let utterances = samples.utterances(count)
        let document = ScriptSamples.document(for: utterances)
        let contents = try ScriptContents(ScriptFile(utterances, of: document))
        #expect(contents.utterances == utterances)
        #expect(contents.title == document.title)
        #expect(contents.author == nil)
        #expect(contents.language == document.language)
        #expect(contents.textSize == document.text.count)
        #expect(contents.sections == document.sections)
        #expect(contents.pages == document.pages)
        #expect(contents.members == document.members)
        #expect(contents.origins == document.blocks.flatMap(\.origins))
        #expect(contents.recordings == document.blocks.flatMap(\.recordings))
        let plain = document.blocks.map { TextBlock($0.kind, $0.range, level: $0.level, matter: $0.matter) }
        #expect(contents.blocks == plain)
    }

    @Test func `utterances are read by their index and from a cursor in the middle`() throws {
        var samples = ScriptSamples(seed: 3)
        let utterances = samples.utterances(100)
        let file = try ScriptFile(utterances, of: ScriptSamples.document(for: utterances))
        let reader = try ScriptFileReader(descriptor: file.descriptor)
        for index in utterances.indices {
            #expect(try reader.utterance(index) == utterances[index])
            var cursor = try reader.cursor(at: index)
            #expect(try cursor.next() == utterances[index])
            #expect(cursor.index == index + 1)
        }
        #expect(try reader.utterance(-1) == nil)
        #expect(try reader.utterance(100) == nil)
        var cursor = try reader.cursor(at: 100)
        #expect(try cursor.next() == nil)
    }

    @Test(arguments: 1...40)
    func `a place is found as by looking at every utterance`(seed: Int) throws {
        var samples = ScriptSamples(seed: UInt64(seed))
        // With empty ranges among them.
        let utterances = samples.utterances(samples.next(below: 120))
        let file = try ScriptFile(utterances, of: ScriptSamples.document(for: utterances))
        let reader = try ScriptFileReader(descriptor: file.descriptor)
        for place in -1...(utterances.last?.range.upperBound ?? 0) + 2 {
            #expect(try reader.index(at: place) == utterances.firstIndex { $0.range.upperBound > place }, "at \(place)")
        }
    }

    @Test func `blocks and sections are found by their place`() throws {
        let document = ScriptSamples.document
        let file = try ScriptFile([], of: document)
        let reader = try ScriptFileReader(descriptor: file.descriptor)
        for place in 0..<140 {
            #expect(try reader.blockIndex(at: place) == document.blocks.firstIndex { $0.range.upperBound > place })
            #expect(try reader.sectionIndex(at: place) == document.sections.lastIndex { $0.start <= place })
        }
    }

    @Test(arguments: [
        // The same bytes: shifted. Decoded text: in proportion, and never too little.
        (1..<3, [TextOrigin(1..<3, source: 101..<103)]), (4..<6, [TextOrigin(4..<6, member: 1, source: 10..<18)]),
        (5..<6, [TextOrigin(5..<6, member: 1, source: 14..<18)]), (18..<20, []), (8..<10, []),
        (
            3..<5, [TextOrigin(3..<4, source: 103..<104), TextOrigin(4..<5, member: 1, source: 10..<14)]
        ), (10..<11, [TextOrigin(10..<11, member: 1, source: 1 << 33..<1 << 33 + 1)]),
    ])
    func `origins are cut to what is asked for`(range: Range<Int>, expected: [TextOrigin]) throws {
        let file = try ScriptFile([], of: ScriptSamples.document)
        let reader = try ScriptFileReader(descriptor: file.descriptor)
        #expect(try reader.origins(of: range) == expected)
        #expect(try reader.origins(of: range, limit: 1) == Array(expected.prefix(1)))
    }

    @Test func `a title of any length is kept as far as a reader accepts it`() throws {
        let document = ReadingDocument(title: String(repeating: "字", count: 5000))
        let contents = try ScriptContents(ScriptFile([], of: document))
        let title = try #require(contents.title)
        #expect(title == String(repeating: "字", count: 1365))
    }

    // MARK: - What cannot be written

    @Test(arguments: [
        Utterance(range: 5..<9, sentence: 5..<9, block: 0, spoken: "before the last"),
        Utterance(range: 20..<30, sentence: 21..<30, block: 0, spoken: "outside of its sentence"),
        Utterance(range: 20..<30, sentence: 20..<30, block: -1, spoken: "in no block"),
        Utterance(range: 20..<30, sentence: 20..<30, block: 0, spoken: "no pause", pause: -1),
        Utterance(
            range: 20..<30, sentence: 20..<30, block: 0, spoken: "x", words: [.init(spoken: 0..<2, range: 20..<21)]),
        Utterance(
            range: 20..<30, sentence: 20..<30, block: 0, spoken: "x", words: [.init(spoken: 0..<1, range: 20..<31)]),
        Utterance(
            range: 20..<30, sentence: 20..<30, block: 0, spoken: "a b",
            words: [.init(spoken: 2..<3, range: 22..<23), .init(spoken: 0..<1, range: 20..<21)]),
        Utterance(range: 999..<1001, sentence: 999..<1001, block: 0, spoken: "behind the text"),
        Utterance(range: 20..<30, sentence: 20..<1 << 32, block: 0, spoken: "too far"),
        Utterance(range: 20..<30, sentence: 20..<30, block: 0, spoken: String(repeating: "x", count: 1 << 20)),
    ])
    func `an utterance that a reader would refuse is not written`(utterance: Utterance) throws {
        let file = try ScriptFile()
        var writer = try ScriptFileWriter(
            descriptor: file.descriptor, of: ReadingDocument(text: [UInt8](repeating: 0x61, count: 1000)))
        let first = Utterance(range: 0..<10, sentence: 0..<10, block: 0, spoken: "first")
        try writer.append(first)
        #expect(throws: ScriptFileError.self) { try writer.append(utterance) }
        try writer.finish()
        #expect(try ScriptContents(file).utterances == [first])
    }
}
