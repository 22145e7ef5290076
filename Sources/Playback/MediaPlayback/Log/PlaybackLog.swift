// SPDX-License-Identifier: Apache-2.0

import AudioSession
import JSON
import PlaybackCore
import TransitionRecords

/// Writes the transition log: every event, every change that it led to, and every change of the session.
struct PlaybackLog {
    let log: any TransitionLogging
    var initiators = Initiators()

    init(log: any TransitionLogging) { self.log = log }

    /// The command that what happens now is part of.
    var command: String? { initiators.present.command }

    /// Records an event with everything that was decided.
    ///
    /// - Returns: the cause of the event; `nil` if it changed nothing and was not recorded.
    func record(
        _ event: PlaybackEvent, before: PlaybackState, after: PlaybackState, effects: [PlaybackEffect]
    ) -> TransitionEntry.Cause? {
        if before == after, effects.isEmpty { return nil }
        var entry = TransitionEntry.event(event, before: before, after: after, effects: effects)
        if entry.cause == .user { entry.cause = initiators.present.origin }
        entry.command = command
        log.record(entry)
        return entry.cause
    }

    /// Records the consequences of an event, for people to read.
    func recordConsequences(
        of event: PlaybackEvent, _ cause: TransitionEntry.Cause, before: PlaybackState, after: PlaybackState,
        effects: [PlaybackEffect]
    ) {
        for var entry in TransitionEntry.consequences(of: event, cause, before: before, after: after, effects: effects)
        {
            entry.command = command
            log.record(entry)
        }
    }

    /// Records what an engine reports apart from sound: its own log, and the phases of its life.
    func engine(_ id: EngineID, action: String, cause: TransitionEntry.Cause, fields: JSONObject = [:]) {
        var all: JSONObject = ["action": .string(action)]
        for field in fields.members { all[field.name] = field.value }
        log.record(TransitionEntry(.engine, cause: cause, command: command, engine: id, fields: all))
    }

    /// Records that a remote control sent a command, and which one it was.
    func remote(_ remote: RemoteCommand, _ initiator: Initiator, state: PlaybackState, result: String) {
        log.record(
            TransitionEntry(
                .remote, cause: initiator.origin, command: initiator.command, engine: state.current?.engine,
                owner: state.owner,
                fields: [
                    "action": .string(remote.action), "sender": .string(remote.sender),
                    "program": .optional(remote.program), "result": .string(result),
                ]))
    }

    static func entry(for record: SessionRecord) -> TransitionEntry {
        let cause: TransitionEntry.Cause
        var command = Initiator.current?.command
        switch record.action {
        case .interruptionBegan, .interruptionEnded: (cause, command) = (.interruption, nil)
        case .routeChanged, .routeLost, .routeReturned, .lost, .wake: (cause, command) = (.route, nil)
        case .abandoned: (cause, command) = (.recovery, nil)
        case .connect, .activate, .deactivate, .pause, .resume: cause = Initiator.current?.origin ?? .user
        }
        var fields: JSONObject = [
            "action": .string(record.action.rawValue),
            "category": "music",
            "mode": .optional(record.mode),
            "options": .array(record.options.map(JSONValue.string)),
            "result": .string(record.error == nil ? "ok" : "failed"),
            "otherAudioPlaying": .null,
            // Whether we should be silent for others; known only where the server asks for it.
            "secondaryAudioShouldBeSilencedHint": .null,
            // Nothing here records sound.
            "routeInputs": .array([]),
            "routeOutputs": outputs(of: record.route),
        ]
        switch record.action {
        case .activate, .routeChanged, .routeLost, .routeReturned:
            fields["otherAudioPlaying"] = record.route?.otherAudioPlaying.map(JSONValue.bool) ?? .null
        // This is not asked for again: its value at the activation may no longer hold.
        case .connect, .deactivate, .pause, .resume, .lost, .wake, .abandoned: break
        case .interruptionBegan, .interruptionEnded:
            fields["otherAudioPlaying"] = record.othersPlay.map(JSONValue.bool) ?? .null
            fields["secondaryAudioShouldBeSilencedHint"] = .bool(record.action == .interruptionBegan)
        }
        switch record.action {
        case .routeChanged, .routeLost, .routeReturned, .lost:
            fields["previousRouteOutputs"] = outputs(of: record.previousRoute)
            fields["reason"] = .optional(record.reason?.rawValue)
        case .interruptionBegan:
            // PulseAudio's modules say that we should be silent, but not for whom: then it is null.
            fields["reason"] = .optional(record.interruptedBy?.role)
            fields["program"] = .optional(record.interruptedBy?.program)
        case .wake: fields["preRoll"] = record.preRoll.map { .int(Int64($0)) } ?? .null
        case .interruptionEnded, .connect, .activate, .deactivate, .pause, .resume, .abandoned: break
        }
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
            .session, cause: cause, command: command, from: .string(record.from.rawValue),
            to: .string(record.to.rawValue),
            fields: fields)
    }

    private static func outputs(of route: Route?) -> JSONValue {
        .array(
            route.map { route in
                [.string(route.device.map { device in "\(route.output):\(device)" } ?? route.output)]
            } ?? [])
    }
}
