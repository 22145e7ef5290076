// SPDX-License-Identifier: Apache-2.0

import ReadingText

/// The places of the parts of a script file.
///
/// All numbers are little endian. The file is a header of fixed size, the utterances one after another, tables of
/// records of fixed size, and a heap of UTF-8 strings to which the tables refer. The header is written last, so that a
/// file whose writer did not finish has none.
///
/// An utterance is its head (`ScriptFileLayout.headSize` bytes: size of the body, start and end of its range in the
/// text) and its body (`UtteranceBody`). Every `stride`-th utterance has an entry in the index; the others are found by
/// walking from head to head, which is at most `stride - 1` steps.
enum ScriptFileLayout {
    /// "RostrumS" in the order of the file.
    static let magic: UInt64 = 0x536D_7572_7473_6F52
    static let version: UInt32 = 1
    static let stride = 16
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
        case index, blocks, sections, origins, recordings, members
        /// The bytes of the title, the author and the language, in this order; a record of `absent` is none.
        case metadata
        case strings

        /// The size of one record in bytes.
        var recordSize: Int {
            switch self {
            // Place in the file, start in the text.
            case .index: 12
            // Start, end, kind, matter, level.
            case .blocks: 12
            // Start, level, string.
            case .sections: 16
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

    /// Magic, version, number of utterances, size of the text, then place and count of each table.
    static let headerSize = 8 + 4 + 4 + 8 + Table.allCases.count * 16

    /// A string's place that says that there is none.
    static let absent = UInt32.max

    static let kinds: [(code: UInt8, kind: BlockKind)] = [
        (0, .paragraph), (1, .heading), (2, .listItem), (3, .quote), (4, .verse), (5, .code), (6, .formula),
        (7, .table),
        (8, .caption), (9, .note), (10, .sceneBreak), (11, .pause),
    ]
    static let matters: [(code: UInt8, matter: BlockMatter)] = [(0, .body), (1, .front), (2, .back)]
}
