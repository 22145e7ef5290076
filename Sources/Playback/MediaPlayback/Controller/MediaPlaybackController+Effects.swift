// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PlaybackCore
import TaskChains
import TransitionRecords

extension MediaPlaybackController {
    /// Starts one effect of the machine.
    ///
    /// Results come back as events with the generation that they belong to.
    ///
    /// - Parameter warning: what was not as it was asked for, if the item is over with this effect.
    func carryOut(_ effect: PlaybackEffect, warning: String? = nil) {
        switch effect {
        case .connectOutput:
            outputInTurn { controller in try? await controller.session.connect() }
        case .load(let generation, let playing, let rate):
            load(generation, playing, rate: rate)
        case .seek(let generation, let position):
            seek(generation, to: position)
        case .openStream(let generation):
            outputInTurn { controller in await controller.openStream(generation) }
        case .pauseStream(let generation):
            outputInTurn { controller in await controller.pauseStream(generation) }
        case .resumeStream:
            outputInTurn { controller in await controller.resumeStream() }
        case .closeStream(let generation):
            outputInTurn { controller in await controller.closeStream(generation) }
        case .setRate(let rate):
            setRate(rate)
        case .setVolume(let volume):
            outputInTurn { controller in try? await controller.session.set(.volume(volume)) }
        case .unload(let engine):
            unload(engine)
        case .endEngine(let engine):
            endEngine(engine)
        case .carryOn(let generation, let position):
            carryOn(generation, from: position)
        case .dropOutput:
            outputInTurn { controller in await controller.session.drop() }
        case .startClock(let id, let kind, let milliseconds):
            startClock(id, kind, .milliseconds(milliseconds))
        case .stopClock:
            watchdog.stop()
        case .sleepClock(let id, let added, let runs):
            countDown(id, adding: .milliseconds(added), runs: runs)
        case .stopSleepClock: sleeping.stopCounting()
        case .rearmSleep(let id): rearmSleep(id)
        case .setLimit: setLimit()
        case .fade: fade()
        case .endFade: endFade()
        case .handOver: startAtSentence()
        case .retry, .refusePlace, .dropped, .stepOver:
            // This is only logged.
            break
        case .savePlace(let owner, let playing, let finished, let durably):
            savePlace(owner, playing, finished: finished, durably: durably)
        case .rememberItem(let owner, let playing):
            remember(owner, playing)
        case .jumped(let jump):
            if jump.cause == .restart { items.gaps.noteOpening(machine.state.generation) }
            keep(jump)
        case .reply(let id, let error):
            orders.answer(id, error)
        case .finished(let uri, let error):
            publish(.finished(uri: uri, error, unspoken: error == nil ? warning : nil))
        case .nothingToPlay(let id):
            orders.answer(id, memory.fault ?? Self.nothingPlayed)
        }
    }

    // MARK: The output, in order

    /// Runs the calls to the session in the order in which they were decided.
    @discardableResult
    func outputInTurn(
        _ body: @escaping @Sendable (isolated MediaPlaybackController) async -> Void
    ) -> Task<Void, Never> {
        output.append(on: self) { controller in
            await body(controller)
            controller.output.ended()
            controller.publishSession()
        }
    }

    private func openStream(_ generation: UInt32) async {
        // This is tried only once: a library that does not answer must not delay every sound.
        if !soundChoice.isTried { await restoreSound() }
        guard generation == machine.state.generation, machine.state.stream == .opening,
            let current = machine.state.current, let media = desk[open: current.engine],
            let live = desk.pool[current.engine], let track = media.description.tracks[safe: current.position.track],
            !crossesAtStart(generation)
        else { return }
        let rates = split(machine.state.rate, for: current.engine)
        let request = StreamRequest(
            format: track.format, encoding: track.encoding, source: live.engine.source, generation: generation,
            settings: StreamSettings(
                rate: rates.output, volume: machine.state.volume, sound: sound,
                limit: limit(in: media, from: current.position, generation: generation)),
            isPaused: machine.state.opensSilent,
            boundaries: media.timeline.chapters.map {
                HeardPosition(generation: generation, track: $0.track, units: $0.start)
            }, title: media.title,
            mode: media.content.clip != nil ? "clip" : current.item.kind == .text ? "speech" : "audiobook",
            feed: output.feed, preRoll: settings.preRoll)
        do throws(OutputError) {
            output.opens(for: current.engine)
            try await session.activate(request)
            handle(.streamOpened(generation: generation))
        } catch {
            output.closed()
            handle(.streamFailed(generation: generation, PlaybackError(error)))
        }
    }

    /// Returns the place where the user wants this item to end, or falls asleep, if it lies ahead.
    func limit(in media: LoadedMedia, from position: MediaPosition, generation: UInt32) -> HeardPosition? {
        let asked = items[opening: media.content.uri].limit.flatMap { media.position(of: $0, from: position) }
        // An engine plays parts of recordings by itself; that of a text ends where the session says.
        let part = media.content.kind == .text ? media.partEnd : nil
        let gap = items.gaps.next(in: media.content.uri, after: position)?.start
        guard
            let end = [asked, part, sleepPlace(in: media.content.uri), gap].compactMap(\.self)
                .filter({ $0 > position }).min()
        else { return nil }
        return HeardPosition(generation: generation, track: end.track, units: end.units)
    }

    private func pauseStream(_ generation: UInt32) async {
        do throws(OutputError) {
            let heard = try await session.pause()
            silenced(generation, at: position(heard, of: generation))
        } catch {
            guard generation == machine.state.generation else {
                // This item was already left; its successor opens its own stream, and learns the outcome for itself.
                handle(.silenced(generation: generation, heard: nil))
                return
            }
            handle(.outputFailed(PlaybackError(error), isDeviceGone: error.code == .deviceGone, heard: lastSaid))
        }
    }

    private func resumeStream() async {
        do throws(OutputError) {
            try await session.resume()
        } catch {
            handle(.outputFailed(PlaybackError(error), isDeviceGone: error.code == .deviceGone, heard: lastSaid))
        }
    }

    private func closeStream(_ generation: UInt32) async {
        let heard = await session.deactivate()
        output.closed()
        silenced(generation, at: position(heard, of: generation))
    }

    /// Splits a rate into the part that the engine renders and the rest for the session.
    func split(_ rate: Double, for engine: EngineID) -> (engine: Double, output: Double) {
        guard let range = desk[open: engine]?.description.nativeRates else { return (1, rate) }
        let native = min(max(rate, range.lowerBound), range.upperBound)
        return (native, rate / native)
    }

    private func setRate(_ rate: Double) {
        guard let current = machine.state.current else { return }
        let rates = split(rate, for: current.engine)
        if desk[open: current.engine]?.description.nativeRates != nil, let live = desk.pool[current.engine] {
            desk.calls.append(on: self) { _ in try? await live.engine.setRate(rates.engine) }
        }
        outputInTurn { controller in try? await controller.session.set(.rate(rates.output)) }
    }

    // MARK: Engines, in order

    /// Loads an item without waiting for what the engine does now: the load replaces it.
    private func load(_ generation: UInt32, _ playing: Playing, rate: Double) {
        let voice = items[opening: playing.item.uri].voice(for: playing.engine)
        desk.open(
            Task {
                do throws(PlaybackError) {
                    // The first that asks for the text decides whether its place is looked for.
                    let playing = try await inPresentText(playing)
                    await offerStandIn(generation, playing)
                    await takeUpCrossing(playing)
                    let cause = items[opening: playing.item.uri].startCause
                    let isChosen = items[opening: playing.item.uri].start?.isPart ?? false
                    let start = try await self.open(generation, playing, rate: rate, voice: voice)
                    let isNewRate = try await PlaybackError.ofEngine { () throws(EngineError) in
                        try await assertRate(over: rate, of: playing.engine)
                    }
                    await prepareGaps(generation, playing, at: start ?? playing.position)
                    let moved = await takeMoves(generation, playing, from: start ?? playing.position)
                    let position = moved ?? start ?? playing.position
                    if generation == machine.state.generation {
                        let resumes = moved == nil && (start == nil || cause == .rewind)
                        keeping.noteStart(of: playing, resumes: resumes)
                        if resumes, let error = shortened(playing) {
                            return handle(.loadFailed(generation: generation, error))
                        }
                    }
                    let open = desk[open: playing.engine]
                    let track = open?.description.tracks[safe: position.track]
                    handle(
                        .loaded(
                            generation: generation, start: position,
                            unitsPerSecond: track?.timeline.unitsPerSecond ?? 0,
                            needsSeek: isNewRate || open?.content.clip != nil,
                            isRemote: open?.content.isRemote ?? false,
                            cause: moved == nil ? cause : .seek))
                    noteOpening(playing, isChosen: isChosen || moved != nil)
                } catch {
                    if await readsUnopened(generation, playing, error) { return }
                    handle(.loadFailed(generation: generation, error))
                }
            })
    }

    /// Sets the current rate in an engine that renders rates itself, if it differs from the rate it loaded with.
    ///
    /// What it had rendered until then has the old rate.
    private func assertRate(over rate: Double, of engine: EngineID) async throws(EngineError) -> Bool {
        guard machine.state.rate != rate, desk[open: engine]?.description.nativeRates != nil,
            let live = desk.pool[engine]
        else {
            return false
        }
        try await live.engine.setRate(split(machine.state.rate, for: engine).engine)
        return true
    }

    /// Opens an item in its engine.
    ///
    /// - Returns: the place to start at, if that differs from the requested one.
    private func open(
        _ generation: UInt32, _ playing: Playing, rate: Double, voice: String?
    ) async throws(PlaybackError) -> MediaPosition? {
        let content = try await content(of: playing.item)
        let voice = voice ?? languageVoice(for: content, in: playing.engine)
        if let old = desk.pool[playing.engine], old.isOutdated, old.loaded != content {
            await end(playing.engine, serial: old.serial)
        }
        let live = try await liveEngine(playing.engine).mapError(PlaybackError.init).get()
        guard generation == machine.state.generation else {
            // The engine was not known yet when the item that it was started for was left.
            retireUnused(playing.engine)
            return nil
        }
        retireOthers(than: playing.engine)
        await silenceOlder(than: generation, of: playing.engine)?.value
        guard generation == machine.state.generation else { return nil }
        if desk.isOpen(content, voice: voice, in: playing.engine) {
            log.engine(playing.engine, action: "seek", cause: .user, fields: ["item": .string(content.uri)])
            let native = split(rate, for: playing.engine).engine
            if desk[open: playing.engine]?.description.nativeRates != nil {
                try await PlaybackError.ofEngine { () throws(EngineError) in try await live.engine.setRate(native) }
            }
            try await PlaybackError.ofEngine { () throws(EngineError) in
                try await live.engine.seek(to: playing.position, generation: generation)
            }
        } else {
            let turn = desk.ask(playing.engine, for: content)
            log.engine(playing.engine, action: "load", cause: .user, fields: ["item": .string(content.uri)])
            let request = LoadRequest(
                content: content, start: playing.position, generation: generation, rate: rate, voice: voice)
            let description: MediaDescription
            do throws(EngineError) {
                description = try await live.engine.load(request)
            } catch {
                if let wasHeard = desk.pool.noteAnswer(playing.engine, serial: live.serial) {
                    await lose(playing.engine, wasHeard: wasHeard)
                }
                if error.kind == .unknownVoice {
                    // Nobody reads in place of a voice that the listener named and that does not exist.
                    if items[opening: content.uri].isVoiceNamed { handle(.standIn(generation: generation, nil)) }
                    forgetVoice(voice, of: content.uri)
                }
                throw PlaybackError(error)
            }
            let loss = desk.pool.noteAnswer(playing.engine, serial: live.serial)
            // This answer is late: the engine has another item by now, or none.
            let isLate = !desk.pool.isTurn(playing.engine, turn, serial: live.serial)
            if !isLate {
                desk.opened(
                    loaded(content, description, voice: voice, by: playing.engine), voice: voice, by: playing.engine)
            }
            if let loss { await lose(playing.engine, wasHeard: loss) }
            if isLate { return nil }
            items.prune { machine.state.reachable }
        }
        guard generation == machine.state.generation else { return nil }
        return try await begin(generation, playing, content, live.engine)
    }

    /// Returns the start in what is open now, if it could not be known before; sets the ends of a clip.
    private func begin(
        _ generation: UInt32, _ playing: Playing, _ content: Content, _ engine: any PlaybackEngine
    ) async throws(PlaybackError) -> MediaPosition? {
        var start: MediaPosition?
        if let target = items[opening: playing.item.uri].start {
            start = try await position(of: target, from: playing.position, playing: playing)
            if generation == machine.state.generation { items[opening: playing.item.uri].start = nil }
        }
        try await locateLimit(generation, of: content)
        guard let clip = content.clip else { return start }
        let first = try await position(of: clip.start, from: .start, playing: playing)
        let end = try await position(of: clip.end, from: first, playing: playing)
        guard first < end else {
            throw PlaybackError(.usage, message: "the clip ends before it begins; give an --end after --start")
        }
        if content.kind == .audio {
            try await PlaybackError.ofEngine { () throws(EngineError) in
                try await engine.setRange(first, end, loops: clip.loops)
            }
        }
        let wanted = start ?? playing.position
        return wanted >= first && wanted < end ? wanted : first
    }

    /// Returns whether a part of a text is what plays.
    func isTextPart(_ generation: UInt32) -> Bool {
        guard generation == machine.state.generation, let current = machine.state.current else { return false }
        return current.item.kind == .text && items[content: current.item.uri]?.clip != nil
    }

    /// Makes sure that nothing older than this generation is heard, and that the engine has room.
    ///
    /// A source has one reader. While a stream takes its sound, the output must discard it, in its turn; otherwise it
    /// is discarded here and now, before a stream can be opened.
    private func silenceOlder(than generation: UInt32, of engine: EngineID) -> Task<Void, Never>? {
        guard let source = desk.pool[engine]?.engine.source else { return nil }
        guard output.takesSound(of: engine) else {
            source.discard(before: generation)
            return nil
        }
        return outputInTurn { controller in
            if (try? await controller.session.reposition(to: generation)) != true {
                source.discard(before: generation)
            }
        }
    }

    private func seek(_ generation: UInt32, to position: MediaPosition) {
        guard let current = machine.state.current, let live = desk.pool[current.engine] else { return }
        guard live.fallen == nil else {
            Task { await lose(current.engine) }
            return
        }
        let silenced = silenceOlder(than: generation, of: current.engine)
        let position = desk[open: current.engine]?.inPart(position) ?? position
        desk.calls.append(on: self) { controller in
            await silenced?.value
            guard generation == controller.machine.state.generation else { return }
            do throws(EngineError) {
                try await live.engine.seek(to: position, generation: generation)
            } catch {
                // An engine that is gone reports that itself, and can be started again.
                guard !error.isOfTheProcess else { return }
                controller.handle(.engineFailed(generation: generation, PlaybackError(error), heard: nil))
            }
        }
    }

    private func unload(_ id: EngineID) {
        guard let live = desk.pool[id] else { return }
        desk.unload(id)
        desk.calls.append(on: self) { controller in
            // An item that was loaded in the meantime must not be dropped.
            guard controller.machine.state.current?.engine != id else { return }
            await live.engine.unload()
        }
        retire(id, after: settings.engineIdle)
    }

    /// Ends an engine without waiting for it, since it may no longer answer.
    private func endEngine(_ id: EngineID) {
        guard let entry = desk.remove(id) else { return }
        log.engine(id, action: "end", cause: .recovery)
        desk.calls.abandon()
        Task { await entry.engine.shutDown() }
    }
}
