// SPDX-License-Identifier: Apache-2.0

/// The identity of an item of a server: `audiobookshelf://ACCOUNT/ITEM[/EPISODE]`.
///
/// It stays as it is when the server moves to another address, is restored, or replaces the item's files.
public struct ServerItemName: Sendable, Hashable {
    public static let scheme = "audiobookshelf://"

    /// The account, by its ID or its name.
    public var account: String
    public var item: String
    public var episode: String?

    public init(account: String, item: String, episode: String? = nil) {
        self.account = account
        self.item = item
        self.episode = episode
    }

    /// Returns `nil` for any other text, and for parts that could name something else on the server.
    public init?(_ text: String) {
        guard text.prefix(Self.scheme.count).lowercased() == Self.scheme else { return nil }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        guard (2...3).contains(parts.count), parts.allSatisfy(ServerPath.isPart) else { return nil }
        self.init(account: parts[0], item: parts[1], episode: parts.count > 2 ? parts[2] : nil)
    }

    public var uri: String { Self.scheme + [account, item, episode].compactMap(\.self).joined(separator: "/") }
}
