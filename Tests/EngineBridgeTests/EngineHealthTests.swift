// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import EngineBridge

@Suite struct EngineHealthTests {
    private static let second: UInt64 = 1_000_000_000
    private let id = EngineID("tone")

    /// Returns the deaths that lead to quarantine, for deaths a second apart, each with its item and whether it left
    /// sound.
    private func quarantines(_ deaths: [(item: String?, leavesSound: Bool)]) -> [Int] {
        var health = EngineHealth()
        return deaths.enumerated().filter { index, death in
            health.noteDeath(
                of: id, item: death.item, leavesSound: death.leavesSound, at: UInt64(index) * Self.second)
        }.map(\.offset)
    }

    @Test func `an engine that dies five times in a row, whatever it is given, is quarantined`() {
        #expect(quarantines([("a", false), ("a", false), ("b", false), ("b", false), ("b", false)]) == [4])
        #expect(quarantines(Array(repeating: (nil, false), count: 5)) == [4], "it does not even start")
    }

    @Test func `an engine that dies only of one item is not quarantined`() {
        #expect(quarantines(Array(repeating: ("a", false), count: 50)).isEmpty)
    }

    @Test func `an engine that gave sound in between is not quarantined`() {
        let deaths: [(String?, Bool)] = [("a", false), ("b", false), ("a", false), ("b", false), ("a", true)]
        #expect(quarantines(deaths + deaths + deaths).isEmpty)
    }

    @Test func `old deaths are forgotten`() {
        var health = EngineHealth()
        for number in 0..<20 {
            let time = UInt64(number) * 200 * Self.second
            let isDue = health.noteDeath(of: id, item: "\(number)", leavesSound: false, at: time)
            #expect(!isDue)
        }
    }

    @Test func `an engine that dies of one item again and again is restarted quickly`() {
        var health = EngineHealth()
        for number in 0..<20 {
            #expect(health.pause(before: id, at: UInt64(number)) <= .milliseconds(50))
            _ = health.noteDeath(of: id, item: "a", leavesSound: false, at: UInt64(number))
        }
    }

    @Test func `each death makes the pause before the next start longer`() {
        var health = EngineHealth()
        var pauses: [Duration] = []
        for number in 0..<5 {
            pauses.append(health.pause(before: id, at: UInt64(number)))
            _ = health.noteDeath(of: id, item: number == 0 ? "b" : "a", leavesSound: false, at: UInt64(number))
        }
        #expect(pauses == [0, 0, 100, 400, 1_000].map { .milliseconds($0) })
        #expect(health.pause(before: id, at: EngineHealth.window + 10) == .zero)
        #expect(health.pause(before: EngineID("other"), at: 5) == .zero)
    }
}
