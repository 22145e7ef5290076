// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
public import PlaybackCore

/// `play` of an item, which is looked up first: its files, its engine, its saved place.
extension MediaPlaybackController {
    /// Plays an item.
    ///
    /// Returns when it is audible.
    public func play(_ request: PlayRequest) async throws(PlaybackError) {
        try await command { id async throws(PlaybackError) in
            do throws(PlaybackError) {
                try await lookUp(ComingItem(command: id, request: request), of: request.owner) {
                    controller async throws(PlaybackError) in
                    try await controller.lookUpAndPlay(request, id)
                }
                items.settle(id)
            } catch {
                // The places of the session count in the files that it had open last; an item that fails later was
                // open.
                items.settle(id) { new in desk[known: new.uri]?.content != new }
                throw error
            }
        }
    }

    /// Looks up a command that decides what plays, reports what came of it, and waits for the machine's answer.
    ///
    /// - Parameter find: hands the result to the machine, or throws; it may return without either only if the look-up
    ///   was given up.
    func lookUp(
        _ item: ComingItem, of owner: OwnerID, for subject: LookUp.Subject? = nil,
        _ find: @escaping @Sendable (isolated MediaPlaybackController) async throws(PlaybackError) -> Void
    ) async throws(PlaybackError) {
        guard orders.look(for: item) else {
            throw PlaybackError(
                .busy, message: "too many items are being looked up: the disk does not answer; try later")
        }
        let id = item.command
        let search = Task {
            defer { orders.endLook(id) }
            do throws(PlaybackError) {
                try await find(self)
                if isLookingUp(id) {
                    throw PlaybackError(.defect, message: "a look-up ended without a result; report this")
                }
            } catch {
                // Whoever wants to fall asleep does so with what goes on.
                let sleep = orders.drop(id)?.sleep
                handle(.notFound(id: id, error))
                takeEarly(sleep)
            }
        }
        orders.begin(search, of: id)
        try await answered(id, .lookUp(id: id, owner: owner, subject: subject))
    }

    /// Returns whether this command is still being looked up; if not, another command decides what plays.
    func isLookingUp(_ id: UInt64) -> Bool { machine.state.lookUp?.id == id }

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
        if let document = whole.content.document, let works = ports.works {
            let uri = whole.item.uri
            Task { await works.learn(document, of: uri) }
        }
        orders.found(whole.item.kind)
        var asking = request
        if asking.start == .saved, asking.clip == nil, asking.change == nil,
            let start = try await servedStart(of: whole.item, owner: asking.owner)
        {
            asking.start = .at(start)
        }
        guard isLookingUp(id) else { return }
        let wanted = try await located(asking, in: whole.content)
        guard isLookingUp(id) else { return }
        let guess = wanted.clip.map { part($0, of: whole, for: wanted.owner) } ?? whole
        // The engine process starts while the place is looked up.
        async let live = liveEngine(guess.engine)
        let begin: (start: MediaPosition, provenance: Provenance, left: MediaPosition?)
        do throws(PlaybackError) {
            begin = try await startPlace(of: guess, request: wanted)
            try await reach(begin.start, in: guess.content.document)
            if let document = guess.content.document, let place = document.farthest(of: wanted) {
                try await reach(MediaPosition(track: 0, units: place), in: document)
            }
        } catch {
            _ = await live
            retireUnused(guess.engine)
            tellUnlocated(guess, wanted, id, error)
            return
        }
        await readKeptSleep()
        let (start, provenance, left) = begin
        let preferences = items[preferences: guess.item.uri, request.owner]
        _ = await live
        var found = guess
        found.engine = await engine(for: guess, preferences, asked: request.engine)
        if found.engine != guess.engine { retireUnused(guess.engine) }
        if let output = request.output, isLookingUp(id) {
            await select(output: output) { !isLookingUp(id) }
        }
        guard isLookingUp(id) else { return retireUnused(guess.engine) }
        let heard = heardAtOnce
        let meanwhile = orders.take(id) ?? ComingItem(command: id, request: wanted)
        let request = meanwhile.applied(to: wanted)
        found.engine = engine(found.engine, for: found, meanwhile)
        let old = desk[known: found.item.uri]?.content ?? items[content: found.item.uri]
        items.keep(found.content, replacing: old, by: id)
        if found.item.kind == .text { items.add(remarks: found.notes, to: found.item.uri) }
        var asked = OpeningOptions(limit: request.until, voice: request.voice)
        if asked.voice == nil, found.engine == preferences?.engine { asked.voice = preferences?.voice }
        asked.isVoiceNamed = request.voice != nil
        asked.voiceEngine = found.engine
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
                    left: left, change: request.change?.kind, wasLookedUp: true),
                heard: heard))
        takeEarly(meanwhile.sleep)
    }

    /// Returns a part of an item; its name is apart from that of the same part of another owner, which may move it.
    private func part(_ clip: ClipRange, of whole: FoundItem, for owner: OwnerID) -> FoundItem {
        let part = whole.clipped(to: clip)
        let state = machine.state
        let others =
            state.held.filter { $0.owner != owner }.map(\.playing) + (state.owner == owner ? [] : [state.current])
        guard others.contains(where: { $0?.item.uri == part.item.uri }) else { return part }
        var own = clip
        own.name += ",\(owner)"
        return whole.clipped(to: own)
    }

    private func startPlace(
        of found: FoundItem, request: PlayRequest
    ) async throws(PlaybackError) -> (start: MediaPosition, provenance: Provenance, left: MediaPosition?) {
        switch request.start {
        case .beginning:
            // From then on, only the history knows the place where the item was left.
            let left = try? await savedPlace(of: found, owner: request.owner).0
            return (.start, .user, left.flatMap { found.content.tracks.indices.contains($0.track) ? $0 : nil })
        case .at(.position(let place))
        where request.change != nil && found.content.tracks.indices.contains(place.track):
            // What was heard of this side stands until it is heard again.
            let left = try? await savedPlace(of: found, owner: request.owner).0
            let isLost =
                left.map { request.change?.work?.isFar($0, behind: place, kind: found.item.kind) ?? false } ?? false
            return (place, .restored, isLost ? left : nil)
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
            guard let kept = await keptUp(found.item, owner: request.owner),
                found.content.tracks.indices.contains(kept.position.track)
            else { return (known.0, known.1, nil) }
            items[silentSince: found.item.uri] = kept.isInGap ? nil : kept.at
            // The history knows where the item itself was left.
            return (kept.position, .restored, found.content.tracks.indices.contains(known.0.track) ? known.0 : nil)
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
            guard !place.finished else { return (.start, .restored) }
            items[silentSince: item.uri] = place.updatedAt
            return (await inPresentText(place, of: found), .restored)
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
        if let document = found.content.document, let before = old.document, document != before {
            return await inPresentText(place, from: before, of: found)
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
}
