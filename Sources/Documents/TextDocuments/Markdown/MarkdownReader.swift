// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads Markdown as GitHub has it, with footnotes and front matter.
///
/// The text has no markup: links by their words, pictures by their description, notes behind the block that refers to them.
/// Blocks of HTML and front matter are left out. Origins are exact where the text has the bytes of the file.
public enum MarkdownReader {
    /// Reads a file.
    ///
    /// - Throws: `.tooLarge` beyond the limits, above 8 MiB, or if it is nested too deep; `.empty`, `.interrupted`, and what
    ///   the decoding of a plain text throws.
    public static func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        let source = try SourceText(bytes, limits: limits)
        let front = FrontMatter(source.bytes, from: source.start)
        let tree = try MarkdownTree(source, from: front.end, limits: limits)
        var reading = MarkdownBlocks(source, from: front.end, limits: limits)
        try reading.read(tree)
        let assembly = reading.assembly
        guard assembly.blocks.contains(where: { !$0.range.isEmpty }) else {
            throw DocumentError(.empty, "the Markdown has no words; there is nothing to read")
        }
        return ReadingDocument(
            title: front.title, author: front.author, language: front.language, text: assembly.text,
            blocks: assembly.blocks, sections: assembly.sections, warnings: source.warnings)
    }
}
