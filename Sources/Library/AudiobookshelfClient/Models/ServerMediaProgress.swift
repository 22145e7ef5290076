// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A user's place in one item or episode.
public struct ServerMediaProgress: ServerValue {
    /// The ID of the row, which is not that of the item.
    public var id: String?
    /// The item; rows of items that are gone have none.
    public var item: String?
    public var episode: String?
    /// The place; it may lie before the beginning or behind the end, because the server checks nothing.
    public var currentTime: Double?
    public var duration: Double?
    /// 0 to 1, as it was sent, which need not fit the place.
    public var fraction: Double?
    public var isFinished: Bool
    public var isHidden: Bool
    public var ebookLocation: String?
    public var ebookFraction: Double?
    /// Milliseconds since 1970 by the clock of whoever wrote it.
    public var lastUpdate: Int64?
    public var startedAt: Int64?
    public var finishedAt: Int64?

    public init?(_ json: JSONValue) {
        let item = json.id("libraryItemId")
        guard item != nil || json.id("mediaItemId") != nil else { return nil }
        id = json.id("id")
        self.item = item
        episode = json.id("episodeId")
        currentTime = json.fraction("currentTime")
        duration = json.seconds("duration")
        fraction = json.fraction("progress")
        isFinished = json.flag("isFinished") ?? false
        isHidden = json.flag("hideFromContinueListening") ?? false
        ebookLocation = json.words("ebookLocation")
        ebookFraction = json.fraction("ebookProgress")
        lastUpdate = json.whole("lastUpdate")
        startedAt = json.whole("startedAt")
        finishedAt = json.whole("finishedAt")
    }

    /// Returns `true` if it was begun and is not finished, by the rule of the server's own list.
    public var isInProgress: Bool { !isFinished && ((currentTime ?? 0) > 0 || (ebookFraction ?? 0) > 0) }
}

/// The answer to `/api/me/progress`, of version 2.36.
public struct ServerProgressList: ServerValue {
    public var progress: [ServerMediaProgress]

    public init?(_ json: JSONValue) {
        guard case .array? = json["mediaProgress"] else { return nil }
        progress = json.values("mediaProgress")
    }
}
