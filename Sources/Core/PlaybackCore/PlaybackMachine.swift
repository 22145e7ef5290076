// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// Decides: an event in, a new state and effects out.
///
/// A value without clock, I/O or `async`. The same events in the same order lead to the same decisions,
/// which is what makes the transition log a tape.
public struct PlaybackMachine: Sendable {
    public private(set) var state: PlaybackState
    private var effects: [PlaybackEffect] = []

    /// How often a broken engine or stream is brought back before it is an error.
    static let maximumRecoveries = 3

    public init(state: PlaybackState = PlaybackState()) {
        self.state = state
    }

    /// Takes in one event.
    ///
    /// What it returns is to be carried out in order.
    public mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect] {
        effects = []
        switch event {
        case .play(let id, let order): play(id, order)
        case .resume(let id): resume(id)
        case .pause: pause()
        case .toggle(let id):
            if state.intent == .play, state.phase != .ended, state.phase != .failed { pause() } else { resume(id) }
        case .stop: stop()
        case .seek(let target, let from): seek(to: target, from: from)
        case .setRate(let rate, let heard, let byEngine): setRate(rate, heard: heard, byEngine: byEngine)
        case .setVolume(let volume): setVolume(volume)
        case .switchEngine(let id, let engine, let kinds, let heard):
            switchEngine(id, engine, kinds: kinds, heard: heard)
        case .restored(let owner, let items): restored(owner, items)
        case .loaded(let generation, let start): loaded(generation, start: start)
        case .loadFailed(let generation, let error):
            if generation == state.generation, state.phase == .loading { fail(error) }
        case .engineFailed(let generation, let error, let heard):
            if generation == state.generation, state.current != nil { broke(error, heard: heard, mayRecover: false) }
        case .engineGone(let generation, let error, let heard):
            if generation == state.generation, state.current != nil { broke(error, heard: heard, mayRecover: true) }
        case .streamOpened(let generation):
            if generation == state.generation, state.stream == .opening { state.stream = .waiting }
        case .streamFailed(let generation, let error):
            if generation == state.generation, state.stream == .opening {
                state.stream = .closed
                fail(error)
            }
        case .started(let generation): started(generation)
        case .starved(let generation):
            if generation == state.generation, state.stream == .sounding { state.stream = .waiting }
        case .ended(let generation, let atLimit): ended(generation, atLimit: atLimit)
        case .silenced(let generation, let heard): silenced(generation, heard: heard)
        case .outputFailed(let error, let heard): outputFailed(error, heard: heard)
        case .interruption(let began): interruption(began: began)
        case .heard(let generation, let position): heard(generation, position)
        }
        return effects
    }

    // MARK: Commands

    private mutating func play(_ id: UInt64, _ order: PlayOrder) {
        supersede()
        leave()
        state.owner = order.owner
        if let rate = order.rate { state.rate = rate }
        if let volume = order.volume { state.volume = volume }
        state.waiting = id
        load(
            Playing(item: order.item, engine: order.engine, position: order.start, provenance: order.provenance))
        rememberCurrent()
    }

    /// A newer command took the place of one that still waited for sound; that one is done.
    private mutating func supersede() {
        if let waiting = state.waiting { effects.append(.reply(id: waiting, nil)) }
        state.waiting = nil
    }

    /// Stops what is there, to make room for something else.
    ///
    /// Its place comes with `silenced`.
    private mutating func leave() {
        guard let current = state.current else { return }
        rememberCurrent()
        if state.stream != .closed {
            if state.phase == .ready { state.leaving[state.generation] = Leaving(owner: state.owner, playing: current) }
            effects.append(.pauseStream(generation: state.generation))
        }
        state.current = nil
    }

    private mutating func load(_ playing: Playing) {
        state.generation &+= 1
        state.current = playing
        state.intent = .play
        state.phase = .loading
        state.stream = .closed
        state.suppression = nil
        state.pendingSeek = nil
        state.error = nil
        effects.append(.load(generation: state.generation, playing, rate: state.rate))
        effects.append(.connectOutput)
    }

    private mutating func resume(_ id: UInt64) {
        guard let current = state.current else {
            guard let last = remembered(.audio) ?? remembered(.text) else {
                effects.append(.nothingToPlay(id: id))
                return
            }
            supersede()
            state.waiting = id
            load(last)
            return
        }
        supersede()
        state.intent = .play
        switch state.phase {
        case .idle, .failed:
            state.waiting = id
            state.recoveries = 0
            load(current)
        case .ended:
            state.waiting = id
            moveTo(.start, provenance: .user)
            openIfWanted()
        case .loading:
            state.waiting = id
        case .ready:
            state.suppression = nil
            switch state.stream {
            case .closed:
                state.waiting = id
                openIfWanted()
            case .paused:
                state.stream = .sounding
                effects.append(.resumeStream)
                effects.append(.reply(id: id, nil))
            case .opening, .waiting:
                state.waiting = id
            case .sounding:
                effects.append(.reply(id: id, nil))
            }
        }
    }

    private mutating func pause() {
        guard state.current != nil, state.intent == .play else { return }
        guard state.phase == .loading || state.phase == .ready else { return }
        state.intent = .pause
        supersede()
        hold()
    }

    /// Silences the stream without touching the intent.
    private mutating func hold() {
        switch state.stream {
        case .waiting, .sounding:
            state.stream = .paused
            effects.append(.pauseStream(generation: state.generation))
        case .opening:
            state.stream = .closed
            effects.append(.closeStream(generation: state.generation))
        case .closed, .paused:
            break
        }
    }

    private mutating func stop() {
        supersede()
        guard let current = state.current else { return }
        rememberCurrent()
        if state.stream != .closed {
            state.leaving[state.generation] = Leaving(owner: state.owner, playing: current)
            effects.append(.closeStream(generation: state.generation))
        }
        effects.append(.unload(current.engine))
        effects.append(.finished(uri: nil, nil))
        state.generation &+= 1
        state.intent = .stop
        state.phase = .idle
        state.stream = .closed
        state.suppression = nil
        state.pendingSeek = nil
        state.error = nil
        state.current = nil
    }

    private mutating func seek(to target: MediaPosition, from: MediaPosition?) {
        guard state.current != nil else { return }
        switch state.phase {
        case .idle:
            return
        case .loading, .failed:
            state.pendingSeek = target
            state.current?.position = target
            state.current?.provenance = .user
        case .ended:
            moveTo(target, provenance: .user)
            state.intent = .pause
        case .ready:
            moveTo(target, provenance: .user)
        }
        saveCurrent(durably: true)
    }

    /// Goes to a place in what is loaded, whatever the stream does.
    private mutating func moveTo(_ target: MediaPosition, provenance: Provenance) {
        state.generation &+= 1
        state.phase = .ready
        state.current?.position = target
        state.current?.provenance = provenance
        if state.stream == .sounding { state.stream = .waiting }
        effects.append(.seek(generation: state.generation, target))
    }

    private mutating func setRate(_ rate: Double, heard: MediaPosition?, byEngine: Bool) {
        guard rate != state.rate else { return }
        state.rate = rate
        if let heard, state.phase == .ready { note(heard, .heard) }
        guard state.phase == .ready || state.phase == .loading else { return }
        effects.append(.setRate(rate))
        if byEngine, state.phase == .ready, let position = heard ?? state.current?.position {
            moveTo(position, provenance: state.current?.provenance ?? .unknown)
        }
    }

    private mutating func setVolume(_ volume: Double) {
        guard volume != state.volume else { return }
        state.volume = volume
        effects.append(.setVolume(volume))
    }

    private mutating func switchEngine(_ id: UInt64, _ engine: EngineID, kinds: [ContentKind], heard: MediaPosition?) {
        if let current = state.current, kinds.contains(current.item.kind) {
            if current.engine == engine {
                resume(id)
                return
            }
            var next = current
            next.engine = engine
            if let heard {
                next.position = heard
                next.provenance = .heard
            }
            supersede()
            leave()
            state.waiting = id
            load(next)
            rememberCurrent()
            return
        }
        let own = (state.remembered[state.owner] ?? [:]).values.first { $0.engine == engine }
        guard let last = own ?? kinds.compactMap({ remembered($0) }).first else {
            effects.append(.nothingToPlay(id: id))
            return
        }
        supersede()
        leave()
        state.waiting = id
        var next = last
        next.engine = engine
        load(next)
        rememberCurrent()
    }

    private mutating func restored(_ owner: OwnerID, _ items: [Playing]) {
        for playing in items where state.remembered[owner]?[playing.item.kind] == nil {
            state.remembered[owner, default: [:]][playing.item.kind] = playing
        }
    }

    // MARK: Results

    private mutating func loaded(_ generation: UInt32, start: MediaPosition) {
        guard generation == state.generation, state.phase == .loading, let current = state.current else { return }
        state.phase = .ready
        let target = state.pendingSeek ?? start
        state.pendingSeek = nil
        if target != current.position || target != start {
            moveTo(target, provenance: current.provenance)
        }
        openIfWanted()
    }

    private mutating func openIfWanted() {
        guard state.intent == .play, state.suppression == nil, state.phase == .ready else { return }
        switch state.stream {
        case .closed:
            state.stream = .opening
            effects.append(.openStream(generation: state.generation))
        case .paused:
            state.stream = .waiting
            effects.append(.resumeStream)
        case .opening, .waiting, .sounding:
            break
        }
    }

    private mutating func started(_ generation: UInt32) {
        guard generation == state.generation, state.stream == .waiting || state.stream == .opening else { return }
        state.stream = .sounding
        state.current?.provenance = .heard
        supersede()
    }

    private mutating func ended(_ generation: UInt32, atLimit: Bool) {
        // An output that is still being opened may find that nothing is left to play.
        guard generation == state.generation, state.phase == .ready, state.stream != .closed,
            state.stream != .opening || state.intent == .play, var current = state.current
        else { return }
        current.provenance = .heard
        state.current = current
        supersede()
        state.phase = atLimit ? .ready : .ended
        state.intent = .pause
        if state.stream != .closed { effects.append(.closeStream(generation: generation)) }
        state.stream = .closed
        // At a limit the place comes with `silenced`.
        if !atLimit { effects.append(.savePlace(state.owner, current, finished: true, durably: true)) }
        effects.append(.finished(uri: current.item.uri, nil))
    }

    private mutating func silenced(_ generation: UInt32, heard: MediaPosition?) {
        if let left = state.leaving.removeValue(forKey: generation) {
            // Not if it was taken up again meanwhile, from a place of its own.
            guard let heard, state.current?.item != left.playing.item else { return }
            var playing = left.playing
            playing.position = heard
            playing.provenance = .heard
            if state.remembered[left.owner]?[playing.item.kind]?.item == playing.item {
                state.remembered[left.owner]?[playing.item.kind] = playing
            }
            effects.append(.savePlace(left.owner, playing, finished: false, durably: true))
            return
        }
        guard generation == state.generation, state.phase == .ready, let heard else { return }
        note(heard, .heard)
        saveCurrent(durably: true)
    }

    private mutating func heard(_ generation: UInt32, _ position: MediaPosition) {
        guard generation == state.generation, state.stream == .sounding else { return }
        note(position, .heard)
        state.recoveries = 0
        saveCurrent(durably: false)
    }

    /// An engine that fails at one place fails there again; a process that died may have died of
    /// something else.
    private mutating func broke(_ error: PlaybackError, heard: MediaPosition?, mayRecover: Bool) {
        if let heard { note(heard, .heard) }
        guard mayRecover, state.phase == .ready, state.recoveries < Self.maximumRecoveries, let current = state.current
        else {
            fail(error)
            return
        }
        let intent = state.intent
        let recoveries = state.recoveries + 1
        if state.stream != .closed { effects.append(.closeStream(generation: state.generation)) }
        load(current)
        state.intent = intent
        state.recoveries = recoveries
    }

    private mutating func outputFailed(_ error: PlaybackError, heard: MediaPosition?) {
        guard state.current != nil, state.phase == .ready, state.stream != .closed else { return }
        if let heard { note(heard, .heard) }
        saveCurrent(durably: true)
        state.stream = .closed
        fail(error)
    }

    private mutating func fail(_ error: PlaybackError) {
        // Also the stream of an item that was left for this one, if it still waits to be replaced.
        effects.append(.closeStream(generation: state.generation))
        state.stream = .closed
        state.phase = .failed
        state.intent = .pause
        state.error = error
        if let waiting = state.waiting { effects.append(.reply(id: waiting, error)) }
        state.waiting = nil
        if let engine = state.current?.engine { effects.append(.unload(engine)) }
        effects.append(.finished(uri: state.current?.item.uri, error))
    }

    private mutating func interruption(began: Bool) {
        if began {
            guard state.suppression == nil, state.current != nil, state.intent == .play else { return }
            state.suppression = .interruption
            hold()
        } else {
            guard state.suppression == .interruption else { return }
            state.suppression = nil
            guard state.intent == .play, state.phase == .ready else { return }
            if state.stream == .paused {
                state.stream = .sounding
                effects.append(.resumeStream)
            } else {
                openIfWanted()
            }
        }
    }

    // MARK: Places

    private mutating func note(_ position: MediaPosition, _ provenance: Provenance) {
        state.current?.position = position
        state.current?.provenance = provenance
        rememberCurrent()
    }

    private func remembered(_ kind: ContentKind) -> Playing? {
        state.remembered[state.owner]?[kind]
    }

    private mutating func rememberCurrent() {
        guard let current = state.current else { return }
        if state.remembered[state.owner]?[current.item.kind]?.item != current.item
            || state.remembered[state.owner]?[current.item.kind]?.engine != current.engine
        {
            effects.append(.rememberItem(state.owner, current))
        }
        state.remembered[state.owner, default: [:]][current.item.kind] = current
    }

    /// Saves the place of the present item if it is one that somebody heard or chose.
    private mutating func saveCurrent(durably: Bool) {
        rememberCurrent()
        guard let current = state.current, current.provenance == .heard || current.provenance == .user else { return }
        effects.append(.savePlace(state.owner, current, finished: false, durably: durably))
    }
}
