// SPDX-License-Identifier: Apache-2.0

/// A failure in the form that the user sees: what kind it is of, and one line.
public struct PlaybackError: Error, Sendable, Codable, Hashable {
    public enum Kind: String, Sendable, Codable, Hashable, CaseIterable {
        /// The request makes no sense.
        case usage
        /// The content is damaged, or is nothing that can be played.
        case badContent
        /// The item that was named does not exist.
        case noInput
        /// Something that is needed is not there now: an engine, an output, an item.
        case unavailable
        /// Something broke a rule: an engine that died, an output that ended without a word.
        case defect
        case cannotCreate
        /// A disk, a device or a server failed, or did not answer in time; it may work again.
        case io
        /// Something else is in the way, for now.
        case busy
        case notPermitted
    }

    public var kind: Kind
    public var message: String

    public init(_ kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }
}
