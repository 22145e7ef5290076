// SPDX-License-Identifier: Apache-2.0

/// The result of `reading`: the documents of the list, the newest first, or the one that was changed.
public struct ReadingPage: Sendable, Hashable, Codable {
    public var documents: [ReadingDocumentInfo]
    public init(documents: [ReadingDocumentInfo]) { self.documents = documents }
}

/// A document of the reading list.
public struct ReadingDocumentInfo: Sendable, Hashable, Codable {
    public var id: String
    public var uri: String
    /// The address that opens it.
    public var url: String
    public var title: String?
    public var author: String?
    /// The share of the text before the saved place of `main`, 0 to 100; `nil` if it was never read, or cannot be opened.
    public var percent: Double?
    public var isArchived: Bool
    /// Milliseconds since 1970.
    public var addedAt: Int64
    /// The reason why it cannot be read; `nil` if it can.
    public var fault: String?

    public init(
        id: String, uri: String, url: String, title: String? = nil, author: String? = nil, percent: Double? = nil,
        isArchived: Bool, addedAt: Int64, fault: String? = nil
    ) {
        self.id = id
        self.uri = uri
        self.url = url
        self.title = title
        self.author = author
        self.percent = percent
        self.isArchived = isArchived
        self.addedAt = addedAt
        self.fault = fault
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(uri, forKey: .uri)
        try members.encode(url, forKey: .url)
        try members.encode(title, forKey: .title)
        try members.encode(author, forKey: .author)
        try members.encode(percent, forKey: .percent)
        try members.encode(isArchived, forKey: .isArchived)
        try members.encode(addedAt, forKey: .addedAt)
        try members.encode(fault, forKey: .fault)
    }
}
