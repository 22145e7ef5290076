// SPDX-License-Identifier: Apache-2.0

/// A document of the web that is kept on this machine.
public struct KeptDocument: Sendable, Hashable {
    /// The file, as the server sent it.
    public var path: String
    /// A name that hints at the format.
    public var name: String
    /// The encoding that the server stated.
    public var charset: String?

    public init(path: String, name: String, charset: String? = nil) {
        self.path = path
        self.name = name
        self.charset = charset
    }
}

/// Keeps documents of the web, so that they can be read again without it.
public protocol WebDocuments: Sendable {
    /// Returns the document at an address: the one that is kept, or else what the server sends, which is then kept.
    func document(at url: String, headers: [String]) async throws(ItemError) -> KeptDocument
}
