// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSON
import PlaybackCore

/// The state in a snapshot of schema 1 or 2, all of whose members were beside each other.
struct OlderSnapshot: Decodable {
    private var state: JSONValue?

    /// Returns the state in its present form; `nil` if there is none.
    func state(_ decoder: JSONDecoder) throws -> PlaybackState? {
        guard case .object(let flat)? = state else { return nil }
        return try decoder.decode(PlaybackState.self, from: JSONEncoder().encode(Self.grouped(flat).withKinds))
    }

    private static func grouped(_ flat: JSONObject) -> JSONValue {
        var state = JSONObject()
        for member in flat.members where !moved.contains(member.name) { state[member.name] = member.value }
        for (part, names) in parts {
            var members = JSONObject()
            for (name, older) in names { members[name] = flat[older] }
            for (name, value) in defaults where names.contains(where: { $0.0 == name }) && members[name] == nil {
                members[name] = value
            }
            state[part] = .object(members)
        }
        return .object(state)
    }

    /// The parts of the state, with the present and the older name of each member.
    private static let parts: [(String, [(String, String)])] = [
        (
            "loaded",
            [
                ("playing", "current"), ("isRemote", "isRemote"), ("pendingSeek", "pendingSeek"),
                ("lookUpFailed", "lookUpFailed"), ("floor", "floor"), ("pace", "pace"), ("displaced", "displaced"),
                ("pendingJump", "pendingJump"),
            ]
        ),
        (
            "output",
            [
                ("stream", "stream"), ("hasSounded", "hasSounded"), ("wasOpened", "wasOpened"), ("steady", "steady"),
            ]
        ),
        (
            "recovery",
            [
                ("attempt", "attempt"), ("recoveredFrom", "recoveredFrom"), ("fatal", "fatal"),
                ("unspoken", "unspoken"), ("carried", "carried"), ("fault", "fault"), ("outage", "outage"),
            ]
        ),
        (
            "focus",
            [
                ("owner", "owner"), ("handsBack", "handsBack"), ("hasTakenFocus", "hasTakenFocus"), ("held", "held"),
                ("reclaimed", "reclaimed"),
            ]
        ),
        ("memory", [("items", "remembered"), ("lastKinds", "lastKinds"), ("leaving", "leaving")]),
        ("sleeping", [("timer", "sleep"), ("slept", "slept"), ("last", "lastSleep")]),
        ("watchdog", [("clock", "clock"), ("last", "lastClock")]),
        ("commands", [("newest", "waiting"), ("earlier", "alsoWaiting")]),
        ("sound", [("rate", "rate"), ("volume", "volume")]),
    ]

    private static let moved = Set(parts.flatMap { $0.1.map(\.1) })

    /// The values of what could be left out; a stream of which nothing is said had been heard.
    private static let defaults: [(String, JSONValue)] = [
        ("lookUpFailed", .bool(false)), ("hasSounded", .bool(true)), ("earlier", .array([])),
    ]
}
