// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads LaTeX without running it: what an author writes by hand, not what macros make.
///
/// Commands that are not known are left out, and their arguments are read. Other files are never opened.
public enum LaTeXReader {
    /// Reads a file.
    ///
    /// - Throws: `.empty` if no words are left, `.tooLarge`, `.interrupted`, and what the decoding of a plain text throws.
    public static func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        let source = try SourceText(bytes, limits: limits)
        var reading = LaTeXBlocks(source, limits: limits)
        try reading.read()
        let assembly = reading.assembly
        guard assembly.blocks.contains(where: { $0.matter == .body && !$0.range.isEmpty }) else {
            let why = reading.namesFiles ? "; its text is in the files that it includes: read those" : ""
            throw DocumentError(.empty, "the LaTeX has no words\(why.isEmpty ? "; there is nothing to read" : why)")
        }
        var warnings = source.warnings
        if reading.namesFiles { warnings.append("the files that the text includes are not read; read them one by one") }
        return ReadingDocument(
            title: try reading.words(reading.title), author: try reading.words(reading.author),
            language: reading.language, text: assembly.text, blocks: assembly.blocks, sections: assembly.sections,
            warnings: warnings)
    }
}
