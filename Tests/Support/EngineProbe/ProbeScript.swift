// SPDX-License-Identifier: Apache-2.0

import EngineABI
import Glibc

/// One utterance of a script, as a test writes it.
package struct ProbeUtterance: Sendable {
    package struct Word: Sendable {
        package var spoken: Range<Int>
        package var units: Range<Int64>
        package var phonemes: String?

        package init(spoken: Range<Int>, units: Range<Int64>, phonemes: String? = nil) {
            self.spoken = spoken
            self.units = units
            self.phonemes = phonemes
        }
    }

    package var units: Range<Int64>
    package var sentence: Range<Int64>
    package var text: String
    package var language: String?
    package var pause: UInt32
    package var words: [Word]

    package init(
        _ units: Range<Int64>, sentence: Range<Int64>? = nil, _ text: String, language: String? = nil,
        pause: UInt32 = 0, words: [Word]
    ) {
        self.units = units
        self.sentence = sentence ?? units
        self.text = text
        self.language = language
        self.pause = pause
        self.words = words
    }

    /// Makes an utterance of a stretch of an ASCII text that is said as it stands.
    package init(_ part: String, of text: String, language: String? = nil, pause: UInt32 = 0) {
        let bytes = Array(text.utf8)
        let wanted = Array(part.utf8)
        let start = bytes.indices.first { bytes[$0...].starts(with: wanted) } ?? 0
        var words: [Word] = []
        var byte = 0
        for word in part.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
            if !word.isEmpty {
                words.append(
                    Word(
                        spoken: byte..<byte + word.count,
                        units: Int64(start + byte)..<Int64(start + byte + word.count)))
            }
            byte += word.count + 1
        }
        self.init(
            Int64(start)..<Int64(start + wanted.count), part, language: language, pause: pause, words: words)
    }
}

/// The script that a probe offers to the engine: the host's table, and the strings of the utterance asked for last.
final class ProbeScript: @unchecked Sendable /* the engine's thread alone asks for utterances */ {
    private let utterances: [ProbeUtterance]
    let table = UnsafeMutablePointer<rostrum_script_host>.allocate(capacity: 1)
    private var strings: [UnsafeMutablePointer<CChar>?] = []
    private var words: UnsafeMutableBufferPointer<rostrum_script_word>?

    init(
        _ utterances: [ProbeUtterance],
        _ ask:
            @convention(c) @escaping (
                UnsafeMutableRawPointer?, Int64, UnsafeMutablePointer<rostrum_utterance>?
            ) -> rostrum_result
    ) {
        self.utterances = utterances
        table.initialize(
            to: rostrum_script_host(
                size: UInt32(MemoryLayout<rostrum_script_host>.size), reserved: 0, utterance: ask))
    }

    deinit {
        forget()
        table.deallocate()
    }

    private func forget() {
        for string in strings { free(string) }
        strings = []
        words?.deallocate()
        words = nil
    }

    private func lasting(_ string: String?) -> UnsafePointer<CChar>? {
        guard let string, let copy = strdup(string) else { return nil }
        strings.append(copy)
        return UnsafePointer(copy)
    }

    func fill(_ result: inout rostrum_utterance, at position: Int64) -> rostrum_result {
        forget()
        guard let utterance = utterances.first(where: { $0.units.upperBound > position }) else {
            return ROSTRUM_ERROR_NOT_FOUND
        }
        let words = UnsafeMutableBufferPointer<rostrum_script_word>.allocate(capacity: utterance.words.count)
        self.words = words
        for (index, word) in utterance.words.enumerated() {
            words.initializeElement(
                at: index,
                to: rostrum_script_word(
                    offset: UInt32(word.spoken.lowerBound), length: UInt32(word.spoken.count),
                    position: word.units.lowerBound, position_length: word.units.upperBound - word.units.lowerBound,
                    phonemes: lasting(word.phonemes)))
        }
        result.pause = utterance.pause
        (result.position, result.length) = (utterance.units.lowerBound, Int64(utterance.units.count))
        (result.sentence, result.sentence_length) = (utterance.sentence.lowerBound, Int64(utterance.sentence.count))
        result.text = lasting(utterance.text)
        result.language = lasting(utterance.language)
        result.word_count = UInt32(words.count)
        result.words = UnsafePointer(words.baseAddress)
        return ROSTRUM_OK
    }
}
