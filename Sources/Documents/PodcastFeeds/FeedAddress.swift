// SPDX-License-Identifier: Apache-2.0

/// An address in a feed.
public enum FeedAddress {
    /// Returns an http or https address as it can be asked for; `nil` for anything else.
    ///
    /// A `feed:` or `itpc:` in front, which some sites hand out, is read as what it stands for. Bytes that an address cannot
    /// have are encoded.
    public static func web(_ text: String) -> String? {
        var text = text.split { $0.isNewline || $0 == "\t" }.joined(separator: "")[...]
        text = text.drop { $0 == " " }
        while text.last == " " { text = text.dropLast() }
        let start = text.prefix(12).lowercased()
        for prefix in ["feed:", "itpc:", "pcast:", "podcast:"] where start.hasPrefix(prefix) {
            text = text.dropFirst(prefix.count)
            if text.hasPrefix("//") { text = "https:" + text }
            break
        }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix("://") else { return nil }
        let rest = text.dropFirst(scheme.count + 3)
        guard let first = rest.first, !"/?#:@".contains(first) else { return nil }
        var bytes = Array("\(scheme)://".utf8)
        for byte in rest.utf8 {
            if byte == UInt8(ascii: "#") { break }
            if byte > 0x20, byte < 0x7F, !"\"<>\\^`{|}".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            }
        }
        return bytes.count <= FeedLimits.url ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
