// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import PlaybackCore

/// One render, from its first frame to its last.
///
/// When the engine's process ends, another one continues where its sound ends, in the same ring (decision 19). A place
/// that ends two processes in a row is stepped over.
struct Render {
    let engines: any EngineProvider
    let output: PatientOutput
    let found: FoundItem
    let request: PlayRequest
    let rules: PlaybackRules
    let syntheticChapters: Double
    let clock: any Clock<Duration>
    /// Logs what became of an engine's process.
    let note: @Sendable (_ action: String, _ message: String) -> Void

    private var rate: Double { request.rate ?? 1 }

    /// The engine that was started last, and the place where it was told to continue.
    private struct Course {
        var engine: any PlaybackEngine
        /// The place where the render begins.
        var start: MediaPosition
        var place: MediaPosition
        var generation: UInt32 = 1
        var losses = RenderLosses()
    }

    /// Renders until the last frame is written; returns what could not be spoken of a text and is left out.
    func run(from start: MediaPosition, began: () -> Void) async throws(PlaybackError) -> UnspokenText? {
        let first: any PlaybackEngine
        do throws(EngineError) { first = try await engines.start(found.engine) } catch { throw PlaybackError(error) }
        var course = Course(engine: first, start: start, place: start)
        let failure: PlaybackError?
        do throws(PlaybackError) {
            try await render(&course, began)
            failure = nil
        } catch {
            failure = error
        }
        await output.shutDown()
        await course.engine.shutDown()
        if let failure { throw failure }
        return course.losses.unspoken
    }

    private func render(_ course: inout Course, _ began: () -> Void) async throws(PlaybackError) {
        let media = try await prepare(&course)
        var end: MediaPosition?
        if let until = request.until {
            guard let position = media.position(of: until, from: .start), position > course.start else {
                throw PlaybackError(.usage, message: "--until lies before the start in “\(media.title)”")
            }
            end = position
        }
        try await open(media, course, until: end)
        began()
        try await finish(media, &course)
    }

    /// Opens the item at its start, with further processes if the first ones die before that.
    private func prepare(_ course: inout Course) async throws(PlaybackError) -> LoadedMedia {
        var media: LoadedMedia?
        while true {
            do throws(EngineError) {
                var opened: LoadedMedia
                if let media { opened = media } else { opened = loaded(try await load(course)) }
                media = opened
                if opened.timeline.summed == nil, request.needsTimeline {
                    opened = loaded(try await course.engine.describeAll())
                    media = opened
                }
                if try await goToStart(in: opened, &course) { return opened }
            } catch {
                guard error.isOfTheProcess, let next = await follow(error, in: media, &course) else {
                    throw PlaybackError(error)
                }
                media = media ?? loaded(next)
                continue
            }
            throw PlaybackError(.noInput, message: "no such place in “\(found.item.title)”")
        }
    }

    /// Seeks to the start that the request names; returns `false` if there is no such place.
    private func goToStart(in media: LoadedMedia, _ course: inout Course) async throws(EngineError) -> Bool {
        // A process that replaced one that died on the way has begun there already.
        guard case .at(let target) = request.start, course.generation == 1 else { return true }
        guard let position = media.position(of: target, from: .start) else { return false }
        (course.start, course.place) = (position, position)
        course.generation += 1
        course.engine.source.discard(before: course.generation)
        try await course.engine.seek(to: position, generation: course.generation)
        return true
    }

    /// Starts another process in place of one that ended before there was an output; `nil` if that is impossible.
    private func follow(
        _ error: EngineError, in media: LoadedMedia?, _ course: inout Course
    ) async -> MediaDescription? {
        guard case .engine(.gone(let last, _, let end)) = await Self.end(of: course.engine) else { return nil }
        return await goOn(behind: end, last, media, &course)
    }

    private func load(_ course: Course) async throws(EngineError) -> MediaDescription {
        try await course.engine.load(
            LoadRequest(
                content: found.content, start: course.place, generation: course.generation, rate: rate,
                voice: request.voice))
    }

    private func loaded(_ description: MediaDescription) -> LoadedMedia {
        LoadedMedia(content: found.content, description: description, syntheticChapters: syntheticChapters)
    }

    private func open(_ media: LoadedMedia, _ course: Course, until end: MediaPosition?) async throws(PlaybackError) {
        let tracks = media.description.tracks
        guard let track = tracks[safe: course.start.track] ?? tracks.first else {
            throw PlaybackError(.badContent, message: "“\(media.title)” has no track")
        }
        let native = media.description.nativeRates.map { min(max(rate, $0.lowerBound), $0.upperBound) } ?? 1
        do throws(OutputError) {
            try await output.open(
                StreamRequest(
                    format: track.format, encoding: track.encoding, source: course.engine.source,
                    generation: course.generation,
                    settings: StreamSettings(
                        rate: rate / native, volume: request.volume ?? 1,
                        limit: end.map {
                            HeardPosition(generation: course.generation, track: $0.track, units: $0.units)
                        }),
                    title: media.title, mode: found.content.kind == .text ? "speech" : "audiobook"))
        } catch {
            throw PlaybackError(error)
        }
    }

    /// The next event of either side; `nil` if no more follow.
    private enum Turn {
        case engine(EngineEvent?)
        case output(OutputEvent?)
        /// The sound that an engine left behind had time to be written.
        case rest
    }

    /// The time for writing the seconds of sound that an engine left behind, to an output that keeps no clock.
    private static let patience = Duration.seconds(2)

    /// Waits for the end, or for whichever side fails for good.
    private func finish(_ media: LoadedMedia, _ course: inout Course) async throws(PlaybackError) {
        var hasSound = false
        /// The error to report when all the sound left behind is written, and it contained no end.
        var failure: PlaybackError?
        let result: PlaybackError? = await withTaskGroup(of: Turn.self) { group in
            group.addTask { [course] in await Self.end(of: course.engine) }
            group.addTask { [output] in await Self.next(of: output) }
            defer { group.cancelAll() }
            while let turn = await group.next() {
                if Task.isCancelled {
                    return PlaybackError(.unavailable, message: "cancelled: its client has left")
                }
                switch turn {
                case .output(.ended):
                    // A file is complete when it is closed.
                    do throws(OutputError) { try await output.close() } catch { return PlaybackError(error) }
                    return hasSound ? nil : unspeakable(course.losses)
                case .output(.failed(let error, _)): return PlaybackError(error)
                case .output(nil): return PlaybackError(.defect, message: "the output ended unexpectedly")
                case .output(.started): hasSound = true
                case .rest: return failure
                case .engine(.failed(_, let error, _)): return PlaybackError(error)
                case .engine(.gone(let error, let leavesSound, let end)):
                    if leavesSound { hasSound = true }
                    // What it rendered may be all that there is.
                    let isWhole = leavesSound && end == nil
                    if !isWhole, await goOn(behind: end, error, media, &course) != nil {
                        group.addTask { [course] in await Self.end(of: course.engine) }
                    } else {
                        failure = PlaybackError(error)
                        if !hasSound { return failure }
                        group.addTask { [clock] in
                            try? await clock.sleep(for: Self.patience)
                            return .rest
                        }
                    }
                case .output, .engine: break
                }
                if case .output = turn { group.addTask { [output] in await Self.next(of: output) } }
            }
            return nil
        }
        if let result { throw result }
    }

    private static func next(of output: PatientOutput) async -> Turn {
        for await event in output.events { return .output(event) }
        return .output(nil)
    }

    private static func end(of engine: any PlaybackEngine) async -> Turn {
        for await event in engine.events {
            switch event {
            case .failed, .gone: return .engine(event)
            case .mark, .log, .track, .damaged: continue
            }
        }
        return .engine(nil)
    }

    /// Starts other processes that continue behind the sound left behind; `nil` if that is impossible.
    private func goOn(
        behind end: RenderedEnd?, _ error: EngineError, _ media: LoadedMedia?, _ course: inout Course
    ) async -> MediaDescription? {
        var (end, error) = (end, error)
        while !Task.isCancelled {
            if end?.generation != course.generation { end = nil }
            note("gone", PlaybackError(error).message)
            let item = error.kind == .neverReady ? nil : found.item.uri
            if let verdict = await engines.died(found.engine, error, item: item, leavesSound: end != nil) {
                note("quarantine", verdict)
            }
            let place = await course.losses.next(
                after: end?.position ?? course.place, wasIdle: end?.wasIdle ?? false, in: media, rules)
            guard let place else { return nil }
            course.place = place
            do throws(EngineError) {
                course.engine = try await engines.start(found.engine, inPlaceOf: course.engine)
                do throws(EngineError) {
                    return try await load(course)
                } catch let failure {
                    guard failure.isOfTheProcess,
                        case .engine(.gone(let last, _, let left)) = await Self.end(of: course.engine)
                    else { return nil }
                    (end, error) = (left, last)
                }
            } catch {
                return nil
            }
        }
        return nil
    }

    /// Returns the error for a text of which nothing was spoken, as far as it was tried.
    private func unspeakable(_ losses: RenderLosses) -> PlaybackError? {
        losses.unspoken.map { unspoken in
            PlaybackError(
                .badContent,
                message: "the engine \(found.engine) can speak none of \(unspoken.sentences) sentences of "
                    + "“\(found.item.title)”; try another engine or voice")
        }
    }
}

extension PlayRequest {
    /// `true` if the start or the end can only be found when all durations are known.
    fileprivate var needsTimeline: Bool {
        if until != nil { return true }
        if case .at = start { return true }
        return false
    }
}
