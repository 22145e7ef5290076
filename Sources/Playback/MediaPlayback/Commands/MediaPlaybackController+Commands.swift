// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
public import PlaybackCore

/// The origin of a command.
public enum CommandOrigin: Sendable, Hashable {
    case user
    /// Media keys, a headset or a desktop shell: a remote that may be wrong about what plays.
    case remote
}

extension MediaPlaybackController {
    /// Plays an item.
    ///
    /// Returns when it is audible.
    public func play(_ request: PlayRequest) async throws(PlaybackError) {
        try await command { id async throws(PlaybackError) in
            orders.look(for: request, by: id)
            Task { await lookUp(request, id) }
            do throws(PlaybackError) {
                try await answered(id, .lookUp(id: id, owner: request.owner))
                items.settle(id)
            } catch {
                // The places of the session count in the files that it had open last; an item that fails later was
                // open.
                items.settle(id) { new in desk[known: new.uri]?.content != new }
                throw error
            }
        }
    }

    /// Looks up the item of a `play` and reports what came of it.
    private func lookUp(_ request: PlayRequest, _ id: UInt64) async {
        do throws(PlaybackError) {
            try await lookUpAndPlay(request, id)
        } catch {
            handle(.notFound(id: id, error))
        }
    }

    /// Returns whether the item of this command is still being looked up; if not, another command decides what plays.
    private func isLookingUp(_ id: UInt64) -> Bool { machine.state.lookUp?.id == id }

    private func lookUpAndPlay(_ request: PlayRequest, _ id: UInt64) async throws(PlaybackError) {
        // This runs alongside everything that follows; an error here occurs again when the stream opens.
        if request.output == nil {
            Task {
                try? await session.connect()
                publishSession()
            }
        }
        let whole = try await find(request.item, engine: request.engine)
        if request.voice != nil { try Self.refuseVoice(for: whole.item.kind, whole.item.title) }
        guard isLookingUp(id) else { return }
        orders.coming?.kind = whole.item.kind
        let guess = request.clip.map { whole.clipped(to: $0) } ?? whole
        // The engine process starts while the place is looked up.
        async let live = liveEngine(guess.engine)
        let begin: (start: MediaPosition, provenance: Provenance, left: MediaPosition?)
        do throws(PlaybackError) {
            begin = try await startPlace(of: guess, request: request)
        } catch {
            _ = await live
            retireUnused(guess.engine)
            await tellUnlocated(guess, request, id, error)
            return
        }
        await readKeptSleep()
        let (start, provenance, left) = begin
        let preferences = items[preferences: guess.item.uri, request.owner]
        _ = await live
        var found = guess
        found.engine = await remembered(request.engine, for: guess, preferences: preferences)
        if found.engine != guess.engine { retireUnused(guess.engine) }
        let heard = await heardNow()
        if let output = request.output, isLookingUp(id) {
            await select(output: output) { !isLookingUp(id) }
        }
        guard isLookingUp(id), let meanwhile = orders.take(id) else { return retireUnused(guess.engine) }
        let request = meanwhile.request
        found.engine = engine(found.engine, for: found, meanwhile)
        let old = desk[known: found.item.uri]?.content ?? items[content: found.item.uri]
        items.keep(found.content, replacing: old, by: id)
        var asked = OpeningOptions(limit: request.until, voice: request.voice)
        if asked.voice == nil, found.engine == preferences?.engine { asked.voice = preferences?.voice }
        switch request.start {
        case .at(let target): asked.start = target
        case .saved where isOpening(found.item, for: request.owner):
            // Starts from where the item was about to start.
            asked.start = items[opening: found.item.uri].start
        case .saved: asked.start = rewound(start, of: found.item.uri)
        case .beginning: break
        }
        asked.moves = meanwhile.moves
        items[opening: found.item.uri] = asked
        orders.forgetUnlocated()
        handle(
            .play(
                id: id,
                PlayOrder(
                    item: found.item, engine: found.engine, start: start, provenance: provenance,
                    owner: request.owner,
                    rate: request.rate ?? (preferences == nil ? settings.defaultRate : preferences?.rate),
                    volume: request.volume ?? preferences?.volume, handsBack: request.handsBack,
                    left: left, wasLookedUp: true),
                heard: heard))
        takeEarly(meanwhile.sleep)
    }

    private func startPlace(
        of found: FoundItem, request: PlayRequest
    ) async throws(PlaybackError) -> (start: MediaPosition, provenance: Provenance, left: MediaPosition?) {
        switch request.start {
        case .beginning:
            // From then on, only the history knows the place where the item was left.
            let left = try? await savedPlace(of: found, owner: request.owner).0
            return (.start, .user, left.flatMap { found.content.tracks.indices.contains($0.track) ? $0 : nil })
        case .at:
            // The target is resolved when the item is open. Until then the place is the saved one; if that cannot be
            // looked up, the place is one that cannot be saved.
            let known = try? await savedPlace(of: found, owner: request.owner)
            // The user says where to begin, whatever has become of the file of the saved place.
            guard let known, found.content.tracks.indices.contains(known.0.track) else {
                return (.start, .unknown, nil)
            }
            return (known.0, known.1, nil)
        case .saved:
            let known = try await savedPlace(of: found, owner: request.owner)
            return (known.0, known.1, nil)
        }
    }

    private func isOpening(_ item: ItemReference, for owner: OwnerID) -> Bool {
        let state = machine.state
        return state.phase == .loading && state.current?.item.uri == item.uri && state.owner == owner
    }

    private func savedPlace(
        of found: FoundItem, owner: OwnerID
    ) async throws(PlaybackError) -> (MediaPosition, Provenance) {
        let item = found.item
        if let place = await ownPlace(of: item, owner: owner), let same = await here(place, in: found, owner: owner) {
            return (same, .restored)
        }
        switch await ports.store.place(of: item.uri, owner: owner) {
        case .progress(let place):
            learn(place)
            if !place.finished { items[silentSince: item.uri] = place.updatedAt }
            return (place.finished ? .start : place.position, .restored)
        case .empty: return (.start, .restored)
        case .failed(let error):
            throw PlaybackError(
                .io,
                message: "cannot look up the saved place of “\(item.title)”: \(error.message); "
                    + "use --from-start to begin at 0")
        }
    }

    /// Returns where a place that this session knows is in the files that the item has now.
    ///
    /// `nil` if the library has to say.
    private func here(_ place: MediaPosition, in found: FoundItem, owner: OwnerID) async -> MediaPosition? {
        guard let old = items[content: found.item.uri] else {
            // This session has not opened the item: it knows the place from the library, which moves it along.
            return owner == .main ? nil : place
        }
        if let same = found.content.place(place, from: old) { return same }
        guard let books = ports.books else { return found.content.start(behind: place, of: old) }
        do throws(PlaceStoreError) {
            // The library knows whether the file has another name now.
            if case .book = try await books.whereabouts(of: found.item.uri) { return nil }
            return found.content.start(behind: place, of: old)
        } catch {
            // Then the place cannot be looked up either, which is an error; a guess could overwrite it.
            return nil
        }
    }

    /// Returns the place that this session knows; `nil` if it has not played the item.
    private func ownPlace(of item: ItemReference, owner: OwnerID) async -> MediaPosition? {
        await learnLeft()
        let state = machine.state
        if let current = state.current, current.item.uri == item.uri, state.owner == owner, !state.isUnlocated {
            return state.phase == .ended ? .start : await heardNow() ?? current.position
        }
        let own = state.held.last { $0.owner == owner && $0.playing?.item.uri == item.uri }?.playing
        guard let known = own ?? state.remembered[owner]?[item.kind], known.item.uri == item.uri else { return nil }
        return known.position
    }

    /// Resumes what is loaded, or else the last audio item; another owner takes audio focus with its own item.
    ///
    /// Returns when it is audible.
    public func resume(owner: OwnerID? = nil, origin: CommandOrigin = .user) async throws(PlaybackError) {
        if machine.state.isComing(owner) { return try await joinComing(owner, origin) }
        if let again = unlocatedRequest(owner) { return try await play(again) }
        try await command(origin) { id async throws(PlaybackError) in
            orders.decide(by: id)
            await restore()
            await learnLeft()
            // Only an item that is about to be left has a place to report.
            let heard = isOnStage(owner) ? nil : await heardNow()
            guard orders.isDecided(by: id) else { return }
            let back = isOnStage(owner) ? stepBack() : nil
            if isOnStage(owner) { requestStepBack() }
            try await answered(id, .resume(id: id, owner: owner, heard: heard, back: back))
        }
    }

    public func pause(owner: OwnerID? = nil, origin: CommandOrigin = .user) async {
        await command(origin, pauses: true) { id in
            // An item that is being looked up will be there, but silent.
            if !machine.state.isComing(owner), isOnStage(owner) { orders.decide(by: id) }
            let heard = await heardIfAny()
            noteRemotePause()
            handle(.pause(owner: owner, heard: heard))
        }
    }

    /// Pauses if something plays, or else resumes, judged by the actual state.
    ///
    /// For an owner without audio focus, toggles whether it continues when it gets focus back.
    public func toggle(owner: OwnerID? = nil, origin: CommandOrigin = .user) async throws(PlaybackError) {
        // A headset that is taken off may report this with the only key it has: what its sink already held must not
        // continue.
        if origin == .remote, isRouteLosing { return await pause(owner: owner, origin: origin) }
        // Playback that is only wanted so far counts as playing.
        if machine.state.isComing(owner) {
            if machine.state.lookUp?.isHeld == true { return try await joinComing(owner, origin) }
            return await pause(owner: owner, origin: origin)
        }
        if let owner, !isOnStage(owner) {
            guard machine.state.view(of: owner).suppression == .owner else {
                return try await resume(owner: owner, origin: origin)
            }
            return await pause(owner: owner, origin: origin)
        }
        if let again = unlocatedRequest(nil) { return try await play(again) }
        try await command(origin) { id async throws(PlaybackError) in
            orders.decide(by: id)
            await restore()
            await learnLeft()
            let heard = await heardNow()
            guard orders.isDecided(by: id) else { return }
            if machine.state.intent == .play { noteRemotePause() }
            requestStepBack()
            try await answered(id, .toggle(id: id, heard: heard, back: stepBack()))
        }
    }

    public func stop(owner: OwnerID? = nil, origin: CommandOrigin = .user) {
        command(origin, pauses: true) { id in
            if decides(owner) { orders.decide(by: id) }
            // A user who stops playback is awake.
            if !sleeping.kept.isLeaving { forgetKeptSleep() }
            handle(.stop(owner: owner))
        }
    }

    /// Seeks to a place; for an owner without audio focus, moves only the start of its next `play`.
    ///
    /// - Parameter uri: the item that the caller believes to be there; if it is another one by now, nothing happens.
    public func seek(
        _ target: SeekTarget, owner: OwnerID? = nil, uri: String? = nil, origin: CommandOrigin = .user,
        cause: Jump.Cause = .seek
    ) async throws(PlaybackError) {
        if keepsMove(to: target, owner: owner, uri: uri, origin: origin) { return }
        if owner == nil || owner == machine.state.owner {
            try await seekOnStage(target, owner: owner, uri: uri, origin: origin, cause: cause)
            return
        }
        await restore()
        guard let owner else { return }
        guard let own = machine.state.places(of: owner).first(where: { uri == nil || $0.item.uri == uri }) else {
            guard uri != nil, machine.state.view(of: owner).playing != nil else {
                throw PlaybackError(.unavailable, message: "owner “\(owner)” has nothing loaded")
            }
            // The command is late, for an item that the owner no longer has; the machine reports that.
            command(origin) { _ in handle(.seek(SeekOrder(to: .start, owner: owner, uri: uri))) }
            return
        }
        let position = try await position(of: target, from: own.position, playing: own)
        command(origin) { _ in handle(.seek(SeekOrder(to: position, owner: owner, uri: own.item.uri))) }
    }

    /// The maximum number of times that a target is resolved again because its reference position has moved meanwhile.
    private static let mostSeekAttempts = 8

    private func seekOnStage(
        _ target: SeekTarget, owner: OwnerID?, uri: String?, origin: CommandOrigin, cause: Jump.Cause
    ) async throws(PlaybackError) {
        guard let item = machine.state.current?.item else { throw Self.nothingLoaded }
        for _ in 0..<Self.mostSeekAttempts {
            guard let current = machine.state.current, current.item == item, uri == nil || uri == item.uri,
                owner == nil || owner == machine.state.owner
            else {
                // The command is late; the machine drops it, and says why.
                command(origin) { _ in handle(.seek(SeekOrder(to: .start, owner: owner, uri: uri ?? item.uri))) }
                return
            }
            let generation = machine.state.generation
            let heard = target.isRelative ? await heardNow() : await foretoldPosition()
            guard generation == machine.state.generation else { continue }
            let position = try await position(of: target, from: heard ?? current.position, playing: current)
            guard generation == machine.state.generation else { continue }
            command(origin) { _ in
                keeping.resumed = nil
                handle(.seek(SeekOrder(to: position, owner: owner, uri: uri ?? item.uri, heard: heard, cause: cause)))
            }
            return
        }
        throw PlaybackError(.busy, message: "the place moves faster than it can be found; try again")
    }

    /// Skips forward or back by the distance in the settings.
    public func skip(
        forward: Bool, owner: OwnerID? = nil, uri: String? = nil, origin: CommandOrigin = .user
    ) async throws(PlaybackError) {
        let distance = forward ? settings.skipForward / .seconds(1) : -(settings.skipBack / .seconds(1))
        try await seek(.relative(distance), owner: owner, uri: uri, origin: origin)
    }

    /// Sets the rate of what plays; throws `unavailable` for an owner without audio focus.
    ///
    /// - Parameter uri: the item that the caller believes to be there; if it is another one by now, nothing happens.
    public func setRate(_ rate: Double, owner: OwnerID? = nil, uri: String? = nil) async throws(PlaybackError) {
        guard (0.5...3.0).contains(rate) else {
            throw PlaybackError(.usage, message: "rate \(rate): choose 0.5 to 3.0")
        }
        guard !machine.state.isComing(owner) else {
            return command { _ in handle(.setRate(rate, heard: nil, byEngine: false, of: owner)) }
        }
        let heard = await heardNow()
        guard try isOfStage(owner, uri, "rate") else { return }
        let description = machine.state.current.flatMap { desk[open: $0.engine]?.description }
        command { _ in handle(.setRate(rate, heard: heard, byEngine: description?.nativeRates != nil, of: owner)) }
    }

    /// Sets the volume, under the same rules as ``setRate(_:owner:uri:)``.
    public func setVolume(_ volume: Double, owner: OwnerID? = nil, uri: String? = nil) async throws(PlaybackError) {
        guard (0.0...1.0).contains(volume) else {
            throw PlaybackError(.usage, message: "volume \(volume): choose 0.0 to 1.0")
        }
        guard !machine.state.isComing(owner) else {
            return command { _ in handle(.setVolume(volume, heard: nil, of: owner)) }
        }
        let heard = await heardIfAny()
        guard try isOfStage(owner, uri, "volume") else { return }
        command { _ in handle(.setVolume(volume, heard: heard, of: owner)) }
    }

    /// Returns `false` if another item is there by now.
    private func isOfStage(_ owner: OwnerID?, _ uri: String?, _ what: String) throws(PlaybackError) -> Bool {
        guard let owner = isOnStage(owner) ? nil : owner else {
            return uri == nil || machine.state.current?.item.uri == uri
        }
        throw PlaybackError(
            .unavailable, message: "another owner has audio focus; set the \(what) when “\(owner)” has it")
    }

    /// Takes audio focus without a sound; what played falls silent, and is kept for its owner.
    public func claim(_ owner: OwnerID) async throws(PlaybackError) {
        try await command { id async throws(PlaybackError) in
            orders.decide(by: id)
            let heard = await heardNow()
            guard orders.isDecided(by: id) else { return }
            try await answered(id, .claim(id: id, owner, heard: heard))
        }
    }

    /// Gives audio focus back to the owner from which it was taken, in the state in which that owner left it.
    public func release(_ owner: OwnerID) async throws(PlaybackError) {
        try await command { id async throws(PlaybackError) in
            // A release by an owner without audio focus changes neither what plays nor what is about to.
            if decides(owner) { orders.decide(by: id) }
            let heard = await heardNow()
            try await answered(id, .release(id: id, owner, heard: heard))
        }
    }

    static let nothingPlayed = PlaybackError(
        .unavailable, message: "nothing was played yet; say what: rostrum play FILE")

    static let nothingLoaded = PlaybackError(
        .unavailable, message: "nothing is loaded; play something first: rostrum play FILE")

    func isOnStage(_ owner: OwnerID?) -> Bool { owner == nil || owner == machine.state.owner }

    /// Returns whether a command of this owner changes what plays, or what is about to.
    private func decides(_ owner: OwnerID?) -> Bool {
        isOnStage(owner) || owner != nil && machine.state.isComing(owner)
    }

    /// Selects another output; playback continues there, if `goesOn` still says so by then.
    public func select(output name: String, goesOn: () -> Bool = { true }) async {
        guard await session.selectedOutput != name else { return }
        let generation = machine.state.generation
        let heard = await session.select(output: name)
        publishSession()
        guard generation == machine.state.generation else { return }
        handle(.streamClosed(heard: position(heard, of: generation), goesOn: goesOn()))
    }
}
