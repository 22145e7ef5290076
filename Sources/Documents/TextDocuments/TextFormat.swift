// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// A format of one file with text in it.
public enum TextFormat: String, Sendable, Hashable, CaseIterable {
    case plain, markdown, latex, srt, webVTT, pdf

    /// The length of the beginning of a file by which `detect` tells the format, in bytes.
    public static let prefixSize = 4096

    /// Returns the format of a file by its beginning and its name, or `nil` if it is no text.
    ///
    /// The content goes before the name where it is clear. A text of no other format is plain.
    public static func detect(_ prefix: [UInt8], name: String) -> TextFormat? {
        var prefix = prefix.prefix(prefixSize)
        if isPDF(prefix) { return .pdf }
        if isWide(prefix), let text = try? SourceText(Array(prefix.prefix(prefix.count & ~3)), limits: ReadingLimits())
        {
            prefix = text.bytes[...]
        }
        guard isText(prefix) else { return nil }
        let text = prefix.starts(with: ByteOrderMark.utf8) ? prefix.dropFirst(ByteOrderMark.utf8.count) : prefix
        if isWebVTT(text) { return .webVTT }
        if isSRT(text) { return .srt }
        switch fileExtension(name) {
        case "md", "markdown", "mdown", "mkd", "mkdn", "mdwn", "rmd", "qmd": return .markdown
        case "tex", "latex", "ltx": return .latex
        case "srt": return .srt
        case "vtt": return .webVTT
        default: return isLaTeX(text) ? .latex : .plain
        }
    }

    /// Reads a file of this format.
    public func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        switch self {
        case .plain: try PlainTextReader.read(bytes, limits: limits)
        case .markdown: try MarkdownReader.read(bytes, limits: limits)
        case .latex: try LaTeXReader.read(bytes, limits: limits)
        case .srt, .webVTT: try SubtitleReader.read(bytes, limits: limits)
        case .pdf: try PDFReader.read(bytes, limits: limits)
        }
    }

    private static func fileExtension(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// PDF allows other bytes before its mark.
    private static func isPDF(_ prefix: ArraySlice<UInt8>) -> Bool {
        let head = Array(prefix.prefix(1024 + 5))
        return head.indices.contains { head[$0...].starts(with: "%PDF-".utf8) }
    }

    private static func isWide(_ prefix: ArraySlice<UInt8>) -> Bool {
        let file = Array(prefix)
        if WideEncodings.marked(file) != nil { return true }
        return (try? WideEncodings.unmarked(file)) != nil
    }

    private static func isText(_ prefix: ArraySlice<UInt8>) -> Bool {
        let codes = prefix.count { $0 < 0x20 && !(0x08...0x0D).contains($0) && $0 != 0x1B }
        return codes * 20 <= prefix.count && !archives.contains { prefix.starts(with: $0) }
    }

    /// The beginnings of files that are no text but may have few codes in front.
    private static let archives: [[UInt8]] = [
        [0x50, 0x4B, 0x03, 0x04], [0x1F, 0x8B], [0x7F, 0x45, 0x4C, 0x46], [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF],
        Array("OggS".utf8), Array("fLaC".utf8), Array("RIFF".utf8), Array("GIF8".utf8),
        [0x49, 0x44, 0x33],
    ]

    private static func isWebVTT(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.starts(with: "WEBVTT".utf8) else { return false }
        let behind = text.dropFirst(6).first
        return behind == nil || behind.map { $0 <= 0x20 } == true
    }

    /// A number, and a line with two times below it.
    private static func isSRT(_ text: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(text)
        var lines = TextLines(bytes, in: 0..<bytes.count).lazy.filter { !$0.isBlank }.makeIterator()
        guard let number = lines.next(), number.width <= 6,
            bytes[number.range].allSatisfy({ (0x30...0x39).contains($0) }), let times = lines.next()
        else { return false }
        return CueTimes(bytes[times.range]) != nil
    }

    private static func isLaTeX(_ text: ArraySlice<UInt8>) -> Bool {
        let head = String(decoding: text, as: UTF8.self)
        return head.split(whereSeparator: \.isNewline).contains {
            let line = $0.drop(while: \.isWhitespace)
            return line.hasPrefix("\\documentclass") || line.hasPrefix("\\documentstyle")
                || line.hasPrefix("\\begin{document}")
        }
    }
}
