// SPDX-License-Identifier: Apache-2.0

/// The reason why a podcast cannot be added, found or refreshed.
public struct PodcastError: Error, Sendable, Hashable {
    public enum Reason: String, Sendable {
        /// There is no such podcast or episode.
        case missing
        /// A name for several.
        case ambiguous
        /// An address, file or document that is no feed.
        case unreadable
        /// The server or the network.
        case unavailable
        /// The library cannot be read or written.
        case storage
    }

    public var reason: Reason
    /// One line that says what failed, on what, and what to do.
    public var message: String

    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
