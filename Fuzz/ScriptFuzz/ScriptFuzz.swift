// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechScript

/// Reads bytes as a script file, all of it and at places of chance; or a sound file of which they change some.
///
/// Whatever they are, every call returns or throws one line. Ranges are ordered, and words lie within their utterance.
@c(LLVMFuzzerTestOneInput)
public func readScript(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    let file = ScriptInMemory.shared
    let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    file.fill(bytes.last == 0xFF ? ScriptInMemory.sound(changedBy: bytes.dropLast()) : bytes)
    do throws(ScriptFileError) {
        let reader = try ScriptFileReader(descriptor: file.descriptor)
        try readDocument(reader)
        var cursor = try reader.cursor()
        for _ in 0..<2000 { if let utterance = try cursor.next() { check(utterance) } else { break } }
        for place in [0, 1, 100, reader.textSize / 2, reader.textSize, Int.max] {
            for index in [try reader.index(at: place), reader.count - 1, place] {
                if let index, let utterance = try reader.utterance(index) { check(utterance) }
            }
        }
    } catch {
        guard !error.message.isEmpty, !error.message.utf8.contains(where: { $0 < 0x20 }) else {
            fatalError("more than a line: \(error.message)")
        }
    }
    return 0
}

private func readDocument(_ reader: ScriptFileReader) throws(ScriptFileError) {
    for index in 0..<min(reader.blockCount, 500) { _ = try reader.block(index) }
    for index in 0..<min(reader.sectionCount, 500) { _ = try reader.section(index) }
    for place in [0, reader.textSize / 2, reader.textSize, Int.max] {
        _ = try reader.blockIndex(at: place)
        _ = try reader.sectionIndex(at: place)
    }
    _ = try reader.members()
    for range in [0..<10, 5..<1 << 32, 0..<Int.max] {
        for origin in try reader.origins(of: range) where origin.range.clamped(to: range) != origin.range {
            fatalError("an origin outside of what was asked for: \(origin)")
        }
        _ = try reader.recordings(of: range)
    }
}

private func check(_ utterance: Utterance) {
    var place = 0
    for word in utterance.words {
        guard word.spoken.lowerBound >= place, word.spoken.upperBound <= utterance.spoken.utf8.count,
            word.range.lowerBound >= utterance.range.lowerBound, word.range.upperBound <= utterance.range.upperBound
        else { fatalError("a word outside of its utterance: \(word)") }
        place = word.spoken.upperBound
    }
    guard utterance.pause >= 0, utterance.block >= 0, utterance.sentence.lowerBound <= utterance.range.lowerBound,
        utterance.sentence.upperBound >= utterance.range.upperBound
    else { fatalError("an utterance that cannot be: \(utterance)") }
}
