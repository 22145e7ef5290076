// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// A broken rule.
struct Finding {
    var rules: [String]
    /// The events that led to it.
    var path: [PlaybackEvent]
}

/// An exploration of every sequence of events that a machine can take, to a depth.
///
/// Two sequences that lead to states that differ only in the values of their counters count as one, because the same
/// follows from both.
struct Explorer<Machine: Decider> {
    private struct Place {
        var machine: Machine
        var witness: Witness
        var trail: Trail?
    }

    /// The path to a state, shared by all that continue from it.
    private final class Trail: Sendable {
        let event: PlaybackEvent
        let before: Trail?

        init(_ event: PlaybackEvent, after before: Trail?) {
            self.event = event
            self.before = before
        }

        var events: [PlaybackEvent] { (before?.events ?? []) + [event] }
    }

    private(set) var steps = 0
    private(set) var states = 0
    private(set) var finding: Finding?

    /// Explores until the first broken rule.
    mutating func explore(_ machine: Machine, depth: Int) {
        var seen: Set<UInt64> = []
        var frontier = [Place(machine: machine, witness: Witness(), trail: nil)]
        for level in 0..<depth {
            var next: [Place] = []
            for place in frontier {
                let before = place.machine.state
                for event in Alphabet.letters(in: before, id: UInt64(level + 1)) {
                    var machine = place.machine
                    var witness = place.witness
                    let effects = machine.handle(event)
                    steps += 1
                    let rules = witness.watch(event, before, machine.state, effects)
                    guard rules.isEmpty else {
                        finding = Finding(rules: rules, path: Trail(event, after: place.trail).events)
                        return
                    }
                    guard seen.insert(Self.fingerprint(machine.state, witness)).inserted else { continue }
                    // The states of the last level are only judged.
                    if level + 1 < depth {
                        next.append(Place(machine: machine, witness: witness, trail: Trail(event, after: place.trail)))
                    }
                }
            }
            states = seen.count
            frontier = next
        }
    }

    /// Returns a hash of what the future depends on, with counters as distances from the present.
    private static func fingerprint(_ state: PlaybackState, _ witness: Witness) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(state.normalized)
        hasher.combine(witness.relative(to: state.generation))
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

extension PlaybackState {
    /// The part of the state on which the future depends, with counters as distances from the present.
    var normalized: PlaybackState {
        var state = self
        let base = state.generation
        state.memory.leaving = Dictionary(uniqueKeysWithValues: state.leaving.map { (base &- $0.key, $0.value) })
        if var clock = state.clock {
            clock.generation = base &- clock.generation
            clock.id = 0
            state.watchdog.clock = clock
        }
        state.watchdog.last = 0
        state.generation = 0
        state.commands.newest = state.waiting.map { _ in 1 }
        state.commands.earlier = state.commands.earlier.map { _ in 1 }
        if var lookUp = state.lookUp {
            lookUp.id = 1
            lookUp.joined = lookUp.joined.map { _ in 1 }
            state.commands.lookUp = lookUp
        }
        for index in state.seeks.indices { state.commands.seeks?[index].id = UInt64(index) }
        return state
    }
}
