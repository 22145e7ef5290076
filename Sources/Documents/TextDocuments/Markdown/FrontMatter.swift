// SPDX-License-Identifier: Apache-2.0

/// The metadata in front of a Markdown text: YAML between two lines `---`.
struct FrontMatter {
    var title: String?
    var author: String?
    var language: String?
    /// The offset behind it; where the text begins.
    var end: Int

    /// It is no longer than this, in bytes.
    private static let longest = 64 << 10

    init(_ bytes: [UInt8], from start: Int) {
        end = start
        var lines = TextLines(bytes, in: start..<min(bytes.count, start + Self.longest))
        guard let first = lines.next(), first.indent == 0, bytes[first.range].elementsEqual("---".utf8) else { return }
        var fields: [String: String] = [:]
        var key: String?
        var isFirst = true
        while let line = lines.next() {
            let content = bytes[line.range]
            if line.indent == 0, content.elementsEqual("---".utf8) || content.elementsEqual("...".utf8) {
                guard !isFirst else { return }
                take(fields)
                end = Int(line.next)
                return
            }
            guard !line.isBlank, line.width <= 4000 else {
                // A line `---` and a blank one is a break between scenes.
                if isFirst { return }
                continue
            }
            let text = String(decoding: content, as: UTF8.self)
            if isFirst, !text.contains(":"), !text.hasPrefix("#") { return }
            isFirst = false
            if line.indent == 0, !text.hasPrefix("-"), let colon = text.firstIndex(of: ":") {
                key = text[..<colon].lowercased()
                let value = Self.scalar(text[text.index(after: colon)...])
                if let key, !value.isEmpty, fields[key] == nil { fields[key] = value }
            } else if let key, text.hasPrefix("- ") {
                let item = Self.scalar(text.dropFirst(2))
                let name = item.hasPrefix("name:") ? Self.scalar(item.dropFirst(5)) : item
                if !name.isEmpty { fields[key] = fields[key].map { $0 + ", " + name } ?? name }
            }
        }
    }

    private mutating func take(_ fields: [String: String]) {
        title = fields["title"]
        author = fields["author"] ?? fields["authors"]
        language = (fields["lang"] ?? fields["language"]).flatMap { Self.isTag($0) ? $0 : nil }
    }

    /// Returns a value without its quotes, comment and brackets.
    private static func scalar(_ text: Substring) -> String {
        var value = text.trimming(\.isWhitespace)
        if let quote = value.first, quote == "\"" || quote == "'" {
            value = value.dropFirst()
            return String(value.prefix { $0 != quote })
        }
        if value.first == "[" {
            let items = value.dropFirst().prefix { $0 != "]" }.split(separator: ",")
            return items.map { $0.trimming { $0.isWhitespace || $0 == "\"" || $0 == "'" } }.joined(separator: ", ")
        }
        if value.first == "|" || value.first == ">" || value.first == "{" || value.first == "#" { return "" }
        if let comment = value.firstRange(of: " #") { value = value[..<comment.lowerBound] }
        return String(value.trimming(\.isWhitespace))
    }

    private static func isTag(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                    || $0 == 0x5F
            }
    }
}

extension StringProtocol {
    /// The part without such characters at the ends.
    func trimming(_ isDropped: (Character) -> Bool) -> SubSequence {
        guard let first = firstIndex(where: { !isDropped($0) }), let last = lastIndex(where: { !isDropped($0) }) else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}
