// SPDX-License-Identifier: Apache-2.0

/// The parts of a Project Gutenberg file: the book between a header and a licence.
struct GutenbergFrame {
    /// The book, or the whole text if it is no such file.
    var body: Range<Int>
    var title: String?
    var author: String?
    var language: String?

    /// The header and the licence are shorter than this.
    private static let reach = 64 << 10

    private static let languages = [
        "english": "en", "french": "fr", "german": "de", "spanish": "es", "italian": "it", "portuguese": "pt",
        "dutch": "nl", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "polish": "pl",
        "czech": "cs", "hungarian": "hu", "greek": "el", "latin": "la", "russian": "ru", "chinese": "zh",
        "japanese": "ja", "esperanto": "eo", "catalan": "ca", "tagalog": "tl", "welsh": "cy", "icelandic": "is",
        "afrikaans": "af", "hebrew": "he", "romanian": "ro",
    ]

    init(_ bytes: [UInt8], in range: Range<Int>) {
        body = range
        var fields: [String: String] = [:]
        var start: Int?
        for line in TextLines(bytes, in: range.lowerBound..<min(range.upperBound, range.lowerBound + Self.reach)) {
            guard line.width < 200 else { continue }
            let text = String(decoding: bytes[line.range], as: UTF8.self)
            if Self.isMark(text, "START") {
                start = Int(line.next)
                break
            }
            if let colon = text.firstIndex(of: ":"), ["Title", "Author", "Language"].contains(String(text[..<colon])) {
                let value = text[text.index(after: colon)...].drop(while: \.isWhitespace)
                if fields[String(text[..<colon])] == nil { fields[String(text[..<colon])] = String(value) }
            }
        }
        guard let start else { return }
        title = fields["Title"]
        author = fields["Author"]
        language = fields["Language"].flatMap { Self.languages[$0.lowercased()] }
        body = start..<range.upperBound
        for line in TextLines(bytes, in: max(start, range.upperBound - Self.reach)..<range.upperBound)
        where line.width < 200 {
            let text = String(decoding: bytes[line.range], as: UTF8.self)
            guard
                Self.isMark(text, "END") || text.hasPrefix("End of the Project Gutenberg")
                    || text.hasPrefix("End of Project Gutenberg")
            else { continue }
            body = start..<max(start, Int(line.start))
            break
        }
    }

    private static func isMark(_ text: String, _ word: String) -> Bool {
        guard text.hasPrefix("*") else { return false }
        let upper = text.uppercased()
        if word == "START", upper.hasPrefix("*END*THE SMALL PRINT") || upper.hasPrefix("*END THE SMALL PRINT") {
            return true
        }
        return upper.contains("\(word) OF") && upper.contains("PROJECT GUTENBERG")
    }
}
