// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// A witness of commands that are looked up and of seeks whose targets are worked out.
///
/// It knows from the events alone what is pending, and what the last word about it was.
struct PendingWitness: Hashable, Sendable {
    /// The command that is looked up, and whether the last word was to play.
    private var coming: Coming?
    /// The seeks whose targets are being worked out, by their ids.
    private var sought: [UInt64: Sought] = [:]

    private struct Coming: Hashable, Sendable {
        var owner: OwnerID
        var subject: LookUp.Subject?
        var isHeld = false
        var rate: Double?
        var isCalling = false
        var isUnplugged = false
    }

    private struct Sought: Hashable, Sendable {
        var owner: OwnerID
        var uri: String?
    }

    /// The same witness, with ids as an order.
    var relative: PendingWitness {
        var same = self
        same.sought = Dictionary(
            uniqueKeysWithValues: sought.sorted { $0.key < $1.key }.enumerated().map { (UInt64($0), $1.value) })
        return same
    }

    /// Returns the rules that this step broke.
    mutating func watch(
        _ event: PlaybackEvent, _ before: PlaybackState, _ after: PlaybackState, _ effects: [PlaybackEffect]
    ) -> [String] {
        lookUps(event, before, after, effects) + seeks(event, before, after)
    }

    /// Checks that the last word about a coming item counts, and that one that was given up is never opened.
    private mutating func lookUps(
        _ event: PlaybackEvent, _ before: PlaybackState, _ after: PlaybackState, _ effects: [PlaybackEffect]
    ) -> [String] {
        var broken: [String] = []
        func concerns(_ owner: OwnerID?) -> Bool {
            coming?.subject == nil && (owner == nil || owner == coming?.owner)
        }
        func isOfPresent(_ owner: OwnerID?) -> Bool {
            coming?.subject != nil && coming?.owner == owner ?? before.owner
        }
        func release() {
            coming?.isHeld = false
            coming?.isCalling = false
            coming?.isUnplugged = false
        }
        var isOfLookUp = true
        switch event {
        case .lookUp(_, let owner, let subject): coming = Coming(owner: owner, subject: subject)
        case .play(let id, let order, _) where order.wasLookedUp == true:
            isOfLookUp = coming == nil || id != before.lookUp?.id
            if !isOfLookUp, let coming { broken += found(coming, order, after) }
            if !isOfLookUp { coming = nil }
        case .play:
            isOfLookUp = false
            coming = nil
        case .switchEngine(let id, _, _, _, true) where id == before.lookUp?.id && coming?.owner != before.owner:
            coming = nil
        case .resume(let id, _, _, _, true), .toggle(let id, _, _, true), .switchEngine(let id, _, _, _, true):
            isOfLookUp = coming == nil || id != before.lookUp?.id
            if !isOfLookUp, let coming { broken += carriedOut(coming, id, after, effects) }
            if !isOfLookUp { coming = nil }
        case .seek(let order) where order.id != nil && order.id == before.lookUp?.id:
            isOfLookUp = false
            if let coming, coming.isHeld, coming.owner == after.owner, after.intent == .play {
                broken.append("the last word about a coming item is ignored")
            }
            coming = nil
        case .pause(let owner, _):
            isOfLookUp = false
            if isOfPresent(owner) { coming?.isHeld = true }
        case .toggle(_, _, _, nil) where [.playing, .loading].contains(before.status) && before.intent == .play:
            isOfLookUp = false
            if isOfPresent(nil) { coming?.isHeld = true }
        case .resume(_, let owner, _, _, nil):
            isOfLookUp = false
            if isOfPresent(owner) { release() }
        case .toggle(_, _, _, nil):
            isOfLookUp = false
            if isOfPresent(nil) { release() }
        case .switchEngine(_, _, _, _, nil):
            isOfLookUp = false
            coming = nil
        case .seek(let order):
            isOfLookUp = false
            // The result of an earlier seek is no later word.
            if isOfPresent(order.owner), coming?.subject == .jump,
                order.id.map({ $0 > before.lookUp?.id ?? 0 }) ?? true,
                order.id.map({ sought[$0] != nil }) ?? true
            {
                coming = nil
            }
        case .locate(_, let owner, _):
            isOfLookUp = false
            if isOfPresent(owner), coming?.subject == .jump { coming = nil }
        case .lookUpFailed:
            isOfLookUp = false
            coming = nil
        case .notFound: coming = nil
        case .holdLookUp(let owner): if concerns(owner) { coming?.isHeld = true }
        case .joinLookUp(_, let owner):
            if concerns(owner) {
                coming?.isHeld = false
                coming?.isUnplugged = false
            }
        case .setLookUp(let rate?, _, let owner): if concerns(owner) { coming?.rate = rate }
        case .giveUpLookUp(let owner): if owner == nil || owner == coming?.owner { coming = nil }
        case .interruption(let began):
            isOfLookUp = false
            coming?.isCalling = began
        case .routeLost:
            isOfLookUp = false
            coming?.isUnplugged = true
        default: isOfLookUp = false
        }
        if isOfLookUp {
            var same = after
            same.commands.lookUp = before.lookUp
            if same != before { broken.append("a look-up changes what plays") }
        }
        if after.lookUp?.owner != coming?.owner || after.lookUp?.isHeld != coming?.isHeld {
            broken.append("a look-up is kept or given up against the last word")
        }
        return broken
    }

    /// Checks that a command that was looked up is carried out as the last word about it was.
    private func carriedOut(_ coming: Coming, _ id: UInt64, _ after: PlaybackState, _ effects: [PlaybackEffect])
        -> [String]
    {
        for effect in effects {
            switch effect {
            case .reply(id, _?), .nothingToPlay(id): return []
            default: break
            }
        }
        var broken: [String] = []
        if (after.intent == .play) == coming.isHeld { broken.append("the last word about a coming item is ignored") }
        if let rate = coming.rate, rate != after.rate {
            broken.append("the rate that was set for a coming item is lost")
        }
        guard after.intent == .play else { return broken }
        if coming.isCalling && !after.suppressions.contains(.interruption)
            || coming.isUnplugged && !after.suppressions.contains(.routeLost)
        {
            broken.append("a hold that began during a look-up is lost")
        }
        return broken
    }

    /// Returns `true` for the late result of a command that was given up.
    func isStale(_ event: PlaybackEvent, _ before: PlaybackState) -> Bool {
        switch event {
        case .resume(let id, _, _, _, true), .toggle(let id, _, _, true), .switchEngine(let id, _, _, _, true):
            return id != before.lookUp?.id
        case .seek(let order):
            guard let id = order.id else { return false }
            return id != before.lookUp?.id && sought[id] == nil
        default: return false
        }
    }

    /// Checks that a seek whose target was worked out is made, unless a later command overtook it.
    private mutating func seeks(_ event: PlaybackEvent, _ before: PlaybackState, _ after: PlaybackState) -> [String] {
        var broken: [String] = []
        func giveUp(_ owner: OwnerID) { sought = sought.filter { $0.value.owner != owner } }
        var same = after
        same.commands.seeks = before.commands.seeks
        // An undo is given up for a later seek.
        if before.lookUp?.subject == .jump, after.lookUp == nil { same.commands.lookUp = before.lookUp }
        switch event {
        case .locate(let id, let owner, let uri):
            sought[id] = Sought(owner: owner, uri: uri)
            if same != before { broken.append("a seek whose position is not known changes what plays") }
        case .notLocated(let id, _):
            sought[id] = nil
            if same != before { broken.append("a seek without a position changes what plays") }
        case .seek(let order):
            let isLookedUp = order.id != nil && order.id == before.lookUp?.id
            if let id = order.id, !isLookedUp {
                guard sought.removeValue(forKey: id) != nil else {
                    if after != before { broken.append("a seek that was given up is made") }
                    break
                }
                let owner = order.owner ?? before.owner
                let there = after.owner == owner ? after.current : after.places(of: owner).first
                if there?.item.uri == order.uri, there?.position != order.target {
                    broken.append("a seek is not made though its position was found")
                }
            }
            let owner = order.owner ?? before.owner
            let uri = order.uri ?? (owner == before.owner ? before.current?.item.uri : nil)
            sought = sought.filter { id, seek in
                id > order.id ?? .max || seek.owner != owner || seek.uri != uri && seek.uri != nil && uri != nil
            }
        case .play(let id, let order, _):
            if order.wasLookedUp != true || id == before.lookUp?.id { giveUp(order.owner) }
        case .lookUpFailed(let id, let order, _, _): if id == before.lookUp?.id { giveUp(order.owner) }
        case .stop(let owner): giveUp(owner ?? before.owner)
        case .switchEngine:
            if after.phase == .loading, after.current?.item != before.current?.item { giveUp(before.owner) }
        case .release(_, let owner, _): if owner != .main, after.owner != owner { giveUp(owner) }
        default: break
        }
        if sought.keys.sorted() != after.seeks.map(\.id).sorted() {
            broken.append("a seek is kept or given up against the last word")
        }
        return broken
    }

    /// Checks that an item that was found is opened as the last word about it was.
    private func found(_ coming: Coming, _ order: PlayOrder, _ after: PlaybackState) -> [String] {
        var broken: [String] = []
        if (after.intent == .play) == coming.isHeld { broken.append("the last word about a coming item is ignored") }
        if after.current?.item != order.item { broken.append("an item that was found is not opened") }
        if let rate = coming.rate ?? order.rate, rate != after.rate {
            broken.append("the rate that was set for a coming item is lost")
        }
        if coming.isCalling != after.suppressions.contains(.interruption)
            || coming.isUnplugged != after.suppressions.contains(.routeLost)
        {
            broken.append("a hold that began during a look-up is lost")
        }
        return broken
    }
}
