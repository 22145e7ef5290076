// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import BookTimeline
import Clocks
public import PlaybackCore
import TransitionRecords

/// Playback settings that are a matter of taste.
public struct PlaybackSettings: Sendable, Hashable {
    /// How long an engine without content is kept running.
    public var engineIdle = Duration.seconds(15)
    /// How long an engine keeps its item open after the user has switched to another engine.
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
    /// The sound options that apply unless the user chose others.
    public var sound = SoundOptions()
    /// The interval at which the place is saved during playback.
    public var placeInterval = Duration.seconds(5)
    public var initialization = InitializationPolicy.selectedAtLaunch
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
    let engines: any EngineProvider
    let session: AudioSessionCoordinator
    let outputs: any OutputProvider
    let store: any PlaceStore
    let history: (any HistoryStore)?
    let places: (any PlaceJournal)?
    /// The feed through which the output reports what is audible, and when.
    let feed = HeardFeed()
    var followed: JournalSubject?
    var followTurn: Task<Void, Never>?
    /// The reason why the place could not be saved the last time; `nil` if it was saved.
    var saveFault: PlaceStoreError?
    let books: (any BookStore)?
    let scanner: (any BookScanning)?
    let resolver: any ItemResolving
    let recorder: any TransitionRecorder
    var settings: PlaybackSettings
    let clock: any Clock<Duration>
    /// Milliseconds since 1970.
    let wallClock: @Sendable () -> Int64

    var machine = PlaybackMachine()
    /// The command that started each of the latest generations.
    private var leading: [UInt32: PlaybackJournal.Told] = [:]
    var journal: PlaybackJournal
    private let mirror: StateMirror
    var pool = EnginePool()
    /// The item that each live engine has open.
    var media: [EngineID: LoadedMedia] = [:]
    /// The items that were open recently; an owner without audio focus can name places in them.
    var known = KnownMedia()
    var trackNews = TrackNews()
    var voices: [EngineID: String] = [:]
    /// The process that another one is about to continue for.
    var carrying: Int?
    var starting: [EngineID: Task<Result<EnginePool.Live, EngineError>, Never>] = [:]
    var items = SessionItems()

    /// The place where the last load resumed by itself, until something else is known.
    var keptPlace: Playing?

    /// The engine whose sound the open stream takes.
    var streamEngine: EngineID?
    var outputTurn: Task<Void, Never>?
    /// The number of calls to the session in progress.
    var outputCalls = 0
    var engineTurn: Task<Void, Never>?
    var storeTurn: Task<Void, Never>?
    var heartbeat: Task<Void, Never>?
    var countdown: SleepCountdown?
    /// The background measurement in progress, by item and process of the engine.
    var indexing: (uri: String, serial: Int, task: Task<Void, Never>)?
    var fading: Task<Void, Never>?
    var soundWishes = SoundWishes()
    var hasReadSound = false
    var hasTriedSound = false
    var sleepKeeping = SleepKeeping()
    private var listener: Task<Void, Never>?

    private var waiters: [UInt64: CheckedContinuation<Result<Void, PlaybackError>, Never>] = [:]
    var lastCommand: UInt64 = 0
    /// The newest command that decides what plays; older ones that still look for their item give up.
    var newestPlay: UInt64 = 0
    var coming: ComingPlay?
    /// The commands that wait for a `play` whose item is being looked up, by the id of that `play`.
    var joined: [UInt64: [CheckedContinuation<Result<Void, PlaybackError>, Never>]] = [:]
    /// The request whose item could not be looked up; `resume` tries it again.
    var unlocated: (uri: String, request: PlayRequest)?
    var restoring: Task<Void, Never>?
    var isRestored = false
    /// The reason why the library could not be read so far.
    var memoryFault: PlaybackError?
    /// The timer that the machine asked for.
    var clockTask: Task<Void, Never>?
    var losses = RouteLosses()
    var renders = 0

    private var spans = SpanTracker()

    var observers: [UInt64: AsyncStream<PlaybackChange>.Continuation] = [:]
    var followers: [@Sendable (PlaybackSnapshot) -> Void] = []
    var publishedSession = SessionView()

    public init(
        engines: any EngineProvider, outputs: any OutputProvider, store: any PlaceStore,
        resolver: any ItemResolving, recorder: any TransitionRecorder, mirror: StateMirror = StateMirror(),
        outputName: String = "auto", settings: PlaybackSettings = PlaybackSettings(),
        clock: any Clock<Duration> = ContinuousClock(), history: (any HistoryStore)? = nil,
        books: (any BookStore)? = nil, scanner: (any BookScanning)? = nil, places: (any PlaceJournal)? = nil,
        wallClock: (@Sendable () -> Int64)? = nil, outputDeadlines: any Clock<Duration> = ContinuousClock()
    ) {
        self.engines = engines
        self.outputs = outputs
        self.store = store
        self.resolver = resolver
        self.recorder = recorder
        self.settings = settings
        self.clock = clock
        self.history = history
        self.places = places
        self.books = books
        self.scanner = scanner
        self.wallClock = wallClock ?? { WallClock.milliseconds() }
        self.mirror = mirror
        journal = PlaybackJournal(recorder: recorder)
        session = AudioSessionCoordinator(
            provider: outputs, outputName: outputName, deadlines: outputDeadlines
        ) { record in
            recorder.record(PlaybackJournal.entry(for: record))
        }
    }

    // MARK: Events

    /// Takes one event through the machine, records it, and starts the effects it decides on.
    ///
    /// - Parameter told: the command that the event is part of, if that is not the newest one.
    func handle(_ event: PlaybackEvent, _ told: PlaybackJournal.Told? = nil) {
        PlaybackJournal.$scope.withValue(told ?? PlaybackJournal.scope ?? led(to: event)) { carryThrough(event) }
    }

    /// Returns the command behind an event for which no task states one.
    ///
    /// The sound of a generation belongs to the command that started it.
    private func led(to event: PlaybackEvent) -> PlaybackJournal.Told {
        switch event {
        case .started(let generation), .starved(let generation), .ended(let generation, _),
            .sleepPlaceReached(let generation), .engineFailed(let generation, _, _),
            .engineGone(let generation, _, _, _, _), .engineLost(let generation, _, _),
            .silenced(let generation, _, _),
            .heard(let generation, _):
            leading[generation] ?? journal.newest
        case .interruption, .routeLost, .routeReturned, .outputFailed: .nobody
        default: journal.newest
        }
    }

    private func carryThrough(_ event: PlaybackEvent) {
        let before = machine.state
        let effects = machine.handle(event)
        if machine.state.generation != before.generation {
            leading[machine.state.generation] = journal.told
            // Nothing more arrives from a generation that is more than a few steps old; a step may skip numbers.
            if leading.count > 16 { leading = leading.filter { machine.state.generation &- $0.key < 16 } }
        }
        // Observers are told first: log, device and engine wake other threads, and no processor may be left then.
        tell(before, effects)
        // The log may begin a file here, with a snapshot from before the event.
        let cause = journal.record(event, before: before, after: machine.state, effects: effects)
        noteSilence(before, machine.state)
        if machine.state != before { mirror.set(machine.state) }
        if let cause {
            journal.recordConsequences(of: event, cause, before: before, after: machine.state, effects: effects)
        }
        // A request to the device carries the cause of the event; an engine only carries out what somebody wanted.
        var told = journal.told
        if let cause, cause != .engine { told.origin = cause }
        // The state may already have moved on to the item that gets audio focus back.
        let unspoken = if case .ended = event { before.unspoken } else { nil as UnspokenText? }
        PlaybackJournal.$scope.withValue(told) {
            for effect in effects where !effect.isOfSleepClock { carryOut(effect, unspoken: unspoken) }
        }
        endUnwantedSpares()
        recallHabit(after: event, before: before)
        noteHabit()
        if machine.state.sleep != before.sleep { persistSleep() }
        takeUpSleep()
        if let span = spans.follow(before, machine.state, effects: effects, now: wallClock()) { keep(span) }
        if machine.state != before {
            beat()
            followPlace()
        }
    }

    /// Starts listening to the events of the session.
    ///
    /// Called by the first command.
    private func listen() {
        guard listener == nil else { return }
        let events = session.events
        listener = PlaybackJournal.$scope.withValue(nil) {
            Task { [weak self] in
                for await event in events { await self?.take(event) }
            }
        }
    }

    private func take(_ event: OutputEvent) {
        defer { publishSession() }
        switch event {
        case .started(let generation):
            handle(.started(generation: generation))
            if let engine = machine.state.current?.engine { indexInTime(engine) }
        case .ended(let generation, atLimit: true) where endsAsleep(generation):
            handle(.sleepPlaceReached(generation: generation))
        case .ended(let generation, let atLimit):
            if atLimit, generation == machine.state.generation, let uri = machine.state.current?.item.uri {
                items[wishes: uri].limit = nil
            }
            handle(.ended(generation: generation, atLimit: atLimit))
        case .starved(let generation):
            handle(.starved(generation: generation))
            // These were the last sounds of an engine that is gone or cannot continue.
            if generation == machine.state.generation, let engine = machine.state.current?.engine {
                Task { await endRest(of: generation, engine) }
            }
        case .interruption(let began, _, _): handle(.interruption(began: began))
        case .routeChanged: break
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

    /// Returns a heard place as a position, if it belongs to this generation.
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
    var lastSaid: MediaPosition? { position(feed.place(at: MonotonicTime.now()), of: machine.state.generation) }

    /// Returns the audible position to about a millisecond.
    ///
    /// If the output predicted the position, its thread is not woken for this.
    /// For positions that are only shown, or that the output's answer to the same command corrects.
    func heardAbout() async -> MediaPosition? {
        if machine.state.stream == .sounding, machine.state.phase == .ready,
            let foretold = position(feed.foretoldPlace(at: MonotonicTime.now()), of: machine.state.generation)
        {
            return foretold
        }
        return await heardNow()
    }

    /// Returns the same as `heardAbout`, but asks no device before it has reported sound.
    func heardIfAny() async -> MediaPosition? {
        machine.state.stream == .waiting ? nil : await heardAbout()
    }

    // MARK: Commands and their callers

    /// Returns the id of a new command.
    ///
    /// - Parameter pauses: whether the command may be the headset's way of saying that it was taken off.
    func nextCommand(_ origin: CommandOrigin = .user, pauses: Bool = false) -> UInt64 {
        listen()
        lastCommand += 1
        journal.newest = PlaybackJournal.Told(command: "c\(lastCommand)", origin: cause(of: origin, pauses: pauses))
        return lastCommand
    }

    /// Hands an event with a command to the machine and waits for the machine's answer.
    ///
    /// - Parameters:
    ///   - told: the command as it arrived; others may have arrived since.
    ///   - holds: whether a pause arrived in the meantime.
    ///   - sleep: the sleep timer that was asked for in the meantime.
    func answered(
        _ id: UInt64, _ told: PlaybackJournal.Told, holds: Bool = false, sleep: SleepRequest? = nil,
        _ event: PlaybackEvent
    ) async throws(PlaybackError) {
        let result = await withCheckedContinuation { continuation in
            waiters[id] = continuation
            handle(event, told)
            if holds { handle(.pause(owner: nil, heard: nil), told) }
            takeEarly(sleep)
            CommandTurn.current?.isTaken()
        }
        try result.get()
    }

    func reply(_ id: UInt64, _ error: PlaybackError?) {
        waiters.removeValue(forKey: id)?.resume(returning: error.map { .failure($0) } ?? .success(()))
    }

    /// Stops playback, saves the place, and ends every engine and output.
    public func shutDown() async {
        leave()
        clockTask?.cancel()
        await outputTurn?.value
        await session.shutDown()
        await storeTurn?.value
        await followTurn?.value
        heartbeat?.cancel()
        countdown?.task?.cancel()
        fading?.cancel()
        indexing?.task.cancel()
        await endEngines()
        // What waited for an engine is over now; otherwise a load could keep this waiting for many seconds.
        await engineTurn?.value
        await endEngines()
        for observer in observers.values { observer.finish() }
        observers = [:]
        followers = []
        await recorder.flush()
    }

    /// Returns when everything that was decided is written, whatever else hangs.
    public func settle() async {
        await storeTurn?.value
        await followTurn?.value
        await recorder.flush()
    }

    /// Ends all engines at once, since each may take a while.
    private func endEngines() async {
        let leaving = pool.live.keys.compactMap { pool.remove($0)?.engine }
        await withTaskGroup(of: Void.self) { group in
            for engine in leaving { group.addTask { await engine.shutDown() } }
        }
    }
}
