// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// Audio focus: one owner has it at a time.
extension PlaybackMachine {
    /// The limit on what foreign clients can pile up.
    static let mostHeld = 16

    /// Stops what is there, to make room for something else.
    ///
    /// Its exact position comes with `silenced`.
    mutating func leave(heard: MediaPosition?, closing: Bool = false) {
        guard state.current != nil else { return }
        if let heard, state.phase == .ready { note(heard, .heard) }
        // What was heard to its end starts again.
        if state.phase == .ended { start(again: .restored) }
        if let position = (state.current?.position).map(knownGood) { state.loaded.playing?.position = position }
        // While an item is opened, what was there before it stays what is displaced.
        if state.phase != .loading, !state.isUnlocated {
            rememberCurrent()
            state.loaded.displaced = state.current
        }
        if state.stream != .closed || closing {
            // During a load only the machine's stream is closed: the device may still have the stream of the item
            // before.
            if state.stream != .closed, state.phase == .ready, let current = state.current {
                state.memory.leaving[state.generation] = Leaving(
                    owner: state.owner, playing: current, floor: state.floor, unitsPerSecond: state.unitsPerSecond)
            }
            effects.append(
                closing ? .closeStream(generation: state.generation) : .pauseStream(generation: state.generation))
        }
    }

    private mutating func start(again provenance: Provenance) {
        state.loaded.playing?.position = .start
        state.loaded.playing?.provenance = provenance
        state.loaded.floor = .start
    }

    /// Gives audio focus to an owner, after `leave`, and keeps what was there for the owner that had it.
    mutating func take(_ owner: OwnerID) {
        guard owner != state.owner else { return }
        let kept = state.focus.reclaimed?.playback.playing
        if !state.isOfOlderLog {
            state.focus.reclaimed = state.held.lastIndex { $0.owner == owner }.map {
                ReclaimedFocus(playback: state.held[$0], index: $0)
            }
        }
        state.focus.held.removeAll { $0.owner == owner }
        // If something held the sound, it does not count as playing: it would resume from a loudspeaker that nobody
        // chose. A lost server is looked for again when the owner returns.
        let isPlaying =
            state.intent == .play && state.suppressions.lasting.isEmpty
            && (state.phase == .ready || state.phase == .loading)
        let holds = state.suppressions.intersection(.outage)
        state.focus.held.append(
            OwnerPlayback(
                owner: state.owner, playing: state.isUnlocated ? nil : state.current, rate: state.rate, volume: nil,
                isPlaying: isPlaying, handsBack: state.handsBack, holds: holds.isEmpty ? nil : holds,
                displaced: state.phase == .loading ? state.loaded.displaced ?? kept : nil,
                loudness: state.volume))
        if state.held.count > Self.mostHeld, let index = state.held.firstIndex(where: { $0.owner != .main }) {
            state.focus.held.remove(at: index)
        }
        state.focus.owner = owner
        state.loaded.displaced = nil
        state.focus.handsBack = false
        noteFocus(isTaken: true)
    }

    /// Notes whether the item that is being opened took audio focus; the replay of an older log knows nothing of it.
    mutating func noteFocus(isTaken: Bool) {
        guard !state.isOfOlderLog else { return }
        state.focus.hasTakenFocus = isTaken
        if !isTaken { state.focus.reclaimed = nil }
    }

    /// Hands focus back after a load failed; the owner that took it keeps what it had before.
    ///
    /// - Parameter wanted: `false` if the owner's last word was not to play; that counts for what it had before, too.
    mutating func handBackFailed(playing: Bool, wanted: Bool) {
        var reclaimed = state.focus.reclaimed
        if !wanted { reclaimed?.playback.isPlaying = false }
        handBack(playing: playing)
        guard let reclaimed, reclaimed.playback.owner != state.owner else { return }
        state.focus.held.insert(reclaimed.playback, at: min(reclaimed.index, state.held.count))
    }

    /// Takes audio focus without a sound.
    mutating func claim(_ id: UInt64, _ owner: OwnerID, heard: MediaPosition?) {
        displace()
        if owner != state.owner {
            reportPendingJump()
            leave(heard: heard, closing: true)
            take(owner)
            clear()
            state.error = nil
        }
        effects.append(.reply(id: id, nil))
    }

    mutating func release(_ id: UInt64, _ owner: OwnerID, heard: MediaPosition?) {
        if owner == state.owner, owner != .main || !state.held.isEmpty {
            displace()
            let engine = state.current?.engine
            leave(heard: heard, closing: true)
            if let engine, state.held.last?.playing?.engine != engine { effects.append(.unload(engine)) }
            if state.current != nil { effects.append(.finished(uri: state.current?.item.uri, nil)) }
            handBack(playing: true)
        } else if owner != state.owner, state.held.contains(where: { $0.owner == owner }) {
            if owner != .main { state.focus.held.removeAll { $0.owner == owner } }
        } else if owner != state.owner {
            effects.append(.dropped(.notOwner))
        }
        if owner != state.owner, owner != .main {
            giveUpSeeks(of: owner)
            state.memory.items[owner] = nil
            state.memory.lastKinds?[owner] = nil
            endSleep(of: owner)
        }
        effects.append(.reply(id: id, nil))
    }

    /// Hands audio focus back to the owner from whom it was taken, with its item, position and rate.
    ///
    /// It plays if the owner was playing and did not say otherwise since, and if `playing` allows it. There is no other
    /// way to hand focus back. The holds are read here, so they must stay in the state until then.
    mutating func handBack(playing: Bool) {
        let suppressions = state.suppressions
        clear()
        guard let back = state.focus.held.popLast() else {
            state.focus.owner = .main
            return
        }
        state.focus.owner = back.owner
        state.sound.rate = back.rate
        if let volume = back.volume { state.sound.volume = volume }
        state.focus.handsBack = back.handsBack
        guard let item = back.playing else { return }
        state.recovery.attempt = 0
        state.loaded.displaced = back.displaced ?? item
        state.loaded.floor = item.position
        let error = state.error
        load(item)
        state.error = error
        // What holds the owner that leaves holds this one, too: nothing sounds into a call or from a loudspeaker that
        // nobody chose.
        let holds = suppressions.union(back.holds ?? [])
        if !back.isPlaying || !playing || !holds.lasting.isEmpty {
            state.intent = .pause
        } else if holds.contains(.outage) {
            beginOutage()
        }
    }

    /// Handles `play` of an owner without audio focus: it takes focus with its own item, at its own place.
    mutating func reclaim(_ id: UInt64, _ owner: OwnerID, heard: MediaPosition?) {
        let held = state.held.last { $0.owner == owner }
        guard let own = state.places(of: owner).first else {
            effects.append(.nothingToPlay(id: id))
            return
        }
        displace()
        listenerGoesOn()
        reportPendingJump()
        leave(heard: heard)
        take(owner)
        if let held { state.sound.rate = held.rate }
        state.commands.newest = id
        state.recovery.attempt = 0
        state.loaded.floor = own.position
        load(own)
    }

    /// Handles a pause of an owner without audio focus: it gets focus back paused, because its last word counts.
    mutating func pauseAside(_ owner: OwnerID) {
        guard let index = state.held.lastIndex(where: { $0.owner == owner }), state.held[index].playing != nil else {
            effects.append(.dropped(.notOwner))
            return
        }
        state.focus.held[index].isPlaying = false
    }

    /// Handles a stop of an owner without audio focus: it gets focus back without an item, and its place is remembered.
    mutating func stopAside(_ owner: OwnerID) {
        guard let index = state.held.lastIndex(where: { $0.owner == owner }), let playing = state.held[index].playing
        else {
            effects.append(.dropped(.notOwner))
            return
        }
        endSleep(of: owner)
        state.focus.held[index].playing = nil
        state.focus.held[index].displaced = nil
        state.focus.held[index].isPlaying = false
        let engines = [state.current?.engine] + state.held.map(\.playing?.engine)
        if !engines.contains(playing.engine) { effects.append(.unload(playing.engine)) }
        effects.append(.finished(uri: playing.item.uri, nil))
    }

    /// Handles a seek of an owner without audio focus: it moves only the place from which its next `play` starts.
    mutating func seekAside(_ order: SeekOrder) {
        guard let owner = order.owner else { return }
        var isFound = false
        func matches(_ playing: Playing?) -> Bool {
            playing.map { order.uri == nil || $0.item.uri == order.uri } ?? false
        }
        var moved: Playing?
        let before = state.places(of: owner).first(where: matches)
        if let index = state.held.lastIndex(where: { $0.owner == owner && matches($0.playing) }) {
            state.focus.held[index].playing?.position = order.target
            state.focus.held[index].playing?.provenance = .user
            moved = state.held[index].playing
            isFound = true
        }
        // Without a URI it is the item that this owner's `play` would take.
        let kinds = isFound ? moved.map { [$0.item.kind] } ?? [] : state.lastItems(of: owner).map(\.item.kind)
        for kind in kinds where matches(state.remembered[owner]?[kind]) {
            state.memory.items[owner]?[kind]?.position = order.target
            state.memory.items[owner]?[kind]?.provenance = .user
            if moved == nil { moved = state.remembered[owner]?[kind] }
            isFound = true
            break
        }
        guard isFound, let moved else {
            effects.append(.dropped(order.uri == nil ? .notOwner : .otherItem))
            return
        }
        forgetLeft(owner, moved.item)
        if let before { tell(Jump(from: before, to: moved, cause: order.cause), of: owner) }
        if owner == .main { effects.append(.savePlace(owner, moved, finished: false, durably: true)) }
    }
}
