// SPDX-License-Identifier: Apache-2.0

/// The failure to write or read a script file.
public struct ScriptFileError: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// It is not a script file, or one of another version.
        case format
        /// The part that is asked for has not been made yet.
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

    /// The byte of the text up to which there are utterances, if more of them are to come.
    public private(set) var end: Int?

    static func more(behind end: Int) -> ScriptFileError {
        var error = ScriptFileError(
            .unfinished, "the script file says no more behind byte \(end) of the text: it is still being made")
        error.end = end
        return error
    }

    static func corrupt(_ what: String) -> ScriptFileError {
        ScriptFileError(.corrupt, "the script file is damaged (\(what)); make it again from the document")
    }
}
