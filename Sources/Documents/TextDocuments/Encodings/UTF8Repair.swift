// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The reading of a text that is UTF-8 but for some bytes.
enum UTF8Repair {
    struct Repaired {
        var bytes: [UInt8]
        var map: DecodingMap
        /// The number of places at which bytes are no character; each became U+FFFD.
        var damages: Int
        /// The last character has only its beginning, which is left out.
        var isCut: Bool
    }

    /// The amount of UTF-8 in a file.
    struct Census {
        /// Characters of more than one byte; the least number if the count stopped early.
        var characters = 0
        var damages = 0
        var isCut = false

        /// Returns `true` if the text is UTF-8 with damage, not another encoding that has some UTF-8 by chance.
        var isDamagedUTF8: Bool { damages == 0 || characters >= 8 * damages }
    }

    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// Returns the first bytes from `start` on that are no UTF-8, or `nil`.
    static func firstDamage(_ file: [UInt8], from start: Int) -> Range<Int>? {
        guard start < file.count else { return nil }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: file.span.extracting(start..<file.count))
            return nil
        } catch {
            let lower = min(max(start + error.byteOffsets.lowerBound, start), file.count - 1)
            return lower..<min(max(start + error.byteOffsets.upperBound, lower + 1), file.count)
        }
    }

    /// Counts characters and damages; stops once it is clear that the file is something else.
    static func census(_ file: [UInt8], limits: ReadingLimits) throws(DocumentError) -> Census {
        var census = Census()
        var position = 0
        while let damage = firstDamage(file, from: position) {
            try count(position..<damage.lowerBound, of: file, limits, &census)
            if isCut(file, damage) {
                census.isCut = true
            } else {
                census.damages += 1
            }
            position = damage.upperBound
            if census.damages % 64 == 0 { try limits.check() }
            if census.damages >= 64, census.damages > census.characters { return census }
        }
        try count(position..<file.count, of: file, limits, &census)
        return census
    }

    private static func count(
        _ range: Range<Int>, of file: [UInt8], _ limits: ReadingLimits, _ census: inout Census
    ) throws(DocumentError) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + (1 << 20), range.upperBound)
            for index in start..<end where file[index] >= 0xC0 { census.characters += 1 }
            start = end
            try limits.check()
        }
    }

    /// Replaces what is no UTF-8.
    static func repair(_ file: [UInt8], limits: ReadingLimits) throws(DocumentError) -> Repaired {
        var result = Repaired(bytes: [], map: DecodingMap(), damages: 0, isCut: false)
        result.bytes.reserveCapacity(file.count)
        var anchors: [DecodingMap.Anchor] = []
        func mark(_ source: Int) {
            anchors.append(
                DecodingMap.Anchor(text: UInt32(clamping: result.bytes.count), source: UInt32(clamping: source)))
        }
        var position = 0
        while position < file.count {
            let damage = firstDamage(file, from: position) ?? file.count..<file.count
            if damage.lowerBound > position {
                mark(position)
                result.bytes.append(contentsOf: file[position..<damage.lowerBound])
            }
            position = damage.upperBound
            guard !damage.isEmpty else { break }
            if isCut(file, damage) {
                result.isCut = true
            } else {
                mark(damage.lowerBound)
                result.bytes.append(contentsOf: replacement)
                result.damages += 1
            }
            if result.damages % 64 == 0 { try limits.check() }
        }
        mark(
            result.isCut
                ? Int(anchors.last?.source ?? 0) + (result.bytes.count - Int(anchors.last?.text ?? 0)) : file.count)
        result.map = anchors.count > 2 || result.damages > 0 ? DecodingMap(anchors: anchors) : DecodingMap()
        return result
    }

    /// Returns `true` if a damage is the beginning of a character that the end of the file cut off.
    private static func isCut(_ file: [UInt8], _ damage: Range<Int>) -> Bool {
        guard damage.upperBound == file.count, damage.count < 4, let length = length(file[damage.lowerBound]) else {
            return false
        }
        return damage.count < length && file[damage].dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    }

    /// Returns the length of the character that a byte begins.
    private static func length(_ lead: UInt8) -> Int? {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }
}
