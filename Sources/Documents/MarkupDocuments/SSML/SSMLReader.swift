// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads text with markup for speech.
///
/// Rate, pitch and voice are the listener's own, so the text's wishes for them do nothing.
public enum SSMLReader {
    /// Reads a file.
    ///
    /// It may have several outer elements, or none, as what programs put together has.
    ///
    /// - Throws: `.empty`, `.encoding`, `.tooLarge` beyond the limits, `.interrupted`.
    public static func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        guard bytes.count <= limits.fileSize else {
            throw DocumentError(
                .tooLarge, "the text is longer than the \(limits.fileSize >> 20) MB that are read; split it")
        }
        var source = try MarkupSource(bytes, charset: nil, limits: limits)
        enclose(&source)
        let (tree, isSound) = try XMLTree.parse(source, limits: limits)
        var walker = ContentWalker(MarkupAssembly(limits: limits), vocabulary: SSMLVocabulary(), tree: tree)
        walker.begin(tree, member: 0)
        try walker.walk(tree.range)
        guard !walker.assembly.text.isEmpty else {
            throw DocumentError(isSound ? .empty : .corrupt, "the file has no words to speak")
        }
        let speak = tree.all("speak", in: tree.range)
        let title = tree.all("meta", in: tree.range).first { tree.attribute("name", of: $0)?.lowercased() == "title" }
        return ReadingDocument(
            title: title.flatMap { OneLine.some(tree.attribute("content", of: $0)) },
            language: speak.lazy.compactMap { ElementHints.language(of: tree, $0) }.first, text: walker.assembly.text,
            blocks: walker.assembly.blocks,
            warnings: isSound ? [] : ["the markup has mistakes; what could be read of it is read"])
    }

    /// Puts one element around all.
    private static func enclose(_ source: inout MarkupSource) {
        let bytes = source.bytes
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        for token in MarkupScanner(bytes, isXML: true) {
            switch token.kind {
            case .text where bytes[token.range].allSatisfy({ $0 <= 0x20 }) || token.range == 0..<3: break
            case .instruction, .comment, .doctype: start = token.range.upperBound
            default:
                let (open, close) = (Array("<speak>".utf8), Array("</speak>".utf8))
                var map = OffsetMap()
                map.replaced(output: open.count, input: start)
                map.copied(bytes.count - start)
                map.replaced(output: close.count, input: 0)
                source.change(to: open + bytes[start...] + close, map)
                return
            }
        }
    }
}
