// SPDX-License-Identifier: Apache-2.0

import Glibc
public import ReadingText

/// Writes a script file: what a reader must know of the document, then utterances as they come.
///
/// It holds no more than 64 KiB of bytes that are not written yet.
public struct ScriptFileWriter {
    private let descriptor: CInt
    private let textSize: Int
    private var place: Int
    private var waiting = ScriptBytes()
    private var body = ScriptBytes()
    /// The entries of the index that are not written yet, and the number of those that are.
    private var index = (waiting: ScriptBytes(), written: 0, place: 0)
    /// The number of utterances so far.
    public private(set) var count = 0
    /// The byte of the text up to which there are utterances.
    public private(set) var end = 0

    private static let mostWaiting = 1 << 16

    /// Creates a writer on an open file, which is emptied; the descriptor stays the caller's.
    ///
    /// What is known of the document is written at once. The text itself is not kept.
    public init(descriptor: CInt, of document: ReadingDocument) throws(ScriptFileError) {
        guard ftruncate(descriptor, 0) == 0 else {
            let code = errno
            throw ScriptFileError(
                .system(code), "cannot empty the script file: \(String(cString: strerror(code)))")
        }
        self.descriptor = descriptor
        textSize = document.text.count
        var tables = ScriptTables()
        try tables.add(document)
        var header = ScriptBytes()
        header.append(ScriptFileLayout.magic)
        header.append(ScriptFileLayout.version)
        header.append([UInt8](repeating: 0, count: ScriptFileLayout.progressSize))
        header.append(UInt64(textSize))
        place = ScriptFileLayout.headerSize
        for table in ScriptFileLayout.Table.allCases {
            let size: Int
            if table == .index {
                index.place = place
                size = ScriptFileLayout.indexCount(textSize: textSize) * table.recordSize
            } else {
                let bytes = tables.bytes(of: table)
                size = bytes.count
                try ScriptDescriptor.write(bytes, to: descriptor, at: place)
            }
            header.append(UInt64(place))
            header.append(UInt64(size / table.recordSize))
            place += size
        }
        // The index is filled later; until then it is a hole.
        guard ftruncate(descriptor, off_t(place)) == 0 else {
            let code = errno
            throw ScriptFileError(
                .system(code), "cannot write the script file: \(String(cString: strerror(code)))")
        }
        try ScriptDescriptor.write(header.bytes, to: descriptor, at: 0)
    }

    /// Adds an utterance, which begins at or behind the end of the one before.
    public mutating func append(_ utterance: Utterance) throws(ScriptFileError) {
        let range = utterance.range
        guard range.lowerBound >= end, range.upperBound <= textSize, count < Int(Int32.max),
            utterance.sentence.lowerBound >= 0, utterance.sentence.lowerBound <= range.lowerBound,
            utterance.sentence.upperBound >= range.upperBound, utterance.sentence.upperBound <= Int(UInt32.max),
            (0...Int(Int32.max)).contains(utterance.block), (0...Int(Int32.max)).contains(utterance.pause)
        else {
            throw ScriptFileError(
                .corrupt, "the utterance at byte \(range.lowerBound) of the text does not follow the one before")
        }
        body.removeAll()
        try UtteranceBody.write(utterance, to: &body)
        guard body.count <= ScriptFileLayout.largestBody else {
            throw ScriptFileError(
                .tooLarge, "the utterance at byte \(range.lowerBound) of the text is too long for a script file")
        }
        let recordSize = ScriptFileLayout.Table.index.recordSize
        while count == 0 && index.waiting.count == 0
            || (index.written + index.waiting.count / recordSize) * ScriptFileLayout.stride < range.upperBound
        {
            index.waiting.append(UInt64(place + waiting.count))
            index.waiting.append(UInt32(count))
        }
        waiting.append(UInt32(body.count))
        waiting.append(UInt32(range.lowerBound))
        waiting.append(UInt32(range.upperBound))
        waiting.append(body.bytes)
        end = range.upperBound
        count += 1
        if waiting.count >= Self.mostWaiting { try flush() }
    }

    /// Lets readers see all utterances so far.
    public mutating func publish() throws(ScriptFileError) {
        try flush()
        var progress = ScriptBytes()
        progress.append(UInt32(count))
        progress.append(UInt32(end))
        try ScriptDescriptor.write(progress.bytes, to: descriptor, at: ScriptFileLayout.progressPlace + 4)
    }

    /// Ends the script, which is then whole.
    public mutating func finish() throws(ScriptFileError) {
        try publish()
        // Last, so that a reader that sees it sees all utterances.
        var mark = ScriptBytes()
        mark.append(UInt32(1))
        try ScriptDescriptor.write(mark.bytes, to: descriptor, at: ScriptFileLayout.progressPlace)
    }

    private mutating func flush() throws(ScriptFileError) {
        try ScriptDescriptor.write(waiting.bytes, to: descriptor, at: place)
        place += waiting.count
        waiting.removeAll()
        let recordSize = ScriptFileLayout.Table.index.recordSize
        try ScriptDescriptor.write(
            index.waiting.bytes, to: descriptor, at: index.place + index.written * recordSize)
        index.written += index.waiting.count / recordSize
        index.waiting.removeAll()
    }
}
