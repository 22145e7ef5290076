// SPDX-License-Identifier: Apache-2.0

import ReadingText

typealias BlockKind = TextBlock.Kind
typealias BlockMatter = TextBlock.Matter

/// The tables of a script file about its document, as bytes.
struct ScriptTables {
    private var tables = [ScriptBytes](repeating: ScriptBytes(), count: ScriptFileLayout.Table.allCases.count)
    /// Files of recordings, which repeat.
    private var known: [String: (place: UInt32, count: UInt32)] = [:]

    func bytes(of table: ScriptFileLayout.Table) -> [UInt8] { tables[table.rawValue].bytes }

    mutating func add(_ document: ReadingDocument) throws(ScriptFileError) {
        guard document.text.count <= Int(UInt32.max) else {
            throw ScriptFileError(.tooLarge, "a text of \(document.text.count) bytes is too long for a script file")
        }
        for string in [document.title, document.author, document.language] { add(string, to: .metadata) }
        for member in document.members { add(member, to: .members) }
        for section in document.sections {
            append(try Self.offset(section.start), to: .sections)
            append(UInt32(clamping: section.level), to: .sections)
            add(section.title, to: .sections)
        }
        for page in document.pages {
            append(try Self.offset(page.start), to: .pages)
            add(page.label, to: .pages)
        }
        for block in document.blocks { try add(block) }
    }

    private mutating func add(_ block: TextBlock) throws(ScriptFileError) {
        append(try Self.offset(block.range.lowerBound), to: .blocks)
        append(try Self.offset(block.range.upperBound), to: .blocks)
        let kind = ScriptFileLayout.kinds.first { $0.kind == block.kind }
        let matter = ScriptFileLayout.matters.first { $0.matter == block.matter }
        append(kind?.code ?? 0, to: .blocks)
        append(matter?.code ?? 0, to: .blocks)
        append(UInt16(clamping: block.level), to: .blocks)
        for origin in block.origins {
            append(try Self.offset(origin.range.lowerBound), to: .origins)
            append(try Self.offset(origin.range.upperBound), to: .origins)
            append(UInt32(clamping: origin.member), to: .origins)
            append(UInt64(clamping: origin.source.lowerBound), to: .origins)
            append(UInt64(clamping: origin.source.upperBound), to: .origins)
        }
        for recording in block.recordings {
            append(try Self.offset(recording.range.lowerBound), to: .recordings)
            append(try Self.offset(recording.range.upperBound), to: .recordings)
            append(recording.start, to: .recordings)
            append(recording.end ?? -1, to: .recordings)
            if known[recording.file] == nil { known[recording.file] = keep(recording.file) }
            append(known[recording.file]?.place ?? 0, to: .recordings)
            append(known[recording.file]?.count ?? 0, to: .recordings)
        }
    }

    private mutating func append(_ value: some FixedWidthInteger, to table: ScriptFileLayout.Table) {
        tables[table.rawValue].append(value)
    }

    private mutating func add(_ string: String?, to table: ScriptFileLayout.Table) {
        let (place, count) = string.map { keep($0) } ?? (ScriptFileLayout.absent, 0)
        append(place, to: table)
        append(count, to: table)
    }

    /// Puts a string on the heap, cut to the longest that a reader accepts.
    private mutating func keep(_ string: String) -> (place: UInt32, count: UInt32) {
        var bytes = Array(string.utf8.prefix(ScriptFileLayout.longestString))
        if bytes.count < string.utf8.count {
            // The last scalar may have been cut through.
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if let last = bytes.last, last >= 0x80 { bytes.removeLast() }
        }
        let heap = ScriptFileLayout.Table.strings.rawValue
        let place = tables[heap].count
        guard place + bytes.count < Int(ScriptFileLayout.absent) else { return (ScriptFileLayout.absent, 0) }
        tables[heap].append(bytes)
        return (UInt32(place), UInt32(bytes.count))
    }

    private static func offset(_ place: Int) throws(ScriptFileError) -> UInt32 {
        guard let offset = UInt32(exactly: place) else {
            throw ScriptFileError(.tooLarge, "a part at byte \(place) of the text has no place in a script file")
        }
        return offset
    }
}
