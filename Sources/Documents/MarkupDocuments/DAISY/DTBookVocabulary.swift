// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The elements of DTBook, the text of DAISY 3.
struct DTBookVocabulary: MarkupVocabulary {
    func role(_ name: String) -> ElementRole {
        switch name {
        case "level", "level1", "level2", "level3", "level4", "level5", "level6": .section
        case "h1", "h2", "h3", "h4", "h5", "h6", "hd": .heading(0)
        case "doctitle", "docauthor", "p", "covertitle", "byline", "dateline", "author", "address", "dt", "bridgehead",
            "epigraph", "title":
            .block(.paragraph)
        case "blockquote": .block(.quote)
        case "book", "frontmatter", "bodymatter", "rearmatter", "div", "sidebar", "imggroup", "dl", "prodnote":
            .container
        case "list": .list
        case "li", "dd": .item
        case "poem", "linegroup": .verses
        case "line": .verseLine
        case "table": .table
        case "tr": .row
        case "td", "th": .cell
        case "caption": .block(.caption)
        case "note", "annotation": .note
        case "noteref", "annoref": .noteReference
        case "pagenum", "linenum": .pageBreak
        case "br": .lineBreak
        case "img": .image
        case "math": .math
        case "head", "style": .skipped
        default: .inline
        }
    }
}
