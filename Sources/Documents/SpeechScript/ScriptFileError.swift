// SPDX-License-Identifier: Apache-2.0

/// The failure to write or read a script file.
public struct ScriptFileError: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// It is not a script file, or one of another version.
        case format
        /// Its writer did not finish.
        case unfinished
        /// The file contradicts itself or ends too early.
        case corrupt
        /// A value is larger than the format allows.
        case tooLarge
        /// The system refused; the value is `errno`.
        case system(Int32)
    }

    public var kind: Kind
    /// One line: what failed, on what, and what to do.
    public var message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    static func corrupt(_ what: String) -> ScriptFileError {
        ScriptFileError(.corrupt, "the script file is damaged (\(what)); make it again from the document")
    }
}
