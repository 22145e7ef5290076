// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One JSON text as a line; keys are sorted so that equal values give equal bytes.
public enum JSONLine {
    public static let newline = UInt8(ascii: "\n")

    /// The value's bytes with a newline.
    public static func encode(_ value: some Encodable) throws(SessionError) -> [UInt8] {
        try text(value) + [newline]
    }

    /// The value's bytes.
    public static func text(_ value: some Encodable) throws(SessionError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            // A number that JSON cannot say (NaN, infinity): ours, since foreign JSON has none.
            throw SessionError(.defect, "cannot write JSON: \(type(of: value)); report this")
        }
    }
}
