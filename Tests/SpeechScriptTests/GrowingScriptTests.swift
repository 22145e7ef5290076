// SPDX-License-Identifier: Apache-2.0

import Glibc
import ReadingText
import SpeechScript
import Testing

/// A script whose beginning is read while the rest is being made.
struct GrowingScriptTests {
    private let utterances: [Utterance]
    private let file: ScriptFile
    private var writer: ScriptFileWriter

    init() throws {
        var samples = ScriptSamples(seed: 11)
        // Ranges that are empty would belong to no place.
        utterances = samples.utterances(1000).filter { !$0.range.isEmpty }
        file = try ScriptFile()
        writer = try ScriptFileWriter(
            descriptor: file.descriptor, of: ScriptSamples.document(for: utterances))
    }

    private func reader() throws -> ScriptFileReader { try ScriptFileReader(descriptor: file.descriptor) }

    @Test mutating func `a script that lost its end is not complete`() throws {
        for utterance in utterances.prefix(100) { try writer.append(utterance) }
        try writer.publish()
        let size = try reader().textSize
        #expect(try !reader().isComplete(ofTextOf: size), "more is to come")
        try writer.finish()
        #expect(try reader().isComplete(ofTextOf: size) && !reader().isComplete(ofTextOf: size + 1))
        let end = lseek(file.descriptor, 0, SEEK_END)
        #expect(ftruncate(file.descriptor, end - 1) == 0)
        #expect(try !reader().isComplete(ofTextOf: size))
    }

    @Test func `all of the document is there before the first utterance`() throws {
        let reader = try reader()
        let document = ScriptSamples.document
        #expect(reader.title == document.title && reader.sectionCount == 3 && reader.count == 0 && !reader.isWhole)
        #expect(try reader.origins(of: 0..<100) == document.blocks.flatMap(\.origins))
    }

    @Test mutating func `utterances that were published are read, and others are said to be missing`() throws {
        for (index, utterance) in utterances.prefix(700).enumerated() {
            try writer.append(utterance)
            guard index % 97 == 0 || index == 699 else { continue }
            try writer.publish()
            let reader = try reader()
            #expect(reader.count == index + 1 && reader.end == utterance.range.upperBound)
            #expect(try reader.utterance(index) == utterance)
            #expect(try reader.index(at: utterance.range.upperBound - 1) == index)
            #expect(try reader.index(at: 0) == 0)
            for read in [{ try reader.index(at: reader.end) }, { try reader.utterance(index + 1).map { $0.block } }] {
                let error = #expect(throws: ScriptFileError.self) { try read() }
                #expect(error?.kind == .unfinished && error?.end == reader.end)
            }
        }
        try writer.append(utterances[700])
        #expect(try reader().count == 700)
        try writer.finish()
        let whole = try reader()
        #expect(whole.isWhole && whole.count == 701)
        #expect(try whole.index(at: whole.end) == nil && whole.utterance(701) == nil)
    }

    @Test mutating func `a cursor goes on where more was made`() throws {
        var cursor = try reader().cursor()
        var read: [Utterance] = []
        for (index, utterance) in utterances.enumerated() {
            try writer.append(utterance)
            guard index % 61 == 60 else { continue }
            try writer.publish()
            while read.count <= index { read.append(try #require(try cursor.next())) }
            let error = #expect(throws: ScriptFileError.self) { try cursor.next() }
            #expect(error?.end == utterance.range.upperBound)
        }
        try writer.finish()
        while let utterance = try cursor.next() { read.append(utterance) }
        #expect(read == utterances)
    }

    @Test mutating func `a file that is cut while it is made is never read wrong`() throws {
        for utterance in utterances.prefix(300) { try writer.append(utterance) }
        try writer.publish()
        let whole = file.bytes.count
        for size in stride(from: whole - 1, to: whole - 4000, by: -7) {
            ftruncate(file.descriptor, off_t(size))
            do throws(ScriptFileError) {
                var cursor = try ScriptFileReader(descriptor: file.descriptor).cursor()
                for utterance in utterances.prefix(300) { #expect(try cursor.next() == utterance) }
            } catch {
                #expect(error.kind == .corrupt, "cut at \(size): \(error.message)")
            }
        }
    }
}
