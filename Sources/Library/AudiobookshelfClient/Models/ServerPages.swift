// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A page of a library's items.
public struct ServerItemPage: ServerValue {
    public var items: [ServerItem]
    /// The number of entries as they came, with those that could not be read.
    public var entries: Int
    public var total: Int64?
    public var page: Int64?

    public init?(_ json: JSONValue) {
        guard case .array(let entries)? = json["results"] else { return nil }
        self.entries = entries.count
        items = json.values("results")
        total = json.whole("total")
        page = json.whole("page")
    }
}

/// The answer to `/api/me/items-in-progress` and to `/api/items/batch/get`.
public struct ServerItemList: ServerValue {
    public var items: [ServerItem]

    public init?(_ json: JSONValue) {
        guard case .array? = json["libraryItems"] else { return nil }
        items = json.values("libraryItems")
    }
}

/// The answer to `/api/libraries/ID/recent-episodes`.
public struct ServerEpisodePage: ServerValue {
    public var episodes: [ServerEpisode]

    public init?(_ json: JSONValue) {
        guard case .array? = json["episodes"] else { return nil }
        episodes = json.values("episodes")
    }
}

/// A page of the series of a library.
public struct ServerSeriesPage: ServerValue {
    public var series: [ServerSeries]
    public var entries: Int
    public var total: Int64?

    public init?(_ json: JSONValue) {
        guard case .array(let entries)? = json["results"] else { return nil }
        self.entries = entries.count
        series = json.values("results")
        total = json.whole("total")
    }
}

/// A page of the authors of a library; without pages, the list is named `authors`.
public struct ServerAuthorPage: ServerValue {
    public var authors: [ServerAuthor]
    public var entries: Int
    public var total: Int64?

    public init?(_ json: JSONValue) {
        let name = json["results"] != nil ? "results" : "authors"
        guard case .array(let entries)? = json[name] else { return nil }
        self.entries = entries.count
        authors = json.values(name)
        total = json.whole("total")
    }
}

/// A page of the collections of a library.
public struct ServerCollectionPage: ServerValue {
    public var collections: [ServerCollection]
    public var entries: Int
    public var total: Int64?

    public init?(_ json: JSONValue) {
        let name = json["results"] != nil ? "results" : "collections"
        guard case .array(let entries)? = json[name] else { return nil }
        self.entries = entries.count
        collections = json.values(name)
        total = json.whole("total")
    }
}

/// Several books in an order.
public struct ServerSeries: ServerValue {
    public var id: String
    public var name: String
    public var sortName: String?
    public var description: String?
    public var addedAt: Int64?
    public var updatedAt: Int64?
    public var items: [ServerItem]

    public init?(_ json: JSONValue) {
        guard let id = json.id("id"), let name = json.words("name") else { return nil }
        self.id = id
        self.name = name
        sortName = json.words("nameIgnorePrefixSort") ?? json.words("nameIgnorePrefix")
        description = json.words("description", limit: AnswerLimits.text)
        addedAt = json.whole("addedAt")
        updatedAt = json.whole("updatedAt")
        items = json.values("books")
    }
}

/// An author of a library.
public struct ServerAuthor: ServerValue {
    public var id: String
    public var name: String
    public var sortName: String?
    public var description: String?
    public var bookCount: Int64?
    public var updatedAt: Int64?

    public init?(_ json: JSONValue) {
        guard let id = json.id("id"), let name = json.words("name") else { return nil }
        self.id = id
        self.name = name
        sortName = json.words("lastFirst")
        description = json.words("description", limit: AnswerLimits.text)
        bookCount = json.whole("numBooks")
        updatedAt = json.whole("updatedAt")
    }
}

/// A list of books that a user made.
public struct ServerCollection: ServerValue {
    public var id: String
    public var name: String
    public var library: String?
    public var description: String?
    public var updatedAt: Int64?
    public var items: [ServerItem]

    public init?(_ json: JSONValue) {
        guard let id = json.id("id"), let name = json.words("name") else { return nil }
        self.id = id
        self.name = name
        library = json.id("libraryId")
        description = json.words("description", limit: AnswerLimits.text)
        updatedAt = json.whole("lastUpdate")
        items = json.values("books")
    }
}
