// SPDX-License-Identifier: Apache-2.0

/// A passage without case, accents and line breaks, whose bytes know where they come from.
struct FoldedPassage {
    private var bytes: [UInt8] = []
    /// The byte of the document at which the character of each byte begins.
    private var places: [Int64] = []
    private let end: Int64

    init(_ passage: DisplayedText) {
        end = passage.end
        bytes.reserveCapacity(passage.bytes.count)
        places.reserveCapacity(passage.bytes.count)
        var folding = Folding()
        var place = passage.offset
        for scalar in String(decoding: passage.bytes, as: UTF8.self).unicodeScalars {
            folding.append(scalar, to: &bytes)
            while places.count < bytes.count { places.append(place) }
            place += Int64(UTF8.width(scalar))
        }
    }

    /// Returns words in the same form.
    static func fold(_ words: String) -> [UInt8] {
        var folding = Folding()
        var bytes: [UInt8] = []
        for scalar in words.unicodeScalars { folding.append(scalar, to: &bytes) }
        return bytes
    }

    /// Returns the first place of words that begins at a byte of the document or behind it.
    func first(_ words: [UInt8], from byte: Int64) -> Range<Int64>? {
        guard let initial = words.first, words.count <= bytes.count else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            for index in 0...(bytes.count - words.count)
            where bytes[index] == initial && places[index] >= byte {
                var length = 1
                while length < words.count, bytes[index + length] == words[length] { length += 1 }
                guard length == words.count else { continue }
                let behind = index + length
                return places[index]..<max(places[index] + 1, behind < places.count ? places[behind] : end)
            }
            return nil
        }
    }
}

/// The folding of characters, which remembers those that it has met: their names are slow to find.
private struct Folding {
    private var known: [Unicode.Scalar: [UInt8]] = [:]
    private static let space = UInt8(ascii: " ")

    mutating func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.properties.isWhitespace {
            if bytes.last != Self.space { bytes.append(Self.space) }
        } else if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            bytes.append((65...90).contains(byte) ? byte + 32 : byte)
        } else if let folded = known[scalar] {
            bytes += folded
        } else {
            let folded = Self.fold(scalar)
            known[scalar] = folded
            bytes += folded
        }
    }

    private static func fold(_ scalar: Unicode.Scalar) -> [UInt8] {
        switch scalar.properties.generalCategory {
        // Soft hyphens and joiners are not seen.
        case .nonspacingMark, .format: []
        default: scalar == "ς" ? Array("σ".utf8) : Array(String(scalar).folded.utf8)
        }
    }
}
