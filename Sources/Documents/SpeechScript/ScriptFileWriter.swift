// SPDX-License-Identifier: Apache-2.0

import Glibc
public import ReadingText

/// Writes a script file: utterances as they come, and what a reader must know of their document at the end.
///
/// It holds one number in memory for every `ScriptFileLayout.stride` utterances and at most 64 KiB of bytes that are
/// not written yet.
public struct ScriptFileWriter {
    private let descriptor: CInt
    private var place = ScriptFileLayout.headerSize
    private var waiting = ScriptBytes()
    private var body = ScriptBytes()
    private var index = ScriptBytes()
    private var end = 0
    /// The number of utterances so far.
    public private(set) var count = 0

    private static let mostWaiting = 1 << 16

    /// Creates a writer on an open file, which is emptied; the descriptor stays the caller's.
    public init(descriptor: CInt) throws(ScriptFileError) {
        guard ftruncate(descriptor, 0) == 0 else {
            let code = errno
            throw ScriptFileError(
                .system(code), "cannot empty the script file: \(String(cString: strerror(code)))")
        }
        self.descriptor = descriptor
    }

    /// Adds an utterance, which begins at or behind the end of the one before.
    public mutating func append(_ utterance: Utterance) throws(ScriptFileError) {
        let range = utterance.range
        guard range.lowerBound >= end, range.upperBound <= Int(UInt32.max), count < Int(Int32.max),
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
        if count % ScriptFileLayout.stride == 0 {
            index.append(UInt64(place + waiting.count))
            index.append(UInt32(range.lowerBound))
        }
        waiting.append(UInt32(body.count))
        waiting.append(UInt32(range.lowerBound))
        waiting.append(UInt32(range.upperBound))
        waiting.append(body.bytes)
        end = range.upperBound
        count += 1
        if waiting.count >= Self.mostWaiting { try flush() }
    }

    /// Writes what is known of the document, then the header, which makes the file readable.
    ///
    /// The text itself is not kept.
    public mutating func finish(_ document: ReadingDocument) throws(ScriptFileError) {
        var tables = ScriptTables()
        try tables.add(document)
        var header = ScriptBytes()
        header.append(ScriptFileLayout.magic)
        header.append(ScriptFileLayout.version)
        header.append(UInt32(count))
        header.append(UInt64(document.text.count))
        for table in ScriptFileLayout.Table.allCases {
            let bytes = table == .index ? index.bytes : tables.bytes(of: table)
            header.append(UInt64(place + waiting.count))
            header.append(UInt64(bytes.count / table.recordSize))
            waiting.append(bytes)
            try flush()
        }
        try ScriptDescriptor.write(header.bytes, to: descriptor, at: 0)
    }

    private mutating func flush() throws(ScriptFileError) {
        try ScriptDescriptor.write(waiting.bytes, to: descriptor, at: place)
        place += waiting.count
        waiting.removeAll()
    }
}
