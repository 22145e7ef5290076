// SPDX-License-Identifier: Apache-2.0

import EngineProbe
import EngineSDK
import Glibc

@testable import EspeakEngine

/// Texts for tests, as documents and as probes.
enum SpokenText {
    static func document(_ bytes: [UInt8]) throws -> Document {
        var path = Array("/tmp/espeak-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        unlink(path)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        return try Document(descriptor: descriptor, isInterrupted: { false })
    }

    /// Returns the processor time that this thread has used.
    static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func characters(_ text: String) -> [TextCharacter] {
        var offset: Int64 = 0
        return text.unicodeScalars.map { scalar in
            let length = String(scalar).utf8.count
            defer { offset += Int64(length) }
            return TextCharacter(scalar, offset: offset, length: length)
        }
    }

    /// Returns the sentences of a text, without the white space behind each.
    static func sentences(_ text: String) throws -> [String] {
        let document = try document(Array(text.utf8))
        var reader = SentenceReader(CharacterReader(document, encoding: .utf8, offset: 0))
        var sentences: [String] = []
        while let sentence = try reader.next() {
            let last = sentence.lastIndex { $0.kind != .space && $0.kind != .newline } ?? 0
            sentences.append(string(sentence[...last]))
        }
        return sentences
    }

    static func string(_ characters: some Sequence<TextCharacter>) -> String {
        var view = String.UnicodeScalarView()
        for character in characters { view.append(character.scalar) }
        return String(view)
    }

    static func probe(_ text: String, voice: String? = "en", rate: Double = 1) throws -> EngineProbe {
        try probe(.text(text), voice: voice, rate: rate)
    }

    static func probe(
        _ source: ProbeSource, language: String? = nil, voice: String? = "en", rate: Double = 1
    ) throws -> EngineProbe {
        let probe = try EngineProbe(EngineLibrary(product: "EspeakEngine"), sources: [source])
        try probe.load(kind: 2, language: language, voice: voice, rate: rate)
        return probe
    }

    /// Returns the words that were marked, as text.
    static func words(_ probe: EngineProbe, in text: String) -> [String] {
        let bytes = Array(text.utf8)
        return probe.marks.filter { $0.kind == 1 }.map { mark in
            String(decoding: bytes[Int(mark.position)..<Int(mark.position + mark.length)], as: UTF8.self)
        }
    }

    static let sentence = "The quick brown fox jumps over the lazy dog, and nobody minds. "

    static func residentKilobytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
    }
}
