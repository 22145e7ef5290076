// SPDX-License-Identifier: Apache-2.0

import JSON
import PlaybackCore

/// The log of what each engine was asked to do and what came of it, in the same words for all engines.
extension TransitionEntry {
    static func calls(
        of event: PlaybackEvent, _ cause: Cause, before: PlaybackState, after: PlaybackState,
        effects: [PlaybackEffect]
    ) -> [TransitionEntry] {
        var calls: [TransitionEntry] = []
        func note(_ state: PlaybackState, _ action: String, attempt: Int? = nil, _ fields: JSONObject = [:]) {
            guard let engine = state.current?.engine else { return }
            var all: JSONObject = [
                "action": .string(action), "isPlaying": .bool(after.isPlaying),
                "isPaused": .bool(after.status == .paused), "phase": .string(after.phase.rawValue),
                "stream": .string(after.stream.rawValue), "generation": .int(Int64(after.generation)),
            ]
            for field in fields.members { all[field.name] = field.value }
            calls.append(
                TransitionEntry(
                    .engine, cause: cause, attempt: attempt, engine: engine, owner: after.owner, fields: all))
        }
        switch event {
        case .loaded where before.phase == .loading && after.phase == .ready: note(after, "prepared")
        case .loadFailed(_, let error) where before.phase == .loading:
            note(before, "prepareFailed", EventWords.value(error))
        case .started where after.stream == .sounding && before.stream != .sounding: note(after, "didStart")
        case .ended where before.phase == .ready && before.intent == .play: note(before, "didFinish")
        default:
            let isGone = after.current?.item != before.current?.item || after.current?.engine != before.current?.engine
            if isGone, before.phase == .ready || before.phase == .loading { note(before, "didCancel") }
        }
        for effect in effects {
            switch effect {
            case .load: note(after, "prepare")
            case .openStream, .resumeStream: note(after, "play")
            case .pauseStream: note(before, "pause")
            case .closeStream: note(before, "stop")
            case .retry(let attempt, let step):
                note(after, "retry", attempt: attempt, ["step": .string(step.rawValue)])
            case .stepOver(let place, let beyond):
                note(after, "stepOver", ["place": EventWords.value(place), "beyond": EventWords.value(beyond)])
            case .handOver(let failed, _, let error):
                var fields = EventWords.value(error)
                fields["failed"] = .string(failed.rawValue)
                note(after, "handOver", fields)
            default: break
            }
        }
        return calls
    }
}
