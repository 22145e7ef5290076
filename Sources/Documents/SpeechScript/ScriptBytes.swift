// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Numbers in the order of the file, little endian; small ones may be written in fewer bytes.
struct ScriptBytes {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func append<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// Appends a number from 0 in groups of seven bits, lowest first.
    mutating func appendShort(_ value: Int) {
        var rest = UInt64(max(0, value))
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// A reader of bytes that come from a file and may hold anything.
struct ScriptByteReader {
    let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var remaining: Int { bytes.count - place }

    mutating func next<T: FixedWidthInteger>(_: T.Type = T.self) throws(ScriptFileError) -> T {
        let size = MemoryLayout<T>.size
        guard remaining >= size else { throw .corrupt("a record ends early") }
        defer { place += size }
        return bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: T.self)) }
    }

    /// Reads a number of at most 32 bits that was written in groups of seven bits.
    mutating func nextShort() throws(ScriptFileError) -> Int {
        var value = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            let byte = try next(UInt8.self)
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw .corrupt("a number is too long")
    }

    mutating func nextString(_ count: Int) throws(ScriptFileError) -> String {
        guard count >= 0, count <= remaining else { throw .corrupt("a string ends early") }
        guard let string = String(validating: bytes[place..<place + count], as: UTF8.self) else {
            throw .corrupt("a string is not UTF-8")
        }
        place += count
        return string
    }
}

/// Whole reads and writes at a place of a file.
enum ScriptDescriptor {
    static func write(_ bytes: [UInt8], to descriptor: CInt, at place: Int) throws(ScriptFileError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, off_t(place + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write") }
            done += count
        }
    }

    /// Reads exactly `count` bytes.
    static func read(_ count: Int, from descriptor: CInt, at place: Int) throws(ScriptFileError) -> [UInt8] {
        var failed: ScriptFileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(place + filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    failed = got == 0 ? .corrupt("it ends early") : failure("read")
                    return
                }
                filled += got
            }
        }
        if let failed { throw failed }
        return bytes
    }

    static func size(of descriptor: CInt) throws(ScriptFileError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read") }
        return Int(status.st_size)
    }

    private static func failure(_ verb: String) -> ScriptFileError {
        let code = errno
        return ScriptFileError(.system(code), "cannot \(verb) the script file: \(String(cString: strerror(code)))")
    }
}
