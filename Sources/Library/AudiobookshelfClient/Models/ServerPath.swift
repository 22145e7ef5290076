// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The parts of the addresses that a server is asked under.
public enum ServerPath {
    /// Returns `true` if a text can be one part of a path as it is, and names nothing else.
    public static func isPart(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= AnswerLimits.id && text != "." && text != ".."
            && text.utf8.allSatisfy { isUnreserved($0) }
    }

    /// Returns a text with all but letters, digits and `-._~` percent-encoded.
    public static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += byte < 16 ? "%0" : "%"
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// Returns the value of a filter as the server wants it, before percent-encoding.
    static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
