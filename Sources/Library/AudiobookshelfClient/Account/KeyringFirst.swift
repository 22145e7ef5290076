// SPDX-License-Identifier: Apache-2.0

/// Credentials in the keyring of the desktop if there is one that is open, and else in a file.
///
/// The file has only what could not go into the keyring, so what it has is newer.
public actor KeyringFirst: CredentialStore {
    private let keyring: any CredentialStore
    private let file: any CredentialStore

    public init(keyring: any CredentialStore, file: any CredentialStore) {
        self.keyring = keyring
        self.file = file
    }

    public func load(_ account: String) async throws(CredentialFailure) -> ServerCredentials? {
        if let newer = try await file.load(account) { return newer }
        return try await keyring.load(account)
    }

    public func save(_ credentials: ServerCredentials, for account: String) async throws(CredentialFailure) {
        do throws(CredentialFailure) {
            try await keyring.save(credentials, for: account)
        } catch {
            return try await file.save(credentials, for: account)
        }
        // Only now: one of both has it at any time.
        try await file.remove(account)
    }

    public func remove(_ account: String) async throws(CredentialFailure) {
        try await file.remove(account)
        try await keyring.remove(account)
    }
}
