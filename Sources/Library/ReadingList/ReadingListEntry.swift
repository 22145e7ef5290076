// SPDX-License-Identifier: Apache-2.0

/// A document of the reading list.
public struct ReadingListEntry: Sendable, Hashable, Codable {
    /// Six characters, lower case letters and digits.
    public var id: String
    /// The URI by which playback knows it.
    public var uri: String
    /// The address that opens it, without credentials.
    public var url: String
    /// The name of its file in the folder of the list.
    public var file: String
    /// A name that hints at the format.
    public var name: String
    public var charset: String?
    /// Wall clock, milliseconds since 1970.
    public var addedAt: Int64
    public var isArchived: Bool
    /// The title, once the document was read.
    public var title: String?

    public init(
        id: String, uri: String, url: String, file: String, name: String, charset: String?, addedAt: Int64,
        isArchived: Bool = false
    ) {
        self.id = id
        self.uri = uri
        self.url = url
        self.file = file
        self.name = name
        self.charset = charset
        self.addedAt = addedAt
        self.isArchived = isArchived
    }
}

/// A document that a server sent.
public struct ReceivedPage: Sendable {
    /// A complete file.
    public var descriptor: Int32
    /// The media type that the server stated.
    public var contentType: String?
    public var charset: String?

    public init(descriptor: Int32, contentType: String?, charset: String?) {
        self.descriptor = descriptor
        self.contentType = contentType
        self.charset = charset
    }
}
