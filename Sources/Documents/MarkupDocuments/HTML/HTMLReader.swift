// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads the article of a web page.
///
/// What is no article is dropped: navigation, notices, comments, hidden text. If none is found, the whole page is read.
public enum HTMLReader {
    /// Reads a page.
    ///
    /// - Parameter charset: The encoding by the transport, if it says one.
    /// - Throws: `.empty` if there is no visible text, `.encoding`, `.tooLarge` beyond the limits, `.interrupted`.
    public static func read(
        _ bytes: [UInt8], charset: String?, limits: ReadingLimits
    ) throws(DocumentError) -> ReadingDocument {
        guard bytes.count <= limits.fileSize, bytes.count <= HTMLTree.limit else {
            throw DocumentError(.tooLarge, "the page is longer than is read (\(HTMLTree.limit >> 20) MB); split it")
        }
        let source = try MarkupSource(bytes, charset: charset, limits: limits)
        let tree = try HTMLTree.parse(source, isXHTML: isXHTML(source.bytes), limits: limits)
        let vocabulary = HTMLVocabulary()
        let body = tree.first("body", in: tree.range) ?? 0
        guard !tree.nodes.isEmpty else { throw nothing }
        let content = MainContent(tree, roles: tree.names.map(vocabulary.role), body: body)
        let metadata = PageMetadata(tree)
        var document = try read(tree, tree.inside(content.root), dropped: content.dropped, limits: limits)
        if document.text.isEmpty { document = try read(tree, tree.inside(body), dropped: [], limits: limits) }
        guard !document.text.isEmpty else { throw nothing }
        document.title = metadata.title ?? document.sections.first?.title
        document.author = metadata.author
        document.language = metadata.language
        return document
    }

    private static let nothing = DocumentError(.empty, "the page has no visible text; there is nothing to read")

    /// XHTML has elements that are closed in their tag.
    static func isXHTML(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
        return head.drop(while: \.isWhitespace).hasPrefix("<?xml") && head.contains("http://www.w3.org/1999/xhtml")
    }

    private static func read(
        _ tree: MarkupTree, _ range: Range<Int>, dropped: Set<Int>, limits: ReadingLimits
    ) throws(DocumentError) -> ReadingDocument {
        var walker = ContentWalker(MarkupAssembly(limits: limits), vocabulary: HTMLVocabulary(), tree: tree)
        walker.begin(tree, member: 0)
        walker.base.language = range.lowerBound > 0 ? language(around: range.lowerBound - 1, tree) : nil
        walker.dropped = dropped
        walker.dropsEmptyHeadings = true
        try walker.walk(range)
        walker.assembly.trimBreaks()
        let sections = walker.headingSections()
        return ReadingDocument(
            text: walker.assembly.text, blocks: walker.assembly.blocks, sections: sections,
            pages: walker.markedPages)
    }

    private static func language(around index: Int, _ tree: MarkupTree) -> String? {
        tree.path(index).lazy.compactMap { ElementHints.language(of: tree, $0) }.first
    }
}
