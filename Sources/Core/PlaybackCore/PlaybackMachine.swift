// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// The state machine of playback: an event goes in, a new state and effects come out.
///
/// It is a value without clock, I/O or `async`. The same events in the same order lead to the same decisions, so a
/// transition log can be replayed.
public struct PlaybackMachine: Sendable {
    public internal(set) var state: PlaybackState
    var effects: [PlaybackEffect] = []

    public init(state: PlaybackState = PlaybackState()) {
        self.state = state
    }

    /// Handles one event.
    ///
    /// - Returns: The effects, to be carried out in order.
    public mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect] {
        effects = []
        switch event {
        case .play(let id, let order, let heard): play(id, order, heard: heard)
        case .lookUp(let id, let owner, let subject): lookUp(id, owner, subject)
        case .notFound(let id, let error): notFound(id, error)
        case .holdLookUp(let owner): holdLookUp(of: owner)
        case .joinLookUp(let id, let owner): joinLookUp(id, of: owner)
        case .setLookUp(let rate, let volume, let owner): setLookUp(rate: rate, volume: volume, of: owner)
        case .giveUpLookUp(let owner): giveUpLookUp(of: owner)
        case .lookUpFailed(let id, let order, let error, let heard): lookUpFailed(id, order, error, heard: heard)
        case .resume(let id, let owner, let heard, let back, let wasLookedUp):
            afterLookUp(id, wasLookedUp, heard) { $0.resume(id, owner: owner, heard: heard, back: back) }
        case .pause(let owner, let heard): pause(owner: owner, heard: heard)
        case .toggle(let id, let heard, let back, let wasLookedUp):
            // Nothing played when a command that was looked up came, so it was meant to play.
            afterLookUp(id, wasLookedUp, heard) {
                if wasLookedUp == true {
                    $0.resume(id, owner: nil, heard: heard, back: back)
                } else {
                    $0.toggle(id, heard: heard, back: back)
                }
            }
        case .stop(let owner): stop(owner: owner)
        case .locate(let id, let owner, let uri): locate(id, owner, uri)
        case .notLocated(let id, let error): notLocated(id, error)
        case .seek(let order): seek(order)
        case .setRate(let rate, let heard, let byEngine): setRate(rate, heard: heard, byEngine: byEngine)
        case .setVolume(let volume, let heard): setVolume(volume, heard: heard)
        case .switchEngine(let id, let engine, let kinds, let heard, let wasLookedUp):
            if wasLookedUp == true, let lookUp = state.lookUp, lookUp.id == id, lookUp.owner != state.owner {
                // It was meant for another owner, which has no focus any more.
                giveUpLookUp(of: nil)
            } else {
                afterLookUp(id, wasLookedUp, heard) { $0.switchEngine(id, engine, kinds: kinds, heard: heard) }
            }
        case .claim(let id, let owner, let heard): claim(id, owner, heard: heard)
        case .release(let id, let owner, let heard): release(id, owner, heard: heard)
        case .restored(let owner, let items): restored(owner, items)
        case .setRules(let rules): state.rules = rules
        case .setSleep(let order, let heard): setSleep(order, heard: heard)
        case .restoredSleep(let timer, let milliseconds): restoredSleep(timer, milliseconds: milliseconds)
        case .rearmedSleep(let id, let place): rearmedSleep(id, place)
        case .sleepFading(let id): sleepFading(id)
        case .sleepDue(let id, let heard): sleepDue(id, heard: heard)
        case .sleepPlaceReached(let generation, let place): sleepPlaceReached(generation, at: place)
        case .loaded(let generation, let start, let unitsPerSecond, let needsSeek, let isRemote, let cause):
            loaded(
                generation, start: start, unitsPerSecond: unitsPerSecond, needsSeek: needsSeek, isRemote: isRemote,
                cause: cause)
        case .loadFailed(let generation, let error): loadFailed(generation, error)
        case .unopened(let generation, let error): unopened(generation, error)
        case .standIn(let generation, let engine):
            if isCurrent(generation) { state.recovery.standIn = engine }
        case .engineFailed(let generation, let error, let heard):
            // A failure of a disk or a server may be over; content that cannot be decoded stays so.
            if isCurrent(generation) { broke(error, heard: heard, by: error.kind == .io ? .seek : nil) }
        case .engineGone(let generation, let error, let heard, let beyond, let leavesOut):
            if isCurrent(generation) {
                broke(error, heard: heard, by: .restartEngine, beyond: beyond, leavesOut: leavesOut)
            }
        case .engineLost(let generation, let end, let wasIdle):
            if isCurrent(generation) { carryOn(from: end, wasIdle: wasIdle) }
        case .streamOpened(let generation): streamOpened(generation)
        case .streamFailed(let generation, let error): streamFailed(generation, error)
        case .started(let generation): started(generation)
        case .starved(let generation): starved(generation)
        case .ended(let generation, let atLimit, let endsBook):
            ended(generation, atLimit: atLimit, endsBook: endsBook ?? !atLimit)
        case .silenced(let generation, let heard, let nearEnd):
            silenced(generation, heard: heard, isFinished: nearEnd == true)
        case .outputFailed(let error, let isDeviceGone, let heard):
            outputFailed(error, isDeviceGone: isDeviceGone, heard: heard)
        case .streamClosed(let heard, let goesOn): streamClosed(heard: heard, goesOn: goesOn)
        case .interruption(let began): interruption(began: began)
        case .routeLost: routeLost()
        case .routeReturned: routeReturned()
        case .heard(let generation, let position): heard(generation, position)
        case .clock(let id, let heard): clock(id, heard: heard)
        }
        settle()
        setClock()
        setSleepClock()
        return effects
    }

    /// Answers commands whose sound cannot come by itself: a held command is carried out as far as possible.
    ///
    /// While the item is being opened, a command waits in any case, because it is not known before whether something
    /// holds it.
    private mutating func settle() {
        guard state.waiting != nil else { return }
        let mayCome = state.phase == .loading || state.phase == .ready && (state.wantsSound || state.outage != nil)
        if !mayCome { supersede() }
    }

    /// Returns `true` for the present generation; reports the result of an older one as dropped.
    mutating func isCurrent(_ generation: UInt32) -> Bool {
        if generation == state.generation, state.current != nil { return true }
        effects.append(.dropped(.stale))
        return false
    }

    // MARK: Parts that commands and results share

    /// Tells the waiting commands that their sound is audible, or as much of it as possible.
    mutating func supersede() { answer(nil) }

    /// Tells the waiting commands that something else displaced their sound, which was never heard.
    mutating func displace() {
        answer(
            PlaybackError(
                .busy,
                message: "“\(state.current?.item.title ?? "")” was not heard: another command came before that"))
    }

    /// Answers every command that waits for sound.
    mutating func answer(_ error: PlaybackError?) {
        for id in state.commands.all { effects.append(.reply(id: id, error)) }
        (state.commands.newest, state.commands.earlier) = (nil, [])
    }

    /// Adds a command that waits for the same sound as others.
    mutating func join(_ id: UInt64) {
        if let waiting = state.waiting {
            state.commands.earlier.append(waiting)
            if state.commands.earlier.count > Self.mostHeld { refuse(state.commands.earlier.removeFirst()) }
        }
        state.commands.newest = id
    }

    /// Refuses a command because of the limit on what foreign clients can pile up.
    mutating func refuse(_ id: UInt64) {
        effects.append(.reply(id: id, PlaybackError(.busy, message: "too many commands wait for this sound")))
    }

    mutating func load(_ playing: Playing) {
        forgetLeft(state.owner, playing.item)
        if state.current?.item != playing.item { (state.recovery.fatal, state.recovery.carried) = (nil, nil) }
        state.generation &+= 1
        state.loaded.playing = playing
        state.loaded.isRemote = playing.item.isRemote
        state.intent = .play
        state.phase = .loading
        state.output = OutputState()
        state.suppressions = []
        state.recovery.outage = nil
        state.loaded.pendingSeek = nil
        state.loaded.unopened = nil
        state.error = nil
        state.recovery.unspoken = nil
        state.recovery.standIn = nil
        state.loaded.lookUpFailed = false
        effects.append(.load(generation: state.generation, playing, rate: state.rate))
        effects.append(.connectOutput)
    }

    /// Moves to a position in what is loaded, whatever the state of the stream.
    mutating func moveTo(_ target: MediaPosition, provenance: Provenance) {
        if let item = state.current?.item { forgetLeft(state.owner, item) }
        state.generation &+= 1
        state.phase = .ready
        state.output.steady = 0
        state.loaded.playing?.position = target
        state.loaded.playing?.provenance = provenance
        state.output.wasOpened = state.stream != .closed
        state.output.hasSounded = false
        if state.stream == .sounding || state.stream == .starved { state.output.stream = .waiting }
        effects.append(.seek(generation: state.generation, target))
        // The stream that is being opened belongs to the older generation.
        if state.stream == .opening { openStream() }
    }

    mutating func openStream() {
        state.output.stream = .opening
        state.output.wasOpened = true
        state.output.hasSounded = false
        effects.append(.openStream(generation: state.generation))
    }

    /// Forgets an item that was left, because it has a new place that late results of its older sound must not undo.
    mutating func forgetLeft(_ owner: OwnerID, _ item: ItemReference) {
        for (generation, left) in state.leaving where left.owner == owner && left.playing.item == item {
            state.memory.leaving[generation] = nil
        }
    }

    /// Opens or resumes the stream, if sound is wanted and nothing holds it.
    mutating func proceed() {
        guard state.wantsSound, state.phase == .ready else { return }
        switch state.stream {
        case .closed:
            openStream()
        case .paused:
            // The device reports when sound that nobody has heard yet is audible: a seek may have happened meanwhile.
            let wasHeard = state.output.hasSounded
            state.output.stream = wasHeard ? .sounding : .waiting
            effects.append(.resumeStream)
            if wasHeard { supersede() }
        case .opening, .waiting, .sounding, .starved:
            break
        }
    }

    /// Resumes after a hold; what an earlier stream took and nobody heard is rendered again.
    mutating func goOn() {
        guard state.wantsSound, state.phase == .ready, let current = state.current else { return }
        if state.stream == .closed, current.provenance == .heard || state.output.wasOpened {
            moveTo(current.position, provenance: current.provenance)
        }
        proceed()
    }

    /// Silences the stream without changing the intent.
    mutating func hold() {
        switch state.stream {
        case .waiting, .sounding, .starved:
            state.output.stream = .paused
            effects.append(.pauseStream(generation: state.generation))
        case .opening where state.intent != .play:
            state.output.stream = .closed
            effects.append(.closeStream(generation: state.generation))
        case .opening, .closed, .paused:
            // If something only holds the sound, the stream is opened anyway, because whoever silences it tells it when
            // that ends.
            break
        }
    }

    /// Clears everything that belongs to the present item.
    mutating func clear() {
        state.generation &+= 1
        state.intent = .stop
        state.phase = .idle
        state.suppressions = []
        state.output = OutputState()
        // Distances are counted in the units of the item that was open last until the next one is open.
        state.loaded = LoadedItem(unitsPerSecond: state.unitsPerSecond)
        // The fault is what an owner is told that gets focus back, if the server that was lost before does not return.
        state.recovery = Recovery(fault: state.recovery.fault)
        state.focus.handsBack = false
        noteFocus(isTaken: false)
    }

    /// Ends playback with an error; the item is named with its position, and `resume` opens it again there.
    mutating func fail(_ error: PlaybackError) {
        // A device that is gone says nothing about the text.
        let error = error.kind == .defect || error.kind == .io ? unspeakable ?? error : error
        undoSteps()
        if state.phase == .ready { saveCurrent(durably: true) }
        // This also closes the stream of an item that was left for this one, if it still waits to be replaced.
        effects.append(.closeStream(generation: state.generation))
        state.output.stream = .closed
        state.phase = .failed
        let isWanted = state.intent == .play
        state.intent = .pause
        endOutage()
        state.recovery.attempt = 0
        state.error = error
        answer(error)
        if let engine = state.current?.engine { effects.append(.unload(engine)) }
        effects.append(.finished(uri: state.current?.item.uri, error))
        // The holds, and what the owner had before, are read at the hand-back.
        if state.handsBack { return handBackFailed(playing: true, wanted: isWanted) }
        noteFocus(isTaken: false)
        state.suppressions = []
    }
}
