// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads the text of a DAISY book, 2.02 or 3, in a zip archive.
public enum DAISYReader {
    /// Reads a book.
    ///
    /// - Throws: `.format` if the archive has no such book, `.empty` if the book is sound only, `.corrupt`, `.tooLarge`,
    ///   `.interrupted`.
    public static func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        guard bytes.count <= limits.fileSize else {
            throw DocumentError(.tooLarge, "the book is longer than the \(limits.fileSize >> 20) MB that are read")
        }
        var archive = try BookArchive(.bytes(bytes), limits: limits)
        if let ncc = archive.names.first(where: { file($0) == "ncc.html" || file($0) == "ncc.htm" }) {
            return try readNCC(&archive, ncc, limits: limits)
        }
        guard let path = archive.names.first(where: { $0.lowercased().hasSuffix(".opf") }) else {
            throw DocumentError(.format, "the archive has neither ncc.html nor a package document; it is no DAISY book")
        }
        let package = try PackageDocument(archive.read([path])[path] ?? [], path: path, limits: limits)
        let texts = package.items.values.filter { $0.mediaType == "application/x-dtbook+xml" }.map(\.path).sorted()
        guard !texts.isEmpty else {
            throw DocumentError(.empty, "the DAISY book has no text, only sound; play it as an audiobook")
        }
        return try readDTBook(&archive, texts, package, limits: limits)
    }

    static func file(_ path: String) -> String { (path.split(separator: "/").last ?? "").lowercased() }

    private static func readDTBook(
        _ archive: inout BookArchive, _ paths: [String], _ package: PackageDocument, limits: ReadingLimits
    ) throws(DocumentError) -> ReadingDocument {
        let files = try archive.read(Set(paths))
        var walker = ContentWalker(
            MarkupAssembly(limits: limits), vocabulary: DTBookVocabulary(), tree: MarkupTree(source: .empty))
        var warnings: [String] = []
        for (member, path) in paths.enumerated() {
            let (tree, isSound) = try XMLTree.parse(files[path] ?? [], limits: limits)
            if !isSound { warnings.append("\(path) is damaged; what could be read of it is read") }
            guard let book = tree.first("book", in: tree.range) ?? tree.first("dtbook", in: tree.range) else {
                continue
            }
            walker.begin(tree, member: member, language: package.language)
            walker.notes.path = path
            try walker.walk(tree.subtree(book))
        }
        return try document(
            &walker, title: package.title, author: package.author, language: package.language, paths,
            archive.warnings + warnings)
    }

    /// The navigation file of 2.02 leads to the texts through SMIL files.
    private static func readNCC(
        _ archive: inout BookArchive, _ ncc: String, limits: ReadingLimits
    ) throws(DocumentError) -> ReadingDocument {
        let source = try MarkupSource(archive.read([ncc])[ncc] ?? [], charset: nil, limits: limits)
        let tree = try HTMLTree.parse(source, isXHTML: true, limits: limits)
        var smils: [String] = []
        var known: Set<String> = [ncc]
        for link in tree.all("a", in: tree.range) {
            let target = tree.attribute("href", of: link).flatMap { MemberPath.resolve($0, from: ncc) }
            if let target, target.lowercased().hasSuffix(".smil"), smils.count < limits.members,
                known.insert(target).inserted
            {
                smils.append(target)
            }
        }
        let sounds = try archive.read(Set(smils))
        var texts: [String] = []
        for smil in smils {
            let sound = try XMLTree.parse(sounds[smil] ?? [], limits: limits).tree
            for text in sound.all("text", in: sound.range) {
                let target = sound.attribute("src", of: text).flatMap { MemberPath.resolve($0, from: smil) }
                if let target, archive.has(target), known.insert(target).inserted { texts.append(target) }
            }
        }
        if texts.isEmpty { texts = [ncc] }
        let files = try archive.read(Set(texts))
        var walker = ContentWalker(MarkupAssembly(limits: limits), vocabulary: HTMLVocabulary(), tree: tree)
        for (member, path) in texts.enumerated() {
            let source = try MarkupSource(files[path] ?? [], charset: nil, limits: limits)
            let text = try HTMLTree.parse(source, isXHTML: true, limits: limits)
            guard let body = text.first("body", in: text.range) else { continue }
            let root = text.first("html", in: text.range) ?? body
            walker.begin(text, member: member, language: ElementHints.language(of: text, root))
            walker.notes.path = path
            try walker.walk(text.inside(body))
        }
        let metadata = PageMetadata(tree)
        let values = PageMetadata.values(tree)
        return try document(
            &walker, title: values["dc:title"] ?? metadata.title, author: values["dc:creator"] ?? metadata.author,
            language: ElementHints.language(values["dc:language"]) ?? metadata.language, texts, archive.warnings)
    }

    private static func document(
        _ walker: inout ContentWalker, title: String?, author: String?, language: String?, _ members: [String],
        _ warnings: [String]
    ) throws(DocumentError) -> ReadingDocument {
        walker.assembly.trimBreaks()
        let text = walker.assembly.text
        guard !text.isEmpty else {
            throw DocumentError(.empty, "the DAISY book has no text that can be read; play it as an audiobook")
        }
        let sections = walker.headingSections()
        return ReadingDocument(
            title: title, author: author, language: language, text: text, blocks: walker.assembly.blocks,
            sections: sections, pages: walker.markedPages,
            members: members, warnings: warnings)
    }
}
