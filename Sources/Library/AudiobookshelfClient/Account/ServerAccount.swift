// SPDX-License-Identifier: Apache-2.0

/// A user of a server, without anything secret.
public struct ServerAccount: Sendable, Hashable, Codable {
    /// The account's own name in this library, which never changes.
    public var id: String
    /// The name by which the listener calls it, which no other account has.
    public var name: String
    /// The server's base address.
    public var address: String
    public var user: String
    /// The server's own name of the user.
    public var userID: String
    /// The version that the server had when it was last asked.
    public var version: String
    /// `true` if an API key stands for a password.
    public var usesKey: Bool
    /// Milliseconds since 1970.
    public var addedAt: Int64

    public init(
        id: String, name: String, address: String, user: String, userID: String, version: String, usesKey: Bool,
        addedAt: Int64
    ) {
        self.id = id
        self.name = name
        self.address = address
        self.user = user
        self.userID = userID
        self.version = version
        self.usesKey = usesKey
        self.addedAt = addedAt
    }
}

/// A user as the server describes it.
public struct ServerUser: Sendable, Hashable {
    public var id: String
    public var name: String
    /// `root`, `admin`, `user` or `guest`.
    public var kind: String
    /// `false` if files may be played and not kept.
    public var mayDownload: Bool
}
