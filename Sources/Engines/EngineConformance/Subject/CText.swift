// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A string from an engine, read without trust.
enum CText {
    case missing
    /// A string without a NUL within the limit, longer than anything that is shown to a person.
    case endless
    case bytes([UInt8])

    /// The maximum length in bytes; no title is longer.
    static let limit = 64 << 10

    static func read(_ pointer: UnsafePointer<CChar>?) -> CText {
        guard let pointer else { return .missing }
        let count = strnlen(pointer, limit + 1)
        guard count <= limit else { return .endless }
        return .bytes(
            pointer.withMemoryRebound(to: UInt8.self, capacity: count) {
                Array(UnsafeBufferPointer(start: $0, count: count))
            })
    }

    var text: String {
        guard case .bytes(let bytes) = self else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a description of what is wrong with the string, or `nil` if nothing is.
    func fault(isLine: Bool = false) -> String? {
        switch self {
        case .missing: return "that is NULL"
        case .endless: return "without an end within \(Self.limit) bytes"
        case .bytes(let bytes):
            if String(validating: bytes, as: UTF8.self) == nil { return "that is not UTF-8" }
            if isLine, bytes.contains(10) || bytes.contains(13) { return "of more than one line" }
            return nil
        }
    }
}
