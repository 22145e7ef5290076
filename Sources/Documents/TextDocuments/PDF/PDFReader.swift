// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads the text of a PDF: columns in order, words that a hyphen divides whole, heads, feet and page numbers left out.
///
/// A PDF has no bytes that are its text. So the members of the document are its pages, `page 1` and so on, and the source of a
/// span is a place in the words of the page in their order, each with a space behind it.
public enum PDFReader {
    /// Reads a file.
    ///
    /// - Throws: `.encrypted` if it needs a password, `.corrupt`, `.empty` if it has no text, such as a scan, `.tooLarge`,
    ///   `.interrupted`.
    public static func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        let file = try PDFFile(bytes, limits: limits)
        guard !file.pages.isEmpty else { throw DocumentError(.corrupt, "the PDF has no page; get it again") }
        guard file.pages.contains(where: { !$0.words.isEmpty }) else {
            if file.damaged.count == file.pages.count {
                throw DocumentError(.corrupt, "no page of the PDF can be read; get it again")
            }
            throw DocumentError(
                .empty, "the PDF has pictures of pages only, no text; run a text recogniser over it, such as ocrmypdf")
        }
        var paragraphs = PDFParagraphs(file, limits: limits)
        try paragraphs.read()
        let assembly = paragraphs.assembly
        guard assembly.blocks.contains(where: { !$0.range.isEmpty }) else {
            throw DocumentError(.empty, "the PDF has nothing but page numbers; there is nothing to read")
        }
        return ReadingDocument(
            title: title(file.title), author: file.author, text: assembly.text, blocks: assembly.blocks,
            sections: assembly.sections, pages: pages(assembly.blocks),
            members: file.pages.indices.map { "page \($0 + 1)" },
            warnings: warnings(file))
    }

    /// Returns the pages that have text, numbered as programs show them, from 1 on.
    private static func pages(_ blocks: [TextBlock]) -> [TextPage] {
        var pages: [TextPage] = []
        var last = -1
        for origin in blocks.lazy.flatMap(\.origins) where origin.member > last && pages.count < TextPage.most {
            pages.append(TextPage(label: "\(origin.member + 1)", start: origin.range.lowerBound))
            last = origin.member
        }
        return pages
    }

    private static func warnings(_ file: PDFFile) -> [String] {
        var warnings: [String] = []
        if let first = file.damaged.first {
            warnings.append("\(file.damaged.count) pages cannot be read, the first of them page \(first)")
        }
        let pictures = file.pages.indices.filter { file.pages[$0].words.isEmpty && !file.damaged.contains($0 + 1) }
        // Books have empty pages.
        if let first = pictures.first, pictures.count * 5 > file.pages.count {
            warnings.append("\(pictures.count) pages have no text, the first of them page \(first + 1)")
        }
        return warnings
    }

    /// Returns the title, if it is one: programs write the name of their file there.
    private static func title(_ title: String?) -> String? {
        guard let title, !title.hasPrefix("Microsoft Word"), title.lowercased() != "untitled" else { return nil }
        let name = title.lowercased()
        return [".doc", ".docx", ".tex", ".dvi", ".indd", ".qxd", ".pdf", ".odt", ".rtf"].contains {
            name.hasSuffix($0)
        }
            ? nil : title
    }
}
