// SPDX-License-Identifier: Apache-2.0

public import ReadingText

extension ScriptFileReader {
    /// A block of the document as a script knows it: without origins, pronunciations and recordings.
    public var blockCount: Int { count(of: .blocks) }
    public var sectionCount: Int { count(of: .sections) }

    /// Reads a block by its index, from 0; its origins are found by `origins(of:)`.
    public func block(_ index: Int) throws(ScriptFileError) -> TextBlock? {
        guard index >= 0, index < blockCount else { return nil }
        var record = try record(index, of: .blocks)
        let range = try Self.range(of: &record)
        let kind = try record.next(UInt8.self)
        let matter = try record.next(UInt8.self)
        let level = Int(try record.next(UInt16.self))
        guard let kind = ScriptFileLayout.kinds.first(where: { $0.code == kind })?.kind,
            let matter = ScriptFileLayout.matters.first(where: { $0.code == matter })?.matter
        else { throw .corrupt("a block is of no kind") }
        return TextBlock(kind, range, level: level, matter: matter)
    }

    /// The index of the block that contains a place in the text, or else of the first behind it.
    public func blockIndex(at place: Int) throws(ScriptFileError) -> Int? {
        let index = try first(of: .blocks) { (record) throws(ScriptFileError) in
            try Self.range(of: &record).upperBound > place
        }
        return index < blockCount ? index : nil
    }

    /// Reads a section by its index, from 0.
    public func section(_ index: Int) throws(ScriptFileError) -> TextSection? {
        guard index >= 0, index < sectionCount else { return nil }
        var record = try record(index, of: .sections)
        let start = Int(try record.next(UInt32.self))
        let level = Int(try record.next(UInt32.self))
        return TextSection(
            title: try Self.string(of: &record, tables, descriptor) ?? "", level: level, start: start)
    }

    /// The index of the last section that begins at or before a place in the text.
    public func sectionIndex(at place: Int) throws(ScriptFileError) -> Int? {
        let behind = try first(of: .sections) { (record) throws(ScriptFileError) in
            Int(try record.next(UInt32.self)) > place
        }
        return behind > 0 ? behind - 1 : nil
    }

    public var pageCount: Int { count(of: .pages) }

    /// Reads a page by its index, from 0.
    public func page(_ index: Int) throws(ScriptFileError) -> TextPage? {
        guard index >= 0, index < pageCount else { return nil }
        var record = try record(index, of: .pages)
        let start = Int(try record.next(UInt32.self))
        return TextPage(label: try Self.string(of: &record, tables, descriptor) ?? "", start: start)
    }

    /// The names of the members of the source to which origins refer.
    public func members() throws(ScriptFileError) -> [String] {
        let count = count(of: .members)
        guard count <= ScriptFileLayout.mostMembers else { throw .corrupt("it has \(count) members") }
        var members: [String] = []
        var size = 0
        for index in 0..<count {
            var record = try record(index, of: .members)
            let member = try Self.string(of: &record, tables, descriptor) ?? ""
            size += member.utf8.count
            guard size <= ScriptFileLayout.mostMemberBytes else { throw .corrupt("its members have too long names") }
            members.append(member)
        }
        return members
    }

    /// The origins of a stretch of the text, cut to it, in order of the text; at most `limit`.
    public func origins(of range: Range<Int>, limit: Int = 256) throws(ScriptFileError) -> [TextOrigin] {
        var index = try first(of: .origins) { (record) throws(ScriptFileError) in
            try Self.range(of: &record).upperBound > range.lowerBound
        }
        var origins: [TextOrigin] = []
        while origins.count < limit, index < count(of: .origins) {
            var record = try record(index, of: .origins)
            let found = try Self.range(of: &record)
            guard found.lowerBound < range.upperBound else { break }
            let member = Int(try record.next(UInt32.self))
            let start = Int(clamping: try record.next(UInt64.self))
            let end = Int(clamping: try record.next(UInt64.self))
            guard start <= end, end <= Self.largestSource else { throw .corrupt("an origin is outside of any file") }
            if let origin = TextOrigin(found, member: member, source: start..<end).cut(to: range) {
                origins.append(origin)
            }
            index += 1
        }
        return origins
    }

    /// More than a file can have; numbers below it are exact as floating point.
    private static let largestSource = 1 << 50

    /// The recordings of a stretch of the text, whole, in order of the text; at most `limit`.
    public func recordings(of range: Range<Int>, limit: Int = 256) throws(ScriptFileError) -> [Recording] {
        var index = try first(of: .recordings) { (record) throws(ScriptFileError) in
            try Self.range(of: &record).upperBound > range.lowerBound
        }
        var recordings: [Recording] = []
        while recordings.count < limit, index < count(of: .recordings) {
            var record = try record(index, of: .recordings)
            let found = try Self.range(of: &record)
            guard found.lowerBound < range.upperBound else { break }
            let start = try record.next(Int64.self)
            let end = try record.next(Int64.self)
            let file = try Self.string(of: &record, tables, descriptor) ?? ""
            recordings.append(Recording(found, file: file, start: start, end: end < 0 ? nil : end))
            index += 1
        }
        return recordings
    }

    /// The first record for which a condition holds, if it holds for all behind that; the number of records if for
    /// none.
    private func first(
        of table: ScriptFileLayout.Table,
        where holds: (inout ScriptByteReader) throws(ScriptFileError) -> Bool
    ) throws(ScriptFileError) -> Int {
        var low = 0
        var high = count(of: table)
        while low < high {
            let middle = (low + high) / 2
            var record = try record(middle, of: table)
            if try holds(&record) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func range(of record: inout ScriptByteReader) throws(ScriptFileError) -> Range<Int> {
        let start = Int(try record.next(UInt32.self))
        let end = Int(try record.next(UInt32.self))
        guard start <= end else { throw .corrupt("a range ends before it begins") }
        return start..<end
    }
}

extension TextOrigin {
    /// The part of an origin that belongs to a stretch of the text; proportional if its text was decoded.
    func cut(to stretch: Range<Int>) -> TextOrigin? {
        let part = range.clamped(to: stretch)
        guard !part.isEmpty || range == part else { return nil }
        guard part != range else { return self }
        guard range.count != source.count else {
            let start = source.lowerBound + (part.lowerBound - range.lowerBound)
            return TextOrigin(part, member: member, source: start..<start + part.count)
        }
        let scale = Double(source.count) / Double(range.count)
        let start = min(Int(Double(part.lowerBound - range.lowerBound) * scale), source.count)
        let end = min(Int((Double(part.upperBound - range.lowerBound) * scale).rounded(.up)), source.count)
        let first = source.lowerBound
        return TextOrigin(part, member: member, source: first + start..<first + max(start, end))
    }
}
