// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A book or a podcast of a library, minified or expanded.
public struct ServerItem: ServerValue {
    public enum Media: Sendable, Hashable {
        case book(ServerBook)
        case podcast(ServerPodcast)
    }

    public var id: String
    public var library: String?
    /// The path in its library's folder.
    public var relPath: String?
    /// `true` if it is one file and not a folder.
    public var isFile: Bool
    public var isMissing: Bool
    public var isInvalid: Bool
    public var addedAt: Int64?
    public var updatedAt: Int64?
    public var bytes: Int64?
    public var media: Media
    /// All files of an expanded item.
    public var files: [ServerFile]
    /// The user's place, if it was asked for and there is one.
    public var progress: ServerMediaProgress?
    /// The episode for which a podcast is in the list.
    public var recentEpisode: ServerEpisode?
    /// The time of the user's newest progress, in the list of items in progress.
    public var progressLastUpdate: Int64?
    /// The place in the series for which the item is in the list.
    public var sequence: String?

    public init?(_ json: JSONValue) {
        guard let id = json.id("id"), let media = json.member("media") else { return nil }
        // A list of a series has no kind of media with its books in some versions.
        switch json.text("mediaType") {
        case "podcast": self.media = .podcast(ServerPodcast(media))
        case "book", nil: self.media = .book(ServerBook(media))
        default: return nil
        }
        self.id = id
        library = json.id("libraryId")
        relPath = json.words("relPath", limit: AnswerLimits.text)
        isFile = json.flag("isFile") ?? false
        isMissing = json.flag("isMissing") ?? false
        isInvalid = json.flag("isInvalid") ?? false
        addedAt = json.whole("addedAt")
        updatedAt = json.whole("updatedAt")
        bytes = json.whole("size") ?? media.whole("size")
        files = json.values("libraryFiles")
        progress = json.member("userMediaProgress").flatMap(ServerMediaProgress.init)
        recentEpisode = json.member("recentEpisode").flatMap(ServerEpisode.init)
        progressLastUpdate = json.whole("progressLastUpdate")
        sequence = json.words("sequence") ?? json.words("seriesSequence")
    }

    public var book: ServerBook? {
        guard case .book(let book) = media else { return nil }
        return book
    }

    public var podcast: ServerPodcast? {
        guard case .podcast(let podcast) = media else { return nil }
        return podcast
    }

    public var title: String { book?.title ?? podcast?.title ?? relPath ?? id }
    public var hasCover: Bool { book?.hasCover ?? podcast?.hasCover ?? false }
    public var author: String? { book?.author ?? podcast?.author }
}

/// A file of an item, of any kind.
public struct ServerFile: ServerValue {
    public var ino: String
    public var path: ServerFilePath
    /// `audio`, `image`, `ebook`, `text`, `metadata` or `unknown`.
    public var kind: String?

    public init?(_ json: JSONValue) {
        guard let ino = json.id("ino") else { return nil }
        self.ino = ino
        path = ServerFilePath(json.member("metadata"))
        kind = json.words("fileType")
    }
}

/// The name and the size of a file on a server.
public struct ServerFilePath: Sendable, Hashable {
    public var name: String?
    /// The path in the item's folder, by which a file is found again when its `ino` has changed.
    public var relPath: String?
    public var bytes: Int64?
    public var modifiedAt: Int64?

    init(_ json: JSONValue?) {
        name = json?.words("filename")
        relPath = json?.words("relPath", limit: AnswerLimits.text)
        bytes = json?.whole("size")
        modifiedAt = json?.whole("mtimeMs")
    }
}
