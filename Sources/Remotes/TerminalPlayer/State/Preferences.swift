// SPDX-License-Identifier: Apache-2.0

import JSON
import SessionProtocol

/// The settings that concern the full-screen player.
struct Preferences: Sendable, Hashable {
    /// The distance of a skip forward, in ms.
    var skipForward: Int64 = 30_000
    var skipBack: Int64 = 30_000
    var startsNext = false
    var keys = KeyBindings.usual
    /// The monotonic time in ms at which they were asked for last.
    var readAt: Int64 = 0

    init() {}

    init(_ settings: SettingsList) {
        func value(_ name: String) -> JSONValue? { settings.settings.first { $0.name == name }?.value }
        func distance(_ name: String) -> Int64? {
            value(name)?.number.flatMap { $0 > 0 && $0 <= 3600 ? Int64($0 * 1000) : nil }
        }
        skipForward = distance("skipForward") ?? skipForward
        skipBack = distance("skipBack") ?? skipBack
        startsNext = value("playNext") == .bool(true)
        if let assignments = value("keys")?.strings, !assignments.isEmpty { keys = KeyBindings(assignments) }
    }
}
