// SPDX-License-Identifier: Apache-2.0

public import HTTPExchange

/// The accounts of this library and their connections, of which each account has one.
public actor ServerAccounts {
    private let file: AccountFile
    private let store: any CredentialStore
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Int64
    private let newID: @Sendable () -> String
    private var connections: [String: ServerConnection] = [:]

    /// The proof with which somebody logs in.
    public enum Proof: Sendable, CustomStringConvertible, CustomReflectable {
        case password(user: String, String)
        case apiKey(String)

        public var description: String {
            switch self {
            case .password(let user, _): "password of \(user)"
            case .apiKey: "API key"
            }
        }
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// - Parameters:
    ///   - now: Returns the milliseconds since 1970.
    ///   - newID: Returns an ID that no account has had.
    public init(
        file: AccountFile, store: any CredentialStore, transport: any HTTPTransport,
        now: @escaping @Sendable () -> Int64,
        newID: @escaping @Sendable () -> String
    ) {
        self.file = file
        self.store = store
        self.transport = transport
        self.now = now
        self.newID = newID
    }

    /// Returns the accounts in the order in which they were added.
    public func all() async throws(ServerFailure) -> [ServerAccount] {
        do throws(CredentialFailure) {
            return try await file.accounts()
        } catch {
            throw ServerFailure(.storage, error.message)
        }
    }

    /// Returns the account that a person names: by its name, its ID or its address, if only one has that.
    public func account(named name: String) async throws(ServerFailure) -> ServerAccount {
        let all = try await all()
        if let exact = all.first(where: { $0.id == name || $0.name.lowercased() == name.lowercased() }) { return exact }
        let address = ServerAddress(name)?.text
        let there = all.filter { $0.address == address }
        guard let only = there.first else {
            throw ServerFailure(.unknown, "there is no server \(name.debugDescription); see `rostrum server list`")
        }
        guard there.count == 1 else {
            let names = there.map(\.name).joined(separator: ", ")
            throw ServerFailure(.unknown, "\(only.address): several users are known there; name one of \(names)")
        }
        return only
    }

    /// Returns the connection of an account.
    public func connection(_ id: String) async throws(ServerFailure) -> ServerConnection {
        if let known = connections[id] { return known }
        guard let account = try await all().first(where: { $0.id == id }) else {
            throw ServerFailure(.unknown, "the server is not known any more; see `rostrum server list`")
        }
        // Another call may have been faster.
        if let known = connections[id] { return known }
        return try connect(account)
    }

    private func connect(_ account: ServerAccount) throws(ServerFailure) -> ServerConnection {
        guard let connection = ServerConnection(account, transport: transport, store: store, now: now) else {
            throw ServerFailure(.address, "\(account.name): \(account.address) is no address of a server")
        }
        connections[account.id] = connection
        return connection
    }

    // MARK: Changes

    /// Adds a server after a login; a user who is known there is logged in again.
    ///
    /// - Parameter name: The name of the account; by default the server's host, with the user where that is taken.
    public func add(
        _ written: String, name: String?, proof: Proof
    ) async throws(ServerFailure) -> ServerAccount {
        guard let given = ServerAddress(written) else {
            throw ServerFailure(
                .address,
                "\(written.debugDescription) is no address of a server; give one such as https://books.example.org")
        }
        let login = ServerLogin(transport)
        let (status, address) = try await login.status(given)
        try Self.check(status, address, proof)
        let (outcome, usesKey): (ServerLogin.Outcome, Bool)
        switch proof {
        case .password(let user, let password):
            (outcome, usesKey) = (try await login.logIn(address, user: user, password: password), false)
        case .apiKey(let key): (outcome, usesKey) = (try await login.check(address, apiKey: key), true)
        }
        let known = try await all()
        if let same = known.first(where: { $0.address == address.text && $0.userID == outcome.user.id }) {
            return try await renew(same, outcome, status, usesKey: usesKey)
        }
        let account = ServerAccount(
            id: newID(), name: try Self.name(name, for: address, user: outcome.user.name, among: known),
            address: address.text, user: outcome.user.name, userID: outcome.user.id, version: "\(status.version)",
            usesKey: usesKey, addedAt: now())
        do throws(CredentialFailure) {
            // First: an account without a login could be seen.
            try await store.save(outcome.credentials, for: account.id)
            try await file.change { $0.append(account) }
        } catch {
            try? await store.remove(account.id)
            throw ServerFailure(.storage, error.message)
        }
        return account
    }

    private static func check(
        _ status: ServerStatus, _ address: ServerAddress, _ proof: Proof
    ) throws(ServerFailure) {
        guard status.isSetUp else {
            throw ServerFailure(.notSetUp, "\(address): the server has no user yet; open it in a browser first")
        }
        switch proof {
        case .password:
            guard status.allowsPassword else {
                throw ServerFailure(
                    .loginKind, "\(address): the server takes no passwords; give an API key with --api-key-stdin")
            }
        case .apiKey:
            guard status.version.hasTokens else {
                throw ServerFailure(
                    .loginKind, "\(address): Audiobookshelf \(status.version) has no API keys; log in by password")
            }
        }
    }

    private static func name(
        _ wanted: String?, for address: ServerAddress, user: String, among known: [ServerAccount]
    ) throws(ServerFailure) -> String {
        let taken = Set(known.map { $0.name.lowercased() })
        if let wanted = wanted?.trimmed {
            let isLine = wanted.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            guard (1...64).contains(wanted.utf8.count), isLine, wanted.first != "-" else {
                throw ServerFailure(.name, "bad name: give one line of at most 64 bytes")
            }
            guard !taken.contains(wanted.lowercased()) else {
                throw ServerFailure(.name, "there is a server \(wanted) already; give another --name")
            }
            return wanted
        }
        let host = address.shortName
        let names = [host, "\(user)@\(host)"] + (2...99).map { "\(user)@\(host)-\($0)" }
        return names.first { !taken.contains($0.lowercased()) } ?? address.text
    }

    private func renew(
        _ account: ServerAccount, _ outcome: ServerLogin.Outcome, _ status: ServerStatus, usesKey: Bool
    ) async throws(ServerFailure) -> ServerAccount {
        try await connection(account.id).adopt(outcome)
        return try await change(account.id) {
            $0.usesKey = usesKey
            $0.version = "\(status.version)"
        }
    }

    /// Logs an account's user in again.
    public func logIn(_ id: String, _ proof: Proof) async throws(ServerFailure) -> ServerAccount {
        let connection = try await connection(id)
        let status = try await connection.status()
        try Self.check(status, connection.address, proof)
        switch proof {
        case .password(_, let password): try await connection.logIn(password: password)
        case .apiKey(let key): try await connection.logIn(apiKey: key)
        }
        let usesKey = if case .apiKey = proof { true } else { false }
        return try await change(id) {
            $0.usesKey = usesKey
            $0.version = "\(status.version)"
        }
    }

    /// Notes the version that a server has by now.
    public func note(version: ServerVersion, of id: String) async throws(ServerFailure) {
        _ = try await change(id) { $0.version = "\(version)" }
    }

    private func change(
        _ id: String, _ body: @escaping @Sendable (inout ServerAccount) -> Void
    ) async throws(ServerFailure) -> ServerAccount {
        do throws(CredentialFailure) {
            try await file.change { accounts in
                for index in accounts.indices where accounts[index].id == id { body(&accounts[index]) }
            }
        } catch {
            throw ServerFailure(.storage, error.message)
        }
        guard let changed = try await all().first(where: { $0.id == id }) else {
            throw ServerFailure(.unknown, "the server is not known any more; see `rostrum server list`")
        }
        return changed
    }

    /// Logs out and forgets an account; what the library knows from it is not touched.
    public func remove(_ id: String) async throws(ServerFailure) {
        try await connection(id).logOut()
        do throws(CredentialFailure) {
            try await file.change { $0.removeAll { $0.id == id } }
        } catch {
            throw ServerFailure(.storage, error.message)
        }
        connections[id] = nil
    }
}
