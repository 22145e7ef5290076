// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads a book in FictionBook 2, as it is or in a zip archive.
public enum FB2Reader {
    /// Reads a book.
    ///
    /// - Throws: `.format` if the file is no FictionBook, `.corrupt`, `.encrypted`, `.empty`, `.tooLarge`,
    ///   `.interrupted`.
    public static func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        guard bytes.count <= limits.fileSize else {
            throw DocumentError(.tooLarge, "the book is longer than the \(limits.fileSize >> 20) MB that are read")
        }
        guard bytes.starts(with: MarkupFormat.zipMark) else { return try read(bytes, member: "", [], limits: limits) }
        var archive = try BookArchive(.bytes(bytes), limits: limits)
        guard let name = archive.names.first(where: { $0.lowercased().hasSuffix(".fb2") }) else {
            throw DocumentError(.format, "the archive has no .fb2 file; unpack it and read the file that you mean")
        }
        let file = try archive.read([name])[name] ?? []
        return try read(file, member: name, archive.warnings, limits: limits)
    }

    private static func read(
        _ bytes: [UInt8], member: String, _ warnings: [String], limits: ReadingLimits
    ) throws(DocumentError) -> ReadingDocument {
        let (tree, isSound) = try XMLTree.parse(bytes, limits: limits)
        guard let book = tree.first("FictionBook", in: tree.range) else {
            throw DocumentError(.format, "the file is no FictionBook; its outer element is another")
        }
        let bodies = tree.elements("body", of: book)
        var walker = ContentWalker(MarkupAssembly(limits: limits), vocabulary: FB2Vocabulary(), tree: tree)
        walker.begin(tree, member: 0)
        // Notes are read behind the paragraphs that refer to them; what is left of their bodies comes at the end.
        for index in bodies {
            let isNotes = tree.attribute("name", of: index) != nil
            walker.base.matter = isNotes ? .back : .body
            walker.base.kind = isNotes ? .note : .paragraph
            try walker.walk(tree.inside(index))
        }
        walker.assembly.trimBreaks()
        guard !walker.assembly.text.isEmpty else {
            throw DocumentError(
                isSound ? .empty : .corrupt, "the book has no text that can be read; get the file again")
        }
        let text = walker.assembly.text
        let sections = walker.headingSections()
        let information = tree.first("title-info", in: tree.range)
        return ReadingDocument(
            title: information.flatMap { value("book-title", tree, $0) },
            author: information.flatMap { authors(tree, $0) },
            language: information.flatMap { ElementHints.language(value("lang", tree, $0)) }, text: text,
            blocks: walker.assembly.blocks, sections: sections, members: [member],
            warnings: warnings + (isSound ? [] : ["the book is damaged; what could be read of it is read"]))
    }

    private static func value(_ name: String, _ tree: MarkupTree, _ index: Int) -> String? {
        tree.first(name, in: tree.inside(index)).flatMap { OneLine.some(tree.plainText($0)) }
    }

    private static func authors(_ tree: MarkupTree, _ index: Int) -> String? {
        let names = tree.elements("author", of: index).compactMap { author in
            let parts = ["first-name", "middle-name", "last-name"].compactMap { value($0, tree, author) }
            return parts.isEmpty ? value("nickname", tree, author) : parts.joined(separator: " ")
        }
        return names.isEmpty ? nil : names.prefix(8).joined(separator: ", ")
    }
}
