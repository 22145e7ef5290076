// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore

/// `play` and `read` without an item.
extension MediaPlaybackController {
    /// Resumes the last item of this kind, with the given options.
    ///
    /// Returns when it is audible. Throws `unavailable` if there is no such item or engine, `badContent` if the engine
    /// does not play it, and `usage` for a voice if the item is not a text.
    public func resume(
        lastOf kind: ContentKind, _ options: ResumeOptions = ResumeOptions()
    ) async throws(PlaybackError) {
        if options.voice != nil { try Self.refuseVoice(for: kind, nil) }
        if isComing(kind, of: options.owner) { return try await joinComing(kind, options) }
        // What is coming is of another kind.
        if machine.state.isComing(options.owner), orders.coming?.kind != nil { giveUpLookUp() }
        if let again = unlocatedRequest(options.owner), machine.state.current?.item.kind == kind {
            return try await play(options.applied(to: again))
        }
        guard let current = goesOn(kind, options), !needsLookUp(kind, options) else {
            return try await playLast(of: kind, options)
        }
        if let until = options.until { try await setEnd(until, of: current) }
        if let rate = options.rate { try await setRate(rate, owner: options.owner) }
        if let volume = options.volume { try await setVolume(volume, owner: options.owner) }
        try await resume(owner: options.owner)
    }

    /// Adds the options to the coming item, and waits for that.
    private func joinComing(_ kind: ContentKind, _ options: ResumeOptions) async throws(PlaybackError) {
        let (coming, wasHeld) = (orders.coming?.command, machine.state.lookUp?.isHeld)
        var engine: InstalledEngine?
        if let id = options.engine { engine = try await check(id, plays: kind, of: options.owner) }
        if hasBegun(coming) { return try await resume(lastOf: kind, options) }
        guard orders.coming?.command == coming, wasHeld == machine.state.lookUp?.isHeld,
            joinsComing(kind, options, engine)
        else { throw Self.overtaken }
        if let output = options.output { Task { await select(output: output) } }
        try await joinComing(options.owner)
    }

    static let overtaken = PlaybackError(
        .busy, message: "the item was not begun: another command came before the engine was found")

    /// Plays the last item of a kind, or of any kind if that is `nil`; it is looked up if it is not known.
    func playLast(of kind: ContentKind?, _ options: ResumeOptions) async throws(PlaybackError) {
        try await command { id async throws(PlaybackError) in
            guard needsLookUp(kind, options) else {
                let event = try playLast(try lastKind(kind, options.owner), options, id)
                giveUpLookUp()
                return try await answered(id, event)
            }
            try await lookUp(ComingItem(command: id, kind: kind), of: options.owner) {
                controller async throws(PlaybackError) in
                try await controller.lookUpLast(of: kind, options, id)
            }
        }
    }

    /// Returns whether the last item, its position or the engine for it has to be asked for.
    private func needsLookUp(_ kind: ContentKind?, _ options: ResumeOptions) -> Bool {
        let owner = options.owner
        let isKnown = kind.map { last($0, of: owner) != nil } ?? !machine.state.places(of: owner).isEmpty
        // The end at a sentence is sought in the script, and another command may come before it is found.
        let seeksEnd = if case .spoken = options.until { true } else { false }
        let asks = options.engine != nil || options.output != nil || options.start != nil || seeksEnd
        // The last item may be opened at a place that is worked out then; the present one may not.
        let isPresent = kind.flatMap { goesOn($0, options) } != nil
        // The other side of a work may have been heard since.
        let mayBeKeptUp = ports.works != nil && !isPresent && options.start == nil
        return asks && (isPresent || options.start == nil) || !machine.state.leaving.isEmpty
            || !isKnown && !memory.isComplete || mayBeKeptUp
    }

    private func lookUpLast(
        of kind: ContentKind?, _ options: ResumeOptions, _ id: UInt64
    ) async throws(PlaybackError) {
        let owner = options.owner
        await restore()
        await learnLeft()
        let kind = try lastKind(kind, owner)
        if let engine = options.engine { _ = try await check(engine, plays: kind, of: owner) }
        guard isLookingUp(id) else { return }
        guard let current = goesOn(kind, options) else {
            await select(options.output, for: id)
            guard isLookingUp(id) else { return }
            var options = options
            if options.start == nil, let last = last(kind, of: owner), focused(kind, of: owner) == nil {
                options.start = try await servedStart(of: last.item, owner: owner)
                guard isLookingUp(id) else { return }
            }
            if options.start == nil, let last = last(kind, of: owner), focused(kind, of: owner) == nil,
                let kept = await keptUp(last.item, owner: owner)
            {
                guard isLookingUp(id) else { return }
                items[silentSince: last.item.uri] = kept.isInGap ? nil : kept.at
                options.start = rewound(kept.position, of: last.item.uri) ?? .position(kept.position)
            }
            let event = try playLast(kind, options, id)
            let sleep = orders.take(id)?.sleep
            handle(event)
            return takeEarly(sleep)
        }
        var target: MediaPosition?
        if machine.state.phase == .ready, let start = options.start {
            let now = heardAtOnce ?? current.position
            target = try await position(of: start, from: now, playing: current)
        }
        var until = options.until
        if let end = until, let content = desk.media(of: current)?.content {
            until = try await located(end, in: content)
        }
        await select(options.output, for: id)
        guard isLookingUp(id) else { return }
        guard machine.state.current?.item == current.item, machine.state.owner == owner else { throw Self.overtaken }
        if let target {
            keeping.noteSeek()
            handle(.seek(SeekOrder(to: target, owner: owner, uri: current.item.uri, heard: heardAtOnce)))
        }
        if let until { try await setEnd(until, of: current) }
        let early = machine.state.lookUp
        if let rate = early?.rate ?? options.rate { try await setRate(rate, uri: current.item.uri) }
        if let volume = early?.volume ?? options.volume { try await setVolume(volume, uri: current.item.uri) }
        carryOut(id) {
            requestStepBack()
            return .resume(
                id: id, owner: nil, heard: heardAtOnce, back: options.start == nil ? stepBack() : nil,
                wasLookedUp: true)
        }
    }

    /// Selects another output for what a look-up is about to play; nothing goes on there before that.
    private func select(_ output: String?, for id: UInt64) async {
        guard let output, isLookingUp(id) else { return }
        await select(output: output) { !isLookingUp(id) }
    }

    /// Returns the present item, if the options do not require that it is opened again.
    private func goesOn(_ kind: ContentKind, _ options: ResumeOptions) -> Playing? {
        guard let current = focused(kind, of: options.owner), !opensAnew(current, options),
            machine.state.phase == .ready || options.start == nil
        else { return nil }
        return current
    }

    private func focused(_ kind: ContentKind, of owner: OwnerID) -> Playing? {
        let state = machine.state
        return state.owner == owner && state.current?.item.kind == kind ? state.current : nil
    }

    /// Returns whether another engine or another voice requires opening the item again.
    private func opensAnew(_ current: Playing, _ options: ResumeOptions) -> Bool {
        if let engine = options.engine, engine != current.engine { return true }
        return options.voice.map { $0 != items[opening: current.item.uri].voice } ?? false
    }

    private func last(_ kind: ContentKind, of owner: OwnerID) -> Playing? {
        let held = machine.state.held.last { $0.owner == owner && $0.playing?.item.kind == kind }?.playing
        return focused(kind, of: owner) ?? held ?? machine.state.remembered[owner]?[kind]
    }

    /// Returns the kind that is asked for, or else that of the owner's last item.
    private func lastKind(_ kind: ContentKind?, _ owner: OwnerID) throws(PlaybackError) -> ContentKind {
        if let kind = kind ?? machine.state.places(of: owner).first?.item.kind { return kind }
        throw memory.fault ?? Self.nothingLoaded
    }

    /// Returns the order to play the last item, and keeps how it is to be opened.
    private func playLast(
        _ kind: ContentKind, _ options: ResumeOptions, _ id: UInt64
    ) throws(PlaybackError) -> PlaybackEvent {
        let owner = options.owner
        guard var last = last(kind, of: owner) else {
            throw memory.fault
                ?? PlaybackError(
                    .unavailable, message: "no \(kind == .audio ? "audio" : "text") was played yet; say what to play")
        }
        let coming = isLookingUp(id) ? orders.coming : nil
        let engine = coming?.engine?.id ?? options.engine
        let heard = heardAtOnce
        let uri = last.item.uri
        var asked = OpeningOptions(
            start: options.start, moves: coming?.moves ?? [], limit: coming?.until ?? options.until,
            voice: coming?.voice ?? options.voice)
        let chosen = last.chosenEngine
        let isNamed = asked.voice != nil
        if !isNamed, engine ?? chosen == chosen { asked.voice = items[opening: uri].voice }
        asked.isVoiceNamed = isNamed
        asked.voiceEngine = engine ?? chosen
        if focused(kind, of: owner)?.item.uri == uri {
            if let heard { last.position = heard }
            // Starts from where the item was about to start.
            if asked.start == nil, machine.state.phase == .loading { asked.start = items[opening: uri].start }
        } else if asked.start == nil {
            asked.start = rewound(last.position, of: uri)
        }
        items[opening: uri] = asked
        let preferences = items[preferences: uri, owner]
        return .play(
            id: id,
            PlayOrder(
                item: last.item, engine: engine ?? chosen, start: last.position, provenance: .restored,
                owner: owner, rate: options.rate ?? preferences?.rate, volume: options.volume ?? preferences?.volume,
                wasLookedUp: coming == nil ? nil : true),
            heard: heard)
    }
}

extension ResumeOptions {
    /// Returns a request with these options in place of its own.
    fileprivate func applied(to request: PlayRequest) -> PlayRequest {
        var request = request
        if let start { request.start = .at(start) }
        request.engine = engine ?? request.engine
        request.voice = voice ?? request.voice
        request.until = until ?? request.until
        request.rate = rate ?? request.rate
        request.volume = volume ?? request.volume
        request.output = output ?? request.output
        return request
    }
}
