// SPDX-License-Identifier: Apache-2.0

/// White space, and characters that are neither seen nor spoken.
struct Space {
    enum Kind { case none, space, line }
    /// The bytes of the character; 0 if it is another.
    var width = 0
    var kind = Kind.none

    init(_ bytes: ArraySlice<UInt8>, at index: Int) {
        let byte = bytes[index]
        if byte > 0x20, byte < 0x7F { return }
        if byte <= 0x20 {
            width = 1
            kind = byte == 0x0A ? .line : byte == 0x20 || byte == 0x09 || byte == 0x0C || byte == 0x0D ? .space : .none
        } else if byte == 0x7F {
            width = 1
        } else if byte == 0xC2, index + 1 < bytes.endIndex {
            // No-break space, soft hyphen and control characters.
            let second = bytes[index + 1]
            if second == 0xA0 || second <= 0x9F || second == 0xAD { width = 2 }
            if second == 0xA0 || second == 0x85 { kind = .space }
        } else if byte == 0xE2, index + 2 < bytes.endIndex {
            let rest = (bytes[index + 1], bytes[index + 2])
            if rest.0 == 0x80, (0x80...0x8B).contains(rest.1) || rest.1 == 0xAF {
                width = 3
                kind = rest.1 == 0x8B ? .none : .space
            } else if rest.0 == 0x80, rest.1 == 0xA8 || rest.1 == 0xA9 {
                width = 3
                kind = .line
            } else if rest.0 == 0x81, rest.1 == 0xA0 {
                width = 3
            }
        } else if byte == 0xEF, index + 2 < bytes.endIndex, bytes[index + 1] == 0xBB, bytes[index + 2] == 0xBF {
            width = 3
        }
    }
}
