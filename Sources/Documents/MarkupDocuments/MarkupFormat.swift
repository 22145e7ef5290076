// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// A format of markup that can be read.
public enum MarkupFormat: String, Sendable, Hashable, CaseIterable {
    case epub, html, xhtml, fb2, ssml, daisy
    /// An archive that may hold a book: only its inside tells.
    case zip

    /// The length of the beginning of a file by which `detect` tells the format, in bytes.
    public static let prefixSize = 4096

    static let zipMark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    /// Returns the format of a file by its beginning and its name, or `nil` if it is none of these.
    ///
    /// The content goes before the name where it is clear.
    public static func detect(_ prefix: [UInt8], name: String) -> MarkupFormat? {
        let prefix = Array(prefix.prefix(prefixSize))
        let suffix = suffix(name)
        if prefix.starts(with: zipMark) { return archive(prefix, suffix, name.lowercased()) }
        guard let head = text(prefix) else { return nil }
        if let element = outerElement(head) {
            switch element {
            case "fictionbook": return .fb2
            case "speak": return .ssml
            case "html", "head", "body":
                return head.contains("<?xml") || head.contains("http://www.w3.org/1999/xhtml") ? .xhtml : .html
            default: break
            }
        }
        if head.lowercased().contains("<!doctype html") { return .html }
        switch suffix {
        case "html", "htm": return .html
        case "xhtml", "xht": return .xhtml
        case "fb2": return .fb2
        case "ssml", "ssml2": return .ssml
        default: break
        }
        // Elements that nothing else begins with.
        let tags: Set<String> = [
            "p", "div", "h1", "h2", "title", "meta", "table", "article", "section", "main", "br", "center", "font",
        ]
        return outerElement(head).map { tags.contains($0) } == true && head.contains("</") ? .html : nil
    }

    /// Reads a file of this format.
    ///
    /// - Parameter charset: The encoding of a page by the transport, if it says one.
    public func read(
        _ bytes: [UInt8], charset: String? = nil, limits: ReadingLimits
    ) throws(DocumentError) -> ReadingDocument {
        switch self {
        case .epub: try EPUBReader.read(bytes, limits: limits)
        case .html, .xhtml: try HTMLReader.read(bytes, charset: charset, limits: limits)
        case .fb2: try FB2Reader.read(bytes, limits: limits)
        case .ssml: try SSMLReader.read(bytes, limits: limits)
        case .daisy: try DAISYReader.read(bytes, limits: limits)
        case .zip: try Self.inside(bytes, limits: limits).read(bytes, limits: limits)
        }
    }

    /// The kind of book that an archive holds.
    private static func inside(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> MarkupFormat {
        let names = try BookArchive(.bytes(bytes), limits: limits).names
        if names.contains("META-INF/container.xml") { return .epub }
        if names.contains(where: { DAISYReader.file($0).hasPrefix("ncc.htm") }) { return .daisy }
        if names.contains(where: { $0.lowercased().hasSuffix(".fb2") }) { return .fb2 }
        if names.contains(where: { $0.lowercased().hasSuffix(".opf") }) {
            return names.contains { $0.lowercased().hasSuffix(".xml") } ? .daisy : .epub
        }
        throw DocumentError(.format, "the archive holds no book; unpack it and read the file that you mean")
    }

    private static func suffix(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// A book's archive says at its beginning what it is.
    private static func archive(_ prefix: [UInt8], _ suffix: String, _ name: String) -> MarkupFormat? {
        let head = String(decoding: prefix.prefix(256), as: UTF8.self)
        if prefix.dropFirst(30).starts(with: "mimetype".utf8), head.contains("application/epub+zip") { return .epub }
        if suffix == "epub" { return .epub }
        if suffix == "fb2" || name.hasSuffix(".fb2.zip") || suffix == "fbz" { return .fb2 }
        // Other documents are archives as well.
        let known: Set<String> = ["docx", "odt", "xlsx", "pptx", "ods", "odp", "jar", "apk", "cbz", "m4b", "whl"]
        return known.contains(suffix) ? nil : .zip
    }

    private static func text(_ prefix: [UInt8]) -> String? {
        var bytes = prefix
        if prefix.starts(with: [0xFF, 0xFE]) || prefix.starts(with: [0xFE, 0xFF]) {
            bytes = prefix.filter { $0 != 0 }
        }
        return bytes.count { $0 == 0 } * 20 > bytes.count ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The first element of a text that begins with one, in lower case and without a prefix.
    private static func outerElement(_ head: String) -> String? {
        let bytes = Array(head.utf8)
        for token in MarkupScanner(bytes, isXML: true) {
            switch token.kind {
            case .text:
                // A mark of the byte order, or white space.
                let isBlank = bytes[token.range].allSatisfy { $0 <= 0x20 || [0xEF, 0xBB, 0xBF, 0xBD].contains($0) }
                if !isBlank { return nil }
            case .start(let name, _, _):
                let name = String(decoding: bytes[name].map(MarkupScanner.lower), as: UTF8.self)
                return name.split(separator: ":").last.map(String.init)
            case .comment where token.range.upperBound == bytes.count: return unfinished(bytes[token.range])
            case .end: return nil
            default: continue
            }
        }
        return nil
    }

    /// The name of an element whose tag goes on behind the prefix.
    private static func unfinished(_ bytes: ArraySlice<UInt8>) -> String? {
        guard !bytes.starts(with: "<!".utf8) else { return nil }
        let name = bytes.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        return name.isEmpty ? nil : String(decoding: name.map(MarkupScanner.lower), as: UTF8.self)
    }
}
