// SPDX-License-Identifier: Apache-2.0

/// The accounts whose servers can be browsed.
public protocol CatalogAccounts: Sendable {
    /// Returns the accounts in the order in which they were added.
    func accounts() async -> [CatalogAccount]

    /// Returns the way to an account's server, or `nil` if there is no such account.
    func exchange(for id: String) async -> (any ServerExchange)?
}

/// A user of a server, by the names that a listener gives.
public struct CatalogAccount: Sendable, Hashable {
    /// The part of identities, which never changes.
    public var id: String
    public var name: String
    /// The address of the server.
    public var address: String

    public init(id: String, name: String, address: String) {
        self.id = id
        self.name = name
        self.address = address
    }

    /// Returns `true` if a text names the account: by its ID, its name, its address or the host in that.
    public func isNamed(_ text: String) -> Bool {
        let text = text.lowercased()
        let host = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first.map(String.init)
        return [id, name, address, host].contains { $0?.lowercased() == text }
    }
}
