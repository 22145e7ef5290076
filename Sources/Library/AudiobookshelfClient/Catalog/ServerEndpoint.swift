// SPDX-License-Identifier: Apache-2.0

public import HTTPExchange
public import MediaPlayback

/// A question to a server: what stands behind the address that the user gave.
public struct ServerEndpoint: Sendable, Hashable {
    public var method: HTTPRequest.Method
    /// The parts of the path, unescaped.
    public var path: [String]
    public var query: [Pair]
    /// A body of JSON.
    public var body: [UInt8]?
    /// The most bytes of the answer.
    public var mostBytes: Int64

    /// A name and a value of the query, unescaped.
    public struct Pair: Sendable, Hashable {
        public var name: String
        public var value: String
    }

    public init(
        _ path: String, _ query: [(String, String)] = [], method: HTTPRequest.Method = .get, body: [UInt8]? = nil,
        mostBytes: Int64 = 16 << 20
    ) {
        self.method = method
        self.path = path.split(separator: "/").map(String.init)
        self.query = query.map { Pair(name: $0.0, value: $0.1) }
        self.body = body
        self.mostBytes = mostBytes
    }

    /// What follows the address of the server, percent-encoded.
    public var target: String {
        let names = query.map { "\(ServerPath.encoded($0.name))=\(ServerPath.encoded($0.value))" }
        return path.map { "/\(ServerPath.encoded($0))" }.joined()
            + (names.isEmpty ? "" : "?\(names.joined(separator: "&"))")
    }
}

/// The order of a list on the server.
public enum ServerSort: String, Sendable, CaseIterable {
    case title = "media.metadata.title"
    /// The order of podcasts by author.
    case podcastAuthor = "media.metadata.author"
    case author = "media.metadata.authorNameLF"
    case year = "media.metadata.publishedYear"
    case duration = "media.duration"
    case added = "addedAt"
    case size
    case progress
    case random
}

/// A filter of a library's items on the server.
public struct ServerFilter: Sendable, Hashable {
    public enum Group: String, Sendable {
        case genres, tags, series, authors, progress, narrators, languages
    }

    public var group: Group
    /// A word, an ID of a series or an author, or a kind of progress.
    public var value: String

    public init(_ group: Group, _ value: String) {
        self.group = group
        self.value = value
    }

    /// The parameter before percent-encoding.
    var parameter: String { "\(group.rawValue).\(ServerPath.base64(value))" }
}

extension ServerEndpoint {
    public static let status = Self("/status")
    public static let me = Self("/api/me", mostBytes: 64 << 20)
    public static let libraries = Self("/api/libraries")

    public static func filterData(of library: String) -> Self {
        Self("/api/libraries/\(library)", [("include", "filterdata")])
    }

    /// A page of a library's items.
    public static func items(
        of library: String, page: Int, limit: Int, sort: ServerSort, descends: Bool = false, filter: ServerFilter? = nil
    ) -> Self {
        var query = [("limit", String(limit)), ("page", String(page)), ("sort", sort.rawValue), ("minified", "1")]
        if descends { query.append(("desc", "1")) }
        if let filter { query.append(("filter", filter.parameter)) }
        return Self("/api/libraries/\(library)/items", query)
    }

    /// An item with its files, chapters and episodes.
    public static func item(_ id: String) -> Self { Self("/api/items/\(id)", [("expanded", "1")]) }

    public static func search(_ library: String, for words: String, limit: Int) -> Self {
        Self("/api/libraries/\(library)/search", [("q", words), ("limit", String(limit))])
    }

    public static func itemsInProgress(limit: Int) -> Self {
        Self("/api/me/items-in-progress", [("limit", String(limit))])
    }

    public static func recentEpisodes(of library: String, page: Int, limit: Int) -> Self {
        Self("/api/libraries/\(library)/recent-episodes", [("limit", String(limit)), ("page", String(page))])
    }

    public static func shelves(of library: String, limit: Int) -> Self {
        Self("/api/libraries/\(library)/personalized", [("limit", String(limit))])
    }

    public static func series(of library: String, page: Int, limit: Int) -> Self {
        Self(
            "/api/libraries/\(library)/series",
            [("limit", String(limit)), ("page", String(page)), ("sort", "addedAt"), ("minified", "1")])
    }

    public static func authors(of library: String, page: Int, limit: Int) -> Self {
        Self(
            "/api/libraries/\(library)/authors",
            [("limit", String(limit)), ("page", String(page)), ("sort", "addedAt")])
    }

    public static func collections(of library: String, page: Int, limit: Int) -> Self {
        Self(
            "/api/libraries/\(library)/collections",
            [("limit", String(limit)), ("page", String(page)), ("minified", "1")])
    }

    public static func sessions(page: Int, limit: Int) -> Self {
        Self("/api/me/listening-sessions", [("itemsPerPage", String(limit)), ("page", String(page))])
    }

    /// The picture of an item as JPEG, at most as wide as asked for.
    public static func cover(of item: String, width: Int, updatedAt: Int64) -> Self {
        Self(
            "/api/items/\(item)/cover",
            [("format", "jpeg"), ("width", String(width)), ("ts", String(updatedAt))], mostBytes: 8 << 20)
    }

    /// A file of an item.
    public static func file(_ ino: String, of item: String) -> Self { Self("/api/items/\(item)/file/\(ino)") }
}

/// Asks the server of one account.
///
/// It knows the address and the token, which it renews when it has to.
public protocol ServerExchange: Sendable {
    /// Returns the answer, whatever its status.
    func answer(to endpoint: ServerEndpoint) async throws(ServerRequestError) -> HTTPAnswer

    /// Returns where something is, with what proves who asks, for somebody who asks at once.
    func address(of endpoint: ServerEndpoint) async throws(ServerRequestError) -> TrackAddress
}

extension ServerExchange {
    /// Returns the value that a server answers.
    public func value<Value: ServerValue>(
        at endpoint: ServerEndpoint, as type: Value.Type = Value.self
    ) async throws(ServerRequestError) -> Value {
        let answer = try await self.answer(to: endpoint)
        do throws(ServerAnswerError) {
            return try ServerAnswer.value(of: answer)
        } catch {
            throw .answer(error)
        }
    }
}

/// The reason why a question has no useful answer.
public enum ServerRequestError: Error, Sendable, Hashable {
    /// There was no answer, or one that ends the login.
    case failure(ServerFailure)
    /// The answer is not what was asked for.
    case answer(ServerAnswerError)

    /// `true` if the server cannot be reached, so that what is known is shown.
    public var isOffline: Bool {
        switch self {
        case .failure(let failure): [.unreachable, .timedOut, .rateLimited].contains(failure.reason)
        case .answer(let error): error.reason == .failed || error.reason == .tooMany
        }
    }

    /// One line for a person.
    public var message: String {
        switch self {
        case .failure(let failure): failure.message
        case .answer(let error):
            switch error.reason {
            case .unreadable: "the answer is not one of audiobookshelf; check the address of the server"
            case .unauthorized: "the server does not accept the login any more; use `rostrum server login`"
            case .forbidden: "the server does not allow this user to see it"
            case .missing: "the server does not have it any more"
            case .refused: "the server refused the request (\(error.status))"
            case .tooMany: "the server has had too many requests; wait some minutes"
            case .failed: "the server failed (\(error.status))"
            }
        }
    }
}
