// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import ReadingText

/// Decodes a file to valid UTF-8 without NUL.
enum PageDecoding {
    /// A place in a file of another encoding is known to this many bytes.
    private static let piece = 32
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// Returns the text and where it comes from, or `nil` if the file is such a text itself.
    static func decode(
        _ file: [UInt8], from encoding: String, limits: ReadingLimits
    ) throws(DocumentError) -> (bytes: [UInt8], map: OffsetMap)? {
        switch encoding {
        case "utf-8":
            if !file.contains(0), file.withUnsafeBufferPointer(isValid) { return nil }
            return try repaired(file, limits: limits)
        case "windows-1252":
            return try singleBytes(file, limits: limits)
        default:
            return try converted(file, from: encoding, limits: limits)
        }
    }

    private static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if bytes[index] < 0x80 {
                index += 1
                continue
            }
            guard let width = validWidth(bytes, at: index) else { return false }
            index += width
        }
        return true
    }

    /// The length of the valid character at a place, or `nil`.
    private static func validWidth(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        let lead = bytes[index]
        let width = TextAlignment.width(lead)
        guard width > 1, (0xC2...0xF4).contains(lead), index + width <= bytes.count else { return nil }
        for offset in 1..<width where !(0x80...0xBF).contains(bytes[index + offset]) { return nil }
        let second = bytes[index + 1]
        let isShortest = !(lead == 0xE0 && second < 0xA0) && !(lead == 0xF0 && second < 0x90)
        let isScalar = !(lead == 0xED && second > 0x9F) && !(lead == 0xF4 && second > 0x8F)
        return isShortest && isScalar ? width : nil
    }

    private static func repaired(
        _ file: [UInt8], limits: ReadingLimits
    ) throws(DocumentError) -> (bytes: [UInt8], map: OffsetMap) {
        var (bytes, map) = ([UInt8](), OffsetMap())
        bytes.reserveCapacity(file.count)
        let done = file.withUnsafeBufferPointer { file in
            var index = 0
            while index < file.count {
                if index & 0xFFFF == 0, limits.isInterrupted() { return false }
                let width = (1..<0x80).contains(file[index]) ? 1 : validWidth(file, at: index)
                if let width {
                    bytes += file[index..<index + width]
                    map.copied(width)
                } else {
                    bytes += replacement
                    map.replaced(output: 3, input: 1)
                }
                index += width ?? 1
            }
            return true
        }
        guard done else { throw interruption }
        return (bytes, map)
    }

    private static func singleBytes(
        _ file: [UInt8], limits: ReadingLimits
    ) throws(DocumentError) -> (bytes: [UInt8], map: OffsetMap)? {
        if !file.contains(where: { $0 >= 0x80 || $0 == 0 }) { return nil }
        var (bytes, map) = ([UInt8](), OffsetMap())
        bytes.reserveCapacity(file.count + file.count / 8)
        for (index, byte) in file.enumerated() {
            if index & 0xFFFF == 0, limits.isInterrupted() { throw interruption }
            if (1..<0x80).contains(byte) {
                bytes.append(byte)
                map.copied(1)
            } else {
                let scalar =
                    byte == 0 ? 0xFFFD : (0x80...0x9F).contains(byte) ? windows[Int(byte) - 0x80] : UInt32(byte)
                let text = Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
                bytes += text
                map.replaced(output: text.count, input: 1)
            }
        }
        return (bytes, map)
    }

    /// The characters 0x80 to 0x9F of windows-1252.
    private static let windows: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
        0x9D,
        0x017E, 0x0178,
    ]

    private static func converted(
        _ file: [UInt8], from encoding: String, limits: ReadingLimits
    ) throws(DocumentError) -> (bytes: [UInt8], map: OffsetMap)? {
        let converter = iconv_open("UTF-8", encoding)
        guard converter != iconv_t(bitPattern: -1) else {
            // A name that nobody knows says nothing.
            return try decode(
                file, from: String(validating: file, as: UTF8.self) == nil ? "windows-1252" : "utf-8", limits: limits)
        }
        defer { iconv_close(converter) }
        var (bytes, map) = ([UInt8](), OffsetMap())
        bytes.reserveCapacity(file.count * 2)
        var input = file
        var output = [UInt8](repeating: 0, count: piece * 8)
        var start = 0
        while start < input.count {
            if limits.isInterrupted() { throw interruption }
            let end = min(input.count, start + piece)
            let (used, made, failure) = convert(&input, start..<end, converter, &output)
            for part in output[..<made].split(separator: 0, omittingEmptySubsequences: false).enumerated() {
                if part.offset > 0 { bytes += replacement }
                bytes += part.element
            }
            map.replaced(output: bytes.count - map.outputEnd, input: used)
            start += used
            let isStuck = used == 0 && failure == EINVAL && end == input.count
            if failure == EILSEQ || isStuck {
                bytes += replacement
                map.replaced(output: 3, input: 1)
                start += 1
            } else if used == 0 {
                guard failure == EINVAL, end < input.count else { break }
                // A piece is longer than any character, so this is a shift sequence without text.
                start = end
                map.replaced(output: 0, input: piece)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DocumentError(.encoding, "the text is not in \(encoding) as it says; convert it to UTF-8")
        }
        _ = text
        return (bytes, map)
    }

    private static func convert(
        _ input: inout [UInt8], _ range: Range<Int>, _ converter: iconv_t?, _ output: inout [UInt8]
    ) -> (used: Int, made: Int, failure: CInt) {
        input.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { output in
                var source = input.baseAddress?.advanced(by: range.lowerBound).assumingMemoryBound(to: CChar.self)
                var target = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                var (left, room) = (range.count, output.count)
                let result = iconv(converter, &source, &left, &target, &room)
                return (range.count - left, output.count - room, result == Int(bitPattern: UInt.max) ? errno : 0)
            }
        }
    }

    private static let interruption = DocumentError(.interrupted, "the reading of the document was interrupted")
}
