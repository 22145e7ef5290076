// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// What engine and output answer.
extension PlaybackMachine {
    mutating func loaded(
        _ generation: UInt32, start: MediaPosition, pace: Double, needsSeek: Bool, isRemote: Bool, cause: Jump.Cause
    ) {
        guard generation == state.generation, state.phase == .loading, let current = state.current else {
            effects.append(.dropped(.stale))
            return
        }
        state.phase = .ready
        state.pace = pace
        if isRemote { state.isRemote = true }
        state.displaced = nil
        let target = state.pendingSeek ?? start
        // A place that could only be worked out now, as `50%`; one that was asked for meanwhile was told then.
        if state.pendingSeek == nil, needsSeek == false, start != current.position, current.provenance != .unknown {
            jump(to: start, cause)
        }
        state.pendingSeek = nil
        if target != current.position || target != start || needsSeek {
            moveTo(target, provenance: current.provenance)
            state.floor = target
        }
        rearmSleep(from: target)
        proceed()
        // Nothing starts at once: a stream that was left for this item is given up. One that was asked for silence is
        // told when that is over.
        if state.intent != .play || state.suppressions == .routeLost {
            effects.append(.closeStream(generation: state.generation))
        }
        rememberCurrent()
    }

    /// Nothing was lost: what was there before is there again, paused (document 002, “Play with context”).
    mutating func loadFailed(_ generation: UInt32, _ error: PlaybackError) {
        guard generation == state.generation, state.phase == .loading, let current = state.current else {
            effects.append(.dropped(.stale))
            return
        }
        if state.attempt > 0 {
            state.fault = error
            recover()
            return
        }
        giveUpLoading(current, error)
    }

    mutating func giveUpLoading(_ current: Playing, _ error: PlaybackError) {
        effects.append(.closeStream(generation: state.generation))
        if let waiting = state.waiting { effects.append(.reply(id: waiting, error)) }
        state.waiting = nil
        effects.append(.unload(current.engine))
        effects.append(.finished(uri: current.item.uri, error))
        let displaced = state.displaced
        let handsBack = state.handsBack
        state.error = error
        if handsBack {
            handBack(playing: true)
        } else if let displaced {
            clear()
            state.current = displaced
            state.floor = displaced.position
            state.intent = .pause
        } else if !state.held.isEmpty {
            handBack(playing: false)
        } else {
            clear()
        }
    }

    mutating func streamOpened(_ generation: UInt32) {
        guard generation == state.generation, state.stream == .opening else { return }
        state.stream = .waiting
        endOutage()
        // Something may hold it by now.
        if !state.wantsSound { hold() }
    }

    mutating func streamFailed(_ generation: UInt32, _ error: PlaybackError) {
        guard generation == state.generation, state.stream == .opening else { return }
        state.stream = .closed
        guard state.outage == nil else {
            if let waiting = state.waiting { effects.append(.reply(id: waiting, error)) }
            state.waiting = nil
            return
        }
        if state.attempt > 0 {
            state.fault = error
            recover()
        } else {
            fail(error)
        }
    }

    mutating func started(_ generation: UInt32) {
        guard generation == state.generation,
            state.stream == .waiting || state.stream == .opening || state.stream == .starved
        else { return }
        state.stream = .sounding
        state.current?.provenance = .heard
        state.error = nil
        endOutage()
        supersede()
        if !state.wantsSound { hold() }
    }

    mutating func ended(_ generation: UInt32, atLimit: Bool) {
        // An output that is still being opened may find that nothing is left to play.
        guard generation == state.generation, state.phase == .ready, state.stream != .closed,
            state.stream != .opening || state.intent == .play, var current = state.current
        else { return }
        current.provenance = .heard
        state.current = current
        supersede()
        state.phase = atLimit ? .ready : .ended
        // With the book, or with its last chapter.
        if !atLimit, let timer = state.sleep, timer.end != .time { endSleep() }
        state.intent = .pause
        state.attempt = 0
        endOutage()
        if atLimit {
            state.leaving[generation] = Leaving(
                owner: state.owner, playing: current, floor: state.floor, pace: state.pace)
        }
        effects.append(.closeStream(generation: generation))
        state.stream = .closed
        // At a limit the place comes with `silenced`.
        if !atLimit, state.owner == .main {
            effects.append(.savePlace(state.owner, current, finished: true, durably: true))
        }
        effects.append(.finished(uri: current.item.uri, nil))
        handBackIfAsked()
    }

    mutating func silenced(_ generation: UInt32, heard: MediaPosition?) {
        if let left = state.leaving.removeValue(forKey: generation) {
            if let place = heard ?? left.heardPlace { learn(place, of: left, generation) }
            return
        }
        guard generation == state.generation, state.phase == .ready, let heard else { return }
        note(heard, .heard)
        saveCurrent(durably: true)
    }

    /// The exact place of something that was left.
    private mutating func learn(_ heard: MediaPosition, of left: Leaving, _ generation: UInt32) {
        var playing = left.playing
        if state.owner == left.owner, state.current?.item == playing.item {
            // Taken up again meanwhile, from a place of its own; at a limit it is still there.
            guard generation == state.generation else { return }
            note(heard, .heard)
            saveCurrent(durably: true)
            return
        }
        guard !isSlip(heard, below: left.floor, pace: left.pace) else {
            effects.append(.refusePlace(heard, floor: left.floor ?? heard))
            return
        }
        playing.position = heard
        playing.provenance = .heard
        if state.remembered[left.owner]?[playing.item.kind]?.item == playing.item {
            state.remembered[left.owner]?[playing.item.kind] = playing
        }
        if let index = state.held.lastIndex(where: { $0.owner == left.owner && $0.playing?.item == playing.item }) {
            state.held[index].playing = playing
        }
        if state.owner == left.owner, state.displaced?.item == playing.item { state.displaced = playing }
        if left.owner == .main {
            effects.append(.savePlace(left.owner, playing, finished: false, durably: true))
        }
    }

    mutating func heard(_ generation: UInt32, _ position: MediaPosition) {
        guard generation == state.generation, state.stream == .sounding else { return }
        note(position, .heard)
        state.steady += 1
        // Sound that went on from one to the next: what was wrong is over.
        if state.steady >= 2 {
            state.attempt = 0
            state.fault = nil
        }
        if state.steady >= 4 { state.slept = nil }
        saveCurrent(durably: false)
    }
}
