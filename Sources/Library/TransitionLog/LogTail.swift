// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The end of an existing log file.
struct LogTail: Equatable {
    /// The number of the last record that can be read, or `nil` if there is none.
    var sequence: Int64?
    /// `true` if the last line has no newline, because its writer died within it.
    var isTorn: Bool

    /// Reads the file from its end, in growing pieces, because a snapshot may be long.
    init(descriptor: Int32, size: Int64) {
        sequence = nil
        isTorn = false
        var length = min(size, 16 << 10)
        while length > 0 {
            var bytes = [UInt8](repeating: 0, count: Int(length))
            let count = pread(descriptor, &bytes, bytes.count, off_t(size - length))
            guard count > 0 else { return }
            bytes.removeLast(bytes.count - count)
            isTorn = bytes.last != UInt8(ascii: "\n")
            sequence = Self.sequence(in: bytes, isWhole: length == size)
            if sequence != nil || length == size { return }
            length = min(size, length * 8)
        }
    }

    /// Returns the number of the last complete record.
    ///
    /// Unless `isWhole` is `true`, `bytes` may begin within a line. The last line may be torn.
    static func sequence(in bytes: [UInt8], isWhole: Bool) -> Int64? {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        while let line = lines.popLast() {
            if lines.isEmpty && !isWhole { return nil }
            if let sequence = sequence(ofLine: line) { return sequence }
        }
        return nil
    }

    private static func sequence(ofLine line: ArraySlice<UInt8>) -> Int64? {
        let start = Array(#"{"v":"#.utf8)
        let name = Array(#","seq":"#.utf8)
        guard line.starts(with: start), line.last == UInt8(ascii: "}") else { return nil }
        let version = line.dropFirst(start.count).prefix { $0.isDigit }
        let rest = line[version.endIndex...]
        guard rest.starts(with: name) else { return nil }
        let digits = rest.dropFirst(name.count).prefix { $0.isDigit }
        // A number near the end of the range would leave too few for the records that follow.
        return Int64(String(decoding: digits, as: UTF8.self)).flatMap { $0 < Int64.max / 2 ? $0 : nil }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
