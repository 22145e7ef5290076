// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// Tells what of a book a listener skips.
enum BookMatter {
    /// Returns the matter of a file by the book's guide and landmarks, or by its name.
    static func matter(of path: String, package: PackageDocument, landmarks: [String: String]) -> TextBlock.Matter {
        let declared = landmarks[path] ?? package.guide[path]
        switch declared {
        case "cover", "title-page", "titlepage", "copyright-page", "copyright", "toc", "dedication", "loi", "lot",
            "halftitlepage",
            "other.cover", "landmarks":
            return .front
        case "index", "colophon", "bibliography", "notes", "rearnotes", "endnotes": return .back
        case "text", "start", "bodymatter": return .body
        default: return name(path)
        }
    }

    private static func name(_ path: String) -> TextBlock.Matter {
        let file = path.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? ""
        let words = ElementHints.words(file)
        let joined = words.joined()
        if front.contains(joined) || words.count <= 3 && words.contains(where: { front.contains($0) }) { return .front }
        return back.contains(joined) ? .back : .body
    }

    private static let front: Set<String> = [
        "cover", "titlepage", "title", "copyright", "copyrightpage", "toc", "contents", "tableofcontents", "dedication",
        "imprint",
        "halftitle", "halftitlepage", "nav", "navigation", "tp", "cop", "ded", "frontcover", "legal",
    ]
    private static let back: Set<String> = [
        "index", "colophon", "backcover", "license", "licence", "pglicense", "adverts", "advertisement", "alsoby",
        "uncopyright",
    ]

    private static let lineLimit = 600
    private static let ending = Array("UTENBERG".utf8)

    /// Returns `true` if a line names Project Gutenberg, in capitals or not.
    private static func hasName(_ line: ArraySlice<UInt8>) -> Bool {
        var rest = line
        while let place = rest.firstIndex(of: UInt8(ascii: "G")) {
            rest = rest[(place + 1)...]
            if rest.prefix(ending.count).lazy.map({ $0 & 0xDF }).elementsEqual(ending) { return true }
        }
        return false
    }

    /// Project Gutenberg puts its licence around a book, and says where.
    static func markGutenberg(_ blocks: inout [TextBlock], text: [UInt8]) {
        let reach = 400
        func says(_ index: Int, _ words: [String]) -> Bool {
            let line = text[blocks[index].range.prefix(lineLimit)]
            guard hasName(line) else { return false }
            let words = words.map { Array($0.utf8) }
            let upper = line.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
            return words.contains { word in upper.indices.contains { upper[$0...].starts(with: word) } }
        }
        let starts = [
            "START OF THE PROJECT GUTENBERG EBOOK", "START OF THIS PROJECT GUTENBERG EBOOK",
            "START OF THE PROJECT GUTENBERG",
        ]
        let ends = [
            "END OF THE PROJECT GUTENBERG EBOOK", "END OF THIS PROJECT GUTENBERG EBOOK", "END OF THE PROJECT GUTENBERG",
            "END OF PROJECT GUTENBERG",
        ]
        if let start = blocks.indices.prefix(reach).last(where: { says($0, starts) }) {
            for index in 0...start { blocks[index].matter = .front }
        }
        if let end = blocks.indices.first(where: { blocks[$0].range.count < lineLimit && says($0, ends) }) {
            for index in end..<blocks.count { blocks[index].matter = .back }
        }
    }
}
