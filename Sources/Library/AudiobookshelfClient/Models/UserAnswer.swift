// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A user with all progress and bookmarks, as `/api/me`, a login and `/api/authorize` answer it.
public struct UserAnswer: ServerValue {
    public struct Permissions: Sendable, Hashable {
        public var canDownload: Bool
        public var canUpdate: Bool
        public var canDelete: Bool
        public var seesAllLibraries: Bool
        public var seesExplicit: Bool

        init(_ json: JSONValue?) {
            canDownload = json?.flag("download") ?? false
            canUpdate = json?.flag("update") ?? false
            canDelete = json?.flag("delete") ?? false
            seesAllLibraries = json?.flag("accessAllLibraries") ?? false
            seesExplicit = json?.flag("accessExplicitContent") ?? false
        }
    }

    public var id: String
    public var name: String
    /// `root`, `admin`, `user` or `guest`.
    public var kind: String?
    public var isActive: Bool
    public var permissions: Permissions
    /// The libraries that the user may see, if not all.
    public var libraries: [String]
    public var progress: [ServerMediaProgress]
    public var bookmarks: [ServerBookmark]
    public var hiddenSeries: [String]
    public var lastSeen: Int64?
    public var createdAt: Int64?

    public init?(_ json: JSONValue) {
        guard let id = json.id("id"), let name = json.words("username") else { return nil }
        self.id = id
        self.name = name
        kind = json.words("type")
        isActive = json.flag("isActive") ?? true
        permissions = Permissions(json.member("permissions"))
        libraries = json.list(of: "librariesAccessible", most: AnswerLimits.entries)
        progress = json.values("mediaProgress")
        bookmarks = json.values("bookmarks")
        hiddenSeries = json.list(of: "seriesHideFromContinueListening", most: AnswerLimits.entries)
        lastSeen = json.whole("lastSeen")
        createdAt = json.whole("createdAt")
    }
}

/// The answer to `/login`, `/auth/refresh` and `/api/authorize`.
public struct LoginAnswer: ServerValue {
    public var user: UserAnswer
    /// The library with which the user begins.
    public var defaultLibrary: String?
    public var version: String?
    /// Versions before 2.26 have none.
    public var accessToken: String?
    public var refreshToken: String?
    /// The token of versions before 2.26, which never expires.
    public var legacyToken: String?

    public init?(_ json: JSONValue) {
        guard let member = json.member("user"), let user = UserAnswer(member) else { return nil }
        self.user = user
        defaultLibrary = json.id("userDefaultLibraryId")
        version = json.member("serverSettings")?.words("version")
        accessToken = member.words("accessToken")
        refreshToken = member.words("refreshToken")
        legacyToken = member.words("token")
    }
}

/// A bookmark in a book.
public struct ServerBookmark: ServerValue {
    public var item: String
    public var seconds: Double
    public var title: String
    public var createdAt: Int64?

    public init?(_ json: JSONValue) {
        guard let item = json.id("libraryItemId"), let seconds = json.seconds("time") else { return nil }
        self.item = item
        self.seconds = seconds
        title = json.text("title") ?? ""
        createdAt = json.whole("createdAt")
    }
}
