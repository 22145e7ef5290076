// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The metadata of a model in the ONNX format: pairs of strings beside the graph.
///
/// A model is one protocol buffer message, whose fields may stand in any order. Metadata may therefore be appended to a
/// file that is complete already.
public enum ONNXMetadata {
    public enum Failure: Error, Sendable, Hashable {
        /// A call on the file failed with this `errno`.
        case unreadable(Int32)
        /// The bytes are no message: the file is of another format, or cut off.
        case malformed
        /// There are more pairs or longer ones than any model has.
        case excessive
    }

    /// The number of `metadata_props` in a `ModelProto`.
    private static let field: UInt64 = 14
    private static let lengthDelimited: UInt64 = 2
    static let mostPairs = 1024
    static let longestPair = 1 << 20

    /// Returns the bytes that add pairs to a model when they are appended to its file.
    public static func encoded(_ pairs: [(key: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for pair in pairs {
            var entry: [UInt8] = []
            append(field: 1, Array(pair.key.utf8), to: &entry)
            append(field: 2, Array(pair.value.utf8), to: &entry)
            append(field: field, entry, to: &bytes)
        }
        return bytes
    }

    /// Returns the pairs in a model's file; of two with one key, the last counts.
    ///
    /// The graph is skipped, so this is quick for a model of any size. It also shows whether the file is complete.
    public static func read(_ path: String) throws(Failure) -> [String: String] {
        // A pipe in its place would hold the opening for as long as nobody writes.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .malformed }
        var file = FileBytes(descriptor, size: Int64(status.st_size))
        guard file.size > 0 else { throw .malformed }
        var found: [String: String] = [:]
        while file.offset < file.size {
            let tag = try varint(&file)
            switch tag & 7 {
            case 0: _ = try varint(&file)
            case 1: try file.skip(8)
            case 5: try file.skip(4)
            case lengthDelimited:
                let length = try varint(&file)
                guard length <= UInt64(file.size - file.offset) else { throw .malformed }
                guard tag >> 3 == field else {
                    try file.skip(Int64(length))
                    continue
                }
                guard length <= UInt64(longestPair), found.count < mostPairs else { throw .excessive }
                let (key, value) = try pair(try file.take(Int(length)))
                found[key] = value
            default: throw .malformed
            }
        }
        return found
    }

    private static func pair(_ bytes: [UInt8]) throws(Failure) -> (String, String) {
        var source = MemoryBytes(bytes)
        var (key, value) = ("", "")
        while source.offset < bytes.count {
            let tag = try varint(&source)
            guard tag & 7 == lengthDelimited else { throw .malformed }
            let length = try varint(&source)
            guard length <= UInt64(bytes.count - source.offset) else { throw .malformed }
            let text = String(decoding: bytes[source.offset..<source.offset + Int(length)], as: UTF8.self)
            source.offset += Int(length)
            if tag >> 3 == 1 { key = text }
            if tag >> 3 == 2 { value = text }
        }
        return (key, value)
    }

    private static func varint(_ source: inout some ModelFile) throws(Failure) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try source.next()
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        throw .malformed
    }

    private static func append(field: UInt64, _ content: [UInt8], to bytes: inout [UInt8]) {
        append(varint: field << 3 | lengthDelimited, to: &bytes)
        append(varint: UInt64(content.count), to: &bytes)
        bytes += content
    }

    private static func append(varint value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
