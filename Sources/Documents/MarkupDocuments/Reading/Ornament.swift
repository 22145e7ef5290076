// SPDX-License-Identifier: Apache-2.0

/// A line of asterisks or the like that stands for a break between scenes.
enum Ornament {
    static func isAll(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 64 else { return false }
        var count = 0
        var isStrong = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case " ", "\n": continue
            case "*", "⁂", "❦", "❧", "☙", "•", "✻", "✽", "◆", "◇", "■", "□", "★", "☆", "※":
                isStrong = true
                count += 1
            case "·", "~", "-", "–", "—", "_", "=", "#", "⸺", "⸻": count += 1
            default: return false
            }
        }
        return isStrong && count <= 24 || (3...40).contains(count)
    }
}
