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
            guard !isReady, ready.id == id.rawValue else { return end(misbehaved("calls itself '\(ready.id)'")) }
            isReady = true
            rates = ready.rates
        case .unusable(let failure):
            end(EngineError(failure))
        case .log(let level, let line):
            let name = [1: "debug", 2: "info", 3: "warning", 4: "error"][level] ?? "info"
            log(name, line)
        case .needSource(let request, let load, let track):
            needSource(request, load, track)
        case .tracks(let load, let tracks):
            takeTracks(load, tracks)
        case .chapters(let load, let chapters):
            guard loads[load] != nil else { return }
            guard loads[load]?.add(chapters) == true else { return end(misbehaved("sent chapters that cannot be")) }
        case .loaded(let request, let title, let author, let tracks, let chapters):
            guard pending[request]?.kind == .load else { return end(misbehaved("loaded what it was not asked to")) }
            let description = loads[request]?.finish(
                title: title, author: author, trackCount: tracks, chapterCount: chapters, rates: rates)
            guard let description else { return end(misbehaved("contradicts itself about what it loaded")) }
            loads = loads.filter { $0.key >= request }
            answer(request, .success(.description(description)))
        case .done(let request):
            done(request)
        case .measured(let request, let duration):
            let isAsked = [.measure, .measureLater].contains(pending[request]?.kind) || abandoned.contains(request)
            guard isAsked, (0...Limits.units).contains(duration ?? 0) else {
                return end(misbehaved("measured what it was not asked to"))
            }
            if let asked = pending[request], !asked.index.isEmpty, let track = asked.track,
                let key = loads.values.first(where: \.isLoaded)?.indexKeys[track]
            {
                keepIndex(asked.index, key)
            }
            answer(request, .success(.duration(duration)))
        case .index(let request, let total, let part):
            guard [.measure, .measureLater, nil].contains(pending[request]?.kind),
                let have = pending[request]?.index.count ?? (abandoned.contains(request) ? 0 : nil),
                total <= Limits.index, have + part.count <= total, !part.isEmpty
            else { return end(misbehaved("sent an index that cannot be")) }
            pending[request]?.index += part
        case .coverPart(let request, let total, let part):
            takeCover(request, total, part)
        case .cover(let request, let mediaType):
            takeCover(request, mediaType)
        case .failed(let request, let failure):
            let state = pending[request]?.kind == .load ? loads.removeValue(forKey: request) : nil
            if state != nil { loads = loads.filter { $0.key > request } }
            let better = failure.code == ROSTRUM_ERROR_INTERRUPTED ? nil : state?.sourceFailure
            answer(request, .failure(better ?? reason(for: failure)))
        case .renderFailed(let generation, let failure):
            if failure.code == EngineNumber.misbehaved { return end(EngineError(failure)) }
            deliver(.failed(generation: generation, reason(for: failure), leavesSound: leavesSound))
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
        let own = loads.values.first(where: \.isLoaded)?.sourceFailure
        return own.flatMap { $0.number == failure.code ? $0 : nil } ?? EngineError(failure)
    }

    private func done(_ request: UInt32) {
        guard pending[request]?.kind == .describe else { return answer(request, .success(.done)) }
        guard let description = loads.values.first(where: \.isLoaded)?.description(rates: rates) else {
            return end(misbehaved("described what it has not loaded"))
        }
        answer(request, .success(.description(description)))
    }

    func answer(_ request: UInt32, _ result: Result<Reply, EngineError>) {
        if abandoned.remove(request) != nil { return }
        guard let asked = pending.removeValue(forKey: request) else {
            return end(misbehaved("answered what it was not asked"))
        }
        asked.completion(result)
    }

    private func takeTracks(_ load: UInt32, _ tracks: [WireTrack]) {
        guard let isLoaded = loads[load]?.isLoaded else { return }
        var isProgress = false
        for track in tracks {
            switch loads[load]?.add(track) {
            case .first: isProgress = true
            case .changed: connection.allowance.charge(InputAllowance.trackAgain)
            case .same: continue
            case .impossible, nil: return end(misbehaved("described a track that cannot be"))
            }
            if isLoaded { deliver(.track(index: Int(track.index), TrackDescription(track))) }
        }
        // Each track that arrives for the first time is progress. An engine that only repeats itself must end, too.
        guard isProgress else { return }
        let now = now()
        for (number, request) in pending where request.kind == .describe {
            pending[number]?.deadline = now &+ request.allowance
        }
    }

    func deliver(_ event: EngineEvent) {
        if !events.yield(event) { end(misbehaved("says more than anybody can hear")) }
    }

    // MARK: Sources

    private func needSource(_ request: UInt32, _ load: UInt32, _ track: UInt32) {
        // A request counts until the engine has read the response, because each response holds a descriptor.
        guard openSources + connection.countUnreadSources() < 16 else {
            return end(misbehaved("asks for too many sources at once"))
        }
        guard let tracks = loads[load]?.content.tracks, tracks.indices.contains(Int(track)) else {
            return send(.source(request: request, .failed(code: ROSTRUM_ERROR_NOT_FOUND)))
        }
        openSources += 1
        let mailbox = sourceOpened
        openSource(tracks[Int(track)]) { opened in mailbox(request, load, track, opened) }
    }

    func opened(_ request: UInt32, _ load: UInt32, _ track: UInt32, _ opened: SourceOpener.Opened) {
        openSources -= 1
        loads[load]?.indexKeys[track] = opened.indexKey
        // A source that opens later shows that what failed before is no longer the reason.
        if opened.failure != nil || loads[load]?.isLoaded == true { loads[load]?.sourceFailure = opened.failure }
        send(.source(request: request, opened.source), [opened.descriptor, opened.index].compactMap(\.self))
    }
}
