// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The hints that the attributes of an element give about it.
enum ElementHints {
    /// The words of a class or an identifier, in lower case: `pageHeader big-box` has page, header, big and box.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var wasLower = false
        for byte in text.utf8.prefix(512) {
            let isUpper = (0x41...0x5A).contains(byte)
            let isLetter = isUpper || (0x61...0x7A).contains(byte) || byte >= 0x80
            if !word.isEmpty, !isLetter || (isUpper && wasLower) {
                words.append(String(decoding: word, as: UTF8.self))
                word = []
            }
            if isLetter { word.append(isUpper ? byte | 0x20 : byte) }
            wasLower = isLetter && !isUpper
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// Returns `true` if an element says that it is not shown.
    static func isHidden(_ tree: MarkupTree, _ index: Int) -> Bool {
        for attribute in tree.attributes[tree.nodes[index].attributes] {
            switch attribute.name {
            case "hidden": if attribute.value.lowercased() != "until-found" { return true }
            case "aria-hidden": if attribute.value.lowercased() == "true" { return true }
            case "style":
                let style = attribute.value.lowercased().filter { !$0.isWhitespace }
                if style.contains("display:none") || style.contains("visibility:hidden") { return true }
            default: break
            }
        }
        return false
    }

    /// The values of `epub:type` and `role`, without the prefix of the latter.
    static func types(_ tree: MarkupTree, _ index: Int) -> [Substring] {
        var types: [Substring] = []
        for attribute in tree.attributes[tree.nodes[index].attributes] {
            guard attribute.name == "epub:type" || attribute.name == "role" else { continue }
            types += attribute.value.lowercased().split(whereSeparator: \.isWhitespace)
                .map { $0.hasPrefix("doc-") ? $0.dropFirst(4) : $0 }
        }
        return types
    }

    static func matter(_ types: [Substring]) -> TextBlock.Matter? {
        for type in types {
            switch type {
            case "cover", "titlepage", "halftitlepage", "copyright-page", "toc", "toc-brief", "landmarks", "loi", "lot",
                "loa",
                "lov", "imprint", "imprimatur", "seriespage", "other-credits", "dedication", "page-list", "halftitle",
                "title-page":
                return .front
            case "index", "colophon", "endnotes", "rearnotes", "bibliography", "footnotes": return .back
            case "bodymatter": return .body
            default: continue
            }
        }
        return nil
    }

    /// A language tag that can be one, or `nil`.
    static func language(_ value: String?) -> String? {
        guard let value else { return nil }
        let tag = value.filter { !$0.isWhitespace }.replacing("_", with: "-")
        let first = tag.prefix { $0 != "-" }
        guard (2...8).contains(first.utf8.count), tag.utf8.count <= 64,
            tag.utf8.allSatisfy({
                $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }),
            first.allSatisfy(\.isLetter), first.lowercased() != "und", first.lowercased() != "zxx"
        else { return nil }
        return tag
    }

    static func language(of tree: MarkupTree, _ index: Int) -> String? {
        language(tree.attribute("xml:lang", of: index) ?? tree.attribute("lang", of: index))
    }

    /// A picture's description that says something, or `nil`.
    static func description(_ text: String?) -> String? {
        guard let line = OneLine.some(text), line.utf8.count >= 4, line.utf8.count <= 2000 else { return nil }
        let lower = line.lowercased()
        let isName =
            [".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp"].contains { lower.hasSuffix($0) } && !line.contains(" ")
        let words = words(lower).filter { !empty.contains($0) }
        guard !isName, !words.isEmpty, !lower.hasPrefix("http") else { return nil }
        return line
    }

    private static let empty: Set<String> = [
        "image", "images", "img", "photo", "photograph", "picture", "pic", "icon", "logo", "cover", "spacer", "figure",
        "fig",
        "illustration", "the", "a", "an", "of", "page", "thumbnail", "avatar", "banner", "graphic", "alt", "text",
        "untitled",
        "placeholder", "null", "undefined", "none", "decorative", "title", "titlepage", "front", "back", "book",
        "ornament", "separator", "divider", "video", "play",
    ]
}
