// SPDX-License-Identifier: Apache-2.0

/// The operations of `reading`, the list of documents of the web.
public struct ReadingAction: Sendable, Hashable {
    public enum Verb: String, Sendable, Hashable, Codable {
        case list, add, archive, unarchive, delete
    }

    /// The greatest length of an ID or address, in bytes.
    static let longestID = 16_384

    public var verb: Verb
    /// The ID or the address of the document; for `add`, its http or https address.
    public var id: String
    /// `true` if an address of this machine or of its networks may be asked, for `add`.
    public var allowPrivate: Bool

    public init(_ verb: Verb, id: String = "", allowPrivate: Bool = false) {
        self.verb = verb
        self.id = id
        self.allowPrivate = allowPrivate
    }

    func validate() throws(SessionError) {
        switch verb {
        case .list: break
        case .add:
            let start = id.prefix(8).lowercased()
            guard start.hasPrefix("http://") || start.hasPrefix("https://"), id.utf8.count <= Self.longestID else {
                throw SessionError(.usage, "reading add: give an http or https address")
            }
        case .archive, .unarchive, .delete:
            guard !id.isEmpty, id.utf8.count <= Self.longestID else {
                throw SessionError(.usage, "reading \(verb.rawValue): bad id; see `rostrum reading list`")
            }
        }
    }
}
