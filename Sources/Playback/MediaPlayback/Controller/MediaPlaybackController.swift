// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import BookTimeline
public import PlaybackCore

/// Times that are a matter of taste.
public struct PlaybackSettings: Sendable, Hashable {
    /// How long an engine without content lives on.
    public var engineIdle = Duration.seconds(15)
    /// How long an engine keeps an item open after the listener went over to another engine.
    public var engineParked = Duration.seconds(600)
    /// How often the place is saved while playing.
    public var placeInterval = Duration.seconds(5)

    public init() {}
}

/// Decides who plays what: runs the effects of the playback machine against engines, the audio session
/// and the library, and feeds their results back.
///
/// The one owner of playback state. Commands return when they have been carried out, or have failed.
public actor MediaPlaybackController {
    let engines: any EngineProvider
    let session: AudioSessionCoordinator
    let outputs: any OutputProvider
    let store: any PlaceStore
    let resolver: any ItemResolving
    let recorder: any TransitionRecorder
    let settings: PlaybackSettings
    let clock: any Clock<Duration>

    var machine = PlaybackMachine()
    var journal: PlaybackJournal
    private let mirror: StateMirror
    var pool = EnginePool()
    /// What each live engine has open.
    var media: [EngineID: LoadedMedia] = [:]
    var voices: [EngineID: String] = [:]
    var starting: [EngineID: Task<Result<EnginePool.Live, EngineError>, Never>] = [:]
    /// Items of this session by their uri: what a pipe delivered cannot be found again.
    var contents: [String: Content] = [:]
    /// Starts that can be found only when the item is open, by generation.
    var startTargets: [UInt32: SeekTarget] = [:]
    /// For the next load: what its generation will take over.
    var nextStart: SeekTarget?
    var wantedVoice: String?
    /// Where the listener wants an item to end.
    var limit: (uri: String, target: SeekTarget)?

    /// Whose sound the open stream takes.
    var streamEngine: EngineID?
    var outputTurn: Task<Void, Never>?
    var engineTurn: Task<Void, Never>?
    var storeTurn: Task<Void, Never>?
    var heartbeat: Task<Void, Never>?
    private var listener: Task<Void, Never>?

    private var waiters: [UInt64: CheckedContinuation<Result<Void, PlaybackError>, Never>] = [:]
    private var lastCommand: UInt64 = 0
    /// The newest command that decides what plays; older ones that still look for their item give up.
    private var newestPlay: UInt64 = 0
    private var hasRestored = false
    var renders = 0

    private var observers: [UInt64: AsyncStream<PlaybackChange>.Continuation] = [:]

    public init(
        engines: any EngineProvider, outputs: any OutputProvider, store: any PlaceStore,
        resolver: any ItemResolving, recorder: any TransitionRecorder, mirror: StateMirror = StateMirror(),
        outputName: String = "auto", settings: PlaybackSettings = PlaybackSettings(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.engines = engines
        self.outputs = outputs
        self.store = store
        self.resolver = resolver
        self.recorder = recorder
        self.settings = settings
        self.clock = clock
        self.mirror = mirror
        journal = PlaybackJournal(recorder: recorder)
        session = AudioSessionCoordinator(provider: outputs, outputName: outputName) { record in
            recorder.record(PlaybackJournal.entry(for: record))
        }
    }

    // MARK: Events

    /// Takes one event through the machine, records it, and starts what it decides.
    func handle(_ event: PlaybackEvent) {
        let before = machine.state
        let effects = machine.handle(event)
        // The log may begin a file here, with a snapshot from before the event.
        journal.record(event, before: before, after: machine.state, effects: effects)
        if machine.state != before { mirror.set(machine.state) }
        for effect in effects { carryOut(effect) }
        if machine.state != before {
            beat()
            publish(.state)
        }
    }

    /// Listens to the session.
    ///
    /// Called by the first command.
    private func listen() {
        guard listener == nil else { return }
        let events = session.events
        listener = Task { [weak self] in
            for await event in events { await self?.take(event) }
        }
    }

    private func take(_ event: OutputEvent) {
        switch event {
        case .started(let generation): handle(.started(generation: generation))
        case .ended(let generation):
            let atLimit = limit != nil && limit?.uri == machine.state.current?.item.uri
            limit = nil
            handle(.ended(generation: generation, atLimit: atLimit))
        case .starved(let generation): handle(.starved(generation: generation))
        case .interruption(let began): handle(.interruption(began: began))
        case .routeChanged: publish(.state)
        case .failed(let error, let heard):
            handle(.outputFailed(PlaybackError(error), heard: position(heard, of: machine.state.generation)))
        }
    }

    /// A heard place, if it is of this generation.
    func position(_ heard: HeardPosition?, of generation: UInt32) -> MediaPosition? {
        guard let heard, heard.generation == generation else { return nil }
        return MediaPosition(track: heard.track, units: heard.units)
    }

    /// What is audible now, in the present item.
    func heardNow() async -> MediaPosition? {
        guard machine.state.stream != .closed, machine.state.phase == .ready else { return nil }
        let generation = machine.state.generation
        return position(await session.heard(), of: generation)
    }

    // MARK: Commands and who waits for them

    func nextCommand() -> UInt64 {
        listen()
        lastCommand += 1
        journal.command = "c\(lastCommand)"
        return lastCommand
    }

    /// Hands an event with a command to the machine and waits until the machine answers it.
    private func answered(_ id: UInt64, _ event: PlaybackEvent) async throws(PlaybackError) {
        let result = await withCheckedContinuation { continuation in
            waiters[id] = continuation
            handle(event)
        }
        try result.get()
    }

    func reply(_ id: UInt64, _ error: PlaybackError?) {
        waiters.removeValue(forKey: id)?.resume(returning: error.map { .failure($0) } ?? .success(()))
    }

    /// Plays an item.
    ///
    /// Returns when it is heard.
    public func play(_ request: PlayRequest) async throws(PlaybackError) {
        let id = nextCommand()
        newestPlay = id
        if let output = request.output { await select(output: output) }
        // Beside everything that follows; what goes wrong here goes wrong again when the stream opens.
        Task { [session] in try? await session.connect() }
        let found = try await find(request.item, engine: request.engine)
        guard newestPlay == id else { return }
        // Its process starts while the place is looked up.
        async let live = liveEngine(found.engine)
        let (start, provenance) = try await startPlace(of: found.item, request: request)
        _ = await live
        guard newestPlay == id else { return }
        contents[found.item.uri] = found.content
        if case .at(let target) = request.start { nextStart = target } else { nextStart = nil }
        wantedVoice = request.voice
        limit = request.until.map { (found.item.uri, $0) }
        try await answered(
            id,
            .play(
                id: id,
                PlayOrder(
                    item: found.item, engine: found.engine, start: start, provenance: provenance,
                    owner: request.owner, rate: request.rate, volume: request.volume)))
    }

    private func startPlace(
        of item: ItemReference, request: PlayRequest
    ) async throws(PlaybackError) -> (MediaPosition, Provenance) {
        guard case .saved = request.start else { return (.start, .user) }
        if let current = machine.state.current, current.item.uri == item.uri, machine.state.owner == request.owner {
            if machine.state.phase == .ended { return (.start, .restored) }
            return (await heardNow() ?? current.position, .restored)
        }
        if let known = machine.state.remembered[request.owner]?[item.kind], known.item.uri == item.uri {
            return (known.position, .restored)
        }
        switch await store.place(of: item.uri, owner: request.owner) {
        case .progress(let place): return (place.finished ? .start : place.position, .restored)
        case .empty: return (.start, .restored)
        case .failed(let error):
            throw PlaybackError(
                code: 74,
                message: "cannot look up the saved place of “\(item.title)”: \(error.message); "
                    + "use --from-start to begin at 0")
        }
    }

    /// Goes on with what is loaded, or else with the last audio item.
    ///
    /// Returns when it is heard.
    public func resume() async throws(PlaybackError) {
        let id = nextCommand()
        newestPlay = id
        await restore()
        guard newestPlay == id else { return }
        try await answered(id, .resume(id: id))
    }

    /// Goes on with the last item of this kind, from another place if one is given.
    public func resume(lastOf kind: ContentKind, at target: SeekTarget? = nil) async throws(PlaybackError) {
        await restore()
        if machine.state.current?.item.kind == kind, machine.state.phase == .ready {
            if let target { try await seek(target) }
            return try await resume()
        }
        if machine.state.current?.item.kind == kind, target == nil { return try await resume() }
        guard let last = machine.state.remembered[machine.state.owner]?[kind] else {
            throw PlaybackError(
                code: 69, message: "no \(kind == .audio ? "audio" : "text") was played yet; say what to play")
        }
        let id = nextCommand()
        newestPlay = id
        nextStart = target
        limit = nil
        try await answered(
            id,
            .play(
                id: id,
                PlayOrder(
                    item: last.item, engine: last.engine, start: last.position, provenance: .restored,
                    owner: machine.state.owner)))
    }

    public func pause() {
        _ = nextCommand()
        newestPlay = lastCommand
        handle(.pause)
    }

    /// Pauses if something plays, else resumes.
    public func toggle() async throws(PlaybackError) {
        if machine.state.intent == .play, machine.state.phase == .ready || machine.state.phase == .loading {
            pause()
        } else {
            try await resume()
        }
    }

    public func stop() {
        _ = nextCommand()
        newestPlay = lastCommand
        handle(.stop)
    }

    public func seek(_ target: SeekTarget) async throws(PlaybackError) {
        guard let current = machine.state.current else { throw Self.nothingLoaded }
        let heard = await heardNow()
        let generation = machine.state.generation
        let position = try await position(of: target, from: heard ?? current.position, engine: current.engine)
        guard machine.state.current?.item == current.item, machine.state.generation == generation else { return }
        _ = nextCommand()
        handle(.seek(to: position, from: heard))
    }

    public func setRate(_ rate: Double) async throws(PlaybackError) {
        guard (0.5...3.0).contains(rate) else {
            throw PlaybackError(code: 64, message: "rate \(rate): choose 0.5 to 3.0")
        }
        let heard = await heardNow()
        let description = machine.state.current.flatMap { media[$0.engine]?.description }
        _ = nextCommand()
        handle(.setRate(rate, heard: heard, byEngine: description?.nativeRates != nil))
    }

    public func setVolume(_ volume: Double) throws(PlaybackError) {
        guard (0.0...1.0).contains(volume) else {
            throw PlaybackError(code: 64, message: "volume \(volume): choose 0.0 to 1.0")
        }
        _ = nextCommand()
        handle(.setVolume(volume))
    }

    /// Goes on with another engine: the same item if it can load it, else the last item it played.
    public func switchEngine(to id: EngineID) async throws(PlaybackError) {
        guard let installed = await engines.installed().first(where: { $0.id == id && $0.state == .available }) else {
            throw await noSuchEngine(id)
        }
        let command = nextCommand()
        newestPlay = command
        await restore()
        let heard = await heardNow()
        guard newestPlay == command else { return }
        nextStart = nil
        try await answered(command, .switchEngine(id: command, id, kinds: installed.kinds, heard: heard))
    }

    static let nothingLoaded = PlaybackError(
        code: 69, message: "nothing is loaded; play something first: rostrum play FILE")

    /// Chooses another output for what plays next; what plays now stops there.
    public func select(output name: String) async {
        let generation = machine.state.generation
        let heard = await session.select(output: name)
        if let position = position(heard, of: generation) {
            handle(.silenced(generation: generation, heard: position))
        }
    }

    /// Reads the library's memory of the listener once.
    private func restore() async {
        guard !hasRestored else { return }
        hasRestored = true
        var items: [Playing] = []
        for kind in ContentKind.allCases {
            guard let last = try? await store.lastItem(of: kind, owner: .main) else { continue }
            var playing = Playing(
                item: ItemReference(uri: last.uri, kind: kind, title: last.title ?? last.uri, items: last.items),
                engine: last.engine, position: .start, provenance: .unknown)
            switch await store.place(of: last.uri, owner: .main) {
            case .progress(let place):
                playing.position = place.finished ? .start : place.position
                playing.provenance = .restored
            case .empty:
                playing.provenance = .restored
            case .failed:
                // Starting it at 0 could overwrite the real place; better not to know the item at all.
                continue
            }
            items.append(playing)
        }
        handle(.restored(owner: .main, items))
    }

    // MARK: Observers

    /// What observers are told.
    func publish(_ change: PlaybackChange) {
        for observer in observers.values { observer.yield(change) }
    }

    /// Changes from now on.
    ///
    /// Ends when the controller shuts down.
    public func observe() -> AsyncStream<PlaybackChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PlaybackChange.self, bufferingPolicy: .bufferingNewest(64))
        lastCommand += 1
        let id = lastCommand
        observers[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { [weak self] in await self?.forget(observer: id) }
        }
        return stream
    }

    private func forget(observer id: UInt64) {
        observers[id] = nil
    }

    /// Stops, saves, and ends every engine and output.
    public func shutDown() async {
        stop()
        await outputTurn?.value
        await engineTurn?.value
        await session.shutDown()
        await storeTurn?.value
        heartbeat?.cancel()
        for id in Array(pool.live.keys) {
            if let entry = pool.remove(id) { await entry.engine.shutDown() }
        }
        for observer in observers.values { observer.finish() }
        observers = [:]
        await recorder.flush()
    }
}

/// What observers are told; what changed is in the snapshot.
public enum PlaybackChange: Sendable, Hashable {
    case state
    /// The item was heard to its end or was stopped, or could not be played on.
    /// Of this item; nil: of whatever played.
    case finished(uri: String?, PlaybackError?)
}
