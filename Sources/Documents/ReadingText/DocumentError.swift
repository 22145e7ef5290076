// SPDX-License-Identifier: Apache-2.0

/// The failure to read a document.
public struct DocumentError: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// No format that the reader knows.
        case format
        /// The file says one thing and holds another, or ends too early to be of use.
        case corrupt
        /// The document is protected against being read.
        case encrypted
        /// There is nothing to read in it.
        case empty
        /// It exceeds the limits.
        case tooLarge
        /// Its encoding is unknown.
        case encoding
        case interrupted
    }

    public var kind: Kind
    /// One line: what failed, on what, and what to do.
    public var message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
