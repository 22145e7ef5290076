// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
public import PlaybackCore

extension MediaPlaybackController {
    /// Renders an item to an output that keeps no clock, beside whatever plays.
    ///
    /// An owner of its own (`render-N`) with its own engine process; disturbs no listener, reads the saved place only if
    /// asked to, and saves none. Returns when the last frame is written, or its task is cancelled: what is written by then
    /// stays, and can be played.
    ///
    /// `began` is called once, when the item is loaded and the output open; not if it throws before.
    public func render(
        _ request: PlayRequest, to outputName: String, began: @Sendable () -> Void = {}
    ) async throws(PlaybackError) {
        renders += 1
        let owner = OwnerID("render-\(renders)")
        let rate = request.rate ?? 1
        let found = try await find(request.item, engine: request.engine)
        guard let output = outputs.outputs(named: outputName).first, output.isRender else {
            throw PlaybackError(code: 64, message: "“\(outputName)” is no render; use wav:PATH or null:fast")
        }
        note(owner, found, "began", nil)
        var start = MediaPosition.start
        if case .saved = request.start, case .progress(let place) = await store.place(of: found.item.uri, owner: .main),
            !place.finished
        {
            start = place.position
        }
        let engine: any PlaybackEngine
        do throws(EngineError) {
            engine = try await engines.start(found.engine)
        } catch {
            throw PlaybackError(error)
        }
        let render = Render(
            engine: engine, output: output, rate: rate, volume: request.volume ?? 1,
            syntheticChapters: settings.syntheticSeconds)
        let result = await render.run(found.content, start: start, request: request, began: began)
        await output.shutDown()
        await engine.shutDown()
        note(owner, found, "ended", result)
        if let result { throw result }
    }

    private func note(_ owner: OwnerID, _ found: Found, _ action: String, _ error: PlaybackError?) {
        recorder.record(
            TransitionEntry(
                .event, cause: .user, engine: found.engine, owner: owner,
                fields: [
                    "event": "render", "action": .string(action), "item": .string(found.item.uri),
                    "errorMessage": .optional(error?.message),
                ]))
    }
}

/// One render from its first frame to its last.
private struct Render {
    let engine: any PlaybackEngine
    let output: any AudioOutput
    let rate: Double
    let volume: Double
    let syntheticChapters: Double

    func run(
        _ content: Content, start: MediaPosition, request: PlayRequest, began: () -> Void
    ) async -> PlaybackError? {
        do throws(EngineError) {
            var generation: UInt32 = 1
            let description = try await engine.load(
                LoadRequest(
                    content: content, start: start, generation: generation, rate: rate, voice: request.voice))
            func loaded(_ description: MediaDescription) -> LoadedMedia {
                LoadedMedia(content: content, description: description, syntheticChapters: syntheticChapters)
            }
            var media = loaded(description)
            if media.timeline.summed == nil, request.needsTimeline {
                media = loaded(try await engine.describeAll())
            }
            var begin = start
            if case .at(let target) = request.start {
                guard let position = media.position(of: target, from: .start) else {
                    return PlaybackError(code: 66, message: "no such place in “\(media.title)”")
                }
                begin = position
                generation += 1
                engine.source.discard(before: generation)
                try await engine.seek(to: position, generation: generation)
            }
            var end: MediaPosition?
            if let until = request.until {
                guard let position = media.position(of: until, from: .start), position > begin else {
                    return PlaybackError(code: 64, message: "--until lies before the start in “\(media.title)”")
                }
                end = position
            }
            guard let track = description.tracks[safe: begin.track] ?? description.tracks.first else {
                return PlaybackError(code: 65, message: "“\(media.title)” has no track")
            }
            let native = description.nativeRates.map { min(max(rate, $0.lowerBound), $0.upperBound) } ?? 1
            return await sound(
                StreamRequest(
                    format: track.format, encoding: track.encoding, source: engine.source, generation: generation,
                    rate: rate / native, volume: volume, isPaused: false,
                    until: end.map { HeardPosition(generation: generation, track: $0.track, units: $0.units) },
                    title: media.title, mode: content.kind == .text ? "speech" : "audiobook"), began: began)
        } catch {
            return PlaybackError(error)
        }
    }

    /// Opens the output and waits for the end, or for whichever side fails first.
    private func sound(_ request: StreamRequest, began: () -> Void) async -> PlaybackError? {
        let engine = engine
        let output = output
        do throws(OutputError) {
            _ = try await output.connect()
            _ = try await output.open(request)
        } catch {
            return PlaybackError(error)
        }
        began()
        return await withTaskGroup(of: PlaybackError?.self) { group in
            group.addTask {
                for await event in output.events {
                    switch event {
                    case .ended:
                        // A file is complete when it is closed.
                        _ = await output.close()
                        return nil
                    case .failed(let error, _): return PlaybackError(error)
                    case .started, .starved, .routeChanged, .routeLost, .routeReturned, .interruption: continue
                    }
                }
                return PlaybackError(code: 70, message: "the output ended without a word")
            }
            group.addTask {
                for await event in engine.events {
                    switch event {
                    case .failed(_, let error, _), .gone(let error, _, _): return PlaybackError(error)
                    case .mark, .log, .track: continue
                    }
                }
                // Cancelled because the output has ended.
                return nil
            }
            let first = await group.next() ?? nil
            if Task.isCancelled { return PlaybackError(code: 69, message: "given up: who asked for it has left") }
            group.cancelAll()
            return first
        }
    }
}

extension PlayRequest {
    /// Whether its start or end can only be found with all durations known.
    fileprivate var needsTimeline: Bool {
        if until != nil { return true }
        if case .at = start { return true }
        return false
    }
}
