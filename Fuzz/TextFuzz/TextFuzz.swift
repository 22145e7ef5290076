// SPDX-License-Identifier: Apache-2.0

import DocumentChecks
import ReadingText

@testable import TextDocuments

/// Reads bytes as plain text, Markdown, LaTeX or subtitles, or as the words of a PDF's pages; the first byte says which.
///
/// Whatever they are, reading returns or throws one line. The text is UTF-8, its blocks are in order, and they come from
/// within the file.
@c(LLVMFuzzerTestOneInput)
public func readText(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    var bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    guard let choice = bytes.popLast() else { return 0 }
    let formats: [TextFormat] = [.plain, .markdown, .latex, .srt, .webVTT]
    let index = Int(choice & 7)
    guard formats.indices.contains(index) else {
        PaperPages(bytes).read()
        return 0
    }
    _ = TextFormat.detect(Array(bytes.prefix(TextFormat.prefixSize)), name: "book.md")
    _ = checkReading(source: bytes) { () throws(DocumentError) in
        try formats[index].read(bytes, limits: ReadingLimits())
    }
    return 0
}
