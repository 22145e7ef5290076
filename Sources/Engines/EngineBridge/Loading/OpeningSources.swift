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

    /// Returns `true` if the script must be made, or the server asked, first.
    func waits(for subject: SourceRequest.Subject) -> Bool {
        if case .track = subject, case .served = source { return true }
        guard case .script(let position) = subject, let making else { return false }
        return !making.hasReached(position)
    }
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

    /// The numbers of the requests, and when the wait began of those that wait for a script that is being made.
    private var requests: [UInt32: UInt64?] = [:]

    /// `true` while the engine may wait for a script that is being made, so that it is not to blame for the time.
    var includeScript: Bool { requests.values.contains { $0 != nil } }

    /// Counts one more source, and returns `false` if that is too many.
    ///
    /// - Parameter start: The time from which on the engine waits for a script that is being made; `nil` if it need not.
    mutating func begin(_ number: UInt32, waitsFrom start: UInt64?, unread: Int) -> Bool {
        guard requests.count + unread < Self.most, requests[number] == nil else { return false }
        requests[number] = .some(start)
        return true
    }

    /// Notes that a source was opened, and returns when the wait for it began; `nil` if there was none.
    mutating func end(_ number: UInt32) -> UInt64? { requests.removeValue(forKey: number) ?? nil }

    /// Notes that the engine is interrupted, and waits for nothing any more.
    mutating func interrupt() { for number in requests.keys { requests[number] = .some(nil) } }
}
