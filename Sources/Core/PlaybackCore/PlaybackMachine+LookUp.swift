// SPDX-License-Identifier: Apache-2.0

/// Items that are looked up before they can be opened.
///
/// A command that concerns the coming item says so when it begins, before anything can come in between.
extension PlaybackMachine {
    /// Begins to look up the item of a `play`; an item that is already being looked up is given up for it.
    mutating func lookUp(_ id: UInt64, _ owner: OwnerID) {
        giveUpLookUp(of: nil)
        state.commands.lookUp = LookUp(id: id, owner: owner)
    }

    /// Reports that there is no such item; what plays continues.
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
        if state.isComing(owner) { endLookUp(Self.givenUp) }
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
