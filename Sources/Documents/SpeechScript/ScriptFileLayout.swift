// SPDX-License-Identifier: Apache-2.0

import ReadingText

/// The places of the parts of a script file.
///
/// All numbers are little endian. The file is a header of fixed size, tables of records of fixed size, a heap of UTF-8
/// strings to which the tables refer, and the utterances one after another. The tables are those of the whole document and
/// are written first; utterances follow as they are made. The header says how many there are, so that the beginning of a
/// script can be read while the rest is being made.
///
/// An utterance is its head (`ScriptFileLayout.headSize` bytes: size of the body, start and end of its range in the
/// text) and its body (`UtteranceBody`). The index has an entry for every `stride` bytes of the text: the first utterance that
/// ends behind that byte. The others are found by walking from head to head.
enum ScriptFileLayout {
    /// "RostrumS" in the order of the file.
    static let magic: UInt64 = 0x536D_7572_7473_6F52
    static let version: UInt32 = 3
    /// The bytes of the text between two entries of the index.
    static let stride = 1024
    /// The most heads between two entries that a reader walks: far more than the bytes of the text between them.
    static let longestWalk = 8192
    static let headSize = 12
    /// The largest body: 64 times what a setting can make of one utterance.
    static let largestBody = 1 << 20
    /// The longest string of the heap; a title that is longer is cut.
    static let longestString = 4096
    /// The most members that a reader hands out; above the limit of documents.
    static let mostMembers = 65_536
    /// The most bytes of their names, which a damaged file could repeat without end.
    static let mostMemberBytes = 8 << 20

    /// The tables, in the order of the header.
    enum Table: Int, CaseIterable {
        case index, blocks, sections, pages, origins, recordings, members
        /// The bytes of the title, the author and the language, in this order; a record of `absent` is none.
        case metadata
        case strings

        /// The size of one record in bytes.
        var recordSize: Int {
            switch self {
            // Place in the file, number of the utterance; all zero behind what is made.
            case .index: 12
            // Start, end, kind, matter, level.
            case .blocks: 12
            // Start, level, string.
            case .sections: 16
            // Start, string.
            case .pages: 12
            // Start, end, member, start and end in the source.
            case .origins: 28
            // Start, end, start and end in the sound, string.
            case .recordings: 32
            case .members: 8
            case .metadata: 8
            case .strings: 1
            }
        }
    }

    /// Magic, version, progress, size of the text, then place and count of each table.
    static let headerSize = progressPlace + progressSize + 8 + Table.allCases.count * 16
    /// One if the script is whole, the number of utterances, and the byte of the text up to which they are there.
    static let progressPlace = 8 + 4
    static let progressSize = 3 * 4

    /// Returns the number of entries of the index of a text.
    static func indexCount(textSize: Int) -> Int { textSize / stride + 1 }

    /// A string's place that says that there is none.
    static let absent = UInt32.max

    static let kinds: [(code: UInt8, kind: BlockKind)] = [
        (0, .paragraph), (1, .heading), (2, .listItem), (3, .quote), (4, .verse), (5, .code), (6, .formula),
        (7, .table),
        (8, .caption), (9, .note), (10, .sceneBreak), (11, .pause),
    ]
    static let matters: [(code: UInt8, matter: BlockMatter)] = [(0, .body), (1, .front), (2, .back)]
}
