// SPDX-License-Identifier: Apache-2.0

/// A book or an episode with one account of a server.
///
/// Its identity has no address, so that its place stays the same wherever the server is reached.
public struct ServedItem: Sendable, Codable, Hashable, CustomStringConvertible {
    /// The id of the account, which is that of one user on one server.
    public var account: String
    public var item: String
    /// The id of the episode; `nil` for a book.
    public var episode: String?

    public init(account: String, item: String, episode: String? = nil) {
        self.account = account
        self.item = item
        self.episode = episode
    }

    private static let scheme = "audiobookshelf://"

    /// The item that a URI names; `nil` if that is none of a server.
    public init?(uri: String) {
        guard uri.hasPrefix(Self.scheme) else { return nil }
        let parts = uri.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isPlain) })
        else { return nil }
        self.init(account: String(parts[0]), item: String(parts[1]), episode: parts.count == 3 ? String(parts[2]) : nil)
    }

    /// The URI by which playback and the library know the item.
    public var uri: String { "\(Self.scheme)\(account)/\(key)" }

    /// The name of the item within its account.
    public var key: String { episode.map { "\(item)/\($0)" } ?? item }

    /// The item with a name within an account.
    public init?(account: String, key: String) { self.init(uri: "\(Self.scheme)\(account)/\(key)") }

    public var description: String { uri }

    /// Ids are letters, digits, `-` and `_`: nothing that could lead to another path.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
