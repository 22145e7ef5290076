// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Encoding of a value as one line of JSON; keys are sorted, so that equal values have equal bytes.
public enum JSONLine {
    public static let newline = UInt8(ascii: "\n")

    /// Returns the bytes of a value, followed by a newline.
    public static func encode(_ value: some Encodable) throws(SessionError) -> [UInt8] {
        try text(value) + [newline]
    }

    /// Returns the bytes of a value.
    public static func text(_ value: some Encodable) throws(SessionError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            // Only a number that JSON cannot express (NaN, infinity) fails. It is our own, since foreign JSON has none.
            throw SessionError(.defect, "cannot write JSON: \(type(of: value)); report this")
        }
    }
}
