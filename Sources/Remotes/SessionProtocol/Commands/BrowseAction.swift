// SPDX-License-Identifier: Apache-2.0

/// The operations of `browse`, which shows what servers have, also without them.
public struct BrowseAction: Sendable, Hashable, Codable {
    public enum Verb: String, Sendable, Hashable, Codable, CaseIterable {
        case libraries, items, progress, episodes, series, authors, collections, show, refresh
    }

    /// The largest number of entries in one answer, because the size of a message is limited.
    public static let mostEntries = 200
    /// The entries of an answer that does not say it.
    public static let usual = 50
    /// The largest number of filters.
    public static let mostFilters = 16
    /// The largest size of a name or a search in bytes.
    public static let longestName = 1024
    /// The orders of items.
    public static let orders = [
        "title", "author", "added", "updated", "latest-episode", "genre", "duration", "year", "size", "progress",
        "random", "sequence",
    ]

    static let method = "browse"

    public var action: Verb
    /// The name of an account or of its server, or the beginning of its ID; without it, the only one.
    public var server: String?
    /// The name or the ID of a library; without it, the only one, or all.
    public var library: String?
    /// The ID, or its unique beginning, of an item or episode, for `show` and `episodes`.
    public var id: String?
    /// The conditions that must all hold, as in `genre:Drama`, for `items`.
    public var filters: [String]?
    /// One of ``orders``, for `items`.
    public var sort: String?
    public var reverse: Bool?
    /// The words that must occur, for `items` and `episodes`.
    public var words: [String]?
    public var offset: Int?
    public var limit: Int?
    /// The number that makes the order of `random`, so that pages fit together.
    public var seed: Int64?

    public init(_ action: Verb) { self.action = action }

    /// Decodes an action, any parameter of which may be missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        action = try members.decodeIfPresent(Verb.self, forKey: .action) ?? .libraries
        server = try members.decodeIfPresent(String.self, forKey: .server)
        library = try members.decodeIfPresent(String.self, forKey: .library)
        id = try members.decodeIfPresent(String.self, forKey: .id)
        filters = try members.decodeIfPresent([String].self, forKey: .filters)
        sort = try members.decodeIfPresent(String.self, forKey: .sort)
        reverse = try members.decodeIfPresent(Bool.self, forKey: .reverse)
        words = try members.decodeIfPresent([String].self, forKey: .words)
        offset = try members.decodeIfPresent(Int.self, forKey: .offset)
        limit = try members.decodeIfPresent(Int.self, forKey: .limit)
        seed = try members.decodeIfPresent(Int64.self, forKey: .seed)
    }

    func validate() throws(SessionError) {
        for text in [server, library, id, sort].compactMap(\.self) + (filters ?? []) + (words ?? []) {
            guard !text.isEmpty, text.utf8.count <= Self.longestName else {
                throw SessionError(.usage, "browse: a name is empty, or longer than \(Self.longestName) bytes")
            }
        }
        guard (filters ?? []).count <= Self.mostFilters else {
            throw SessionError(.usage, "browse: more than \(Self.mostFilters) filters")
        }
        guard (words ?? []).count <= ClipAction.mostWords else {
            throw SessionError(.usage, "browse: more than \(ClipAction.mostWords) words")
        }
        for filter in filters ?? [] { _ = try BrowseFilter(filter) }
        if let sort, !Self.orders.contains(sort) {
            throw SessionError(
                .usage, "browse: no such order: \(sort); give one of \(Self.orders.joined(separator: ", "))")
        }
        if action == .show, id == nil { throw SessionError(.usage, "browse: show needs the id of an item or episode") }
        guard (0...Int(Int32.max)).contains(offset ?? 0) else {
            throw SessionError(.usage, "browse: bad offset: \(offset ?? 0); give 0 or more")
        }
        guard (1...Self.mostEntries).contains(limit ?? Self.usual) else {
            throw SessionError(.usage, "browse: bad limit: \(limit ?? 0); give 1 to \(Self.mostEntries)")
        }
    }
}

/// A condition of items, written as `KIND:VALUE`.
public enum BrowseFilter: Sendable, Hashable {
    case genre(String)
    case tag(String)
    case series(String)
    case author(String)
    case narrator(String)
    case collection(String)
    case inProgress
    case finished
    case notStarted

    public init(_ text: String) throws(SessionError) {
        let parts = text.split(separator: ":", maxSplits: 1)
        let kind = parts.first ?? ""
        let value = parts.count > 1 ? String(parts[1]) : ""
        guard !value.isEmpty else { throw Self.bad(text) }
        switch (kind, value) {
        case ("genre", _): self = .genre(value)
        case ("tag", _): self = .tag(value)
        case ("series", _): self = .series(value)
        case ("author", _): self = .author(value)
        case ("narrator", _): self = .narrator(value)
        case ("collection", _): self = .collection(value)
        case ("progress", "in-progress"): self = .inProgress
        case ("progress", "finished"): self = .finished
        case ("progress", "not-started"): self = .notStarted
        default: throw Self.bad(text)
        }
    }

    private static func bad(_ text: String) -> SessionError {
        SessionError(
            .usage,
            "browse: bad filter: \(text.debugDescription); give genre:X, tag:X, series:X, author:X, narrator:X, "
                + "collection:X, or progress: with in-progress, finished or not-started")
    }
}
