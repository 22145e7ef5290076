// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// Encodings with two or four bytes a character.
enum WideEncodings {
    /// Returns the encoding that a byte order mark tells.
    static func marked(_ file: [UInt8]) -> TextEncoding? {
        for (mark, name) in ByteOrderMark.others where file.starts(with: mark) {
            // The mark of UTF-32LE is that of UTF-16LE with a character 0 behind it.
            if name == "UTF-32LE", file.count % 4 != 0, file.count % 2 == 0 { continue }
            return .named(name, skipped: name == "GB18030" ? mark.count : mark.count)
        }
        return nil
    }

    /// Returns the encoding of a file without a mark whose zeros tell it.
    static func unmarked(_ file: [UInt8]) throws(DocumentError) -> TextEncoding? {
        var zeros = [0, 0, 0, 0]
        let sample = file.prefix(4096)
        for (index, byte) in sample.enumerated() where byte == 0 { zeros[index % 4] += 1 }
        guard sample.count >= 4, zeros.reduce(0, +) * 20 > sample.count else { return nil }
        let quarter = sample.count / 4
        let names: [String] =
            if zeros[3] * 10 > quarter * 9, zeros[2] * 10 > quarter * 9 {
                ["UTF-32LE"]
            } else if zeros[0] * 10 > quarter * 9, zeros[1] * 10 > quarter * 9 {
                ["UTF-32BE"]
            } else if zeros[1] + zeros[3] > zeros[0] + zeros[2] {
                ["UTF-16LE", "UTF-16BE"]
            } else {
                ["UTF-16BE", "UTF-16LE"]
            }
        for name in names where try isProse(file, in: name) { return .named(name, skipped: 0) }
        return nil
    }

    /// Returns `true` if a file makes sense as two or four bytes a character, by its letters and by its spaces and stops.
    static func isProse(_ file: [UInt8], in name: String) throws(DocumentError) -> Bool {
        let sample = Array(file.prefix(4096 - 4096 % 4))
        let text = try Plausibility.scalars(of: sample, in: name)
        guard !text.isEmpty else { return false }
        let stops = text.count(where: { separators.contains($0) })
        return stops * 200 >= text.count && stops > 0 && Plausibility.badness(of: text) <= 0.02
    }

    private static let separators: Set<Unicode.Scalar> = [
        " ", "\n", "\r", "\u{3000}", "\u{3001}", "\u{3002}", "\u{FF0C}", ",", ".",
    ]
}
