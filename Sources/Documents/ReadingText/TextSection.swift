// SPDX-License-Identifier: Apache-2.0

/// A section of a document: an entry of its table of contents, or a heading.
public struct TextSection: Sendable, Hashable {
    public var title: String
    /// The depth in the table of contents; 1 is the highest.
    public var level: Int
    /// The offset in the text at which it begins.
    ///
    /// It ends where the next section begins.
    public var start: Int

    public init(title: String, level: Int, start: Int) {
        self.title = title
        self.level = level
        self.start = start
    }
}
