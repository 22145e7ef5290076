// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import RandomTestSupport
import Testing

@testable import PlaybackCore

/// Tests of every course of a session with a device that lags, loses its stream, hangs and has underruns, judged by
/// ear.
@Suite struct `The sound in the room` {
    private struct Heard {
        var steps = 0
        var states = 0
        var finding: String?
    }

    /// The path to a room, shared by all that continue from it.
    private final class Trail: Sendable {
        let move: Move
        let before: Trail?

        init(_ move: Move, after before: Trail?) {
            self.move = move
            self.before = before
        }

        var moves: [Move] { (before?.moves ?? []) + [move] }
    }

    /// Explores every sequence from every beginning; those in which something sounds need fewer steps to the same
    /// depth.
    private static func explore<Machine: Decider>(_ machine: Machine, depth: Int) -> Heard {
        var heard = Heard()
        var seen: Set<Int> = []
        for (index, room) in Room.beginnings(machine).enumerated() {
            var frontier: [(room: Room<Machine>, trail: Trail?)] = [(room, nil)]
            for level in 0..<(index == 0 ? depth : max(1, depth - 1)) {
                var next: [(room: Room<Machine>, trail: Trail?)] = []
                for place in frontier {
                    for move in place.room.moves(UInt64(level + 1)) {
                        var room = place.room
                        heard.steps += 1
                        let broken = room.go(move)
                        guard broken.isEmpty else {
                            heard.finding = told(broken, Trail(move, after: place.trail).moves, beginning: index)
                            return heard
                        }
                        if seen.insert(room.fingerprint).inserted {
                            next.append((room, Trail(move, after: place.trail)))
                        }
                    }
                }
                frontier = next
            }
        }
        heard.states = seen.count
        return heard
    }

    private static func wander<Machine: Decider>(_ machine: Machine, seed: UInt64, steps: Int) -> String? {
        var random = SplitMix(state: seed &* 0x9E37_79B9)
        let beginnings = Room.beginnings(machine)
        let index = random.next(below: beginnings.count)
        var room = beginnings[index]
        var path: [Move] = []
        for step in 1...steps {
            let moves = room.moves(UInt64(step))
            let move = moves[random.next(below: moves.count)]
            path.append(move)
            let broken = room.go(move)
            if !broken.isEmpty { return told(broken, path, beginning: index) }
        }
        return nil
    }

    private static func told(_ broken: [String], _ path: [Move], beginning: Int) -> String {
        broken.joined(separator: "; ") + "\n  beginning \(beginning)\n"
            + path.suffix(14).map { "  \($0)" }.joined(separator: "\n")
    }

    @Test func `is reported as it is heard, however a device lags, loses its stream or hangs`() {
        let depth = max(3, Exploration.number("ROSTRUM_EXPLORE_DEPTH", else: 6) - 2)
        let heard = Self.explore(PlaybackMachine(), depth: depth)
        print("heard: depth \(depth), \(heard.steps) steps, \(heard.states) states")
        if let finding = heard.finding { Issue.record("\(finding)") }
    }

    @Test func `is reported as it is heard in every long session`() {
        let sessions = Exploration.number("ROSTRUM_EXPLORE_SESSIONS", else: 2_000)
        let first = Exploration.number("ROSTRUM_EXPLORE_FIRST", else: 0)
        for session in first..<first + sessions {
            if let finding = Self.wander(PlaybackMachine(), seed: UInt64(session), steps: 100) {
                Issue.record("session \(session): \(finding)")
                return
            }
        }
        print("heard: \(sessions) random sessions of 100 moves")
    }

    @Test(arguments: DeafMachine.Fault.allCases)
    func `reveals a machine that does not listen`(_ fault: DeafMachine.Fault) {
        var finding = Self.explore(DeafMachine(fault), depth: 3).finding
        for seed in 0..<20_000 where finding == nil {
            finding = Self.wander(DeafMachine(fault), seed: UInt64(seed), steps: 100)
        }
        #expect(finding != nil)
    }
}
