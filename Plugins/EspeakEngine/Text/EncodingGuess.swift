// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// The encoding of a text, judged from samples of its bytes.
struct EncodingGuess: Equatable {
    var encoding: TextEncoding
    /// The length of the byte order mark in bytes.
    var markLength = 0
    /// A message for the user about an assumption or damage.
    var warning: String?

    private static let sampleSize = 1 << 16
    private static let furtherSamples: Int64 = 15

    /// Guesses the encoding from a sample, and from more across the text if the first is pure ASCII.
    static func of(_ document: Document) throws(EngineFailure) -> EncodingGuess {
        let first = try document.read(at: 0, count: sampleSize)
        if first.starts(with: [0xEF, 0xBB, 0xBF]) {
            try refuseBinary(first[...])
            return EncodingGuess(encoding: .utf8, markLength: 3)
        }
        if first.starts(with: [0xFF, 0xFE]) { return EncodingGuess(encoding: .utf16LittleEndian, markLength: 2) }
        if first.starts(with: [0xFE, 0xFF]) { return EncodingGuess(encoding: .utf16BigEndian, markLength: 2) }
        try refuseBinary(first[...])
        var tally = Tally()
        tally.add(first)
        if tally.isASCII && document.size > Int64(sampleSize) {
            let step = (document.size - Int64(sampleSize)) / furtherSamples
            for number in 1...furtherSamples {
                tally.add(try document.read(at: number * step, count: sampleSize / 4))
            }
        }
        return tally.guess
    }

    /// Throws if the sample is not text.
    ///
    /// A text has hardly any NUL and few other control characters.
    private static func refuseBinary(_ sample: ArraySlice<UInt8>) throws(EngineFailure) {
        var zeros = 0
        var controls = 0
        for byte in sample where byte < 0x20 {
            if byte == 0 { zeros += 1 }
            // Tab to carriage return, and escape, which terminal logs contain.
            if !(9...13).contains(byte) && byte != 0x1B { controls += 1 }
        }
        if zeros * 1000 > sample.count || controls * 50 > sample.count {
            throw EngineFailure(
                ROSTRUM_ERROR_ENCODING,
                "this is not a text: \(controls) control characters in its first \(sample.count) bytes; "
                    + "give a text in UTF-8, or in UTF-16 with a byte order mark")
        }
    }

    /// Counts of valid and invalid sequences in the samples, read as UTF-8.
    private struct Tally {
        private var multibyte = 0
        private var invalid = 0

        var isASCII: Bool { multibyte == 0 && invalid == 0 }

        mutating func add(_ sample: [UInt8]) {
            var index = 0
            // A sample from the middle may begin within a character.
            while index < min(3, sample.count), sample[index] & 0xC0 == 0x80 { index += 1 }
            while index < sample.count {
                if sample[index] < 0x80 {
                    index += 1
                    continue
                }
                let (scalar, length) = TextEncoding.utf8.decode(sample, at: index)
                if scalar != nil {
                    multibyte += 1
                } else if index + length < sample.count {
                    invalid += 1
                }
                index += length
            }
        }

        var guess: EncodingGuess {
            if invalid == 0 { return EncodingGuess(encoding: .utf8) }
            if multibyte >= 4 * invalid {
                return EncodingGuess(
                    encoding: .utf8, warning: "the text has bytes that are not UTF-8; they are left out")
            }
            return EncodingGuess(
                encoding: .windows1252, warning: "the text is not UTF-8; it is read as Windows-1252 (Western European)")
        }
    }
}
