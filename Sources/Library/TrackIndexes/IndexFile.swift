// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The format of one index on disk.
///
/// It consists of eight bytes that identify the format, the checksum of all that follows, the length of the index, the
/// key that it belongs to, and the index.
enum IndexFile {
    /// The bytes that identify the format.
    ///
    /// The last one is the version.
    private static let magic = Array("RostrIx".utf8) + [1]
    /// The size of the key in bytes.
    ///
    /// A shorter key is filled up with zeros.
    private static let keySize = 96
    static let headerSize = 8 + 8 + 8 + keySize
    private static let largest = 64 << 20

    static func bytes(of index: [UInt8], key: String) -> [UInt8] {
        let name = Array(key.utf8.prefix(keySize))
        let rest = little(UInt64(index.count)) + name + Array(repeating: 0, count: keySize - name.count) + index
        return magic + little(Checksum(rest).value) + rest
    }

    /// Returns `true` if a file is intact and belongs to `key`.
    ///
    /// Reads the whole file.
    static func isSound(_ descriptor: Int32, key: String) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (headerSize...largest).contains(Int(status.st_size)),
            let bytes = read(descriptor, count: Int(status.st_size))
        else { return false }
        guard bytes.starts(with: magic), number(bytes[8..<16]) == Checksum(bytes[16...]).value,
            number(bytes[16..<24]) == UInt64(bytes.count - headerSize)
        else { return false }
        return bytes[24..<headerSize].prefix { $0 != 0 }.elementsEqual(key.utf8.prefix(keySize))
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Reads `count` bytes from an offset on, or returns `nil` if there are fewer.
    static func read(_ descriptor: Int32, at place: Int64 = 0, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let result = bytes[filled...].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(place) + off_t(filled))
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return nil }
            filled += result
        }
        return bytes
    }

    private static func little(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// A checksum: FNV-1a over words of eight bytes, which detects accidents, not attacks.
struct Checksum {
    private(set) var value: UInt64

    init(_ bytes: some Collection<UInt8>, from start: UInt64 = 0xCBF2_9CE4_8422_2325) {
        value = start
        add(bytes)
    }

    mutating func add(_ bytes: some Collection<UInt8>) {
        let found: Void? = bytes.withContiguousStorageIfAvailable { add($0) }
        if found == nil { Array(bytes).withUnsafeBufferPointer { add($0) } }
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        let raw = UnsafeRawBufferPointer(bytes)
        var place = 0
        while place + 8 <= raw.count {
            mix(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += 8
        }
        while place < raw.count {
            mix(UInt64(raw[place]))
            place += 1
        }
        mix(UInt64(raw.count))
    }

    private mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0x100_0000_01B3
        // Multiplication alone never carries the high bits of a word to the low ones.
        value ^= value >> 32
    }
}
