// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads bytes of which nothing is known, and ends the process if what comes of it does not hold.
///
/// A refusal is one line. `source` is the file, if origins are offsets in it.
public func checkReading(
    source: [UInt8]? = nil, _ read: () throws(DocumentError) -> ReadingDocument
) -> ReadingDocument? {
    do throws(DocumentError) {
        let document = try read()
        check(document, source)
        return document
    } catch {
        guard isLine(error.message) else { fatalError("more than a line: \(error.message)") }
        return nil
    }
}

/// Returns `true` for a text that can be shown as one line.
public func isLine(_ text: String) -> Bool { !text.isEmpty && !text.utf8.contains { $0 < 0x20 } }

private func check(_ document: ReadingDocument, _ source: [UInt8]?) {
    let text = document.text
    func require(_ holds: Bool, _ what: @autoclosure () -> String) {
        if !holds { fatalError(what()) }
    }
    require(String(validating: text, as: UTF8.self) != nil, "the text is not UTF-8")
    func isBoundary(_ place: Int) -> Bool { place == text.count || text[place] & 0xC0 != 0x80 }
    var last = 0
    for block in document.blocks {
        let range = block.range
        require(range.lowerBound >= last && range.upperBound <= text.count, "a block at \(range) behind \(last)")
        require(isBoundary(range.lowerBound) && isBoundary(range.upperBound), "a block at \(range) cuts a character")
        last = range.upperBound
        var place = range.lowerBound
        for origin in block.origins {
            require(
                origin.range.lowerBound >= place && origin.range.upperBound <= range.upperBound,
                "an origin at \(origin.range) in \(range)")
            require(document.members.indices.contains(origin.member), "an origin in member \(origin.member)")
            place = origin.range.upperBound
            guard let source else { continue }
            require(origin.source.upperBound <= source.count, "an origin outside of the file: \(origin.source)")
        }
        for part in block.pronunciations.map(\.range) + block.recordings.map(\.range) {
            require(range.clamped(to: part) == part, "a note on \(part) in \(range)")
        }
    }
    var start = 0
    for section in document.sections {
        require(section.start >= start && section.start < text.count, "a section at \(section.start)")
        start = section.start
    }
}
