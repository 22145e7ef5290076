// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A session of listening, as the server has it.
public struct ServerSession: ServerValue {
    public enum PlayMethod: Int64, Sendable {
        case direct
        case directStream
        case transcode
        case local
    }

    /// A uuid, unless the client that made it chose otherwise.
    public var id: String
    public var item: String?
    public var episode: String?
    public var library: String?
    public var title: String?
    public var author: String?
    public var playMethod: PlayMethod?
    public var seconds: Double?
    public var startTime: Double?
    public var currentTime: Double?
    /// The seconds listened in this session; a stored 0 reads back as null.
    public var listened: Double?
    public var startedAt: Int64?
    public var updatedAt: Int64?
    public var deviceName: String?
    public var client: String?
    public var tracks: [ServerAudioFile]
    public var chapters: [ServerChapter]
    /// The whole item, in the answer to `play`.
    public var libraryItem: ServerItem?

    public init?(_ json: JSONValue) {
        guard let id = json.words("id") else { return nil }
        self.id = id
        item = json.id("libraryItemId")
        episode = json.id("episodeId")
        library = json.id("libraryId")
        title = json.words("displayTitle")
        author = json.words("displayAuthor")
        playMethod = json.whole("playMethod").flatMap(PlayMethod.init)
        seconds = json.seconds("duration")
        startTime = json.fraction("startTime")
        currentTime = json.fraction("currentTime")
        listened = json.seconds("timeListening")
        startedAt = json.whole("startedAt")
        updatedAt = json.whole("updatedAt")
        let device = json.member("deviceInfo")
        deviceName = device?.words("deviceName")
        client = device?.words("clientName")
        tracks = json.values("audioTracks")
        chapters = json.values("chapters")
        libraryItem = json.member("libraryItem").flatMap(ServerItem.init)
    }
}

/// A page of a user's sessions.
public struct ServerSessionPage: ServerValue {
    public var sessions: [ServerSession]
    public var total: Int64?
    public var pages: Int64?

    public init?(_ json: JSONValue) {
        guard case .array? = json["sessions"] else { return nil }
        sessions = json.values("sessions")
        total = json.whole("total")
        pages = json.whole("numPages")
    }
}
