// SPDX-License-Identifier: Apache-2.0

/// Items that are looked up before they can be opened.
extension PlaybackMachine {
    /// Begins to look up the item of a `play`; an item that is already being looked up is given up for it.
    mutating func lookUp(_ id: UInt64, _ owner: OwnerID) {
        giveUpLookUp()
        state.commands.lookUp = LookUp(id: id, owner: owner)
    }

    /// Reports that there is no such item; what plays continues.
    mutating func notFound(_ id: UInt64, _ error: PlaybackError) {
        guard isLookedUp(by: id) else { return }
        endLookUp(error)
    }

    /// Gives up an item that is being looked up, because another command decides what plays.
    mutating func giveUpLookUp() {
        endLookUp(
            PlaybackError(.busy, message: "the item was not begun: another command came while it was looked up"))
    }

    private mutating func endLookUp(_ error: PlaybackError) {
        guard let lookUp = state.lookUp else { return }
        state.commands.lookUp = nil
        for id in [lookUp.id] + lookUp.joined { effects.append(.reply(id: id, error)) }
    }

    /// Ends the look-up to which an order belongs.
    ///
    /// - Returns: What was asked for in the meantime; `nil` if the item was given up, and the order with it.
    mutating func takeLookUp(_ id: UInt64, of order: PlayOrder) -> LookUp? {
        guard order.wasLookedUp == true else {
            giveUpLookUp()
            return LookUp(id: id, owner: order.owner)
        }
        guard isLookedUp(by: id), let lookUp = state.lookUp else { return nil }
        state.commands.lookUp = nil
        return lookUp
    }

    /// Returns `true` if the item of this command is being looked up; reports a result that comes too late as dropped.
    private mutating func isLookedUp(by id: UInt64) -> Bool {
        if state.lookUp?.id == id { return true }
        effects.append(.dropped(.stale))
        return false
    }

    /// Lets a command wait for the coming item, which is to sound.
    ///
    /// - Returns: `false` if the command means something else.
    mutating func joinLookUp(_ id: UInt64, _ owner: OwnerID?) -> Bool {
        guard var lookUp = state.lookUp, state.isComing(owner) else { return false }
        lookUp.isHeld = false
        lookUp.joined.append(id)
        if lookUp.joined.count > Self.mostHeld { refuse(lookUp.joined.removeFirst()) }
        state.commands.lookUp = lookUp
        return true
    }
}
