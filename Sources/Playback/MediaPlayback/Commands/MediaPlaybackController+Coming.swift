// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import JSON
import PlaybackCore
import TransitionRecords

/// Early intents: kept while an item is looked up, and taken up when it is there.
///
/// A seek that arrives before the item is open is deferred until then, and an item starts to sound only if playback is
/// still wanted.
extension MediaPlaybackController {
    /// Returns whether `play` without an item means the coming item; if so, its options are added to that item.
    func joinsComing(_ kind: ContentKind, _ options: ResumeOptions, _ engine: InstalledEngine?) -> Bool {
        guard isComing(kind, of: options.owner) else { return false }
        orders.join(options, engine)
        let owner = options.owner
        if options.rate != nil || options.volume != nil {
            command { _ in handle(.setLookUp(rate: options.rate, volume: options.volume, of: owner)) }
        }
        return true
    }

    /// Returns whether an item of this kind is being looked up for an owner.
    func isComing(_ kind: ContentKind, of owner: OwnerID) -> Bool {
        machine.state.isComing(owner) && orders.coming?.kind == kind
    }

    /// Takes up what was asked for while a command was looked up that is not a `play` of a named item.
    func takeUp(_ coming: ComingItem) {
        takeEarly(coming.sleep)
        guard let current = machine.state.current else { return }
        let uri = current.item.uri
        if let until = coming.until { takeUp(end: until, of: current) }
        if machine.state.phase == .loading {
            items[opening: uri].moves += coming.moves
        } else if !coming.moves.isEmpty {
            let owner = machine.state.owner
            Task {
                for move in coming.moves {
                    do throws(PlaybackError) {
                        try await seek(move, owner: owner, uri: uri)
                    } catch {
                        record(note: "a seek that came early is left out: \(error.message)")
                    }
                }
            }
        }
    }

    private func takeUp(end until: SeekTarget, of current: Playing) {
        guard case .spoken = until else {
            items[opening: current.item.uri].limit = until
            return setLimit()
        }
        Task {
            do throws(PlaybackError) {
                try await setEnd(until, of: current)
            } catch {
                record(note: "an end that came early is left out: \(error.message)")
            }
        }
    }

    /// Returns whether the item of a look-up was begun, and nothing was asked for since that decides what plays.
    func hasBegun(_ look: UInt64?) -> Bool {
        orders.hasBegun(look) && machine.state.lookUp == nil && machine.state.intent == .play
    }

    /// Waits for the coming item, for a caller that asks for the same one.
    func joinComing(_ owner: OwnerID?, _ origin: CommandOrigin = .user) async throws(PlaybackError) {
        try await command(origin) { id async throws(PlaybackError) in
            try await answered(id, .joinLookUp(id: id, of: owner))
        }
    }

    /// Sets the sleep timer that was asked for while the item was looked up.
    func takeEarly(_ sleep: SleepRequest?) {
        guard let sleep else { return }
        do throws(PlaybackError) {
            try setSleep(sleep, heard: nil)
        } catch {
            record(note: "a sleep timer that came early is left out: \(error.message)")
        }
    }

    /// Reports the item with its error; `resume` looks up its place again.
    func tellUnlocated(
        _ found: FoundItem, _ request: PlayRequest, _ id: UInt64, _ error: PlaybackError
    ) {
        let heard = heardAtOnce
        guard let lookUp = machine.state.lookUp, lookUp.id == id else { return }
        if items[content: found.item.uri] == nil { items.keep(found.content) }
        var again = orders.take(id)?.applied(to: request) ?? request
        again.rate = lookUp.rate ?? again.rate
        again.volume = lookUp.volume ?? again.volume
        orders.keep(unlocated: again, uri: found.item.uri)
        handle(
            .lookUpFailed(
                id: id,
                PlayOrder(
                    item: found.item, engine: found.engine, start: .start, provenance: .unknown, owner: request.owner,
                    handsBack: request.handsBack, wasLookedUp: true), error, heard: heard))
    }

    /// Returns the request that `resume` has to look up again before it can continue with it.
    func unlocatedRequest(_ owner: OwnerID?) -> PlayRequest? {
        guard machine.state.isUnlocated, hasFocus(owner) else { return nil }
        return orders.unlocatedRequest(of: machine.state.current?.item.uri)
    }

    /// Records that a command is carried out as soon as the coming item is there.
    func keptEarly(_ what: String) {
        command { _ in record(note: "\(what) is kept until the item is there") }
    }

    /// Keeps a move for an item that is coming, or that is being opened and is not known yet.
    func keepsMove(to target: SeekTarget, owner: OwnerID?, uri: String?, origin: CommandOrigin) -> Bool {
        if uri == nil, machine.state.isComing(owner) {
            orders.keep(move: target)
        } else {
            let state = machine.state
            guard state.phase == .loading, let current = state.current, owner == nil || owner == state.owner,
                uri == nil || uri == current.item.uri
            else { return false }
            let isOpen = desk[open: current.engine]?.content.uri == current.item.uri
            // If the machine can be given the place at once, it is.
            if items[opening: current.item.uri].moves.isEmpty {
                if isOpen || desk[known: current.item.uri] != nil { return false }
                if case .position = target { return false }
            }
            // An undo is given up for a later seek.
            if machine.state.lookUp?.subject == .jump, machine.state.lookUp?.owner == state.owner { giveUpLookUp() }
            items[opening: current.item.uri].moves.append(target)
        }
        command(origin) { _ in record(note: "a seek is kept until the item is open") }
        return true
    }

    /// Returns the place that was asked for while the item was opened; what cannot be found is left out and logged.
    ///
    /// Nothing can happen between the last check here and the caller's next step.
    func takeMoves(_ generation: UInt32, _ playing: Playing, from start: MediaPosition) async -> MediaPosition? {
        let uri = playing.item.uri
        var place: MediaPosition?
        while generation == machine.state.generation, let target = items[opening: uri].moves.first {
            items[opening: uri].moves.removeFirst()
            let from = place ?? machine.state.loaded.pendingSeek ?? start
            do throws(PlaybackError) {
                let found = try await position(of: target, from: from, playing: playing)
                if await isInside(found, of: playing) { place = found }
            } catch {
                record(note: "a seek that came early is left out: \(error.message)")
            }
        }
        return place
    }

    /// Returns whether a place is inside the clip: a seek does not leave a clip.
    private func isInside(_ place: MediaPosition, of playing: Playing) async -> Bool {
        guard let clip = desk[open: playing.engine]?.content.clip else { return true }
        guard let first = try? await position(of: clip.start, from: .start, playing: playing),
            let end = try? await position(of: clip.end, from: first, playing: playing)
        else { return false }
        return place >= first && place < end
    }

    /// Logs what became of a command that arrived early.
    func record(note message: String) {
        ports.log.record(
            TransitionEntry(
                .event, cause: .user, command: log.command,
                fields: ["event": "note", "message": .string(message)]))
    }
}
