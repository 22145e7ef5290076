// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The proof of who asks: a secret, which shows itself in no text.
public enum ServerCredentials: Sendable, Hashable {
    /// Tokens that are renewed; the access token is missing if it was not kept.
    case tokens(access: String?, refresh: String)
    /// A token of a server before 2.26, or one without renewal.
    case token(String)
    /// A key that an administrator made.
    case apiKey(String)

    private struct Body: Codable {
        var access: String?
        var refresh: String?
        var token: String?
        var apiKey: String?
    }

    /// The form in which it is kept: one JSON object.
    public var encoded: [UInt8] {
        let body =
            switch self {
            case .tokens(let access, let refresh): Body(access: access, refresh: refresh)
            case .token(let token): Body(token: token)
            case .apiKey(let key): Body(apiKey: key)
            }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(body)).map(Array.init) ?? []
    }

    /// Returns `nil` for what is no kept form.
    public init?(decoding bytes: [UInt8]) {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(bytes)) else { return nil }
        if let refresh = body.refresh {
            self = .tokens(access: body.access, refresh: refresh)
        } else if let token = body.token {
            self = .token(token)
        } else if let key = body.apiKey {
            self = .apiKey(key)
        } else {
            return nil
        }
    }

    /// The token that goes with a request, if it is known.
    var bearer: String? {
        switch self {
        case .tokens(let access, _): access
        case .token(let token): token
        case .apiKey(let key): key
        }
    }

    var refresh: String? {
        if case .tokens(_, let refresh) = self { refresh } else { nil }
    }
}

extension ServerCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .tokens: "tokens"
        case .token: "token"
        case .apiKey: "API key"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Keeps the credentials of accounts.
///
/// A call that returns from `save` has made them durable: they are there after a power cut.
public protocol CredentialStore: Sendable {
    /// Returns the credentials of an account, or `nil` if there are none.
    func load(_ account: String) async throws(CredentialFailure) -> ServerCredentials?
    func save(_ credentials: ServerCredentials, for account: String) async throws(CredentialFailure)
    /// Removes the credentials of an account, if there are some.
    func remove(_ account: String) async throws(CredentialFailure)
}

/// The reason why credentials are not kept or read, in one line without them.
public struct CredentialFailure: Error, Sendable, Hashable {
    public var message: String
    public init(_ message: String) { self.message = message }
}
