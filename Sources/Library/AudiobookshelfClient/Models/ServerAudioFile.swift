// SPDX-License-Identifier: Apache-2.0

public import JSON

/// An audio file of a book or an episode, or a track, which is the same with a place in the book.
public struct ServerAudioFile: ServerValue {
    /// The place in the list from 1, which can have gaps.
    public var index: Int64?
    /// The number in addresses; it changes when the file is replaced.
    public var ino: String?
    public var path: ServerFilePath
    public var seconds: Double?
    public var mimeType: String?
    public var codec: String?
    public var title: String?
    /// The seconds before this file, of a track.
    public var startOffset: Double?
    /// The path under `/api`, of a track.
    public var contentPath: String?
    /// `true` if it is not played.
    public var isExcluded: Bool
    public var isInvalid: Bool

    public init?(_ json: JSONValue) {
        guard case .object = json else { return nil }
        contentPath = json.words("contentUrl")
        ino = json.id("ino") ?? contentPath.flatMap(Self.ino)
        path = ServerFilePath(json.member("metadata"))
        guard ino != nil || path.relPath != nil || path.name != nil else { return nil }
        index = json.whole("index")
        seconds = json.seconds("duration")
        mimeType = json.words("mimeType")
        codec = json.words("codec")
        title = json.words("title")
        startOffset = json.seconds("startOffset")
        isExcluded = json.flag("exclude") ?? false
        isInvalid = json.flag("invalid") ?? false
    }

    /// Returns the `ino` at the end of `/api/items/ITEM/file/INO`.
    private static func ino(of path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count >= 5, parts[parts.count - 2] == "file", let last = parts.last.map(String.init),
            ServerPath.isPart(last)
        else { return nil }
        return last
    }
}

/// A chapter of a book or an episode, in seconds of the whole.
public struct ServerChapter: ServerValue {
    public var start: Double
    public var end: Double?
    public var title: String?
    /// The file in which the chapter lies; servers of audiobookshelf do not say it.
    public var filePath: String?

    public init?(_ json: JSONValue) {
        guard let start = json.seconds("start") else { return nil }
        self.start = start
        end = json.seconds("end").flatMap { $0 >= start ? $0 : nil }
        title = json.words("title")
        filePath = json.words("filePath", limit: AnswerLimits.text) ?? json.words("file_path", limit: AnswerLimits.text)
    }
}
