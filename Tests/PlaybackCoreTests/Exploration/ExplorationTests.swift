// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import RandomTestSupport
import Testing

@testable import PlaybackCore

#if canImport(Glibc)
    import Glibc
#endif

enum Exploration {
    /// Returns a number from the environment; `make explore` sets greater ones.
    static func number(_ name: String, else usual: Int) -> Int {
        getenv(name).flatMap { Int(String(cString: $0)) } ?? usual
    }
}

@Suite struct `Every sequence of events` {
    @Test func `breaks no rule, up to a depth`() {
        let depth = Exploration.number("ROSTRUM_EXPLORE_DEPTH", else: 4)
        var explorer = Explorer<PlaybackMachine>()
        explorer.explore(PlaybackMachine(), depth: depth)
        print("explored: depth \(depth), \(explorer.steps) steps, \(explorer.states) states")
        if let finding = explorer.finding { Issue.record("\(Self.told(finding))") }
    }

    @Test func `breaks no rule in a long session`() {
        let sessions = Exploration.number("ROSTRUM_EXPLORE_SESSIONS", else: 2_000)
        // A finding is reproduced by starting at its own number.
        let first = Exploration.number("ROSTRUM_EXPLORE_FIRST", else: 0)
        for session in first..<first + sessions {
            if let finding = Self.wander(PlaybackMachine(), seed: UInt64(session), steps: 100) {
                Issue.record("session \(session): \(Self.told(finding))")
                return
            }
        }
        print("explored: \(sessions) random sessions of 100 events")
    }

    @Test(arguments: BrokenMachine.Fault.allCases)
    func `reveals a rule that is broken on purpose`(_ fault: BrokenMachine.Fault) throws {
        var explorer = Explorer<BrokenMachine>()
        explorer.explore(BrokenMachine(fault), depth: 4)
        func reveals(_ finding: Finding?) -> Bool {
            finding.map { finding in fault.rule.map(finding.rules.contains) ?? true } ?? false
        }
        var finding = explorer.finding
        for seed in 0..<20_000 where !reveals(finding) {
            finding = Self.wander(BrokenMachine(fault), seed: UInt64(seed), steps: 100)
        }
        #expect(reveals(finding))
    }

    @Test func `leads to the same decisions when it is replayed`() {
        var random = SplitMix(state: 42)
        var machine = PlaybackMachine()
        var tape: [(PlaybackEvent, [PlaybackEffect])] = []
        for step in 1...2000 {
            let letters = Alphabet.letters(in: machine.state, id: UInt64(step), sleeps: true)
            let event = letters[random.next(below: letters.count)]
            tape.append((event, machine.handle(event)))
        }
        var replayed = PlaybackMachine()
        for (event, effects) in tape { #expect(replayed.handle(event) == effects) }
        #expect(replayed.state == machine.state)
    }

    private static func wander<Machine: Decider>(
        _ machine: Machine, seed: UInt64, steps: Int
    ) -> Finding? {
        var machine = machine
        var witness = Witness()
        var random = SplitMix(state: seed &* 0x9E37_79B9)
        var path: [PlaybackEvent] = []
        for step in 1...steps {
            let before = machine.state
            let letters = Alphabet.letters(in: before, id: UInt64(step), sleeps: true)
            let event = letters[random.next(below: letters.count)]
            path.append(event)
            let effects = machine.handle(event)
            let rules = witness.watch(event, before, machine.state, effects)
            if !rules.isEmpty { return Finding(rules: rules, path: path) }
        }
        return nil
    }

    private static func told(_ finding: Finding) -> String {
        finding.rules.joined(separator: "; ") + "\n"
            + finding.path.suffix(14).map { "  \(short($0))" }.joined(separator: "\n")
    }

    /// Returns an event without the names of modules and items.
    private static func short(_ event: PlaybackEvent) -> String {
        var text = "\(event)"
        for word in ["PlaybackCore.", "BookTimeline.", "PlaybackEvent.", "MediaPosition", "ItemReference"] {
            text = text.split(separator: word, omittingEmptySubsequences: false).joined()
        }
        return text
    }
}
