// SPDX-License-Identifier: Apache-2.0

/// A name of a file or folder that every file system takes, made of a text that a server sent.
///
/// It leads nowhere else, is not hidden, shows what it says, and fits into the limits of the disk.
public struct SafeName: Sendable, Hashable {
    /// The greatest length in bytes: the limit is 255, and there is room for what stands behind a draft or a second one.
    public static let longest = 200

    public let text: String

    /// Makes a name of a text.
    ///
    /// - Parameters:
    ///   - fallback: The name if nothing of the text is left.
    ///   - ending: The extension of a file with its dot, which is kept when the text is cut.
    public init(_ given: String, fallback: String, ending: String = "") {
        let ending = Self.cleaned(ending).filter { $0 != " " }
        let end = ending.hasPrefix(".") && (2...12).contains(ending.utf8.count) ? ending : ""
        var stem = Self.trimmed(Self.cleaned(given))
        if stem.isEmpty { stem = Self.trimmed(Self.cleaned(fallback)) }
        if stem.isEmpty { stem = "unnamed" }
        if Self.isReserved(stem) { stem = "_" + stem }
        stem = Self.trimmed(Self.cut(stem, Self.longest - end.utf8.count))
        text = stem + end
    }

    /// Returns the first of `text`, `text (2)`, `text (3)` and so on that is free.
    ///
    /// Names that differ in case only are one, as they are on some file systems.
    public func free(among taken: Set<String>) -> String {
        let known = Set(taken.map { $0.lowercased() })
        guard known.contains(text.lowercased()) else { return text }
        var number = 2
        while known.contains("\(text) (\(number))".lowercased()) { number += 1 }
        return "\(text) (\(number))"
    }

    /// Returns the name of a file of several: its number, with as many digits as the last one has, and its own name.
    public static func numbered(_ index: Int, of count: Int, _ name: String) -> String {
        let (stem, ending) = split(name)
        guard count > 1 else { return SafeName(stem, fallback: "sound", ending: ending).text }
        let digits = max(2, String(count).utf8.count)
        let number = String(index + 1)
        let padded = String(repeating: "0", count: max(0, digits - number.utf8.count)) + number
        // One that is numbered already is not numbered twice.
        let own = stem.drop { $0.isASCII && $0.isNumber }
        let isNumbered = own.startIndex != stem.startIndex && Int(stem[..<own.startIndex]) == index + 1
        let rest = isNumbered ? String(own.drop { " -_.".contains($0) }) : stem
        return SafeName(rest.isEmpty ? padded : "\(padded) \(rest)", fallback: padded, ending: ending).text
    }

    /// Returns the last part of a path, without and with its extension.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return (last, "") }
        let ending = last[dot...]
        guard (2...9).contains(ending.utf8.count), ending.dropFirst().allSatisfy({ $0.isASCII && !$0.isWhitespace })
        else { return (last, "") }
        return (String(last[..<dot]), String(ending))
    }

    /// Replaces what a path or another system reads as something else, and drops what cannot be seen.
    private static func cleaned(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0: result.unicodeScalars.append(" ")
            // Marks of direction and of no width, with which a name looks like another one; joiners are part of words.
            case 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFD, 0xE0000...0xE007F:
                continue
            case 0x22, 0x2A, 0x2F, 0x3A, 0x3C, 0x3E, 0x3F, 0x5C, 0x7C: result.unicodeScalars.append("-")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Drops dots and spaces at both ends: the first would hide the file, the last are lost on some systems.
    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while let first = rest.first, first == "." || first == " " { rest.removeFirst() }
        while let last = rest.last, last == "." || last == " " { rest.removeLast() }
        return String(rest)
    }

    /// Returns as many whole characters as fit.
    private static func cut(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var (result, size) = ("", 0)
        for character in text {
            let bytes = character.utf8.count
            guard size + bytes <= limit else { break }
            result.append(character)
            size += bytes
        }
        // One character of very many marks.
        return result.isEmpty ? "unnamed" : result
    }

    /// Returns `true` for the names of devices that one system sees in every folder, with any extension.
    private static func isReserved(_ stem: String) -> Bool {
        let name = (stem.split(separator: ".").first ?? "").lowercased().filter { $0 != " " }
        if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(name) { return true }
        guard name.hasPrefix("com") || name.hasPrefix("lpt") else { return false }
        return ["1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"].contains(String(name.dropFirst(3)))
    }
}
