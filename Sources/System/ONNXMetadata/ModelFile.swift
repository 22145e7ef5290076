// SPDX-License-Identifier: Apache-2.0

import Glibc

protocol ModelFile {
    mutating func next() throws(ONNXMetadata.Failure) -> UInt8
}

struct MemoryBytes: ModelFile {
    private let bytes: [UInt8]
    var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(ONNXMetadata.Failure) -> UInt8 {
        guard offset < bytes.count else { throw .malformed }
        defer { offset += 1 }
        return bytes[offset]
    }
}

/// The bytes of an open file, a piece at a time.
struct FileBytes: ModelFile {
    private static let pieceLength = 4096

    let size: Int64
    private(set) var offset: Int64 = 0
    private let descriptor: Int32
    private var piece: [UInt8] = []
    private var pieceStart: Int64 = 0

    init(_ descriptor: Int32, size: Int64) {
        self.descriptor = descriptor
        self.size = size
    }

    mutating func next() throws(ONNXMetadata.Failure) -> UInt8 {
        if !(pieceStart..<pieceStart + Int64(piece.count)).contains(offset) {
            piece = try read(Self.pieceLength)
            pieceStart = offset
        }
        guard let byte = piece.dropFirst(Int(offset - pieceStart)).first else { throw .malformed }
        offset += 1
        return byte
    }

    mutating func take(_ count: Int) throws(ONNXMetadata.Failure) -> [UInt8] {
        let bytes = try read(count)
        guard bytes.count == count else { throw .malformed }
        offset += Int64(count)
        return bytes
    }

    mutating func skip(_ count: Int64) throws(ONNXMetadata.Failure) {
        guard count <= size - offset else { throw .malformed }
        offset += count
    }

    private func read(_ count: Int) throws(ONNXMetadata.Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
            }
            if got == 0 { break }
            if got > 0 {
                filled += got
            } else if errno != EINTR {
                throw .unreadable(errno)
            }
        }
        return Array(bytes.prefix(filled))
    }
}
