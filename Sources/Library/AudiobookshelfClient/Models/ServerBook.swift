// SPDX-License-Identifier: Apache-2.0

import JSON

/// The media of an item that is a book.
public struct ServerBook: Sendable, Hashable {
    /// The book's own ID, which is no item's.
    public var id: String?
    public var title: String?
    public var sortTitle: String?
    public var subtitle: String?
    /// All authors in one text.
    public var author: String?
    /// All authors in one text, family names first.
    public var sortAuthor: String?
    public var narrator: String?
    /// The series with their sequences, as in `First #1, Second #2.5`.
    public var seriesText: String?
    public var authors: [ServerName]
    public var narrators: [String]
    public var series: [ServerName]
    public var genres: [String]
    public var tags: [String]
    public var year: String?
    public var publisher: String?
    /// The description, which may be HTML.
    public var description: String?
    public var language: String?
    public var isExplicit: Bool
    public var isAbridged: Bool
    public var hasCover: Bool
    public var seconds: Double?
    public var trackCount: Int64?
    public var chapterCount: Int64?
    public var ebookFormat: String?
    /// All audio files of an expanded book, with those that are excluded.
    public var audioFiles: [ServerAudioFile]
    /// The files that are played, in order, of an expanded book.
    public var tracks: [ServerAudioFile]
    public var chapters: [ServerChapter]

    init(_ json: JSONValue) {
        let data = json.member("metadata") ?? .null
        id = json.id("id")
        title = data.words("title")
        sortTitle = data.words("titleIgnorePrefix")
        subtitle = data.words("subtitle")
        author = data.words("authorName")
        sortAuthor = data.words("authorNameLF")
        narrator = data.words("narratorName")
        seriesText = data.words("seriesName")
        authors = data.values("authors", most: AnswerLimits.words)
        narrators = data.list(of: "narrators")
        // A list of a series has the one series as an object.
        series = data.values("series", most: AnswerLimits.words)
        if let one = data.member("series").flatMap(ServerName.init) { series = [one] }
        if author == nil, !authors.isEmpty { author = authors.map(\.name).joined(separator: ", ") }
        if narrator == nil, !narrators.isEmpty { narrator = narrators.joined(separator: ", ") }
        genres = data.list(of: "genres")
        tags = json.list(of: "tags")
        year = data.words("publishedYear")
        publisher = data.words("publisher")
        description = data.words("description", limit: AnswerLimits.text)
        language = data.words("language")
        isExplicit = data.flag("explicit") ?? false
        isAbridged = data.flag("abridged") ?? false
        hasCover = json.words("coverPath", limit: AnswerLimits.text) != nil
        seconds = json.seconds("duration")
        trackCount = json.whole("numTracks")
        chapterCount = json.whole("numChapters")
        ebookFormat = json.words("ebookFormat") ?? json.member("ebookFile")?.words("ebookFormat")
        audioFiles = json.values("audioFiles")
        tracks = json.values("tracks")
        chapters = json.values("chapters")
    }
}
