// SPDX-License-Identifier: Apache-2.0

/// The result of `server`: the accounts, or the one that was changed.
public struct ServerPage: Sendable, Hashable, Codable {
    public var servers: [ServerInfo]
    public init(servers: [ServerInfo]) { self.servers = servers }
}

/// An account on a server.
public struct ServerInfo: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable {
        /// The login is good, as far as is known.
        case ready
        /// The listener must log in again.
        case login
        /// The server cannot be asked; see `fault`.
        case unreachable
    }

    public var id: String
    public var name: String
    public var url: String
    public var user: String
    /// `true` if an API key stands for a password.
    public var usesKey: Bool
    /// The version that the server had when it was last asked.
    public var version: String
    public var state: State
    /// One line about the state; `nil` if it is `ready`.
    public var fault: String?
    /// The milliseconds that the server's clock is ahead of this machine's; `nil` if it was not asked yet.
    public var clockOffsetMs: Int64?
    /// `true` if files may be downloaded; `nil` if the server was not asked.
    public var mayDownload: Bool?
    /// Milliseconds since 1970.
    public var addedAt: Int64

    public init(
        id: String, name: String, url: String, user: String, usesKey: Bool, version: String, state: State,
        fault: String? = nil, clockOffsetMs: Int64? = nil, mayDownload: Bool? = nil, addedAt: Int64
    ) {
        self.id = id
        self.name = name
        self.url = url
        self.user = user
        self.usesKey = usesKey
        self.version = version
        self.state = state
        self.fault = fault
        self.clockOffsetMs = clockOffsetMs
        self.mayDownload = mayDownload
        self.addedAt = addedAt
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(url, forKey: .url)
        try members.encode(user, forKey: .user)
        try members.encode(usesKey, forKey: .usesKey)
        try members.encode(version, forKey: .version)
        try members.encode(state, forKey: .state)
        try members.encode(fault, forKey: .fault)
        try members.encode(clockOffsetMs, forKey: .clockOffsetMs)
        try members.encode(mayDownload, forKey: .mayDownload)
        try members.encode(addedAt, forKey: .addedAt)
    }
}
