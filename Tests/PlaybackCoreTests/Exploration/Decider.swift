// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// The machine, or one with a rule broken on purpose.
protocol Decider: Sendable {
    var state: PlaybackState { get }
    /// `true` if the session must not end.
    var isInUse: Bool { get }
    mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect]
}

extension Decider {
    var isInUse: Bool { state.isInUse }
}

extension PlaybackMachine: Decider {}

/// A machine that breaks one rule, which exploration must find.
struct BrokenMachine: Decider {
    enum Fault: CaseIterable, Sendable {
        /// An owner that takes audio focus does not silence the one before.
        case leavesTheOldSound
        /// An open item sounds, whether or not it is wanted.
        case soundsUnasked
        /// Every position that is reported is saved.
        case savesAnyPlace
        /// An owner that gets audio focus back starts at 0.
        case handsBackFromZero
        /// A new command forgets the one that waited.
        case forgetsAnswers
        /// A load that fails gives audio focus to whoever lost it last.
        case givesFocusAway
        /// An item that cannot be opened again is no longer there.
        case losesOpenItems
        /// An item that was given up is opened when it is found.
        case opensWhatWasGivenUp
        /// A pause during a look-up is forgotten.
        case forgetsEarlyPauses
        /// A `resume` that was given up is carried out when what it needs is known.
        case resumesWhatWasGivenUp
        /// A call that begins while a `resume` is looked up is forgotten.
        case forgetsEarlyCalls
        /// A seek that was given up is made when its position is known.
        case seeksWhatWasGivenUp
        /// An engine that takes a text over begins at 0.
        case handsOverFromZero
        /// A later seek leaves those before it waiting.
        case leavesSeeksWaiting

        /// The rule that must be found broken; `nil` if any of several may.
        var rule: String? {
            switch self {
            case .givesFocusAway: "a failed load gives audio focus to an owner from whom it did not take it"
            case .losesOpenItems: "an item that was open is lost because it cannot be opened again"
            case .opensWhatWasGivenUp: "a look-up changes what plays"
            case .resumesWhatWasGivenUp: "a look-up changes what plays"
            case .forgetsEarlyCalls: "a hold that began during a look-up is lost"
            case .seeksWhatWasGivenUp: "a seek that was given up is made"
            case .leavesSeeksWaiting: "a seek is kept or given up against the last word"
            case .handsOverFromZero: "a hand-over goes back in the text"
            case .forgetsEarlyPauses: "the last word about a coming item is ignored"
            default: nil
            }
        }
    }

    let fault: Fault
    var machine = PlaybackMachine()
    var state: PlaybackState { machine.state }

    init(_ fault: Fault) { self.fault = fault }

    mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect] {
        let owner = state.owner
        if fault == .givesFocusAway, case .loadFailed = event { machine.state.focus.hasTakenFocus = true }
        if fault == .losesOpenItems, case .loadFailed = event { machine.state.loaded.displaced = nil }
        var event = event
        if fault == .opensWhatWasGivenUp, case .play(let id, var order, let heard) = event, state.lookUp?.id != id {
            order.wasLookedUp = nil
            event = .play(id: id, order, heard: heard)
        }
        if fault == .forgetsEarlyPauses, case .play(let id, _, _) = event, state.lookUp?.id == id {
            machine.state.commands.lookUp?.isHeld = false
        }
        switch event {
        case .resume(let id, let owner, let heard, let back, true):
            if fault == .resumesWhatWasGivenUp, state.lookUp?.id != id {
                event = .resume(id: id, owner: owner, heard: heard, back: back)
            }
            if fault == .forgetsEarlyCalls { machine.state.commands.lookUp?.holds = [] }
        case .seek(var order):
            guard fault == .seeksWhatWasGivenUp, let id = order.id, state.lookUp?.id != id else { break }
            if !state.seeks.contains(where: { $0.id == id }) {
                order.id = nil
                event = .seek(order)
            }
        default: break
        }
        let seeks = state.seeks
        let effects = machine.handle(event)
        switch fault {
        case .leavesSeeksWaiting:
            guard case .seek(let order) = event else { return effects }
            let kept = seeks.filter { $0.id != order.id }
            machine.state.commands.seeks = kept.isEmpty ? nil : kept
            return effects
        case .givesFocusAway, .losesOpenItems, .opensWhatWasGivenUp, .forgetsEarlyPauses, .resumesWhatWasGivenUp,
            .forgetsEarlyCalls, .seeksWhatWasGivenUp:
            return effects
        case .handsOverFromZero:
            if effects.contains(where: \.handsOver) { machine.state.loaded.playing?.position = .start }
            return effects
        case .leavesTheOldSound:
            guard case .play = event else { return effects }
            return effects.filter { if case .pauseStream = $0 { false } else { true } }
        case .soundsUnasked:
            guard case .loaded = event, state.phase == .ready, state.stream == .closed else { return effects }
            machine.state.output.stream = .opening
            return effects + [.openStream(generation: state.generation)]
        case .savesAnyPlace:
            return effects.map { effect in
                guard case .refusePlace = effect, let current = state.current else { return effect }
                return .savePlace(state.owner, current, finished: false, durably: false)
            }
        case .handsBackFromZero:
            guard case .release = event, owner != state.owner else { return effects }
            machine.state.loaded.playing?.position = .start
            return effects
        case .forgetsAnswers:
            guard case .play = event else { return effects }
            return effects.filter { if case .reply = $0 { false } else { true } }
        }
    }
}
