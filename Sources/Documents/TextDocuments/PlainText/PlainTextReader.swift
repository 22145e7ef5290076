// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads plain text in any encoding.
///
/// The reading text of valid UTF-8 is the file itself, a byte order mark included, so a block's origin is where the block is.
/// Any other file is converted, and its origins are exact to the character up to 8 MB and to 64 bytes above that.
public enum PlainTextReader {
    /// Reads a file.
    ///
    /// - Throws: `.empty` if there is no visible character, `.encoding` or `.format` if the file is no text, `.tooLarge` beyond
    ///   the limits, `.interrupted`.
    public static func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        try document(SourceText(bytes, limits: limits), limits: limits)
    }

    /// Divides a decoded text into blocks and sections.
    static func document(_ source: SourceText, limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        let range = source.start..<source.bytes.count
        let frame = GutenbergFrame(source.bytes, in: range)
        let layout = try LineLayout(source.bytes, in: frame.body, limits: limits)
        var reading = PlainTextBlocks(source, layout: layout, frame: frame, limits: limits)
        try reading.read(range)
        guard !reading.blocks.isEmpty else {
            throw DocumentError(.empty, "the text has no visible character; there is nothing to read")
        }
        let outline = HeadingResolution.resolve(&reading)
        return ReadingDocument(
            title: frame.title, author: frame.author, language: frame.language, text: source.bytes,
            blocks: reading.blocks, sections: outline, warnings: source.warnings)
    }
}
