// SPDX-License-Identifier: Apache-2.0

/// A failure of an engine.
public struct EngineError: Error, Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// There is no engine with this id, or it may not be loaded.
        case unavailable
        /// The engine did not answer in time and was ended.
        case timedOut
        /// The engine process died.
        case crashed
        /// The engine broke the contract.
        case misbehaved
        /// The engine's folder or licence does not permit loading it.
        case refused
        /// The request makes no sense for this content.
        case usage
        /// The engine process ended before it was ready; no item is at fault.
        case neverReady
        /// The content to be opened does not exist.
        case noInput
        /// The content cannot be opened, or not by this engine, or cannot be decoded.
        case badContent
        /// A disk or a server failed; it may work again.
        case io
        /// The engine has no such voice or language.
        case unknownVoice
        /// A later command came before the engine was done; nothing failed.
        case interrupted
        /// The engine failed in another way.
        case failed
    }

    public var kind: Kind
    /// One line for the user.
    public var message: String
    /// The number by which the log tells the failure, if whoever reports it has one; no decision depends on it.
    public var number: Int32?

    public init(_ kind: Kind, message: String, number: Int32? = nil) {
        self.kind = kind
        self.message = message
        self.number = number
    }

    /// `true` if the process is gone or is being ended, so that the content is not at fault.
    public var isOfTheProcess: Bool {
        switch kind {
        case .unavailable, .timedOut, .crashed, .misbehaved, .neverReady: true
        case .refused, .usage, .noInput, .badContent, .io, .unknownVoice, .interrupted, .failed: false
        }
    }
}
