// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// A machine that breaks one rule, which only a witness that listens, or looks from outside, can detect.
struct DeafMachine: Decider {
    enum Fault: CaseIterable, Sendable {
        /// A device that never answers is waited for without a clock.
        case watchesNoDevice
        /// A held session counts as unused.
        case endsHeldSessions
        /// An item that fails hands audio focus back without a check of the holds.
        case talksIntoCalls
        /// Paused sound counts as playing as soon as it is requested.
        case saysPlayingAtOnce
        /// A position that is requested while the item opens is forgotten.
        case losesEarlySeeks
        /// A pause while the item opens answers the command that waits for it.
        case answersUnloaded
        /// The pause of an owner without audio focus is ignored.
        case forgetsPausesAside
        /// The device is never told to resume.
        case losesResumes
        /// The device is never told to be silent.
        case losesPauses
    }

    let fault: Fault
    var machine = PlaybackMachine()
    var state: PlaybackState { machine.state }
    var isInUse: Bool { fault == .endsHeldSessions ? [.playing, .loading].contains(state.status) : state.isInUse }

    init(_ fault: Fault) { self.fault = fault }

    mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect] {
        let before = state
        var effects = machine.handle(event)
        switch fault {
        case .endsHeldSessions: break
        case .watchesNoDevice:
            if state.stream == .opening {
                machine.state.watchdog.clock = nil
                effects.removeAll { if case .startClock = $0 { true } else { false } }
            }
        case .talksIntoCalls:
            if case .engineFailed = event, before.owner != state.owner, before.held.last?.isPlaying == true {
                machine.state.intent = .play
            }
        case .saysPlayingAtOnce:
            if effects.contains(.resumeStream), state.stream == .waiting { machine.state.output.stream = .sounding }
        case .losesEarlySeeks: machine.state.loaded.pendingSeek = nil
        case .answersUnloaded:
            if case .pause = event, state.phase == .loading, let id = state.waiting {
                machine.state.commands.newest = nil
                effects.append(.reply(id: id, nil))
            }
        case .forgetsPausesAside:
            if case .pause(let owner?, _) = event, owner != before.owner { machine.state.focus.held = before.held }
        case .losesResumes: effects.removeAll { $0 == .resumeStream }
        case .losesPauses: effects.removeAll { if case .pauseStream = $0 { true } else { false } }
        }
        return effects
    }
}
