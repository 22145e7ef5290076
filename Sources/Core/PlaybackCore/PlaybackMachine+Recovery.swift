// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// The watchdog, which turns missing sound into recovery attempts and then into an error.
///
/// It is armed by what the user wants, never by what an engine says. The clock that should run follows from the state
/// after every event, so no event can leave the watchdog unarmed.
extension PlaybackMachine {
    /// The clock that should run now; `nil` if nothing is waited for.
    private var wantedClock: (kind: PlaybackClock.Kind, milliseconds: Int)? {
        let rules = state.rules
        let isRemote = state.isRemote
        switch state.phase {
        case .loading: return (.load, rules.loadLimit)
        case .ready:
            if state.outage != nil {
                if state.stream == .opening { return rules.openLimit.map { (.open, $0) } }
                return state.stream == .closed ? (.reconnect, rules.reconnectInterval) : nil
            }
            if state.wantsSound {
                switch state.stream {
                case .waiting: return (.start, isRemote ? rules.networkLimit : rules.startLimit)
                case .sounding, .starved: return (.stuck, isRemote ? rules.networkLimit : rules.stuckLimit)
                case .opening: return rules.openLimit.map { (.open, $0) }
                case .closed, .paused: return nil
                }
            }
            // A stream that was silenced by an interruption stays, because the server tells it when it may resume.
            let mayRelease = state.stream == .paused && !state.suppressions.contains(.interruption)
            return mayRelease && rules.releaseAfterPause > 0 ? (.release, rules.releaseAfterPause) : nil
        case .idle, .ended, .failed: return nil
        }
    }

    /// Starts the clock that should run, unless it is running already.
    mutating func setClock() {
        guard let wanted = wantedClock else {
            if state.clock != nil { effects.append(.stopClock) }
            state.watchdog.clock = nil
            return
        }
        if let clock = state.clock, clock.kind == wanted.kind, clock.generation == state.generation,
            clock.attempt == state.attempt
        {
            return
        }
        state.watchdog.last &+= 1
        state.watchdog.clock = PlaybackClock(
            id: state.watchdog.last, kind: wanted.kind, generation: state.generation, attempt: state.attempt)
        effects.append(.startClock(id: state.watchdog.last, wanted.kind, milliseconds: wanted.milliseconds))
    }

    /// Handles a clock that has run out.
    mutating func clock(_ id: UInt64, heard: MediaPosition?) {
        guard let clock = state.clock, clock.id == id else {
            effects.append(.dropped(.stale))
            return
        }
        state.watchdog.clock = nil
        switch clock.kind {
        case .load:
            guard let current = state.current else { return }
            if let error = state.loaded.unopened {
                // What was to be opened in its place must not begin any more. Its engine has answered.
                giveUpLookUp(of: state.owner)
                return loadFailed(clock.generation, error)
            }
            let error = PlaybackError(
                .io,
                message:
                    "“\(current.item.title)” was not open after \(state.rules.loadLimit / 1000) s; try it again, or "
                    + "another item")
            if state.attempt == 0, handsOver(error) { return }
            effects.append(.endEngine(current.engine))
            if state.attempt == 0 {
                giveUpLoading(current, error)
            } else {
                state.recovery.fault = error
                recover()
            }
        case .open: giveUpOpening()
        case .start, .stuck:
            if let heard { note(heard, .heard) }
            state.recovery.fault = PlaybackError(
                .io,
                message: "no sound of “\(state.current?.item.title ?? "")”, and nothing that was tried helped; "
                    + "go on with: rostrum resume")
            recover()
        case .reconnect: reconnect()
        case .release:
            effects.append(.closeStream(generation: state.generation))
            state.output.stream = .closed
        }
    }

    /// Handles a device that never said whether it has a stream.
    ///
    /// A new one is asked once; an answer of the old one is dropped if it still comes.
    private mutating func giveUpOpening() {
        let error = PlaybackError(
            .io,
            message: "the sound device did not answer; see that the sound server runs, then: rostrum resume")
        state.recovery.fault = error
        if let waited = state.outage {
            // The server is looked for further, until that has taken too long.
            state.recovery.outage = waited + (state.rules.openLimit ?? 0)
            effects.append(.dropOutput)
            streamFailed(state.generation, error)
            // An answer of the old device must not be taken for that of the next one.
            if let current = state.current { moveTo(current.position, provenance: current.provenance) }
            return
        }
        if state.attempt == 0 { recover(by: .reopenOutput) } else { fail(error) }
    }

    /// Makes the next recovery attempt; if all were made, another engine takes over, or an error is reported.
    ///
    /// - Parameter isOfDevice: `true` if the device is at fault, which another engine would not mend.
    mutating func recover(by only: RecoveryStep? = nil, isOfDevice: Bool = false) {
        // An attempt after which more was heard has succeeded.
        if let from = state.recovery.recoveredFrom, let now = state.current?.position, now > from, !isNear(now, from) {
            state.recovery.attempt = 0
        }
        guard let current = state.current, state.attempt < state.rules.maximumAttempts else {
            let error = state.recovery.fault ?? PlaybackError(.io, message: "no sound")
            if !isOfDevice, handsOver(error) { return }
            if let current = state.current, replacesWhatWasThere { giveUpLoading(current, error) } else { fail(error) }
            return
        }
        state.recovery.attempt += 1
        state.recovery.recoveredFrom = knownGood(current.position)
        let steps = RecoveryStep.allCases
        var step = only ?? steps[min(state.attempt, steps.count) - 1]
        if state.phase == .loading, step == .seek { step = .restartEngine }
        effects.append(.retry(attempt: state.attempt, step))
        switch step {
        case .seek:
            moveTo(knownGood(current.position), provenance: current.provenance)
            // The cause of the failure may have been the stream.
            proceed()
        case .restartEngine:
            effects.append(.endEngine(current.engine))
            reload(current)
        case .reopenOutput:
            if state.stream != .closed { effects.append(.closeStream(generation: state.generation)) }
            state.output.stream = .closed
            effects.append(.dropOutput)
            reload(current)
        }
    }

    /// `true` if an item is being opened that was never open, in place of another one or of another owner's.
    private var replacesWhatWasThere: Bool {
        guard state.phase == .loading, !state.isOfOlderLog else { return false }
        return state.loaded.displaced.map { $0.item != state.current?.item } ?? (state.focus.hasTakenFocus == true)
    }

    /// Handles a failure of the engine.
    ///
    /// An engine that fails at a position will fail there again; a process that died may have died of something else.
    mutating func broke(
        _ error: PlaybackError, heard: MediaPosition?, by step: RecoveryStep?, beyond: MediaPosition? = nil,
        leavesOut: UnspokenText? = nil
    ) {
        if let heard, state.phase == .ready { note(heard, .heard) }
        state.recovery.fault = error
        if let beyond, stepsOver(to: beyond, leavesOut) { return }
        switch state.phase {
        case .ready where step != nil, .loading where step != nil && (state.attempt > 0 || beyond != nil):
            // From a seek on, every attempt may help; a process that is gone has to be started.
            recover(by: step == .seek ? nil : step)
        case .loading:
            if let current = state.current, !handsOver(error) { giveUpLoading(current, error) }
        case .ready:
            if !handsOver(error) { fail(error) }
        case .idle, .ended, .failed:
            // Nothing is wanted of the engine now; `resume` starts it again.
            if state.phase == .ended {
                state.phase = .idle
                state.loaded.playing?.position = .start
            }
        }
    }

    /// Continues with another process behind the sound that a dead engine left, if that is long enough.
    ///
    /// It does not do so where the new process may die as well: that position is then reached by playing, and skipped
    /// (`broke`).
    mutating func carryOn(from end: MediaPosition, wasIdle: Bool) {
        guard state.phase == .ready, state.stream != .closed, state.stream != .starved, let current = state.current
        else { return }
        if !wasIdle {
            if let fatal = state.fatal, current.provenance != .heard || isNear(end, fatal.position) { return }
            state.recovery.fatal = FatalPlace(position: end, steps: 0)
        }
        let times = state.recovery.carried?.position == end ? state.recovery.carried?.times ?? 0 : 0
        guard times < Self.mostInARow else { return }
        state.recovery.carried = CarriedOn(position: end, times: times + 1)
        effects.append(.carryOn(generation: state.generation, end))
    }

    /// The limit after which a process that ends without being asked for anything is no longer restarted.
    private static let mostInARow = 8

    /// Skips content that killed an engine twice, with a report (`stepOver`); the first time it may have been chance.
    private mutating func stepsOver(to beyond: MediaPosition, _ leavesOut: UnspokenText?) -> Bool {
        guard let current = state.current, state.phase == .ready || state.phase == .loading else { return false }
        let place = current.position
        guard let fatal = state.fatal, isNear(place, fatal.position) else {
            state.recovery.fatal = FatalPlace(position: place, steps: 0)
            return false
        }
        let isText = current.item.kind == .text
        let most = isText ? state.rules.maximumPassages ?? state.rules.maximumSteps : state.rules.maximumSteps
        guard beyond > place, fatal.steps < most else { return false }
        // Another engine may be able to speak it.
        if let error = state.recovery.fault, handsOver(error) { return true }
        if let leavesOut {
            var unspoken = state.unspoken ?? UnspokenText(sentences: 0, total: leavesOut.total)
            unspoken.sentences += leavesOut.sentences
            if current.provenance == .heard { unspoken.wasHeard = true }
            state.recovery.unspoken = unspoken
        }
        saveCurrent(durably: true)
        state.recovery.fatal = FatalPlace(position: beyond, steps: fatal.steps + 1, origin: fatal.origin ?? place)
        state.recovery.recoveredFrom = beyond
        jump(to: beyond, .stepOver)
        effects.append(.stepOver(place, to: beyond))
        effects.append(.endEngine(current.engine))
        var next = current
        next.position = beyond
        // Nobody heard or chose that position, so it replaces no saved place before it is heard.
        next.provenance = .estimated
        if let floor = state.floor, floor < beyond { state.loaded.floor = beyond }
        // If it cannot be opened there, nothing was skipped, nor before, if nothing was heard in between.
        var open = current
        if current.provenance == .estimated, let origin = fatal.origin {
            open.position = origin
            open.provenance = .restored
        }
        reload(next, from: open)
        return true
    }

    /// The error to report if nothing of a text could be spoken, as far as it was tried.
    var unspeakable: PlaybackError? {
        guard let unspoken = state.unspoken, !unspoken.wasHeard, let current = state.current,
            current.provenance == .estimated
        else { return nil }
        return PlaybackError(
            .badContent,
            message: "the engine \(current.engine) can speak none of \(unspoken.sentences) sentences of "
                + "“\(current.item.title)”; try another engine or voice")
    }

    /// Returns to the position before all skipped content if nothing was heard behind any of it.
    ///
    /// The user then continues from there, and not from where the last attempt was made.
    mutating func undoSteps() {
        guard let origin = state.fatal?.origin, state.current?.provenance == .estimated else { return }
        jump(to: origin, .stepOver)
        state.recovery.fatal = nil
        state.loaded.floor = origin
        note(origin, .restored)
    }

    /// Returns `true` if two positions are less than a second apart.
    private func isNear(_ place: MediaPosition, _ other: MediaPosition) -> Bool {
        guard place.track == other.track else { return false }
        return abs(Double(place.units) - Double(other.units)) < max(1, state.unitsPerSecond)
    }

    /// Opens the present item again, at the furthest position that is known to be good.
    ///
    /// - Parameter open: the item as it was open; that is what is there if it cannot be opened again.
    mutating func reload(_ current: Playing, from open: Playing? = nil) {
        let intent = state.intent
        // An outage ends with it, because the stream is opened anew.
        let suppressions = state.suppressions.lasting
        var again = current
        again.position = knownGood(current.position)
        // While an item is opened, what was there before it still is.
        let there = state.phase == .loading ? state.loaded.displaced : open ?? again
        if state.stream != .closed { effects.append(.closeStream(generation: state.generation)) }
        let (unspoken, standIn) = (state.unspoken, state.recovery.standIn)
        load(again)
        if !state.isOfOlderLog { state.loaded.displaced = there }
        state.recovery.unspoken = unspoken
        // It is offered again for this process, which may be gone by then.
        state.recovery.standIn = standIn
        state.intent = intent
        state.suppressions = suppressions
    }

    /// Hands the item to the engine that stands in for one that failed for good, at the present place.
    ///
    /// The commands that wait for its sound go on waiting.
    ///
    /// - Parameter answers: `true` if the failed engine answers, and may be ready when it is asked again soon.
    /// - Returns: `false` if there is no such engine.
    mutating func handsOver(_ error: PlaybackError, answers: Bool = false) -> Bool {
        guard let engine = state.recovery.standIn, var next = state.current, next.engine != engine,
            state.phase == .ready || state.phase == .loading
        else { return false }
        effects.append(.handOver(from: next.engine, to: engine, error))
        effects.append(answers ? .unload(next.engine) : .endEngine(next.engine))
        next.insteadOf = FailedEngine(engine: next.chosenEngine, reason: error.message)
        next.engine = engine
        reload(next)
        // Whatever the other engine does, it has all attempts.
        state.recovery.attempt = 0
        (state.recovery.recoveredFrom, state.recovery.fatal, state.recovery.carried) = (nil, nil, nil)
        state.recovery.fault = nil
        return true
    }

    /// Handles a lost output: hold, look for the sound server, and resume from the audible position.
    ///
    /// If only the device is gone, playback is held, because nobody chose another device.
    mutating func outputFailed(_ error: PlaybackError, isDeviceGone: Bool, heard: MediaPosition?) {
        holdOthers(isDeviceGone ? .routeLost : .outage, true)
        if isDeviceGone, state.phase == .loading { routeLost() }
        guard let current = state.current, state.phase == .ready, state.stream != .closed else { return }
        if let heard { note(heard, .heard) }
        saveCurrent(durably: true)
        state.output.stream = .closed
        guard state.intent == .play else { return }
        // Once the route is lost, only the user resumes playback, and not the return of a server.
        if isDeviceGone || state.suppressions.contains(.routeLost) {
            endOutage()
            state.suppressions.insert(.routeLost)
        } else {
            beginOutage()
        }
        state.recovery.fault = error
        // What the stream had taken and nobody heard is rendered again meanwhile.
        moveTo(state.current?.position ?? current.position, provenance: state.current?.provenance ?? .unknown)
    }

    /// Handles the choice of another output: what sounded continues there.
    mutating func streamClosed(heard: MediaPosition?, goesOn: Bool) {
        guard state.current != nil, state.phase == .ready, state.stream != .closed else { return }
        if let heard { note(heard, .heard) }
        saveCurrent(durably: true)
        state.output.stream = .closed
        if goesOn { self.goOn() }
    }

    /// Holds the sound while the sound server is looked for.
    mutating func beginOutage() {
        state.recovery.outage = 0
        state.suppressions.insert(.outage)
    }

    /// Ends the hold because the server is back, or is no longer waited for.
    mutating func endOutage() {
        state.recovery.outage = nil
        state.suppressions.remove(.outage)
    }

    /// Notes that a device is open, so that no owner that gets audio focus back has to look for the server.
    mutating func serverAnswered() {
        endOutage()
        holdOthers(.outage, false)
    }

    mutating func reconnect() {
        guard let waited = state.outage else { return }
        guard waited < state.rules.reconnectLimit else {
            fail(state.recovery.fault ?? PlaybackError(.unavailable, message: "the sound server is gone"))
            return
        }
        state.recovery.outage = waited + state.rules.reconnectInterval
        openStream()
    }
}
