// SPDX-License-Identifier: Apache-2.0

/// The parts of a document that are read aloud, and how.
public struct ReadingSettings: Sendable, Equatable {
    /// Title page, imprint, table of contents, licence, and what comes behind the end.
    public var readsMatter = false
    /// Footnotes, at the end of their paragraph.
    public var readsNotes = true
    public var readsCode = true
    public var readsFormulas = true
    public var readsTables = true
    public var readsCaptions = true
    public var saysEmoji = false

    public init() {}

    /// The names of the parts that are left out, as the reader of documents knows them.
    public var skipped: [String] {
        [
            readsMatter ? [] : ["frontMatter", "backMatter"], readsNotes ? [] : ["notes"], readsCode ? [] : ["code"],
            readsFormulas ? [] : ["formulas"], readsTables ? [] : ["tables"], readsCaptions ? [] : ["captions"],
        ].flatMap(\.self)
    }
}
