// SPDX-License-Identifier: Apache-2.0

/// Which bytes of the source a decoded text has as they are, and which stand for a reference.
enum TextAlignment {
    struct Run {
        var text: Range<Int>
        var source: Range<Int>
    }

    /// Aligns a text with the stretch of bytes from which a parser made it.
    ///
    /// A run that is as long in both has the source's bytes.
    static func runs(_ text: ArraySlice<UInt8>, _ source: ArraySlice<UInt8>) -> [Run] {
        if text.count == source.count, text.elementsEqual(source) {
            return [Run(text: text.indices, source: source.indices)]
        }
        var runs: [Run] = []
        var (place, origin) = (text.startIndex, source.startIndex)
        var (start, originStart) = (place, origin)
        func copied() -> [Run] {
            place > start ? [Run(text: start..<place, source: originStart..<origin)] : []
        }
        while place < text.endIndex, origin < source.endIndex {
            let byte = source[origin]
            if byte == UInt8(ascii: "&"), let length = reference(source[origin...]) {
                if length.isCertain
                    || !source[origin..<origin + length.count].elementsEqual(text[place...].prefix(length.count))
                {
                    runs += copied()
                    let scalar = width(text[place])
                    let end = min(text.endIndex, place + scalar)
                    runs.append(Run(text: place..<end, source: origin..<origin + length.count))
                    (place, origin) = (end, origin + length.count)
                    (start, originStart) = (place, origin)
                    continue
                }
            }
            if byte == text[place] {
                (place, origin) = (place + 1, origin + 1)
                continue
            }
            runs += copied()
            if byte == UInt8(ascii: "<") {
                // A tag that the parser did not take, within the text.
                while origin < source.endIndex, source[origin] != UInt8(ascii: ">") { origin += 1 }
            } else if byte != 0x0D {
                break
            }
            origin = min(origin + 1, source.endIndex)
            (start, originStart) = (place, origin)
        }
        if place == text.endIndex { return runs + copied() }
        return [Run(text: text.indices, source: source.indices)]
    }

    /// The length of a character reference, and whether it certainly is one.
    private static func reference(_ bytes: ArraySlice<UInt8>) -> (count: Int, isCertain: Bool)? {
        var index = bytes.startIndex + 1
        let limit = min(bytes.endIndex, index + 34)
        let isNumber = index < limit && bytes[index] == UInt8(ascii: "#")
        if isNumber { index += 1 }
        let first = index
        while index < limit, isAlphanumeric(bytes[index]) { index += 1 }
        guard index > first else { return nil }
        let name = bytes[first..<index]
        let ends = index < limit && bytes[index] == UInt8(ascii: ";")
        let isCertain =
            ends && (isNumber || ["amp", "lt", "gt", "quot", "apos"].contains { name.elementsEqual($0.utf8) })
        return (index - bytes.startIndex + (ends ? 1 : 0), isCertain)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// The length of the UTF-8 character that begins with a byte.
    static func width(_ byte: UInt8) -> Int {
        switch byte {
        case 0xF0...: 4
        case 0xE0...: 3
        case 0xC0...: 2
        default: 1
        }
    }
}
