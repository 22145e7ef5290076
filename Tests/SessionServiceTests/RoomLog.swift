// SPDX-License-Identifier: Apache-2.0

import JSON
import MediaPlayback
import PlaybackCore
import Synchronization
import TransitionRecords

/// A log that counts what the session has taken note of, and keeps the last records in words.
final class RoomLog: TransitionLogging {
    private struct State {
        var markers = 0
        var gone = 0
        var last: [String] = []
        var failures: [String] = []
    }

    /// Locked for one access.
    private let state = Mutex(State())

    /// Returns `true` if everything that was sent was taken note of.
    func hasSeen(_ sent: RoomStage.Sent) -> Bool {
        state.withLock { ($0.markers, $0.gone) == (sent.markers, sent.gone) }
    }

    var last: [String] { state.withLock(\.last) }
    /// What could not be written into the library.
    var failures: [String] { state.withLock(\.failures) }

    func record(_ entry: TransitionEntry) {
        state.withLock { state in
            switch (entry.kind, entry.fields["event"], entry.fields["action"]) {
            case (.event, .string("starved"), _)
            where entry.fields["generation"] == .int(Int64(RoomStage.marker)):
                return state.markers += 1
            case (.engine, _, .string("gone")): state.gone += 1
            default: break
            }
            if entry.fields["result"] == .string("failed"), case .string(let words)? = entry.fields["errorMessage"] {
                state.failures.append(words)
            }
            state.last.append(Self.line(entry))
            if state.last.count > 40 { state.last.removeFirst() }
        }
    }

    private static func line(_ entry: TransitionEntry) -> String {
        func text(_ name: String) -> String? { if case .string(let text)? = entry.fields[name] { text } else { nil } }
        var words = [
            "\(entry.kind)", entry.owner?.rawValue, text("event") ?? text("action"), text("of"), text("message"),
        ]
        if case .array(let decisions)? = entry.fields["decisions"] {
            words += decisions.map { if case .string(let text) = $0 { text } else { nil } }
        }
        return words.compactMap(\.self).joined(separator: " ")
    }

    func flush() async {}
    func subscribe() -> AsyncStream<String> { AsyncStream { $0.finish() } }
}
