// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// A witness that watches a session and tells, from the decisions alone, whether a rule is broken.
///
/// It keeps its own account of what sounds, what is saved and what was taken, so that the machine is not judged by its
/// own memory.
struct Witness: Hashable, Sendable {
    /// The owner whose sound the device has; `nil` if it is silent.
    private var audible: OwnerID?
    /// The position in each item of `main` below which nothing may be saved.
    private var floors: [String: Int64] = [:]
    /// The state of owners when audio focus was taken from them.
    private var taken: [OwnerID: Taken] = [:]
    /// `true` while an item is being opened for an owner that did not have audio focus before.
    private var isOpeningWithFocus = false
    /// The item that was open last for the owner that has audio focus, until something else was asked for.
    private var opened: ItemReference?
    /// The account of commands that are pending.
    private var pending = PendingWitness()
    /// The state that an owner had kept before it took focus for the item that is being opened.
    private var reclaimed: [OwnerID: Taken] = [:]

    private struct Taken: Hashable, Sendable {
        var item: ItemReference?
        var position: MediaPosition?
        var rate: Double
        var generation: UInt32

        /// Returns the same with the exact position of its old sound, which is reported once.
        func learning(_ heard: MediaPosition, _ state: PlaybackState) -> Taken {
            var same = self
            let isSlip = position.map { heard.units < $0.units - Int64(state.rules.slipTolerance) } ?? false
            if !isSlip, item != nil { same.position = heard }
            same.generation = .max
            return same
        }
    }

    /// Returns the same witness, with generations as distances from the present one, and ids as an order.
    func relative(to generation: UInt32) -> Witness {
        var same = self
        same.pending = pending.relative
        for (owner, had) in taken where had.generation != .max {
            same.taken[owner]?.generation = generation &- had.generation
        }
        for (owner, had) in reclaimed where had.generation != .max {
            same.reclaimed[owner]?.generation = generation &- had.generation
        }
        return same
    }

    /// Returns the rules that this step broke.
    mutating func watch(
        _ event: PlaybackEvent, _ before: PlaybackState, _ after: PlaybackState, _ effects: [PlaybackEffect]
    ) -> [String] {
        var broken = shape(before, after)
        broken += answers(event, before, after, effects)
        if effects.contains(where: \.handsOver) { broken += handOver(before, after) }
        let isStale = pending.isStale(event, before)
        broken += pending.watch(event, before, after, effects)
        if !isStale { noteMoves(event, before, after) }
        switch event {
        case .outputFailed, .streamClosed: audible = nil
        case .streamFailed(let generation, _) where generation == before.generation: audible = nil
        default: break
        }
        for effect in effects { broken += judge(effect, after) }
        broken += ownership(event, before, after, isStale: isStale)
        return broken
    }

    /// Checks what must hold in any state.
    private func shape(_ before: PlaybackState, _ state: PlaybackState) -> [String] {
        var broken: [String] = []
        func rule(_ holds: Bool, _ name: String) { if !holds { broken.append(name) } }
        rule(
            state.status != .playing || state.wantsSound && state.phase == .ready && state.stream == .sounding,
            "it says playing without intent, item or sound")
        rule(state.phase == .ready || state.stream == .closed, "a stream without an open item")
        rule(state.phase != .loading || state.clock?.kind == .load, "nobody watches a load")
        rule(
            !state.wantsSound || state.clock != nil || [.closed, .paused].contains(state.stream),
            "sound is wanted, and nobody watches whether it comes")
        rule(
            state.clock == nil || state.current != nil, "a clock runs while nothing is there")
        rule(state.phase != .failed || state.error != nil, "failed without a reason")
        rule(state.generation >= before.generation, "the generation went back")
        rule(state.attempt <= state.rules.maximumAttempts, "more attempts than there may be")
        rule(!state.held.contains { $0.owner == state.owner }, "an owner holds the stage and lost it")
        rule(Set(state.held.map(\.owner)).count == state.held.count, "an owner lost the stage twice")
        rule(
            state.waiting == nil || state.phase == .loading
                || state.phase == .ready && (state.wantsSound || state.outage != nil), "a command waits for nothing")
        return broken
    }

    /// Checks that another engine is given the same text at the same place, for the same owner.
    private func handOver(_ before: PlaybackState, _ after: PlaybackState) -> [String] {
        var broken: [String] = []
        let (old, new) = (before.current, after.current)
        if new?.engine != before.recovery.standIn { broken.append("an engine takes over that was not offered") }
        if new?.item != old?.item || before.owner != after.owner || before.intent != after.intent {
            broken.append("another engine is given something else than the one that failed had")
        }
        // What the event says of the place has been noted.
        if let old, let new, new.position < old.position { broken.append("a hand-over goes back in the text") }
        return broken
    }

    /// Checks that every command is answered once: now, or when what it waits for happens.
    private func answers(
        _ event: PlaybackEvent, _ before: PlaybackState, _ after: PlaybackState, _ effects: [PlaybackEffect]
    ) -> [String] {
        var open = Self.waiting(before)
        switch event {
        // The look-up has the id of its command.
        case .play(_, let order, _) where order.wasLookedUp == true: break
        case .resume(_, _, _, _, true), .toggle(_, _, _, true), .switchEngine(_, _, _, _, true): break
        case .lookUp(let id, _, _), .joinLookUp(let id, _), .play(let id, _, _), .resume(let id, _, _, _, _),
            .toggle(let id, _, _, _),
            .switchEngine(let id, _, _, _, _), .locate(let id, _, _),
            .claim(let id, _, _), .release(let id, _, _):
            open.append(id)
        default: break
        }
        for effect in effects {
            switch effect {
            case .reply(let id, _), .nothingToPlay(let id):
                guard let index = open.firstIndex(of: id) else { return ["command \(id) is answered twice"] }
                open.remove(at: index)
            default: break
            }
        }
        return open.sorted() == Self.waiting(after).sorted() ? [] : ["a command is never answered"]
    }

    private static func waiting(_ state: PlaybackState) -> [UInt64] {
        state.commands.all + (state.lookUp.map { [$0.id] + $0.joined } ?? []) + state.seeks.map(\.id)
    }

    /// Notes the user's own moves, which lower the floor of an item.
    private mutating func noteMoves(_ event: PlaybackEvent, _ before: PlaybackState, _ after: PlaybackState) {
        switch event {
        case .play(let id, let order, _) where order.owner == .main:
            if order.wasLookedUp != true || id == before.lookUp?.id { floors[order.item.uri] = order.start.units }
        case .seek(let order):
            let owner = order.owner ?? before.owner
            guard owner == .main else { return }
            let uri: String? =
                if owner == before.owner {
                    order.uri == nil || order.uri == before.current?.item.uri ? before.current?.item.uri : nil
                } else {
                    order.uri ?? before.view(of: owner).playing?.item.uri
                }
            if let uri { floors[uri] = min(floors[uri] ?? .max, order.target.units) }
        case .resume, .toggle, .switchEngine:
            if before.phase == .ended, before.owner == .main, let item = before.current?.item { floors[item.uri] = 0 }
        default: break
        }
    }

    private mutating func judge(_ effect: PlaybackEffect, _ after: PlaybackState) -> [String] {
        switch effect {
        case .openStream(let generation):
            // A paused stream makes no sound.
            defer { audible = after.opensSilent ? nil : after.owner }
            if let audible, audible != after.owner { return ["two owners are heard: \(audible) and \(after.owner)"] }
            if generation != after.generation { return ["a stream for something that is gone"] }
            // A stream that is held as it opens is opened paused.
            return after.intent == .play ? [] : ["the session is active without an intent"]
        case .resumeStream:
            defer { audible = after.owner }
            if let audible, audible != after.owner { return ["two owners are heard: \(audible) and \(after.owner)"] }
            return after.wantsSound ? [] : ["sound goes on that nobody wants"]
        case .pauseStream, .closeStream, .dropOutput:
            audible = nil
            return []
        case .load(let generation, let playing, _):
            if generation != after.generation || playing.engine != after.current?.engine {
                return ["an engine that is not on the stage is asked to load"]
            }
            return []
        case .carryOn(let generation, _):
            if generation != after.generation || after.phase != .ready {
                return ["an engine is to go on for something that is gone"]
            }
            return after.stream == .closed ? ["an engine is to go on where nothing is heard"] : []
        case .seek(let generation, _):
            return generation == after.generation ? [] : ["a seek for something that is gone"]
        case .savePlace(let owner, let playing, let finished, _):
            if owner != .main { return ["a place of \(owner) is saved"] }
            if playing.provenance != .heard, playing.provenance != .user {
                return ["a place is saved that was \(playing.provenance)"]
            }
            if finished {
                // The item starts again.
                floors[playing.item.uri] = 0
                return []
            }
            let floor = floors[playing.item.uri] ?? playing.position.units
            // A second has 1,000 units here.
            if playing.position.units < floor - Int64(after.rules.slipTolerance) {
                return ["a saved place went back from \(floor) to \(playing.position.units), and nobody moved it"]
            }
            floors[playing.item.uri] = max(floor, playing.position.units)
            return []
        default: return []
        }
    }

    /// Checks that a hand-back restores what was taken.
    private mutating func ownership(
        _ event: PlaybackEvent, _ before: PlaybackState, _ after: PlaybackState, isStale: Bool
    ) -> [String] {
        if case .silenced(let generation, let heard?, _) = event {
            for (owner, had) in taken where had.generation == generation && owner != after.owner {
                taken[owner] = had.learning(heard, after)
            }
            for (owner, had) in reclaimed where had.generation == generation {
                reclaimed[owner] = had.learning(heard, after)
            }
        }
        if !isStale, case .seek(let order) = event, let owner = order.owner, owner != before.owner,
            let had = taken[owner],
            had.item != nil, order.uri == nil || order.uri == had.item?.uri
        {
            taken[owner]?.position = order.target
            taken[owner]?.generation = .max
        }
        if let lost = isLost(event, before, after) { return [lost] }
        let hadTaken = isOpeningWithFocus
        switch event {
        case .play, .resume, .toggle, .switchEngine, .seek:
            isOpeningWithFocus = after.phase == .loading && (hadTaken || before.owner != after.owner)
        default: if after.phase != .loading || before.owner != after.owner { isOpeningWithFocus = false }
        }
        guard before.owner != after.owner else {
            if after.phase != .loading { reclaimed = [:] }
            return []
        }
        var isFailure = false
        if before.phase == .loading {
            switch event {
            case .loadFailed, .clock, .engineFailed, .engineGone:
                if !before.handsBack, !hadTaken {
                    return ["a failed load gives audio focus to an owner from whom it did not take it"]
                }
                if after.owner != before.held.last?.owner {
                    return ["a failed load gives audio focus to another owner than the one from whom it took it"]
                }
                isFailure = true
            default: break
            }
        }
        let kept = isFailure ? reclaimed[before.owner] : nil
        reclaimed = [:]
        switch event {
        case .play, .resume, .toggle, .seek: reclaimed = taken.filter { $0.key == after.owner }
        default: break
        }
        defer { if let kept { taken[before.owner] = kept } }
        if !after.held.contains(where: { $0.owner == before.owner }) {
            taken[before.owner] = nil
        } else {
            // What was heard to its end starts again. An item that could not be looked up is not kept, because nobody
            // knows where it would start.
            let kept = before.isUnlocated ? nil : before.current
            let place: MediaPosition? =
                kept == nil ? nil : before.phase == .ended ? .start : Self.heard(event, before) ?? kept?.position
            taken[before.owner] = Taken(
                item: kept?.item, position: place,
                rate: before.rate,
                generation: before.stream == .closed ? Self.pending(before) : before.generation)
        }
        let isHandBack = before.held.last?.owner == after.owner && !after.held.contains { $0.owner == after.owner }
        guard isHandBack, let had = taken.removeValue(forKey: after.owner) else {
            taken[after.owner] = nil
            return []
        }
        switch event {
        // These take audio focus with something of their own.
        case .play, .lookUpFailed, .resume, .seek, .claim: return []
        default: break
        }
        let position = after.current?.position
        // The alphabet's false report: a position of 0 that nobody heard is not restored, but the last good one is.
        let isLie = had.position == .start && (position?.units ?? 0) > Int64(after.rules.slipTolerance)
        if after.current?.item != had.item || position != had.position && !isLie || after.rate != had.rate {
            return ["the stage is handed back otherwise than it was taken"]
        }
        return []
    }

    /// Checks that an item that was open stays loaded when it cannot be opened again.
    private mutating func isLost(
        _ event: PlaybackEvent, _ before: PlaybackState, _ after: PlaybackState
    ) -> String? {
        let wasOpen = before.phase == .loading && opened != nil && before.current?.item == opened
        if after.current?.item != opened || after.owner != before.owner { opened = nil }
        if after.phase == .ready { opened = after.current?.item }
        switch event {
        case .loadFailed, .clock, .engineFailed, .engineGone:
            return wasOpen && after.owner == before.owner && after.current == nil
                ? "an item that was open is lost because it cannot be opened again" : nil
        default: return nil
        }
    }

    /// Returns the generation whose exact position may still arrive although its stream is closed.
    private static func pending(_ state: PlaybackState) -> UInt32 {
        state.leaving.first { $0.value.owner == state.owner && $0.value.playing.item == state.current?.item }?.key
            ?? .max
    }

    private static func heard(_ event: PlaybackEvent, _ before: PlaybackState) -> MediaPosition? {
        guard before.phase == .ready else { return nil }
        switch event {
        case .play(_, _, let heard), .resume(_, _, let heard, _, _), .claim(_, _, let heard), .release(_, _, let heard),
            .lookUpFailed(_, _, _, let heard):
            return heard
        default: return nil
        }
    }
}
