// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A library of a server.
public struct ServerLibrary: ServerValue {
    public enum Kind: String, Sendable {
        case book
        case podcast
    }

    public var id: String
    public var name: String
    public var kind: Kind
    /// The place in the list.
    public var order: Int64
    public var lastUpdate: Int64?
    /// The seconds before the end from which the server counts an item as finished.
    public var finishesBeforeEnd: Double?
    /// The percentage from which the server counts an item as finished.
    public var finishesAtPercent: Double?

    public init?(_ json: JSONValue) {
        guard let id = json.id("id"), let kind = json.text("mediaType").flatMap(Kind.init) else { return nil }
        self.id = id
        self.kind = kind
        name = json.words("name") ?? id
        order = json.whole("displayOrder") ?? .max
        lastUpdate = json.whole("lastUpdate")
        let settings = json.member("settings")
        finishesBeforeEnd = settings?.seconds("markAsFinishedTimeRemaining")
        finishesAtPercent = settings?.seconds("markAsFinishedPercentComplete")
    }
}

/// The answer to `/api/libraries`.
public struct ServerLibraries: ServerValue {
    public var libraries: [ServerLibrary]

    public init?(_ json: JSONValue) {
        guard case .array? = json["libraries"] else { return nil }
        libraries = json.values("libraries", most: 1000)
    }
}

/// The words by which a library can be filtered, of `?include=filterdata`.
public struct ServerFilterData: ServerValue {
    public var genres: [String]
    public var tags: [String]
    public var narrators: [String]
    public var languages: [String]
    public var authors: [ServerName]
    public var series: [ServerName]

    public init?(_ json: JSONValue) {
        guard let data = json.member("filterdata") else { return nil }
        genres = data.list(of: "genres", most: AnswerLimits.entries)
        tags = data.list(of: "tags", most: AnswerLimits.entries)
        narrators = data.list(of: "narrators", most: AnswerLimits.entries)
        languages = data.list(of: "languages", most: AnswerLimits.entries)
        authors = data.values("authors")
        series = data.values("series")
    }
}

/// Something on a server that has an ID and a name.
public struct ServerName: ServerValue {
    public var id: String
    public var name: String
    /// The place in a series, such as `1` or `2.5`.
    public var sequence: String?

    public init?(_ json: JSONValue) {
        guard let id = json.id("id"), let name = json.words("name") else { return nil }
        self.id = id
        self.name = name
        sequence = json.words("sequence")
    }
}
