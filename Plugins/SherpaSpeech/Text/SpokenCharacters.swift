// SPDX-License-Identifier: Apache-2.0

/// The characters of a part of a text, with the bytes at which they begin.
struct Characters {
    private(set) var scalars: [Unicode.Scalar] = []
    private var bytes: [Int] = []
    /// `true` if the part goes on to the end of the text.
    let isWhole: Bool

    /// - Parameter part: Bytes of UTF-8, whose indices are those of the text.
    init(_ part: ArraySlice<UInt8>, isWhole: Bool) {
        self.isWhole = isWhole
        var byte = part.startIndex
        for scalar in String(decoding: part, as: UTF8.self).unicodeScalars {
            // A character that the part cuts is the last one.
            guard byte < part.endIndex else { break }
            scalars.append(scalar)
            bytes.append(byte)
            byte += UTF8.width(scalar)
        }
        bytes.append(part.endIndex)
    }

    /// Returns the byte at which a character begins.
    func byte(of index: Int) -> Int { bytes[min(max(0, index), bytes.count - 1)] }

    /// Returns the index of the first character that begins at a byte or behind it.
    func index(of byte: Int) -> Int {
        var (low, high) = (0, scalars.count)
        while low < high {
            let middle = (low + high) / 2
            if bytes[middle] < byte { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the characters before a byte.
    func before(_ byte: Int) -> Characters {
        var copy = self
        let count = index(of: byte)
        copy.scalars = Array(scalars[..<count])
        copy.bytes = Array(bytes[..<count]) + [self.byte(of: count)]
        return copy
    }

    /// Returns the index behind the last space in a range of indices at which a cut is allowed.
    func lastSpace(in range: ClosedRange<Int>, _ isAllowed: (Int) -> Bool) -> Int? {
        let upper = min(range.upperBound, scalars.count - 1)
        guard upper >= range.lowerBound else { return nil }
        return (range.lowerBound...upper).last { index in
            index > 0 && scalars[index - 1].properties.isWhitespace && isAllowed(byte(of: index))
        }
    }
}
