// SPDX-License-Identifier: Apache-2.0

/// A failure to read or write a file of an alignment.
public struct AlignmentFileError: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The disk or its permissions do not allow it.
        case io
        /// It is no file of an alignment, or one of another version.
        case format
        /// Another program writes it at the moment.
        case busy
    }

    public var kind: Kind
    /// One line that says what failed, on what, and what to do.
    public var message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
