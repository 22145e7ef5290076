// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// The commands of users and programs.
extension PlaybackMachine {
    mutating func play(_ id: UInt64, _ order: PlayOrder, heard: MediaPosition?) {
        guard let coming = takeLookUp(id, of: order) else { return }
        giveUpLookUp(of: nil)
        var order = order
        order.rate = coming.rate ?? order.rate
        order.volume = coming.volume ?? order.volume
        giveUpSeeks(of: order.owner)
        // Commands that asked for the same item will get it, and so will those for a recording whose text is read in between.
        if order.owner != state.owner || order.item != state.current?.item && order.change != .gap { displace() }
        listenerGoesOn()
        keepSleepOrigin(for: order)
        makeRoom(for: order, heard: heard)
        for id in [id] + coming.joined { join(id) }
        load(
            Playing(item: order.item, engine: order.engine, position: order.start, provenance: order.provenance))
        state.suppressions.formUnion(coming.holds)
        if coming.isHeld { pause(owner: nil, heard: nil) }
    }

    /// Reports an error that names the item, and starts nothing.
    ///
    /// It is not known where the item is to start, and a guess could overwrite its saved place.
    mutating func lookUpFailed(_ id: UInt64, _ order: PlayOrder, _ error: PlaybackError, heard: MediaPosition?) {
        guard let coming = takeLookUp(id, of: order) else { return }
        giveUpSeeks(of: order.owner)
        displace()
        makeRoom(for: order, heard: heard)
        state.generation &+= 1
        state.output = OutputState()
        state.loaded = LoadedItem(
            playing: Playing(item: order.item, engine: order.engine, position: order.start, provenance: .unknown),
            isRemote: order.item.isRemote, lookUpFailed: true, unitsPerSecond: state.unitsPerSecond,
            displaced: state.loaded.displaced,
            pendingJump: state.loaded.pendingJump, pendingMove: state.loaded.pendingMove,
            pendingReturn: state.loaded.pendingReturn)
        state.recovery.outage = nil
        state.recovery.fatal = nil
        state.phase = .failed
        for id in [id] + coming.joined { join(id) }
        fail(error)
    }

    /// Leaves what is there for what an order names.
    private mutating func makeRoom(for order: PlayOrder, heard: MediaPosition?) {
        leave(heard: heard)
        noteJump(for: order)
        let before = state.owner
        // The owner's own rate, if it had one and does not ask for another.
        let own = order.owner == state.owner ? nil : state.held.last { $0.owner == order.owner }
        take(order.owner)
        if let own { state.sound.rate = own.rate }
        if order.volume != nil, order.owner != before, let last = state.held.indices.last {
            state.focus.held[last].volume = state.volume
        }
        state.focus.handsBack = order.handsBack && !state.held.isEmpty
        if let rate = order.rate { state.sound.rate = rate }
        if let volume = order.volume { state.sound.volume = volume }
        state.recovery.attempt = 0
        state.loaded.floor = order.start
    }

    /// Notes the move to another item or position, because the user may want to return.
    ///
    /// It is made, and reported, when the item is open; in a log of an older version, at once.
    private mutating func noteJump(for order: PlayOrder) {
        let next = Playing(
            item: order.item, engine: order.engine, position: order.start, provenance: order.provenance)
        if order.owner != state.owner { reportPendingJump() }
        // A jump that was not made yet began where the user still is.
        let pending = state.loaded.pendingJump
        state.loaded.pendingJump = nil
        if state.current?.item != next.item { reportPendingMove() }
        guard order.change == nil else { return noteChange(order, from: pending, to: next) }
        if let left = order.left {
            var from = next
            from.position = left
            let move = Jump(from: from, to: next, cause: order.cause)
            if state.isOfOlderLog { return tell(move, of: order.owner) }
            guard var pending, pending.to.item == next.item else { return state.loaded.pendingJump = move }
            pending.to.position = left
            state.loaded.pendingJump = pending
            // The place from which the user moved first is the one to return to.
            state.loaded.pendingMove = Jump(
                from: state.loaded.pendingMove?.from ?? from, to: next, cause: order.cause)
            return
        }
        let own = order.owner == state.owner ? state.current : nil
        guard let here = pending?.from ?? own ?? state.places(of: order.owner).first, here.item != next.item else {
            return
        }
        let jump = Jump(from: here, to: next, cause: order.cause)
        if state.isOfOlderLog { tell(jump, of: order.owner) } else { state.loaded.pendingJump = jump }
    }

    /// Notes the move to the other side of a work: one, however far that side was left from there.
    ///
    /// What is read for a gap is no move.
    private mutating func noteChange(_ order: PlayOrder, from pending: Jump?, to next: Playing) {
        let own = order.owner == state.owner ? state.current : nil
        guard order.change == .switched else {
            state.loaded.pendingJump = pending.map { Jump(from: $0.from, to: next, cause: $0.cause) }
            return
        }
        guard let here = pending?.from ?? own ?? state.places(of: order.owner).first else { return }
        state.loaded.pendingJump = Jump(from: here, to: next, cause: order.cause)
        guard let left = order.left else { return }
        var from = next
        from.position = left
        state.loaded.pendingReturn = Jump(from: from, to: next, cause: order.cause)
    }

    mutating func resume(_ id: UInt64, owner: OwnerID?, heard: MediaPosition?, back: MediaPosition? = nil) {
        noteLastWord(isHeld: false, of: owner)
        if let owner, owner != state.owner {
            reclaim(id, owner, heard: heard)
            return
        }
        guard let current = state.current else {
            guard let last = state.lastItems(of: state.owner).first else {
                effects.append(.nothingToPlay(id: id))
                return
            }
            listenerGoesOn()
            join(id)
            begin(last)
            return
        }
        if state.isUnlocated {
            effects.append(.reply(id: id, state.error))
            return
        }
        listenerGoesOn()
        join(id)
        state.intent = .play
        switch state.phase {
        case .idle, .failed:
            state.recovery.attempt = 0
            reload(current)
        case .ended:
            jump(to: .start, .restart)
            state.loaded.floor = .start
            moveTo(.start, provenance: .user)
            proceed()
        case .loading:
            // What held the sound no longer does.
            endOutage()
            state.suppressions = []
        case .ready:
            state.suppressions.formIntersection(.outage)
            if state.outage != nil {
                // Reconnect now, and not when the clock fires next.
                if state.stream == .closed { reconnect() }
                return
            }
            if let back { stepBack(to: back) }
            goOn()
            if state.stream == .sounding { supersede() }
        }
    }

    /// Goes back a little after a long pause; the saved place stands until listening has reached it again.
    private mutating func stepBack(to target: MediaPosition) {
        guard let current = state.current, target < current.position,
            !isSlip(target, below: current.position, unitsPerSecond: state.unitsPerSecond),
            state.stream == .paused || state.stream == .closed
        else { return }
        jump(to: target, .rewind)
        // Opening a stream again asks the engine for the position anyway.
        if state.stream == .closed, current.provenance == .heard || state.output.wasOpened {
            state.loaded.playing?.position = target
        } else {
            moveTo(target, provenance: current.provenance)
        }
    }

    mutating func pause(owner: OwnerID?, heard: MediaPosition?) {
        noteLastWord(isHeld: true, of: owner)
        guard addressesFocus(owner) else {
            if let owner { pauseAside(owner) }
            return
        }
        guard state.current != nil, state.intent == .play else { return }
        guard state.phase == .loading || state.phase == .ready else { return }
        if let heard, state.phase == .ready { note(heard, .heard) }
        state.intent = .pause
        endOutage()
        hold()
    }

    /// Toggles what is really audible, not what a remote control believes.
    mutating func toggle(_ id: UInt64, heard: MediaPosition?, back: MediaPosition? = nil) {
        switch state.status {
        case .playing: pause(owner: nil, heard: heard)
        case .loading where state.intent == .play: pause(owner: nil, heard: heard)
        default:
            resume(id, owner: nil, heard: heard, back: back)
            return
        }
        effects.append(.reply(id: id, nil))
    }

    mutating func stop(owner: OwnerID?) {
        giveUpSeeks(of: owner ?? state.owner)
        guard addressesFocus(owner) else {
            if let owner { stopAside(owner) }
            return
        }
        displace()
        endSleep(of: state.owner)
        guard let current = state.current else { return }
        // A move within the item has made it the last one, which `resume` opens.
        if state.loaded.pendingMove != nil { reportPendingJump() }
        leave(heard: nil, closing: true)
        effects.append(.unload(current.engine))
        effects.append(.finished(uri: state.handsBack ? current.item.uri : nil, nil))
        if state.handsBack {
            handBack(playing: false)
        } else {
            clear()
            state.error = nil
        }
    }

    /// Moves an owner to another position in its item.
    mutating func move(_ order: SeekOrder) {
        guard addressesFocus(order.owner) else {
            seekAside(order)
            return
        }
        guard let current = state.current, order.uri == nil || order.uri == current.item.uri else {
            // A late seek of a player that did not notice that something else was loaded.
            effects.append(.dropped(.otherItem))
            return
        }
        jump(to: order.target, order.cause, heard: order.heard)
        state.loaded.floor = order.target
        switch state.phase {
        case .idle, .loading, .failed:
            if state.phase == .loading {
                state.loaded.pendingSeek = order.target
                // If the item cannot be opened again, it stays where the user moved to.
                if !state.isOfOlderLog, state.loaded.displaced?.item == current.item {
                    state.loaded.displaced?.position = order.target
                    state.loaded.displaced?.provenance = .user
                }
            }
            state.loaded.playing?.position = order.target
            state.loaded.playing?.provenance = .user
        case .ended:
            moveTo(order.target, provenance: .user)
            state.intent = .pause
        case .ready:
            moveTo(order.target, provenance: .user)
        }
        rearmSleep(from: order.target, isMove: true)
        saveCurrent(durably: true)
    }

    mutating func setRate(_ rate: Double, heard: MediaPosition?, byEngine: Bool) {
        guard rate != state.rate else { return }
        state.sound.rate = rate
        if let heard, state.phase == .ready {
            note(heard, .heard)
            saveCurrent(durably: true)
        }
        guard state.phase == .ready || state.phase == .loading else { return }
        effects.append(.setRate(rate))
        if byEngine, state.phase == .ready, let position = heard ?? state.current?.position {
            moveTo(position, provenance: state.current?.provenance ?? .unknown)
        }
    }

    mutating func setVolume(_ volume: Double, heard: MediaPosition?) {
        guard volume != state.volume else { return }
        if let heard, state.phase == .ready { note(heard, .heard) }
        state.sound.volume = volume
        effects.append(.setVolume(volume))
    }

    mutating func switchEngine(_ id: UInt64, _ engine: EngineID, kinds: [ContentKind], heard: MediaPosition?) {
        giveUpLookUp(of: nil)
        if state.isUnlocated {
            effects.append(.reply(id: id, state.error))
            return
        }
        if let current = state.current, current.engine == engine || kinds.contains(current.item.kind) {
            if current.engine == engine {
                // From now on it is the one that was chosen.
                state.loaded.playing?.insteadOf = nil
                resume(id, owner: nil, heard: heard)
                return
            }
            listenerGoesOn()
            leave(heard: heard)
            join(id)
            var next = state.current ?? current
            (next.engine, next.insteadOf) = (engine, nil)
            begin(next)
            return
        }
        let items = state.lastItems(of: state.owner)
        guard
            let last = items.first(where: { $0.engine == engine })
                ?? items.first(where: { kinds.contains($0.item.kind) })
        else {
            effects.append(.nothingToPlay(id: id))
            return
        }
        giveUpSeeks(of: state.owner)
        displace()
        listenerGoesOn()
        leave(heard: heard)
        state.loaded.pendingJump = nil
        reportPendingMove()
        state.commands.newest = id
        var next = last
        (next.engine, next.insteadOf) = (engine, nil)
        begin(next)
    }

    mutating func restored(_ owner: OwnerID, _ items: [Playing]) {
        for playing in items where state.remembered[owner]?[playing.item.kind] == nil {
            state.memory.items[owner, default: [:]][playing.item.kind] = playing
            // What was heard in this session is later than what the library knows.
            if let last = state.memory.lastKinds, last[owner] == nil {
                state.memory.lastKinds?[owner] = playing.item.kind
            }
        }
    }

    /// Starts an item at its place, with attempts counted from 0.
    private mutating func begin(_ playing: Playing) {
        state.recovery.attempt = 0
        state.loaded.floor = playing.position
        load(playing)
    }

    /// Returns `true` if a command is meant for what has audio focus; one of another owner changes nothing there.
    private func addressesFocus(_ owner: OwnerID?) -> Bool { owner == nil || owner == state.owner }
}
