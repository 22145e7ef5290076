// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// The results that the engine and the output report.
extension PlaybackMachine {
    mutating func loaded(
        _ generation: UInt32, start: MediaPosition, unitsPerSecond: Double, needsSeek: Bool, isRemote: Bool,
        cause: Jump.Cause
    ) {
        guard generation == state.generation, state.phase == .loading, let current = state.current else {
            effects.append(.dropped(.stale))
            return
        }
        state.phase = .ready
        state.loaded.unitsPerSecond = unitsPerSecond
        if isRemote { state.loaded.isRemote = true }
        state.loaded.displaced = nil
        noteFocus(isTaken: false)
        reportPendingJump()
        let target = state.loaded.pendingSeek ?? start
        let isMove = state.loaded.pendingSeek != nil || cause == .seek
        // This reports a position that could only be worked out now, such as `50%`; a seek made meanwhile was reported
        // then.
        if state.loaded.pendingSeek == nil, needsSeek == false, start != current.position,
            current.provenance != .unknown
        {
            jump(to: start, cause)
        }
        state.loaded.pendingSeek = nil
        if target != current.position || target != start || needsSeek {
            // A seek that waited for the item to be open is one that the user chose.
            moveTo(target, provenance: cause == .seek ? .user : current.provenance)
            state.loaded.floor = target
            if cause == .seek { saveCurrent(durably: true) }
        }
        rearmSleep(from: target, isMove: isMove)
        proceed()
        // Nothing starts at once, so a stream that was left for this item is given up. A stream that an interruption
        // silenced is kept, because it is told when that ends.
        if state.intent != .play || state.suppressions == .routeLost {
            effects.append(.closeStream(generation: state.generation))
        }
        rememberCurrent()
    }

    /// Handles a failed load: the item that was there before is back, paused.
    mutating func loadFailed(_ generation: UInt32, _ error: PlaybackError) {
        guard generation == state.generation, state.phase == .loading, let current = state.current else {
            effects.append(.dropped(.stale))
            return
        }
        if state.attempt > 0 {
            state.recovery.fault = error
            recover()
            return
        }
        if !handsOver(error, answers: true) { giveUpLoading(current, error) }
    }

    /// Waits for what is looked for in place of an item that cannot be opened.
    mutating func unopened(_ generation: UInt32, _ error: PlaybackError) {
        guard generation == state.generation, state.phase == .loading, state.current != nil else {
            effects.append(.dropped(.stale))
            return
        }
        state.loaded.unopened = error
        // Another clock begins.
        state.watchdog.clock = nil
    }

    mutating func giveUpLoading(_ current: Playing, _ error: PlaybackError) {
        effects.append(.closeStream(generation: state.generation))
        answer(error)
        effects.append(.unload(current.engine))
        effects.append(.finished(uri: current.item.uri, error))
        let displaced = state.loaded.displaced
        let isWanted = state.intent == .play
        // The place of an item that was not opened was saved where the user moved it.
        reportPendingMove()
        state.error = error
        if state.handsBack {
            handBackFailed(playing: true, wanted: isWanted)
        } else if let displaced {
            clear()
            state.loaded.playing = displaced
            state.loaded.floor = displaced.position
            state.intent = .pause
        } else if !state.held.isEmpty, state.focus.hasTakenFocus ?? true {
            handBackFailed(playing: false, wanted: isWanted)
        } else {
            clear()
        }
    }

    mutating func streamOpened(_ generation: UInt32) {
        guard generation == state.generation, state.stream == .opening else { return }
        state.output.stream = .waiting
        serverAnswered()
        // Something may hold the sound by now.
        if !state.wantsSound { hold() }
    }

    mutating func streamFailed(_ generation: UInt32, _ error: PlaybackError) {
        guard generation == state.generation, state.stream == .opening else { return }
        state.output.stream = .closed
        guard state.outage == nil else {
            answer(error)
            return
        }
        if state.attempt > 0 {
            state.recovery.fault = error
            recover(isOfDevice: true)
        } else {
            fail(error)
        }
    }

    mutating func started(_ generation: UInt32) {
        guard generation == state.generation else { return }
        // It was heard before it was silenced, so what resumes is there.
        if state.stream == .paused { state.output.hasSounded = true }
        guard
            state.stream == .waiting || state.stream == .opening || state.stream == .starved
        else { return }
        state.output.stream = .sounding
        state.output.hasSounded = true
        state.loaded.playing?.provenance = .heard
        state.error = nil
        serverAnswered()
        supersede()
        if !state.wantsSound { hold() }
    }

    /// Handles an underrun.
    ///
    /// What the engine delivers next is reported as another start, even if the stream was silenced meanwhile.
    mutating func starved(_ generation: UInt32) {
        guard isCurrent(generation) else { return }
        if state.stream == .sounding { state.output.stream = .starved }
        if state.stream == .starved || state.stream == .paused { state.output.hasSounded = false }
    }

    mutating func ended(_ generation: UInt32, atLimit: Bool, endsBook: Bool) {
        // An output that is still being opened may find that nothing is left to play.
        guard generation == state.generation, state.phase == .ready, state.stream != .closed,
            state.stream != .opening || state.intent == .play, var current = state.current
        else { return }
        // There was nothing left but an end.
        if let error = unspeakable { return fail(error) }
        current.provenance = .heard
        state.loaded.playing = current
        supersede()
        state.phase = atLimit ? .ready : .ended
        // The timer ends with the book, or with its last chapter.
        if endsBook, let timer = state.sleep, timer.owner == state.owner, timer.end != .time { endSleep() }
        state.intent = .pause
        state.recovery.attempt = 0
        endOutage()
        if atLimit {
            state.memory.leaving[generation] = Leaving(
                owner: state.owner, playing: current, floor: state.floor, unitsPerSecond: state.unitsPerSecond)
        }
        effects.append(.closeStream(generation: generation))
        state.output.stream = .closed
        // At a limit the position comes with `silenced`.
        if !atLimit, state.owner == .main {
            effects.append(.savePlace(state.owner, current, finished: true, durably: true))
        }
        effects.append(.finished(uri: current.item.uri, nil))
        if state.handsBack { handBack(playing: true) }
    }

    mutating func silenced(_ generation: UInt32, heard: MediaPosition?, isFinished: Bool) {
        if let left = state.memory.leaving.removeValue(forKey: generation) {
            if let place = heard ?? left.heardPlace { learn(place, of: left, generation, isFinished: isFinished) }
            return
        }
        guard generation == state.generation, state.phase == .ready, let heard else { return }
        note(heard, .heard)
        saveCurrent(durably: true, isFinished: isFinished)
    }

    /// Takes the exact position of an item that was left.
    private mutating func learn(
        _ heard: MediaPosition, of left: Leaving, _ generation: UInt32, isFinished: Bool
    ) {
        var playing = left.playing
        if state.owner == left.owner, state.current?.item == playing.item {
            // The item was resumed meanwhile, from a position of its own; at a limit it is still there.
            guard generation == state.generation else { return }
            note(heard, .heard)
            saveCurrent(durably: true, isFinished: isFinished)
            return
        }
        guard !isSlip(heard, below: left.floor, unitsPerSecond: left.unitsPerSecond) else {
            effects.append(.refusePlace(heard, floor: left.floor ?? heard))
            return
        }
        playing.position = heard
        playing.provenance = .heard
        if state.remembered[left.owner]?[playing.item.kind]?.item == playing.item {
            state.memory.items[left.owner]?[playing.item.kind] = playing
        }
        if let index = state.held.lastIndex(where: { $0.owner == left.owner && $0.playing?.item == playing.item }) {
            state.focus.held[index].playing = playing
        }
        if let index = state.held.lastIndex(where: { $0.owner == left.owner && $0.displaced?.item == playing.item }) {
            state.focus.held[index].displaced = playing
        }
        if state.focus.reclaimed?.playback.owner == left.owner {
            if state.focus.reclaimed?.playback.playing?.item == playing.item {
                state.focus.reclaimed?.playback.playing = playing
            }
            if state.focus.reclaimed?.playback.displaced?.item == playing.item {
                state.focus.reclaimed?.playback.displaced = playing
            }
        }
        if state.owner == left.owner, state.loaded.displaced?.item == playing.item { state.loaded.displaced = playing }
        if left.owner == .main {
            effects.append(.savePlace(left.owner, playing, finished: isFinished, durably: true))
        }
        // An owner that only lent audio focus continues where it was.
        if isFinished,
            !state.playbacksWithoutFocus.contains(where: { $0.owner == left.owner && $0.playing?.item == playing.item })
        {
            beginAgain(left.owner, playing)
        }
    }

    /// Sets the place of an item that counts as heard back to 0, so that it starts there when it is played again.
    private mutating func beginAgain(_ owner: OwnerID, _ playing: Playing) {
        guard state.remembered[owner]?[playing.item.kind]?.item == playing.item else { return }
        state.memory.items[owner]?[playing.item.kind]?.position = .start
        state.memory.items[owner]?[playing.item.kind]?.provenance = .restored
    }

    mutating func heard(_ generation: UInt32, _ position: MediaPosition) {
        guard generation == state.generation, state.stream == .sounding else { return }
        note(position, .heard)
        state.output.steady += 1
        // Sound continued from one report to the next, so the fault is over.
        if state.output.steady >= 2 {
            state.recovery.attempt = 0
            state.recovery.fault = nil
        }
        if state.output.steady >= 4 { state.sleeping.slept = nil }
        saveCurrent(durably: false)
    }
}
