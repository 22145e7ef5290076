// SPDX-License-Identifier: Apache-2.0

public import JSON

/// What became of one offline session, in the answer to `/api/session/local-all`.
public struct ServerSessionReport: ServerValue {
    public var id: String
    /// `true` if the server has taken the session.
    public var isTaken: Bool
    /// `false` if the server has a newer place, which stays.
    public var isProgressTaken: Bool
    public var error: String?

    public init?(_ json: JSONValue) {
        guard let id = json.words("id"), let isTaken = json.flag("success") else { return nil }
        self.id = id
        self.isTaken = isTaken
        isProgressTaken = json.flag("progressSynced") ?? false
        error = json.words("error")
    }
}

/// The answer to `/api/session/local-all`.
public struct ServerSessionReports: ServerValue {
    public var reports: [ServerSessionReport]

    public init?(_ json: JSONValue) {
        guard case .array? = json["results"] else { return nil }
        reports = json.values("results")
    }
}

/// The answer to `/api/me/bookmarks`, of version 2.36.
public struct ServerBookmarkList: ServerValue {
    public var bookmarks: [ServerBookmark]

    public init?(_ json: JSONValue) {
        guard case .array? = json["bookmarks"] else { return nil }
        bookmarks = json.values("bookmarks")
    }
}
