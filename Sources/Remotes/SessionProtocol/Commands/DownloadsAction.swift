// SPDX-License-Identifier: Apache-2.0

/// The operations of `downloads`, the items that are kept on this machine.
public struct DownloadsAction: Sendable, Hashable {
    public enum Verb: String, Sendable, Hashable, Codable {
        case list, add, cancel, remove, verify
    }

    /// The greatest length of an item, in bytes.
    static let longestID = 16_384

    public var verb: Verb
    /// The item: a URI of a server's item, or an address; empty for all, with `list` and `verify`.
    public var id: String

    public init(_ verb: Verb, id: String = "") {
        self.verb = verb
        self.id = id
    }

    func validate() throws(SessionError) {
        let needsID = verb != .list && verb != .verify
        guard id.utf8.count <= Self.longestID, !(needsID && id.isEmpty) else {
            throw SessionError(.usage, "download \(verb.rawValue): bad item; see `rostrum download list`")
        }
    }
}
