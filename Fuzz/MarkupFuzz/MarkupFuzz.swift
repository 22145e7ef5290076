// SPDX-License-Identifier: Apache-2.0

import DocumentChecks
import ReadingText

@testable import MarkupDocuments

/// Reads bytes as a page, a FictionBook, SSML or an archive, or as the files of a book; the last byte says which.
///
/// Whatever they are, reading returns or throws one line. The text is UTF-8, its blocks are in order, and no path leads out of
/// an archive.
@c(LLVMFuzzerTestOneInput)
public func readMarkup(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    var bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    guard let choice = bytes.popLast() else { return 0 }
    let limits = ReadingLimits()
    let formats: [MarkupFormat] = [.html, .xhtml, .fb2, .ssml, .zip]
    let index = Int(choice & 7)
    if formats.indices.contains(index) {
        _ = MarkupFormat.detect(Array(bytes.prefix(MarkupFormat.prefixSize)), name: "book")
        let source = formats[index] == .zip ? nil : bytes
        _ = checkReading(source: source) { () throws(DocumentError) in
            try formats[index].read(bytes, limits: limits)
        }
    } else if index == 5 {
        checkPaths(bytes)
    } else {
        let book = BookOfParts(bytes).archive
        _ = checkReading { () throws(DocumentError) in
            try (index == 6 ? MarkupFormat.epub : .daisy).read(book, limits: limits)
        }
    }
    return 0
}

/// A path and a reference in it, divided by the first line feed.
private func checkPaths(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 2 else { return }
    for path in [MemberPath.normal(parts[0]), MemberPath.resolve(parts[1], from: parts[0])] {
        guard let path, path != parts[0] else { continue }
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.hasPrefix("/"), !steps.contains(".."), !steps.contains(".") else {
            fatalError("a path that leads out: \(path)")
        }
    }
    _ = MemberPath.fragment(parts[1])
}
