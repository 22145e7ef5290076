// SPDX-License-Identifier: Apache-2.0

/// A document as it is read aloud: its text in reading order, and what each part of that text is.
///
/// A place in a document is an offset into `text`. So `text` has everything that could be read, notes and code included, and
/// a setting that leaves a part out leaves every place as it is. The text of a plain UTF-8 file is the file, byte for byte.
public struct ReadingDocument: Sendable, Hashable {
    /// The title by the document's own metadata.
    public var title: String?
    public var author: String?
    /// A BCP 47 tag, as the document declares it.
    public var language: String?
    /// The text, valid UTF-8; two line feeds separate blocks, except in a plain text, which keeps its own.
    public var text: [UInt8]
    /// The blocks in order; they do not overlap.
    public var blocks: [TextBlock]
    /// The sections in order of their start, and for equal starts of their level.
    public var sections: [TextSection]
    /// The pages in order of their start; empty if the document has none.
    public var pages: [TextPage]
    /// The members of the source to which spans refer: an EPUB has several, any other file has one, named "".
    public var members: [String]
    /// Things that the listener may want to know, such as a part that could not be read; one line each.
    public var warnings: [String]

    public init(
        title: String? = nil, author: String? = nil, language: String? = nil, text: [UInt8] = [],
        blocks: [TextBlock] = [], sections: [TextSection] = [], pages: [TextPage] = [],
        members: [String] = [""], warnings: [String] = []
    ) {
        self.title = title
        self.author = author
        self.language = language
        self.text = text
        self.blocks = blocks
        self.sections = sections
        self.pages = pages
        self.members = members
        self.warnings = warnings
    }
}
