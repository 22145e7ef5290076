// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

/// An engine's request for the source of a track, or for the script of a text.
struct SourceRequest: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        case track(UInt32)
        /// The script, as soon as it says what is said at a position.
        case script(Int64)
    }

    /// The number under which the engine gets the answer.
    var number: UInt32
    var load: UInt32
    var subject: Subject
}

/// The source that an engine asks for, and what it has to wait for before it gets it.
struct RequestedSource: Sendable {
    var source: TrackSource
    /// The making of the script that is asked for; `nil` if nothing has to be waited for.
    var making: ScriptMaking?
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
    private var scripts = 0

    /// `true` while the engine may wait for a script that is being made, so that it is not to blame for the time.
    var includeScript: Bool { scripts > 0 }

    /// Counts one more source, and returns `false` if that is too many.
    mutating func begin(_ subject: SourceRequest.Subject, unread: Int) -> Bool {
        guard count + unread < Self.most else { return false }
        count += 1
        if case .script = subject { scripts += 1 }
        return true
    }

    mutating func end(_ subject: SourceRequest.Subject) {
        count -= 1
        if case .script = subject { scripts -= 1 }
    }
}
