// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineTransport
import MediaPlayback
import PlaybackCore

/// Handles the messages of an engine, none of which is trusted.
extension EngineLink {
    func take(_ message: EngineMessage) {
        switch message {
        case .ready(let ready):
            guard ready.id == id.rawValue, life.noteReady() else {
                return end(misbehaved("calls itself '\(ready.id)'"))
            }
            loads.noteRates(ready.rates)
        case .unusable(let failure):
            end(EngineError(failure))
        case .log(let level, let line):
            let name = [1: "debug", 2: "info", 3: "warning", 4: "error"][level] ?? "info"
            log(name, line)
        case .needSource(let request, let load, let track):
            needSource(SourceRequest(number: request, load: load, subject: .track(track)))
        case .needScript(let request, let load, let position):
            needSource(SourceRequest(number: request, load: load, subject: .script(position)))
        case .tracks(let load, let tracks):
            takeTracks(load, tracks)
        case .chapters(let load, let chapters):
            if !loads.add(chapters, to: load) { end(misbehaved("sent invalid chapters")) }
        case .loaded(let request, let title, let author, let tracks, let chapters):
            guard requests.kind(of: request) == .load else { return end(misbehaved("loaded something else")) }
            let description = loads.finish(
                request, title: title, author: author, trackCount: tracks, chapterCount: chapters)
            guard let description else { return end(misbehaved("contradicts itself about what it loaded")) }
            answer(request, .success(.description(description)))
        case .done(let request):
            done(request)
        case .measured(let request, let duration):
            guard requests.expectMeasurement(request), (0...Limits.units).contains(duration ?? 0) else {
                return end(misbehaved("measured something that was not requested"))
            }
            if let (track, index) = requests.index(request), let key = loads.indexKey(of: track) {
                services.keepIndex(index, key)
            }
            answer(request, .success(.duration(duration)))
        case .index(let request, let total, let part):
            if !requests.addIndexPart(request, total: total, part) { end(misbehaved("sent an invalid index")) }
        case .coverPart(let request, let total, let part):
            takeCover(request, total, part)
        case .cover(let request, let mediaType):
            takeCover(request, mediaType)
        case .cut(let request, let result):
            takeCut(request, result)
        case .peaks(let request, let peaks):
            takePeaks(request, peaks)
        case .voices(let request, let voices):
            if !requests.addVoices(request, voices) { end(misbehaved("sent voices that were not asked for")) }
        case .failed(let request, let failure):
            var known: EngineError?
            if requests.kind(of: request) == .load {
                if failure.code == ROSTRUM_ERROR_INTERRUPTED {
                    loads.giveUp(request)
                } else {
                    known = loads.fail(request)
                }
            }
            answer(request, .failure(known ?? reason(for: failure)))
        case .renderFailed(let generation, let failure):
            if failure.code == EngineNumber.misbehaved { return end(EngineError(failure)) }
            deliver(.failed(generation: generation, reason(for: failure), leavesSound: ring.leavesSound))
        case .damaged(let generation, let track, let range):
            deliver(.damaged(generation: generation, track: Int(track), range))
        case .marks(let generation, let marks):
            for mark in marks {
                guard let kind = MarkKind(rawValue: mark.kind) else { continue }
                deliver(
                    .mark(generation: generation, kind: kind, position: mark.position, length: mark.length))
            }
        }
    }

    /// Returns the reason why the session had no source, if that is what an engine says of its open item.
    private func reason(for failure: WireFailure) -> EngineError {
        [loads.sourceFailure, loads.soughtFailure].compactMap(\.self).first { $0.number == failure.code }
            ?? EngineError(failure)
    }

    private func done(_ request: UInt32) {
        if requests.kind(of: request) == .voices {
            let voices = requests.voices(request).map {
                EngineVoice(name: $0.name, language: $0.language, about: $0.about)
            }
            return answer(request, .success(.voices(voices)))
        }
        guard requests.kind(of: request) == .describe else { return answer(request, .success(.done)) }
        guard let description = loads.description else {
            return end(misbehaved("described something that it has not loaded"))
        }
        answer(request, .success(.description(description)))
    }

    private func takeTracks(_ load: UInt32, _ tracks: [WireTrack]) {
        guard let isLoaded = loads.isLoaded(load) else { return }
        var isProgress = false
        for track in tracks {
            switch loads.add(track, to: load) {
            case .first: isProgress = true
            case .changed: connection.allowance.charge(InputAllowance.trackAgain)
            case .same: continue
            case .impossible, nil: return end(misbehaved("described an invalid track"))
            }
            if isLoaded { deliver(.track(index: Int(track.index), TrackDescription(track))) }
        }
        // Each track that arrives for the first time is progress. An engine that only repeats itself must end, too.
        if isProgress { requests.noteDescription(at: now()) }
    }

    func deliver(_ event: EngineEvent) {
        if !events.yield(event) { end(misbehaved("sends more events than can be handled")) }
    }

    // MARK: Sources

    private func needSource(_ request: SourceRequest) {
        let source = loads.source(of: request.subject, in: request.load)
        guard
            openings.begin(
                request.number, waitsFrom: source?.waits(for: request.subject) == true ? now() : nil,
                unread: connection.countUnreadSources())
        else { return end(misbehaved("asks for too many sources at once")) }
        guard let source else {
            _ = openings.end(request.number)
            return send(.source(request: request.number, .failed(code: ROSTRUM_ERROR_NOT_FOUND)))
        }
        services.openSource(request, source)
    }

    /// Hands an opened source to the engine.
    func opened(_ request: SourceRequest, _ opened: SourceOpener.Opened) {
        // The time in which the script was made was the session's to give.
        if let start = openings.end(request.number) { requests.prolong(by: now() &- start) }
        loads.note(opened, of: request.subject, in: request.load)
        send(
            .source(request: request.number, opened.source), [opened.descriptor, opened.index].compactMap(\.self))
    }
}
