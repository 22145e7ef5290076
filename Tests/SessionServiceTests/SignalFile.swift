// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation

/// A WAV file in which each sample says its own number, at 1,000 samples of 32 bits a second.
struct SignalFile {
    static let rate = 1_000
    private static let headerBytes = 44

    /// The number of the first sample, and the number of samples.
    var first: Int64
    var count: Int64

    /// Reads a file.
    ///
    /// - Returns: `nil` if it is no whole file of samples that follow each other.
    init?(_ path: String) {
        guard let data = FileManager.default.contents(atPath: path), data.count >= Self.headerBytes,
            data.prefix(4) == Data("RIFF".utf8)
        else { return nil }
        func word(_ offset: Int) -> Int64 {
            (0..<4).reduce(0) { $0 | Int64(data[data.startIndex + offset + $1]) << (8 * $1) }
        }
        let bytes = word(40)
        guard data.count == Self.headerBytes + Int(bytes), bytes >= 4 else { return nil }
        first = word(Self.headerBytes)
        count = bytes / 4
        guard word(data.count - 4) == first + count - 1 else { return nil }
    }

    /// Returns the bytes of a file with these samples.
    static func bytes(from first: Int64, count: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerBytes + Int(count) * 4)
        func add(_ number: Int64, _ size: Int) {
            for shift in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        }
        bytes += Array("RIFF".utf8)
        add(36 + count * 4, 4)
        bytes += Array("WAVEfmt ".utf8)
        for (number, size) in [(16, 4), (1, 2), (1, 2), (rate, 4), (rate * 4, 4), (4, 2), (32, 2)] {
            add(Int64(number), size)
        }
        bytes += Array("data".utf8)
        add(count * 4, 4)
        for number in first..<first + count { add(number, 4) }
        return bytes
    }

    /// Returns the number of samples of a file, from its header alone; `nil` if it is none.
    static func length(of path: String) -> Int64? {
        guard let handle = FileHandle(forReadingAtPath: path), let head = try? handle.read(upToCount: headerBytes),
            head.count == headerBytes, head.prefix(4) == Data("RIFF".utf8)
        else { return nil }
        return head.suffix(4).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) } / 4
    }
}

/// Two recordings of 40 minutes, which all rooms share.
enum SignalBooks {
    static let length: Int64 = 2_400_000
    private static let folder = try? TemporaryFolder()

    static let paths: [String] = (0..<2).compactMap { number in
        try? folder?.write("book \(number).wav", Data(SignalFile.bytes(from: 0, count: length)))
    }

    static func uri(_ path: String) -> String { "file://" + path.split(separator: " ").joined(separator: "%20") }
}
