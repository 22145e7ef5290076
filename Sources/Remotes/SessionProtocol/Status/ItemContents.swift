// SPDX-License-Identifier: Apache-2.0

/// The result of `contents`: the loaded item, with its cover and all of its chapters.
public struct ItemContents: Sendable, Hashable, Codable {
    /// The loaded item; `nil` if nothing is loaded.
    public var item: Status.Item?
    /// The path of a picture that the library has.
    public var cover: String?
    /// All chapters, with the indices of ``Status/Chapter``; empty while the item is being opened.
    ///
    /// The files of a book without listed chapters are its chapters, with the source `file`.
    public var chapters: [Inspection.Chapter]

    public init(item: Status.Item?, cover: String?, chapters: [Inspection.Chapter]) {
        self.item = item
        self.cover = cover
        self.chapters = chapters
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(item, forKey: .item)
        try members.encode(cover, forKey: .cover)
        try members.encode(chapters, forKey: .chapters)
    }
}
