// SPDX-License-Identifier: Apache-2.0

/// The reason why an alignment failed.
public struct AlignmentFailure: Error, Sendable, Hashable, Codable {
    /// The kind of the reason.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A file of the text or of the recording is not there.
        case missing
        /// The text cannot be read, or there is nothing to speak in it.
        case content
        /// An engine or its voice is not there, or does not speak.
        case unavailable
        /// The system refuses something, such as a thread.
        case system
        /// The alignment cannot be written.
        case disk
        /// A part of the recording could not be decoded.
        case incomplete
        /// Another process makes the same alignment.
        case busy
        case defect
    }

    public var kind: Kind
    /// One line that says what failed, on what, and what to do.
    public var message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public init(_ error: AlignmentFileError) {
        let kind: Kind =
            switch error.kind {
            case .io: .disk
            case .format: .content
            case .busy: .busy
            }
        self.init(kind, error.message)
    }
}
