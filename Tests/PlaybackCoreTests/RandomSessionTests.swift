// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

/// What must hold after every event, whatever came before.
private func violations(_ before: PlaybackState, _ after: PlaybackState, _ effects: [PlaybackEffect]) -> [String] {
    var found: [String] = []
    if after.status == .playing, after.intent != .play || after.phase != .ready || after.stream != .sounding {
        found.append("playing without intent, item or sound")
    }
    if after.phase == .idle, after.current != nil || after.stream != .closed {
        found.append("idle with an item or a stream")
    }
    if after.phase != .ready, after.stream != .closed { found.append("a stream without a loaded item") }
    if (after.error != nil) != (after.phase == .failed) {
        found.append("an error without failure, or failure without an error")
    }
    if after.generation < before.generation { found.append("the generation went back") }
    for effect in effects {
        switch effect {
        case .openStream(let generation), .seek(let generation, _):
            if generation != after.generation { found.append("\(effect) for another generation") }
        case .savePlace(_, let playing, _, _):
            if playing.provenance != .heard, playing.provenance != .user {
                found.append("saved a place that was \(playing.provenance)")
            }
        default: break
        }
    }
    if effects.contains(where: { if case .openStream = $0 { true } else { false } }), after.intent != .play {
        found.append("the stage was taken without an intent to play")
    }
    return found
}

@Suite struct `Random sessions` {
    /// Every event that can happen, for a generation that may be stale.
    static func event(_ random: inout SplitMix, _ state: PlaybackState, id: UInt64) -> PlaybackEvent {
        let generation = random.next(4) == 0 ? UInt32(random.next(Int(state.generation) + 1)) : state.generation
        let place = at(Int64(random.next(100_000)))
        let heard = random.next(3) == 0 ? nil : place
        let error = PlaybackError(code: 70, message: "broken")
        switch random.next(24) {
        case 0: return .play(id: id, order(bookItem, ffmpeg, at: place.units))
        case 1: return .play(id: id, order(textItem, espeak))
        case 2: return .resume(id: id)
        case 3: return .pause
        case 4: return .toggle(id: id)
        case 5: return .stop
        case 6: return .seek(to: place, from: heard)
        case 7: return .setRate(Double(1 + random.next(3)), heard: heard, byEngine: random.next(2) == 0)
        case 8: return .switchEngine(id: id, espeak, kinds: [.text], heard: heard)
        case 9: return .switchEngine(id: id, ffmpeg, kinds: [.audio], heard: heard)
        case 10: return .loadFailed(generation: generation, error)
        case 11: return .engineFailed(generation: generation, error, heard: heard)
        case 12: return .engineGone(generation: generation, error, heard: heard)
        case 13: return .streamFailed(generation: generation, error)
        case 14: return .starved(generation: generation)
        case 15: return .ended(generation: generation, atLimit: random.next(3) == 0)
        case 16: return .silenced(generation: generation, heard: heard)
        case 17: return .outputFailed(error, heard: heard)
        case 18: return .interruption(began: random.next(2) == 0)
        case 19: return .heard(generation: generation, place)
        case 20: return .streamOpened(generation: generation)
        case 21, 22: return .started(generation: generation)
        default: return .loaded(generation: generation, start: place)
        }
    }

    @Test(arguments: 0..<20)
    func `no sequence of events breaks an invariant, and every command is answered once`(seed: Int) {
        var random = SplitMix(state: UInt64(seed) &* 0x9E37_79B9)
        for _ in 0..<200 {
            var machine = PlaybackMachine()
            var asked: Set<UInt64> = []
            var answered: Set<UInt64> = []
            for step in 1...60 {
                let before = machine.state
                let id = UInt64(step)
                let event = Self.event(&random, before, id: id)
                switch event {
                case .play, .resume, .switchEngine: asked.insert(id)
                case .toggle:
                    // As a pause it has no answer.
                    if !(before.intent == .play && before.phase != .ended && before.phase != .failed) {
                        asked.insert(id)
                    }
                default: break
                }
                let effects = machine.handle(event)
                #expect(violations(before, machine.state, effects) == [], "seed \(seed), \(event) in \(before.status)")
                for effect in effects {
                    switch effect {
                    case .reply(let id, _), .nothingToPlay(let id):
                        #expect(answered.insert(id).inserted, "command \(id) was answered twice")
                    default: break
                    }
                }
            }
            _ = machine.handle(.stop)
            let open = asked.subtracting(answered)
            #expect(open.isEmpty || machine.state.waiting == nil, "never answered: \(open.sorted())")
        }
    }

    @Test func `the same events lead to the same decisions`() {
        var random = SplitMix(state: 42)
        var machine = PlaybackMachine()
        var tape: [(PlaybackEvent, [PlaybackEffect])] = []
        for step in 1...2000 {
            let event = Self.event(&random, machine.state, id: UInt64(step))
            tape.append((event, machine.handle(event)))
        }
        var replayed = PlaybackMachine()
        for (event, effects) in tape { #expect(replayed.handle(event) == effects) }
        #expect(replayed.state == machine.state)
    }
}

/// A small deterministic generator (Steele, Lea, Flood 2014).
struct SplitMix {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(max(1, bound)))
    }
}
