// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// Commands that are looked up before they can be carried out.
///
/// A command that concerns the coming item says so when it begins, before anything can come in between.
extension PlaybackMachine {
    /// Begins to look up a command; one that is already being looked up is given up for it.
    mutating func lookUp(_ id: UInt64, _ owner: OwnerID, _ subject: LookUp.Subject?) {
        giveUpLookUp(of: nil)
        state.commands.lookUp = LookUp(id: id, owner: owner, subject: subject)
    }

    /// Reports that there is nothing to carry out; what plays continues.
    mutating func notFound(_ id: UInt64, _ error: PlaybackError) {
        guard isLookedUp(by: id) else { return }
        endLookUp(error)
    }

    /// Opens the coming item without sound.
    mutating func holdLookUp(of owner: OwnerID?) {
        guard isComing(owner) else { return }
        state.commands.lookUp?.isHeld = true
    }

    /// Sets the rate and the volume of the coming item; what plays keeps its own.
    mutating func setLookUp(rate: Double?, volume: Double?, of owner: OwnerID?) {
        guard isComing(owner) else { return }
        if let rate { state.commands.lookUp?.rate = rate }
        if let volume { state.commands.lookUp?.volume = volume }
    }

    /// Lets a command wait for the coming item, which is to sound.
    mutating func joinLookUp(_ id: UInt64, of owner: OwnerID?) {
        guard isComing(owner), var lookUp = state.lookUp else {
            effects.append(.reply(id: id, Self.givenUp))
            return
        }
        lookUp.isHeld = false
        // Who asks for it now chooses the present output.
        lookUp.holds.remove(.routeLost)
        lookUp.joined.append(id)
        if lookUp.joined.count > Self.mostHeld { refuse(lookUp.joined.removeFirst()) }
        state.commands.lookUp = lookUp
    }

    /// Gives up the coming item, because another command decides what plays.
    mutating func giveUpLookUp(of owner: OwnerID?) {
        if state.isLookedUp(for: owner) { endLookUp(Self.givenUp) }
    }

    /// Ends the look-up to which an order belongs.
    ///
    /// - Returns: What was asked for in the meantime; `nil` if the item was given up, and the order with it.
    mutating func takeLookUp(_ id: UInt64, of order: PlayOrder) -> LookUp? {
        guard order.wasLookedUp == true else { return LookUp(id: id, owner: order.owner) }
        guard isLookedUp(by: id), let lookUp = state.lookUp else { return nil }
        state.commands.lookUp = nil
        return lookUp
    }

    /// Notes the last word of an owner whose command for what is loaded is looked up.
    ///
    /// It counts for what the command opens, too.
    mutating func noteLastWord(isHeld: Bool, of owner: OwnerID?) {
        guard let lookUp = state.lookUp, lookUp.subject != nil, lookUp.owner == owner ?? state.owner else { return }
        state.commands.lookUp?.isHeld = isHeld
        if !isHeld { state.commands.lookUp?.holds = [] }
    }

    /// Gives up an undo for a later seek of the same owner.
    mutating func giveUpUndo(of owner: OwnerID?, before id: UInt64?) {
        guard let lookUp = state.lookUp, lookUp.subject == .jump, lookUp.owner == owner ?? state.owner,
            id.map({ $0 > lookUp.id }) ?? true
        else { return }
        endLookUp(Self.givenUp)
    }

    /// Carries out a command that is not a `play`, and then what was asked for while it was looked up.
    mutating func afterLookUp(
        _ id: UInt64, _ wasLookedUp: Bool?, _ heard: MediaPosition?, _ carryOut: (inout PlaybackMachine) -> Void
    ) {
        guard wasLookedUp == true else { return carryOut(&self) }
        guard isLookedUp(by: id), let coming = state.lookUp else { return }
        state.commands.lookUp = nil
        carryOut(&self)
        if refuses(id, with: coming.joined) { return }
        let waits = state.commands.all.contains(id)
        for other in coming.joined {
            if waits { join(other) } else { effects.append(.reply(id: other, nil)) }
        }
        adopt(coming, heard)
    }

    /// Refuses the commands that joined one that was refused.
    ///
    /// - Returns: `false` if that was not refused.
    private mutating func refuses(_ id: UInt64, with joined: [UInt64]) -> Bool {
        for effect in effects {
            switch effect {
            case .reply(id, let error?):
                for other in joined { effects.append(.reply(id: other, error)) }
                return true
            case .nothingToPlay(id):
                for other in joined { effects.append(.nothingToPlay(id: other)) }
                return true
            default: continue
            }
        }
        return false
    }

    /// Applies the rate, the volume, the holds and the last word about a command that was looked up.
    private mutating func adopt(_ coming: LookUp, _ heard: MediaPosition?) {
        if let rate = coming.rate { setRate(rate, heard: heard, byEngine: false) }
        if let volume = coming.volume { setVolume(volume, heard: heard) }
        holdIfWanted(by: coming.holds)
        if coming.isHeld {
            withdrawSound()
            pause(owner: nil, heard: nil)
        }
    }

    /// Takes back the request for sound that this event has made, because a later word was not to play.
    private mutating func withdrawSound() {
        if state.stream == .opening, let index = effects.lastIndex(of: .openStream(generation: state.generation)) {
            effects.remove(at: index)
            state.output.stream = .closed
        }
        withdrawResume()
    }

    private mutating func withdrawResume() {
        guard let index = effects.lastIndex(of: .resumeStream) else { return }
        effects.remove(at: index)
        state.output.stream = .paused
    }

    /// Silences wanted sound by holds that began before it was wanted.
    private mutating func holdIfWanted(by holds: Suppressions) {
        guard !holds.isEmpty, state.intent == .play, state.phase == .ready || state.phase == .loading else { return }
        state.suppressions.formUnion(holds)
        withdrawResume()
        hold()
    }

    /// Makes a move for which the history was looked up.
    ///
    /// Whether it sounds is as the last command for what is loaded left it.
    mutating func seekAfterLookUp(_ order: SeekOrder, by id: UInt64) {
        state.commands.lookUp = nil
        move(order)
        effects.append(.reply(id: id, nil))
    }

    /// Notes a hold that begins or ends, for what plays when the item is found.
    mutating func holdLookUp(by hold: Suppressions, _ holds: Bool) {
        if holds {
            state.commands.lookUp?.holds.formUnion(hold)
        } else {
            state.commands.lookUp?.holds.subtract(hold)
        }
    }

    private static let givenUp = PlaybackError(
        .busy, message: "the item was not begun: another command came while it was looked up")

    private mutating func endLookUp(_ error: PlaybackError) {
        guard let lookUp = state.lookUp else { return }
        state.commands.lookUp = nil
        for id in [lookUp.id] + lookUp.joined { effects.append(.reply(id: id, error)) }
    }

    /// Returns `true` if the item of this command is being looked up; reports a result that comes too late as dropped.
    private mutating func isLookedUp(by id: UInt64) -> Bool {
        if state.lookUp?.id == id { return true }
        effects.append(.dropped(.stale))
        return false
    }

    /// Returns `true` if an item of this owner is coming; reports a command for one that is not as dropped.
    private mutating func isComing(_ owner: OwnerID?) -> Bool {
        if state.isComing(owner) { return true }
        effects.append(.dropped(.stale))
        return false
    }
}
