// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The meaning of an element for reading, in whatever vocabulary it is.
enum ElementRole: Sendable, Hashable {
    case inline
    /// A part of a page around blocks, which is no block of a kind itself.
    case container
    case block(TextBlock.Kind)
    /// A heading of a level, or of the depth of its section if that is 0.
    case heading(Int)
    /// A container whose depth counts for headings.
    case section
    case list, item
    /// Lines of a poem.
    case verses, verseLine
    case preformatted
    case table, row, cell
    case lineBreak, sceneBreak
    case image, math
    /// The place of a page of the printed book.
    case pageBreak
    /// A link or mark that refers to a note.
    case noteReference
    case note
    /// SSML.
    case pause, sub, sayAs, phoneme
    /// Not for reading.
    case skipped
}

/// The roles of elements by their names.
protocol MarkupVocabulary: Sendable {
    func role(_ name: String) -> ElementRole
}

struct HTMLVocabulary: MarkupVocabulary {
    func role(_ name: String) -> ElementRole {
        switch name {
        case "p", "address", "dt", "summary", "legend", "center": .block(.paragraph)
        case "dd": .item
        case "h1": .heading(1)
        case "h2": .heading(2)
        case "h3": .heading(3)
        case "h4": .heading(4)
        case "h5": .heading(5)
        case "h6": .heading(6)
        case "html", "body", "div", "section", "article", "main", "aside", "nav", "header", "footer", "figure", "dl",
            "details", "fieldset", "form", "hgroup", "search", "noscript", "dialog", "menu-item":
            .container
        case "ul", "ol", "menu", "dir": .list
        case "li": .item
        case "blockquote": .block(.quote)
        case "pre", "xmp", "listing", "plaintext": .preformatted
        case "table": .table
        case "tr": .row
        case "td", "th": .cell
        case "caption", "figcaption": .block(.caption)
        case "br": .lineBreak
        case "hr": .sceneBreak
        case "img", "image": .image
        case "math": .math
        case "head", "script", "style", "template", "svg", "iframe", "object", "embed", "video", "audio", "canvas",
            "map",
            "button", "input", "select", "textarea", "datalist", "progress", "meter", "rt", "rp", "rtc", "title",
            "link",
            "meta", "frameset", "noframes", "noembed", "area", "base", "param", "source", "track":
            .skipped
        default: .inline
        }
    }
}
