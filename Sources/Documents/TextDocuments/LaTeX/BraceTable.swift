// SPDX-License-Identifier: Apache-2.0

/// The braces of a LaTeX source that belong together, found in one pass: an argument costs no search.
struct BraceTable {
    private var opens: [UInt32] = []
    /// The offset of the closing brace; `UInt32.max` if there is none.
    private var closes: [UInt32] = []

    /// Environments whose text is no LaTeX.
    static let verbatim = [
        "verbatim", "verbatim*", "Verbatim", "BVerbatim", "LVerbatim", "lstlisting", "minted", "alltt", "comment",
        "filecontents", "filecontents*",
    ]

    init(_ bytes: [UInt8], from start: Int) {
        var open: [Int] = []
        var missing: Set<String> = []
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x5C:
                if let skipped = Self.verbatimEnd(bytes, at: index, missing: &missing) {
                    opens.append(UInt32(clamping: skipped.name.lowerBound - 1))
                    closes.append(UInt32(clamping: skipped.name.upperBound))
                    index = skipped.end
                } else {
                    index += 2
                }
                continue
            case 0x25:
                index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
                continue
            case 0x7B:
                open.append(opens.count)
                opens.append(UInt32(clamping: index))
                closes.append(.max)
            case 0x7D:
                if let last = open.popLast() { closes[last] = UInt32(clamping: index) }
            default: break
            }
            index += 1
        }
    }

    /// Returns the bytes between a brace and its partner, or `nil`.
    func inside(_ place: Int) -> Range<Int>? {
        var low = 0
        var high = opens.count
        while low < high {
            let middle = (low + high) / 2
            if Int(opens[middle]) < place { low = middle + 1 } else { high = middle }
        }
        guard low < opens.count, Int(opens[low]) == place, closes[low] != .max else { return nil }
        return place + 1..<Int(closes[low])
    }

    /// Returns the name of a verbatim environment that begins at a backslash, and its end.
    private static func verbatimEnd(
        _ bytes: [UInt8], at place: Int, missing: inout Set<String>
    ) -> (name: Range<Int>, end: Int)? {
        guard bytes[place...].starts(with: "\\begin{".utf8) else { return nil }
        let start = place + 7
        guard let end = bytes[start...].prefix(16).firstIndex(of: 0x7D) else { return nil }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        guard verbatim.contains(name), !missing.contains(name) else { return nil }
        guard let close = LaTeXScanner.find("\\end{\(name)}", in: bytes, from: end) else {
            missing.insert(name)
            return nil
        }
        return (start..<end, close)
    }
}
