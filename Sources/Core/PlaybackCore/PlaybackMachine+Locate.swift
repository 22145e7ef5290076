// SPDX-License-Identifier: Apache-2.0

/// Seeks whose targets are worked out before they can be made.
///
/// They take effect in the order in which they were asked for: a later one overtakes those before it.
extension PlaybackMachine {
    mutating func locate(_ id: UInt64, _ owner: OwnerID, _ uri: String?) {
        giveUpUndo(of: owner, before: id)
        var seeks = state.commands.seeks ?? []
        seeks.append(ComingSeek(id: id, owner: owner, uri: uri))
        if seeks.count > Self.mostHeld {
            effects.append(.reply(id: seeks.removeFirst().id, Self.tooManySeeks))
        }
        state.commands.seeks = seeks
    }

    mutating func notLocated(_ id: UInt64, _ error: PlaybackError) {
        guard isLocating(id) else { return }
        removeSeeks { $0.id == id }
        effects.append(.reply(id: id, error))
    }

    mutating func seek(_ order: SeekOrder) {
        if let id = order.id, state.lookUp?.id != id {
            guard isLocating(id) else { return }
            removeSeeks { $0.id == id }
            overtakeSeeks(before: id, order)
            move(order)
            let isDropped = effects.contains(.dropped(.otherItem)) || effects.contains(.dropped(.notOwner))
            effects.append(.reply(id: id, isDropped ? Self.overtaken : nil))
            return
        }
        if order.id == nil { giveUpUndo(of: order.owner, before: nil) }
        overtakeSeeks(before: order.id ?? .max, order)
        if let id = order.id { seekAfterLookUp(order, by: id) } else { move(order) }
    }

    /// Gives up the seeks of an owner, because a later command says where it is to be.
    mutating func giveUpSeeks(of owner: OwnerID) {
        for seek in removeSeeks(where: { $0.owner == owner }) {
            effects.append(.reply(id: seek.id, Self.overtaken))
        }
    }

    /// Answers the seeks that came before another one in the same item: the last one counts.
    private mutating func overtakeSeeks(before id: UInt64, _ order: SeekOrder) {
        let owner = order.owner ?? state.owner
        let uri = order.uri ?? (owner == state.owner ? state.current?.item.uri : nil)
        let gone = removeSeeks { seek in
            seek.id < id && seek.owner == owner && (seek.uri == nil || uri == nil || seek.uri == uri)
        }
        for seek in gone { effects.append(.reply(id: seek.id, nil)) }
    }

    /// Returns `true` if the target of this command is being worked out; reports a result that comes too late as
    /// dropped.
    private mutating func isLocating(_ id: UInt64) -> Bool {
        if state.seeks.contains(where: { $0.id == id }) { return true }
        effects.append(.dropped(.stale))
        return false
    }

    @discardableResult
    private mutating func removeSeeks(where isGone: (ComingSeek) -> Bool) -> [ComingSeek] {
        guard let seeks = state.commands.seeks else { return [] }
        let kept = seeks.filter { !isGone($0) }
        state.commands.seeks = kept.isEmpty ? nil : kept
        return seeks.filter(isGone)
    }

    private static let overtaken = PlaybackError(
        .busy, message: "the position was not sought: another command came while it was worked out")

    private static let tooManySeeks = PlaybackError(.busy, message: "too many seeks wait for their positions")
}
