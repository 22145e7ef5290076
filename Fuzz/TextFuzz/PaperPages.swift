// SPDX-License-Identifier: Apache-2.0

import DocumentChecks
import ReadingText

@testable import TextDocuments

/// Pages of a PDF as the library hands them out, with words anywhere.
struct PaperPages {
    private var file: PDFFile

    init(_ bytes: [UInt8]) {
        var pages = [PDFPage(width: 600, height: 800)]
        var rest = bytes[...]
        func number() -> Double { Double(rest.popFirst() ?? 0) * 4 }
        var top = 0.0
        while let kind = rest.popFirst() {
            if kind == 0xFF { pages.append(PDFPage(width: number(), height: number())) }
            // Most words stand beside or below the one before.
            if kind & 1 != 0 { top = number() }
            let left = number()
            let word = rest.prefix { $0 > 0x20 && $0 < 0x80 }
            rest = rest.dropFirst(word.count + 1)
            guard !word.isEmpty else { continue }
            let page = pages.count - 1
            let start = pages[page].text.count
            pages[page].text += word + [0x20]
            pages[page].words.append(
                PDFWord(
                    range: start..<start + word.count, left: left, top: top, right: left + Double(word.count) * 5,
                    bottom: top + Double(kind >> 3), size: Double(kind >> 3), isBold: kind & 2 != 0,
                    hasSpaceBehind: kind & 4 != 0))
        }
        let titles = pages.prefix(3).compactMap { page in
            page.words.first.map { String(decoding: page.text[$0.range], as: UTF8.self) }
        }
        file = PDFFile(pages: pages, outline: titles.enumerated().map { PDFEntry(title: $1, level: $0 % 3 + 1) })
    }

    func read() {
        _ = checkReading { () throws(DocumentError) in
            var paragraphs = PDFParagraphs(file, limits: ReadingLimits())
            try paragraphs.read()
            let assembly = paragraphs.assembly
            return ReadingDocument(
                text: assembly.text, blocks: assembly.blocks, sections: assembly.sections,
                members: file.pages.indices.map { "page \($0 + 1)" })
        }
    }
}
