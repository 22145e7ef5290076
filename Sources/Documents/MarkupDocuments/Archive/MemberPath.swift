// SPDX-License-Identifier: Apache-2.0

/// Paths within a container.
///
/// No path leads out of it.
enum MemberPath {
    /// A path in one form, or `nil` if it leads out of the container.
    static func normal(_ path: String) -> String? {
        guard !path.hasPrefix("/"), !path.contains("\\"), !path.utf8.contains(0) else { return nil }
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": if parts.popLast() == nil { return nil }
            default: parts.append(part)
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    /// The path to which a reference in a file leads, or `nil` if it leads out of the container.
    static func resolve(_ reference: String, from file: String) -> String? {
        let reference = String(reference.prefix { $0 != "#" && $0 != "?" })
        guard !reference.contains("://"), !reference.hasPrefix("data:") else { return nil }
        let decoded = decoded(reference)
        if decoded.isEmpty { return file }
        if decoded.hasPrefix("/") { return normal(String(decoded.drop { $0 == "/" })) }
        let folder = file.split(separator: "/").dropLast().joined(separator: "/")
        return normal(folder.isEmpty ? decoded : "\(folder)/\(decoded)")
    }

    static func fragment(_ reference: String) -> String? {
        guard let hash = reference.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let text = decoded(String(reference[hash...].dropFirst()))
        return text.isEmpty ? nil : text
    }

    /// A text without its percent escapes.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
