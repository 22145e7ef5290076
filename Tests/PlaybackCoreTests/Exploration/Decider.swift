// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// The machine, or one with a rule that was broken on purpose.
protocol Decider: Sendable {
    var state: PlaybackState { get }
    /// The session is not to end.
    var isInUse: Bool { get }
    mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect]
}

extension Decider {
    var isInUse: Bool { state.isInUse }
}

extension PlaybackMachine: Decider {}

/// A machine that breaks one rule: exploring it must find that out.
struct BrokenMachine: Decider {
    enum Fault: CaseIterable, Sendable {
        /// Who takes the stage does not silence the one before.
        case leavesTheOldSound
        /// What is open sounds, whether anybody wants it or not.
        case soundsUnasked
        /// Every place that is told is saved.
        case savesAnyPlace
        /// The owner who gets the stage back begins at 0.
        case handsBackFromZero
        /// A new command forgets the one that waited.
        case forgetsAnswers
    }

    let fault: Fault
    var machine = PlaybackMachine()
    var state: PlaybackState { machine.state }

    init(_ fault: Fault) { self.fault = fault }

    mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect] {
        let owner = state.owner
        let effects = machine.handle(event)
        switch fault {
        case .leavesTheOldSound:
            guard case .play = event else { return effects }
            return effects.filter { if case .pauseStream = $0 { false } else { true } }
        case .soundsUnasked:
            guard case .loaded = event, state.phase == .ready, state.stream == .closed else { return effects }
            machine.state.stream = .opening
            return effects + [.openStream(generation: state.generation)]
        case .savesAnyPlace:
            return effects.map { effect in
                guard case .refusePlace = effect, let current = state.current else { return effect }
                return .savePlace(state.owner, current, finished: false, durably: false)
            }
        case .handsBackFromZero:
            guard case .release = event, owner != state.owner else { return effects }
            machine.state.current?.position = .start
            return effects
        case .forgetsAnswers:
            guard case .play = event else { return effects }
            return effects.filter { if case .reply = $0 { false } else { true } }
        }
    }
}
