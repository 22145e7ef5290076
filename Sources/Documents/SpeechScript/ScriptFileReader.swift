// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads a script file piece by piece, as far as it has been made.
///
/// Nothing in the file is trusted: whatever its bytes are, a call returns a value or throws, and reads at most a
/// mebibyte, or eight for the names of all members. A value may then be nonsense, but ranges are ordered and strings
/// are UTF-8. No place in the file is kept between calls, so copies can be used by several threads.
public struct ScriptFileReader: Sendable {
    let descriptor: CInt
    /// The number of utterances, as far as they have been made.
    public let count: Int
    /// The byte of the text up to which there are utterances.
    public let end: Int
    /// `true` if nothing more is said behind the last utterance.
    public let isWhole: Bool
    /// The size of the document's text in bytes.
    public let textSize: Int
    public let title: String?
    public let author: String?
    /// The language that the document declares, a BCP 47 tag.
    public let language: String?
    let tables: [(place: Int, count: Int)]
    let fileSize: Int

    /// Opens a script file; the descriptor stays the caller's and must stay open.
    ///
    /// The utterances are those that were made by now; a reader that is opened later may have more.
    public init(descriptor: CInt) throws(ScriptFileError) {
        guard try ScriptDescriptor.size(of: descriptor) >= ScriptFileLayout.headerSize else {
            throw ScriptFileError(.unfinished, "the script file is not finished; make it again from the document")
        }
        var header = ScriptByteReader(
            try ScriptDescriptor.read(ScriptFileLayout.headerSize, from: descriptor, at: 0))
        // Asked for later, the size holds all that the header tells of.
        let size = try ScriptDescriptor.size(of: descriptor)
        let magic = try header.next(UInt64.self)
        guard magic != 0 else {
            throw ScriptFileError(.unfinished, "the script file is not finished; make it again from the document")
        }
        guard magic == ScriptFileLayout.magic else {
            throw ScriptFileError(.format, "this is not a script file; make one from the document")
        }
        let version = try header.next(UInt32.self)
        guard version == ScriptFileLayout.version else {
            throw ScriptFileError(
                .format,
                "the script file has version \(version), not \(ScriptFileLayout.version); make it again from the document"
            )
        }
        isWhole = try header.next(UInt32.self) != 0
        count = Int(try header.next(UInt32.self))
        end = Int(try header.next(UInt32.self))
        textSize = Int(clamping: try header.next(UInt64.self))
        var tables: [(place: Int, count: Int)] = []
        for table in ScriptFileLayout.Table.allCases {
            let place = Int(clamping: try header.next(UInt64.self))
            let records = Int(clamping: try header.next(UInt64.self))
            guard place <= size, records <= (size - place) / table.recordSize else {
                throw .corrupt("a table is outside of the file")
            }
            tables.append((place, records))
        }
        guard textSize <= Int(UInt32.max), end <= textSize,
            tables[ScriptFileLayout.Table.index.rawValue].count == ScriptFileLayout.indexCount(textSize: textSize),
            tables[ScriptFileLayout.Table.metadata.rawValue].count == 3
        else { throw .corrupt("the index does not fit the text") }
        self.descriptor = descriptor
        self.tables = tables
        fileSize = size
        title = try Self.metadata(0, tables, descriptor)
        author = try Self.metadata(1, tables, descriptor)
        language = try Self.metadata(2, tables, descriptor)
    }

    private static func metadata(
        _ index: Int, _ tables: [(place: Int, count: Int)], _ descriptor: CInt
    ) throws(ScriptFileError) -> String? {
        let table = ScriptFileLayout.Table.metadata
        var record = ScriptByteReader(
            try ScriptDescriptor.read(
                table.recordSize, from: descriptor, at: tables[table.rawValue].place + index * table.recordSize))
        return try string(of: &record, tables, descriptor)
    }

    /// Reads the string to which a record refers with its next two numbers.
    static func string(
        of record: inout ScriptByteReader, _ tables: [(place: Int, count: Int)], _ descriptor: CInt
    ) throws(ScriptFileError) -> String? {
        let place = try record.next(UInt32.self)
        let size = Int(try record.next(UInt32.self))
        guard place != ScriptFileLayout.absent else { return nil }
        let heap = tables[ScriptFileLayout.Table.strings.rawValue]
        guard size <= ScriptFileLayout.longestString, Int(place) <= heap.count, size <= heap.count - Int(place) else {
            throw .corrupt("a string is outside of the file")
        }
        var reader = ScriptByteReader(
            try ScriptDescriptor.read(size, from: descriptor, at: heap.place + Int(place)))
        return try reader.nextString(size)
    }

    /// The head of an utterance and where it is.
    struct Head {
        var place: Int
        var size: Int
        var range: Range<Int>
        var next: Int { place + ScriptFileLayout.headSize + size }
    }

    func head(at place: Int) throws(ScriptFileError) -> Head {
        guard place >= ScriptFileLayout.headerSize, place <= fileSize - ScriptFileLayout.headSize else {
            throw .corrupt("an utterance is outside of the file")
        }
        var reader = ScriptByteReader(
            try ScriptDescriptor.read(ScriptFileLayout.headSize, from: descriptor, at: place))
        let size = Int(try reader.next(UInt32.self))
        let start = Int(try reader.next(UInt32.self))
        let end = Int(try reader.next(UInt32.self))
        guard size <= ScriptFileLayout.largestBody, size <= fileSize - place - ScriptFileLayout.headSize, start <= end
        else { throw .corrupt("an utterance is outside of the file") }
        return Head(place: place, size: size, range: start..<end)
    }

    func utterance(_ head: Head) throws(ScriptFileError) -> Utterance {
        let bytes = try ScriptDescriptor.read(
            head.size, from: descriptor, at: head.place + ScriptFileLayout.headSize)
        return try UtteranceBody.read(bytes, range: head.range)
    }

    /// Reads an entry of the index: the first utterance that ends behind so many strides of the text.
    func indexEntry(_ index: Int) throws(ScriptFileError) -> (place: Int, number: Int) {
        var record = try record(index, of: .index)
        let place = Int(clamping: try record.next(UInt64.self))
        return (place, Int(try record.next(UInt32.self)))
    }

    func record(_ index: Int, of table: ScriptFileLayout.Table) throws(ScriptFileError) -> ScriptByteReader {
        let (place, count) = tables[table.rawValue]
        guard index >= 0, index < count else { throw .corrupt("a record is outside of its table") }
        return ScriptByteReader(
            try ScriptDescriptor.read(table.recordSize, from: descriptor, at: place + index * table.recordSize))
    }

    func count(of table: ScriptFileLayout.Table) -> Int { tables[table.rawValue].count }
}
