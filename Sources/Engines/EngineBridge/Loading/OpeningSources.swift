// SPDX-License-Identifier: Apache-2.0

/// An engine's request for the source of a track.
struct SourceRequest: Sendable, Hashable {
    /// The number under which the engine gets the answer.
    var number: UInt32
    var load: UInt32
    var track: UInt32
}

/// The sources that are being opened for an engine, of which it may want only so many at once.
///
/// A source counts until the engine has read the answer, because each answer holds a descriptor.
struct OpeningSources {
    /// The maximum number of sources that are opened or unread.
    ///
    /// An engine asks for eight at most. An answer counts as unread until the engine was seen to have read everything, which
    /// takes a while when commands follow each other at once.
    static let most = 64

    private var count = 0

    /// Counts one more source, and returns `false` if that is too many.
    mutating func begin(unread: Int) -> Bool {
        guard count + unread < Self.most else { return false }
        count += 1
        return true
    }

    mutating func end() { count -= 1 }
}
