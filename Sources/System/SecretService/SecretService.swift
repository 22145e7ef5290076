// SPDX-License-Identifier: Apache-2.0

import BlockingCalls

/// The keyring of the desktop, by the Secret Service API of freedesktop.org.
///
/// Secrets cross the user's own bus as they are (the session `plain`): whoever can read that bus can ask the keyring, too.
/// Nobody is prompted: a keyring that is locked is as good as none.
public struct SecretService: Sendable {
    private let queue = BlockingQueue(label: "rostrum.keyring")
    private let application: String
    private let limit: Duration

    public enum Failure: Error, Sendable, Hashable {
        /// No bus, or nothing on it that keeps secrets.
        case absent
        case locked
        /// It answers with an error, or not in time.
        case refused(String)
    }

    /// - Parameters:
    ///   - application: The name under which the secrets are kept.
    ///   - limit: The time limit of one call to the keyring.
    public init(application: String, limit: Duration = .seconds(3)) {
        self.application = application
        self.limit = limit
    }

    /// Returns a secret, or `nil` if there is none.
    public func secret(_ account: String) async throws(Failure) -> [UInt8]? {
        try await perform { bus throws(Failure) in try bus.secret(account) }
    }

    /// Stores a secret in the default collection, in place of one that is there.
    public func store(_ secret: [UInt8], for account: String, label: String) async throws(Failure) {
        try await perform { bus throws(Failure) in try bus.store(secret, for: account, label: label) }
    }

    /// Removes a secret, if there is one.
    public func remove(_ account: String) async throws(Failure) {
        try await perform { bus throws(Failure) in try bus.remove(account) }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (SecretBus) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // A login, a search and a call, and what waits before them.
        let outcome = await queue.run(within: limit * 5) { [application, limit] () -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try work(try SecretBus(application: application, limit: limit)))
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else { throw .refused("the keyring does not answer") }
        return try outcome.get()
    }
}
