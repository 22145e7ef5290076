// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The elements of FictionBook 2.
struct FB2Vocabulary: MarkupVocabulary {
    func role(_ name: String) -> ElementRole {
        switch name {
        case "p", "text-author", "date": .block(.paragraph)
        case "section": .section
        case "title": .heading(0)
        case "subtitle": .block(.paragraph)
        case "epigraph", "cite": .block(.quote)
        case "annotation", "body": .container
        case "poem", "stanza": .verses
        case "v": .verseLine
        case "empty-line": .sceneBreak
        case "table": .table
        case "tr": .row
        case "td", "th": .cell
        case "image": .image
        case "binary", "description", "stylesheet": .skipped
        default: .inline
        }
    }
}
