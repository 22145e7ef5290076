// SPDX-License-Identifier: Apache-2.0

import ProgressSync
import Testing

@Suite struct `The schedule of exchanges` {
    /// Returns one line for each event: the time in seconds, the event, and what follows.
    private static func transcript(_ events: [(Int64, SyncSchedule.Event)]) -> String {
        var schedule = SyncSchedule()
        return events.map { time, event in
            let begins = schedule.handle(event, at: time * 1000)
            let due = schedule.due.map { "wakes at \($0 / 1000)" } ?? "sleeps"
            return "\(time) \(event): \(begins ? "exchange, " : "")\(due)"
        }.joined(separator: "\n")
    }

    @Test func `is every 30 s while something plays, and at once when that ends`() {
        let events: [(Int64, SyncSchedule.Event)] = [
            (0, .launched), (1, .exchanged), (10, .playing), (40, .timer), (41, .exchanged), (71, .timer),
            (72, .exchanged), (80, .seeked), (81, .exchanged), (90, .paused), (91, .exchanged), (200, .playing),
            (210, .ended), (211, .exchanged),
        ]
        #expect(
            Self.transcript(events) == """
                0 launched: exchange, sleeps
                1 exchanged: sleeps
                10 playing: wakes at 40
                40 timer: exchange, sleeps
                41 exchanged: wakes at 71
                71 timer: exchange, sleeps
                72 exchanged: wakes at 102
                80 seeked: exchange, sleeps
                81 exchanged: wakes at 111
                90 paused: exchange, sleeps
                91 exchanged: sleeps
                200 playing: wakes at 230
                210 ended: exchange, sleeps
                211 exchanged: sleeps
                """)
    }

    @Test func `begins one exchange at a time, and one more for all that happens meanwhile`() {
        let events: [(Int64, SyncSchedule.Event)] = [
            (0, .playing), (1, .seeked), (2, .seeked), (3, .seeked), (4, .paused), (5, .exchanged), (6, .exchanged),
        ]
        #expect(
            Self.transcript(events) == """
                0 playing: wakes at 30
                1 seeked: exchange, sleeps
                2 seeked: sleeps
                3 seeked: sleeps
                4 paused: sleeps
                5 exchanged: exchange, sleeps
                6 exchanged: sleeps
                """)
    }

    @Test func `asks a server that does not answer less and less often, and at once when the network is back`() {
        let events: [(Int64, SyncSchedule.Event)] = [
            (0, .launched), (1, .unreachable), (31, .timer), (32, .unreachable), (92, .timer), (93, .unreachable),
            (94, .paused), (95, .unreachable), (335, .timer), (336, .unreachable), (816, .timer), (817, .unreachable),
            (1717, .timer), (1718, .unreachable), (2000, .networkBack), (2001, .exchanged),
        ]
        #expect(
            Self.transcript(events) == """
                0 launched: exchange, sleeps
                1 unreachable: wakes at 31
                31 timer: exchange, sleeps
                32 unreachable: wakes at 92
                92 timer: exchange, sleeps
                93 unreachable: wakes at 213
                94 paused: exchange, sleeps
                95 unreachable: wakes at 335
                335 timer: exchange, sleeps
                336 unreachable: wakes at 816
                816 timer: exchange, sleeps
                817 unreachable: wakes at 1717
                1717 timer: exchange, sleeps
                1718 unreachable: wakes at 2618
                2000 networkBack: exchange, sleeps
                2001 exchanged: sleeps
                """)
    }

    @Test func `looks at the place of other devices only while a player looks on`() {
        let events: [(Int64, SyncSchedule.Event)] = [
            (0, .attached), (1, .exchanged), (61, .timer), (62, .exchanged), (70, .detached),
        ]
        #expect(
            Self.transcript(events) == """
                0 attached: exchange, sleeps
                1 exchanged: wakes at 61
                61 timer: exchange, sleeps
                62 exchanged: wakes at 122
                70 detached: sleeps
                """)
    }
}
