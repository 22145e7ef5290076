// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import BookTimeline
import Clocks
public import PlaybackCore
import TaskChains
import TransitionRecords

/// Playback settings that are a matter of taste.
public struct PlaybackSettings: Sendable, Hashable {
    /// The time for which an engine without content is kept running.
    public var engineIdle = Duration.seconds(15)
    /// The time for which an engine keeps its item open after the user has switched to another engine.
    public var engineParked = Duration.seconds(600)
    /// The maximum distance to rewind after a long pause; 0 disables it.
    public var autoRewind = Duration.seconds(30)
    /// The distance between the synthetic chapters of a long file that has none; 0 disables them.
    public var syntheticChapters = Duration.seconds(1800)
    /// The distance of `skip`.
    ///
    /// Skipping back goes further: hearing something again takes some context.
    public var skipForward = Duration.seconds(25)
    public var skipBack = Duration.seconds(30)
    /// The last seconds of the sleep timer, during which the sound fades out.
    public var sleepFade = Duration.seconds(10)
    /// The rate of an item that was never played before; `nil` keeps the rate of the previous item.
    public var defaultRate: Double?
    /// The voices that texts are read with, by language; the last one for a language counts.
    public var voices: [LanguageVoice] = []
    /// The seconds of silence before the first sound of a device that was asleep; `nil` for as long as such a device needs.
    public var preRoll: Double?
    /// The sound options that apply unless the user chose others.
    public var sound = SoundOptions()
    /// The interval at which the place is saved during playback.
    public var placeInterval = Duration.seconds(5)
    public var initialization = InitializationPolicy.selectedAtLaunch
    /// `true` if the log has a record of each command of a remote control.
    public var recordsRemotes = true
    /// The rules of the playback machine.
    public var rules = PlaybackRules()

    public init() {}

    var syntheticSeconds: Double { syntheticChapters / .seconds(1) }
}

/// The controller of playback, and the only owner of its state.
///
/// Runs the effects of the playback machine against engines, the audio session and the library, and feeds their results
/// back. Commands return when they have been carried out or have failed.
public actor MediaPlaybackController {
    let ports: PlaybackPorts
    let session: AudioSessionCoordinator
    var settings: PlaybackSettings
    var machine = PlaybackMachine()
    var log: PlaybackLog
    var orders = CommandOrder()
    var items = SessionItems()
    var output = OutputTurn()
    var desk = EngineDesk()
    var keeping = PlaceKeeping()
    var sleeping = SleepClock()
    var soundChoice = SoundChoice()
    var memory = LibraryMemory()
    var watchdog = WatchdogTimer()
    var observers: PlaybackObservers

    public init(
        engines: any EngineProvider, outputs: any OutputProvider, store: any PlaceStore,
        resolver: any ItemResolving, log: any TransitionLogging, mirror: StateMirror = StateMirror(),
        outputName: String = "auto", settings: PlaybackSettings = PlaybackSettings(),
        clock: any Clock<Duration> = ContinuousClock(), history: (any HistoryStore)? = nil,
        books: (any BookStore)? = nil, scanner: (any BookScanning)? = nil, places: (any PlaceJournal)? = nil,
        works: (any WorkFinding)? = nil, served: (any ServedPlaces)? = nil,
        wallClock: (@Sendable () -> Int64)? = nil, outputDeadlines: any Clock<Duration> = ContinuousClock()
    ) {
        ports = PlaybackPorts(
            engines: engines, outputs: outputs, store: store, history: history, places: places, books: books,
            scanner: scanner, works: works, served: served, resolver: resolver, log: log, clock: clock,
            wallClock: wallClock ?? { WallClock.milliseconds() })
        self.settings = settings
        self.log = PlaybackLog(log: log)
        observers = PlaybackObservers(mirror: mirror)
        session = AudioSessionCoordinator(
            provider: outputs, outputName: outputName, deadlines: outputDeadlines
        ) { record in
            log.record(PlaybackLog.entry(for: record))
        }
    }

    // MARK: Events

    /// Takes one event through the machine, records it, and starts the effects it decides on.
    ///
    /// The event belongs to the command of the running task, or else to the one that led to it.
    func handle(_ event: PlaybackEvent) {
        Initiator.run(as: log.initiators.initiator(of: event)) { carryThrough(event) }
    }

    private func carryThrough(_ event: PlaybackEvent) {
        let before = machine.state
        let effects = machine.handle(event)
        if machine.state.generation != before.generation {
            log.initiators.note(generation: machine.state.generation)
        }
        // Observers are told first: log, device and engine wake other threads, and no processor may be left then.
        tell(before, effects)
        // The log may begin a file here, with a snapshot from before the event.
        let cause = log.record(event, before: before, after: machine.state, effects: effects)
        noteSilence(before, machine.state)
        if machine.state != before { observers.mirror(machine.state) }
        if let cause {
            log.recordConsequences(of: event, cause, before: before, after: machine.state, effects: effects)
        }
        // The state may already have moved on to the item that gets audio focus back.
        let warning = if case .ended = event { before.warning } else { nil as String? }
        // A request to the device carries the cause of the event; an engine only carries out what somebody wanted.
        var initiator = log.initiators.present
        if let cause, cause != .engine { initiator.origin = cause }
        Initiator.run(as: initiator) {
            for effect in effects where !effect.isOfSleepClock { carryOut(effect, warning: warning) }
        }
        endUnwantedSpares()
        endUnwantedSearches(before)
        recallPreferences(after: event, before: before)
        notePreferences()
        if machine.state.sleep != before.sleep { persistSleep() }
        takeUpSleep()
        if let span = keeping.spans.follow(before, machine.state, effects: effects, now: ports.wallClock()) {
            keep(span)
        }
        if machine.state != before {
            beat()
            followPlace()
        }
    }

    /// Gives up what nobody waits for any more: a look-up or a seek that was overtaken, an item that is no longer opened.
    private func endUnwantedSearches(_ before: PlaybackState) {
        let state = machine.state
        if let id = before.lookUp?.id, state.lookUp?.id != id { orders.giveUpSearch(id) }
        for seek in before.seeks where !state.seeks.contains(where: { $0.id == seek.id }) {
            orders.giveUpSearch(seek.id)
        }
        if before.phase == .loading, state.phase != .loading { desk.endOpening() }
    }

    /// Starts listening to the events of the session.
    ///
    /// Called by the first command.
    private func listen() {
        output.listen {
            let events = session.events
            return Initiator.run(as: nil) {
                Task { [weak self] in
                    for await event in events { await self?.take(event) }
                }
            }
        }
    }

    private func take(_ event: OutputEvent) {
        defer { publishSession() }
        switch event {
        case .started(let generation):
            handle(.started(generation: generation))
            followCrossing(generation)
            lookForGaps()
            if crossesAtStart(generation) { return }
            if let engine = machine.state.current?.engine { indexInTime(engine) }
        case .ended(let generation, atLimit: true) where endsAsleep(generation):
            handle(.sleepPlaceReached(generation: generation))
        case .ended(let generation, let atLimit) where crossesGap(generation, atLimit: atLimit): break
        case .ended(let generation, let atLimit):
            if atLimit, generation == machine.state.generation, let uri = machine.state.current?.item.uri {
                items[opening: uri].limit = nil
            }
            // The end of a part of a text is the end of what this owner plays.
            handle(.ended(generation: generation, atLimit: atLimit && !isTextPart(generation)))
        case .starved(let generation):
            handle(.starved(generation: generation))
            // These were the last sounds of an engine that is gone or cannot continue.
            if generation == machine.state.generation, let engine = machine.state.current?.engine {
                Task { await endRest(of: generation, engine) }
            }
        case .interruption(let began, _, _): handle(.interruption(began: began))
        case .routeChanged, .woke: break
        case .routeLost:
            noteRouteLost()
            handle(.routeLost)
        case .routeReturned: handle(.routeReturned)
        case .failed(let error, let heard):
            if error.code == .deviceGone { noteRouteLost() }
            if let heard, heard.generation != machine.state.generation, machine.state.stream == .opening {
                // The failure concerns the sound that is being left; the stream that is opening reports for itself.
                handle(
                    .silenced(generation: heard.generation, heard: position(heard, of: heard.generation)))
                return
            }
            handle(
                .outputFailed(
                    PlaybackError(error), isDeviceGone: error.code == .deviceGone,
                    heard: position(heard, of: machine.state.generation) ?? lastSaid))
        }
    }

    /// Returns the audible position as a position in the item, or `nil` if it belongs to another generation.
    func position(_ heard: HeardPosition?, of generation: UInt32) -> MediaPosition? {
        guard let heard, heard.generation == generation else { return nil }
        let place = MediaPosition(track: heard.track, units: heard.units)
        let state = machine.state
        let playing = generation == state.generation ? state.current : state.leaving[generation]?.playing
        // A file may grow while it plays, and an engine may count past the end that it stated: such a place is not in
        // the item.
        return playing.flatMap { timeline(of: $0)?.tracks.limited(place) } ?? place
    }

    /// Returns the position in the current item that is audible now.
    func heardNow() async -> MediaPosition? {
        guard machine.state.stream != .closed, machine.state.phase == .ready else { return nil }
        let generation = machine.state.generation
        let heard: MediaPosition? =
            switch await session.heard() {
            case .place(let place): position(place, of: generation)
            case .none: lastSaid
            }
        // The answer may concern an item that is gone by now.
        return generation == machine.state.generation ? heard : nil
    }

    /// The audible position according to what the output last reported by itself.
    var lastSaid: MediaPosition? { position(output.feed.place(at: MonotonicTime.now()), of: machine.state.generation) }

    /// Waits for the exact positions at which items were left a moment ago.
    ///
    /// Until the output has told them, what is known may be seconds old.
    func learnLeft() async {
        if !machine.state.leaving.isEmpty { await output.last?.value }
    }

    /// Returns the audible position to about a millisecond.
    ///
    /// If the output predicted the position, its thread is not woken for this.
    /// For positions that are only shown, or that the output's answer to the same command corrects.
    func foretoldPosition() async -> MediaPosition? {
        if machine.state.stream == .sounding, machine.state.phase == .ready,
            let foretold = position(output.feed.foretoldPlace(at: MonotonicTime.now()), of: machine.state.generation)
        {
            return foretold
        }
        return await heardNow()
    }

    /// The audible position as far as it is known without asking a device; `nil` if nothing sounds.
    ///
    /// It is exact where the output predicted it, and otherwise as old as the output's last report. For commands, which
    /// must reach the machine in the order in which they come: what they silence reports its exact position itself.
    var heardAtOnce: MediaPosition? {
        guard machine.state.phase == .ready, [.sounding, .starved].contains(machine.state.stream) else { return nil }
        return lastSaid
    }

    // MARK: Commands and their callers

    /// Carries out a command: everything that follows from it in `body` has its number and its origin.
    ///
    /// - Parameters:
    ///   - pauses: whether the command may be the headset's way of saying that it was taken off.
    ///   - body: takes the id of the command.
    func command<Value, Failure: Error>(
        _ origin: CommandOrigin = .user, pauses: Bool = false, _ body: (UInt64) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let (id, initiator) = begin(origin, pauses: pauses)
        return try await Initiator.run(as: initiator) { () async throws(Failure) in try await body(id) }
    }

    /// Carries out a command that waits for nothing.
    func command<Value, Failure: Error>(
        _ origin: CommandOrigin = .user, pauses: Bool = false, _ body: (UInt64) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let (id, initiator) = begin(origin, pauses: pauses)
        return try Initiator.run(as: initiator) { () throws(Failure) in try body(id) }
    }

    private func begin(_ origin: CommandOrigin, pauses: Bool) -> (UInt64, Initiator) {
        listen()
        let id = orders.next()
        let origin = RemoteCommand.current == nil ? origin : .remote
        let initiator = log.initiators.begin(command: id, cause(of: origin, pauses: pauses))
        if let remote = RemoteCommand.current { note(remote, initiator) }
        return (id, initiator)
    }

    /// Records once that a remote control sent a command.
    private func note(_ remote: RemoteCommand, _ initiator: Initiator, result: String = "ok") {
        guard remote.record.take(), settings.recordsRemotes else { return }
        log.remote(remote, initiator, state: machine.state, result: result)
    }

    /// Records that a remote control sent a command that had no effect, and why, unless it is recorded already.
    public func note(_ remote: RemoteCommand, result: String) {
        note(remote, Initiator(command: nil, origin: .remote), result: result)
    }

    /// Hands an event with a command to the machine and waits for the machine's answer.
    func answered(_ id: UInt64, _ event: PlaybackEvent) async throws(PlaybackError) {
        let result = await withCheckedContinuation { caller in
            orders.wait(id, caller)
            handle(event)
            CommandTurn.current?.isTaken()
        }
        try result.get()
    }

    /// Stops playback, saves the place, and ends every engine and output.
    public func shutDown() async {
        leave()
        watchdog.stop()
        await output.last?.value
        await session.shutDown()
        await keeping.saves.last?.value
        await keeping.journal.last?.value
        keeping.beat(false) { Task {} }
        sleeping.stop()
        desk.stopMeasuring()
        await endEngines()
        // What waited for an engine is over now; otherwise a load could keep this waiting for many seconds.
        await desk.calls.last?.value
        await endEngines()
        observers.finish()
        await ports.log.flush()
    }

    /// Returns when the output has carried out what was asked of it: after a pause, nothing is left to be heard, even if
    /// the sound server moves the stream to another sink then.
    public func settleOutput() async {
        await output.last?.value
        guard machine.state.stream == .paused else { return }
        // An output that is told to pause has the fade still before it.
        try? await ports.clock.sleep(for: Self.fadeOut)
    }

    /// The time in which a sound server takes the fade of a pause: 10 ms behind what it is taking already.
    private static let fadeOut = Duration.milliseconds(30)

    /// Returns when everything that was decided is written, whatever else hangs.
    public func settle() async {
        await keeping.saves.last?.value
        await keeping.journal.last?.value
        await ports.log.flush()
    }

    /// Ends all engines at once, since each may take a while.
    private func endEngines() async {
        let leaving = desk.pool.removeAll()
        await withTaskGroup(of: Void.self) { group in
            for live in leaving { group.addTask { await live.engine.shutDown() } }
        }
    }
}
