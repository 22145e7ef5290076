// SPDX-License-Identifier: Apache-2.0

/// The result of `downloads`: the items in the order of asking, or the ones that were named.
public struct DownloadPage: Sendable, Hashable, Codable {
    public var downloads: [DownloadInfo]
    /// The bytes of all downloads on this machine.
    public var bytes: Int64

    public init(downloads: [DownloadInfo], bytes: Int64) {
        self.downloads = downloads
        self.bytes = bytes
    }
}

/// An item that is, or is to be, on this machine.
public struct DownloadInfo: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable {
        case queued, downloading, downloaded, error
    }

    /// The name of the download for other actions: the identity of its item.
    public var id: String
    /// The identity under which it is played.
    public var uri: String
    public var title: String
    public var author: String?
    public var state: State
    /// The bytes on this machine.
    public var bytes: Int64
    /// The bytes of all its files; `nil` while the size of one is not known.
    public var totalBytes: Int64?
    public var files: Int
    /// One line that says why it is in error, or what it waits for.
    public var reason: String?
    /// The folder of its files.
    public var path: String?
    /// Milliseconds since 1970.
    public var addedAt: Int64

    public init(
        id: String, uri: String, title: String, author: String? = nil, state: State, bytes: Int64,
        totalBytes: Int64? = nil, files: Int, reason: String? = nil, path: String? = nil, addedAt: Int64
    ) {
        self.id = id
        self.uri = uri
        self.title = title
        self.author = author
        self.state = state
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.files = files
        self.reason = reason
        self.path = path
        self.addedAt = addedAt
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(uri, forKey: .uri)
        try members.encode(title, forKey: .title)
        try members.encode(author, forKey: .author)
        try members.encode(state, forKey: .state)
        try members.encode(bytes, forKey: .bytes)
        try members.encode(totalBytes, forKey: .totalBytes)
        try members.encode(files, forKey: .files)
        try members.encode(reason, forKey: .reason)
        try members.encode(path, forKey: .path)
        try members.encode(addedAt, forKey: .addedAt)
    }
}
