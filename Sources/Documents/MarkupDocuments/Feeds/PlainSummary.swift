// SPDX-License-Identifier: Apache-2.0

internal import CLibXML2
internal import PodcastFeeds

/// The plain text of a description, which is HTML more often than not.
enum PlainSummary {
    private static let blocks: Set<String> = [
        "p", "br", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "tr", "table", "blockquote", "hr",
    ]

    static func text(_ bytes: [UInt8]) -> String? {
        let bytes = Array(bytes.prefix(FeedLimits.summary * 16))
        let isHTML = bytes.contains(UInt8(ascii: "<"))
        var lines: [String] = []
        var line = ""
        func close() {
            // Runs of white space are one space, and empty lines are none.
            if let text = line.line(to: FeedLimits.summary) { lines.append(text) }
            line = ""
        }
        var hidden: String?
        for token in isHTML ? Array(MarkupScanner(bytes, isXML: false)) : [] {
            switch token.kind {
            case .text, .cdata: if hidden == nil { line += references(bytes[token.range]) }
            case .start(let name, _, let isClosed):
                let name = String(decoding: bytes[name], as: UTF8.self).lowercased()
                if name == "script" || name == "style", !isClosed { hidden = name }
                if blocks.contains(name) { close() }
            case .end(let name):
                let name = String(decoding: bytes[name], as: UTF8.self).lowercased()
                if name == hidden { hidden = nil }
                if blocks.contains(name) { close() }
            case .comment, .doctype, .instruction: break
            }
        }
        if !isHTML {
            for part in references(bytes[...]).split(whereSeparator: \.isNewline) {
                line = String(part)
                close()
            }
        }
        close()
        let text = lines.joined(separator: "\n").cut(to: FeedLimits.summary)
        return text.isEmpty ? nil : text
    }

    /// Replaces the references to characters in a text.
    static func references(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        var (result, rest) = ("", text.unicodeScalars[...])
        while let start = rest.firstIndex(of: "&") {
            result.unicodeScalars += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix(32).prefix { $0 != ";" && $0 != "&" && $0 != " " }
            let behind = rest[name.endIndex...]
            guard behind.first == ";", let found = scalar(String(name)) else {
                result += "&"
                rest = rest.dropFirst()
                continue
            }
            result.unicodeScalars.append(found)
            rest = behind.dropFirst()
        }
        result.unicodeScalars += rest
        return result
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        let code: UInt32?
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
            code = UInt32(name.dropFirst(2), radix: 16)
        } else if name.hasPrefix("#") {
            code = UInt32(name.dropFirst())
        } else {
            let found = name == "apos" ? 0x27 : cxml_named_character(name)
            code = found == 0 ? nil : found
        }
        guard let code, code != 0 else { return nil }
        return Unicode.Scalar(code)
    }
}
