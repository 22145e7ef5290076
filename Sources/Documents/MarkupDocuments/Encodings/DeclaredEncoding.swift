// SPDX-License-Identifier: Apache-2.0

/// The encoding that a file of markup declares.
enum DeclaredEncoding {
    /// A declaration stands in the first bytes of a file.
    private static let reach = 4096

    /// Returns the name of the encoding: by a byte order mark, by the transport, by the file's own words.
    ///
    /// Without any it is UTF-8 if that is valid, and otherwise windows-1252.
    static func find(in file: [UInt8], charset: String?) -> String {
        if file.starts(with: [0xEF, 0xBB, 0xBF]) { return "utf-8" }
        if file.starts(with: [0xFF, 0xFE, 0, 0]) { return "utf-32le" }
        if file.starts(with: [0, 0, 0xFE, 0xFF]) { return "utf-32be" }
        if file.starts(with: [0xFF, 0xFE]) { return "utf-16le" }
        if file.starts(with: [0xFE, 0xFF]) { return "utf-16be" }
        if file.starts(with: [0x3C, 0, 0x3F, 0]) || file.starts(with: [0x3C, 0, 0x21, 0]) { return "utf-16le" }
        if file.starts(with: [0, 0x3C, 0, 0x3F]) || file.starts(with: [0, 0x3C, 0, 0x21]) { return "utf-16be" }
        if let charset = charset.map(normal), !charset.isEmpty { return charset }
        let head = String(decoding: file.prefix(reach), as: UTF8.self).lowercased()
        if let name = declared(head).map(normal), !name.isEmpty {
            // A declaration in one byte units is not in two byte units, whatever it says.
            return name.hasPrefix("utf-16") || name.hasPrefix("utf-32") || name == "ucs-2" ? "utf-8" : name
        }
        return String(validating: file, as: UTF8.self) == nil ? "windows-1252" : "utf-8"
    }

    private static func declared(_ head: String) -> String? {
        if head.drop(while: \.isWhitespace).hasPrefix("<?xml"), let end = head.range(of: "?>"),
            let name = value(behind: "encoding", in: head[..<end.lowerBound])
        {
            return name
        }
        var rest = head[...]
        while let meta = rest.range(of: "<meta") {
            rest = rest[meta.upperBound...]
            let tag = rest.prefix { $0 != ">" }
            if let name = value(behind: "charset", in: tag) { return name }
        }
        return nil
    }

    private static func value(behind key: String, in text: Substring) -> String? {
        guard let key = text.range(of: key) else { return nil }
        let rest = text[key.upperBound...].drop(while: \.isWhitespace)
        guard rest.first == "=" else { return nil }
        let value = rest.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
        let name = value.prefix { $0.isLetter || $0.isNumber || "-_:.+".contains($0) }
        return name.isEmpty ? nil : String(name)
    }

    /// The encoding that is meant by a name on the web.
    private static func normal(_ name: String) -> String {
        let name = name.lowercased().filter { $0.isASCII && !$0.isWhitespace && $0 != "\"" && $0 != "'" && $0 != "/" }
        switch name {
        case "utf8", "unicode-1-1-utf-8": return "utf-8"
        case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii", "cp1252", "x-cp1252", "iso_8859-1":
            return "windows-1252"
        case "iso-8859-9", "latin5": return "windows-1254"
        case "tis-620", "iso-8859-11": return "windows-874"
        case "gb2312", "gbk", "x-gbk", "gb_2312-80": return "gb18030"
        case "shift_jis", "shift-jis", "x-sjis", "sjis": return "cp932"
        case "ks_c_5601-1987", "euc-kr", "ksc5601", "ks_c_5601": return "cp949"
        case "big5", "x-x-big5": return "big5-hkscs"
        case "x-mac-roman", "x-macintosh": return "macintosh"
        default: return name
        }
    }
}

extension StringProtocol {
    /// The first place of a text within this one, byte for byte.
    func range(of needle: String) -> Range<Index>? {
        let needle = Array(needle.utf8)
        guard let first = needle.first else { return nil }
        var place = utf8.startIndex
        while let start = utf8[place...].firstIndex(of: first) {
            if utf8[start...].starts(with: needle) {
                return start..<utf8.index(start, offsetBy: needle.count)
            }
            place = utf8.index(after: start)
        }
        return nil
    }
}
