// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import PlaybackCore

/// Writes what happens to the transition log: every event, every change that it led to, and every
/// change of the session.
struct PlaybackJournal {
    let recorder: any TransitionRecorder

    /// The command that events are now part of.
    var command: String?

    func record(_ event: PlaybackEvent, before: PlaybackState, after: PlaybackState, effects: [PlaybackEffect]) {
        let (name, cause, fields) = Self.describe(event)
        // The heartbeat of a place is not news; the saved place is in the library.
        if case .heard = event, before.status == after.status { return }
        var all: JSONObject = ["event": .string(name)]
        for field in fields.members { all[field.name] = field.value }
        if !effects.isEmpty {
            all["decisions"] = .array(effects.map { .string(Self.name(of: $0)) })
        }
        recorder.record(
            TransitionEntry(
                .event, cause: cause, command: command, engine: after.current?.engine ?? before.current?.engine,
                owner: after.owner, fields: all))
        guard
            before.status != after.status || before.current?.item != after.current?.item
                || before.current?.engine != after.current?.engine
        else { return }
        recorder.record(
            TransitionEntry(
                .transition, cause: cause, command: command, attempt: after.recoveries == 0 ? nil : after.recoveries,
                engine: after.current?.engine, owner: after.owner, from: .string(before.status.rawValue),
                to: .string(after.status.rawValue),
                fields: [
                    "intent": .string(after.intent.rawValue),
                    "suppression": .optional(after.suppression?.rawValue),
                    "item": .optional(after.current?.item.uri),
                    "position": Self.value(after.current?.position),
                    "provenance": .optional(after.current?.provenance.rawValue),
                    "generation": .int(Int64(after.generation)),
                    "errorMessage": .optional(after.error?.message),
                ]))
    }

    /// Records what an engine reports apart from sound: its own log, phases of its life.
    func engine(_ id: EngineID, action: String, cause: TransitionEntry.Cause, fields: JSONObject = [:]) {
        var all: JSONObject = ["action": .string(action)]
        for field in fields.members { all[field.name] = field.value }
        recorder.record(TransitionEntry(.engine, cause: cause, command: command, engine: id, fields: all))
    }

    static func entry(for record: SessionRecord) -> TransitionEntry {
        let cause: TransitionEntry.Cause =
            switch record.action {
            case .interruptionBegan, .interruptionEnded: .interruption
            case .routeChanged, .lost: .route
            case .connect, .activate, .deactivate, .pause, .resume: .user
            }
        var fields: JSONObject = [
            "action": .string(record.action.rawValue),
            "category": "music",
            "mode": .optional(record.mode),
            "options": .array([]),
            "result": .string(record.error == nil ? "ok" : "failed"),
            "otherAudioPlaying": record.route?.otherAudioPlaying.map(JSONValue.bool) ?? .null,
            "routeOutputs": .array(
                record.route.map { route in
                    [.string(route.device.map { device in "\(route.output):\(device)" } ?? route.output)]
                } ?? []),
        ]
        if let format = record.format {
            fields["sampleRate"] = .int(Int64(format.sampleRate))
            fields["channels"] = .int(Int64(format.channels))
        }
        if let error = record.error {
            fields["errorCode"] = .string(error.code.rawValue)
            fields["errorMessage"] = .string(error.message)
            fields["errorSource"] = .string(error.source)
        }
        return TransitionEntry(
            .session, cause: cause, from: .string(record.from.rawValue), to: .string(record.to.rawValue),
            fields: fields)
    }

    static func snapshot(of state: PlaybackState) -> TransitionEntry {
        TransitionEntry(
            .snapshot, cause: .restore, engine: state.current?.engine, owner: state.owner,
            to: .string(state.status.rawValue),
            fields: [
                "intent": .string(state.intent.rawValue), "phase": .string(state.phase.rawValue),
                "suppression": .optional(state.suppression?.rawValue), "stream": .string(state.stream.rawValue),
                "generation": .int(Int64(state.generation)), "rate": .double(state.rate),
                "volume": .double(state.volume), "item": .optional(state.current?.item.uri),
                "position": value(state.current?.position),
            ])
    }

    private static func value(_ position: MediaPosition?) -> JSONValue {
        guard let position else { return .null }
        return .object(["track": .int(Int64(position.track)), "units": .int(position.units)])
    }

    private static func value(_ error: PlaybackError) -> JSONObject {
        ["errorCode": .int(Int64(error.code)), "errorMessage": .string(error.message)]
    }

    private static func describe(_ event: PlaybackEvent) -> (String, TransitionEntry.Cause, JSONObject) {
        func of(_ generation: UInt32, _ more: JSONObject = [:]) -> JSONObject {
            var fields: JSONObject = ["generation": .int(Int64(generation))]
            for field in more.members { fields[field.name] = field.value }
            return fields
        }
        switch event {
        case .play(_, let order):
            return (
                "play", .user,
                [
                    "item": .string(order.item.uri), "with": .string(order.engine.rawValue),
                    "start": value(order.start), "provenance": .string(order.provenance.rawValue),
                    "rate": .optional(order.rate), "volume": .optional(order.volume),
                ]
            )
        case .resume: return ("resume", .user, [:])
        case .pause: return ("pause", .user, [:])
        case .toggle: return ("toggle", .user, [:])
        case .stop: return ("stop", .user, [:])
        case .seek(let target, let from): return ("seek", .user, ["target": value(target), "heard": value(from)])
        case .setRate(let rate, let heard, _): return ("rate", .user, ["rate": .double(rate), "heard": value(heard)])
        case .setVolume(let volume): return ("volume", .user, ["volume": .double(volume)])
        case .switchEngine(_, let engine, _, let heard):
            return ("engine", .user, ["with": .string(engine.rawValue), "heard": value(heard)])
        case .restored(_, let items):
            return ("restored", .restore, ["items": .array(items.map { .string($0.item.uri) })])
        case .loaded(let generation, let start): return ("loaded", .engine, of(generation, ["start": value(start)]))
        case .loadFailed(let generation, let error): return ("loadFailed", .engine, of(generation, value(error)))
        case .engineFailed(let generation, let error, _):
            return ("engineFailed", .engine, of(generation, value(error)))
        case .engineGone(let generation, let error, let heard):
            var fields = of(generation, value(error))
            fields["heard"] = value(heard)
            return ("engineGone", .engine, fields)
        case .streamOpened(let generation): return ("streamOpened", .route, of(generation))
        case .streamFailed(let generation, let error): return ("streamFailed", .route, of(generation, value(error)))
        case .started(let generation): return ("started", .engine, of(generation))
        case .starved(let generation): return ("starved", .engine, of(generation))
        case .ended(let generation, let atLimit):
            return ("ended", .engine, of(generation, ["atLimit": .bool(atLimit)]))
        case .silenced(let generation, let heard):
            return ("silenced", .engine, of(generation, ["heard": value(heard)]))
        case .outputFailed(let error, let heard):
            var fields = value(error)
            fields["heard"] = value(heard)
            return ("outputFailed", .route, fields)
        case .interruption(let began): return ("interruption", .interruption, ["began": .bool(began)])
        case .heard(let generation, let position):
            return ("heard", .timer, of(generation, ["heard": value(position)]))
        }
    }

    private static func name(of effect: PlaybackEffect) -> String {
        switch effect {
        case .connectOutput: "connectOutput"
        case .load(let generation, _, _): "load(\(generation))"
        case .seek(let generation, let position): "seek(\(generation), \(position.track):\(position.units))"
        case .openStream(let generation): "openStream(\(generation))"
        case .pauseStream(let generation): "pauseStream(\(generation))"
        case .resumeStream: "resumeStream"
        case .closeStream(let generation): "closeStream(\(generation))"
        case .setRate(let rate): "setRate(\(rate))"
        case .setVolume(let volume): "setVolume(\(volume))"
        case .unload(let engine): "unload(\(engine))"
        case .savePlace(_, let playing, let finished, _):
            "savePlace(\(playing.position.track):\(playing.position.units)\(finished ? ", finished" : ""))"
        case .rememberItem: "rememberItem"
        case .reply(_, let error): error == nil ? "reply" : "reply(error)"
        case .finished(_, let error): error == nil ? "finished" : "finished(error)"
        case .nothingToPlay: "nothingToPlay"
        }
    }
}
