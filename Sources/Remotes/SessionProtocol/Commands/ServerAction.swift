// SPDX-License-Identifier: Apache-2.0

/// The operations of `server`, the accounts on Audiobookshelf servers.
public struct ServerAction: Sendable, Hashable {
    public enum Verb: String, Sendable, Hashable, Codable {
        case list, add, login, logout, remove, status
    }

    /// The greatest length of a name, an address, a password or a key, in bytes.
    static let longest = 8192

    public var verb: Verb
    /// The name, the ID or the address of an account; for `status`, all of them if it is empty.
    public var id: String
    /// The address of the server, for `add`.
    public var url: String?
    public var name: String?
    public var user: String?
    public var password: SecretText?
    public var apiKey: SecretText?

    public init(_ verb: Verb, id: String = "") {
        self.verb = verb
        self.id = id
    }

    func validate() throws(SessionError) {
        let texts = [id, url, name, user, password?.text, apiKey?.text].compactMap(\.self)
        guard texts.allSatisfy({ $0.utf8.count <= Self.longest && !$0.utf8.contains(0) }) else {
            throw SessionError(.usage, "server \(verb.rawValue): a text that is too long or that is none")
        }
        switch verb {
        case .list, .status: break
        case .logout, .remove: try needID()
        case .add:
            guard url?.isEmpty == false else {
                throw SessionError(.usage, "server add: give the address of the server")
            }
            try needProof()
            guard apiKey != nil || user?.isEmpty == false else {
                throw SessionError(.usage, "server add: give the name of the user with --user")
            }
        case .login:
            try needID()
            try needProof()
        }
    }

    private func needID() throws(SessionError) {
        guard !id.isEmpty else {
            throw SessionError(.usage, "server \(verb.rawValue): name one of `rostrum server list`")
        }
    }

    private func needProof() throws(SessionError) {
        let proofs = [password, apiKey].compactMap(\.self)
        guard proofs.count == 1, proofs[0].text.isEmpty == false else {
            throw SessionError(.usage, "server \(verb.rawValue): give either a password or an API key")
        }
    }
}

/// A password or a key on its way to the session, which shows itself in no text.
public struct SecretText: Sendable, Hashable, Codable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public var text: String

    public init(_ text: String) { self.text = text }

    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }

    public var description: String { "…" }
    public var debugDescription: String { "…" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
