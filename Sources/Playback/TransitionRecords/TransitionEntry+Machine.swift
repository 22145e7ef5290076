// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import JSON
public import PlaybackCore

/// The records of what the machine decides, in words that follow from the event and the state alone.
///
/// A log is written with them, and a replay compares them.
extension TransitionEntry {
    /// Returns the record of an event with everything that was decided.
    ///
    /// A cause of `user` stands for the origin of the command.
    public static func event(
        _ event: PlaybackEvent, before: PlaybackState, after: PlaybackState, effects: [PlaybackEffect]
    ) -> TransitionEntry {
        let (name, cause, fields) = EventWords.describe(event)
        var all: JSONObject = ["event": .string(name)]
        for field in fields.members { all[field.name] = field.value }
        if !effects.isEmpty {
            all["decisions"] = .array(effects.map { .string(EventWords.name(of: $0)) })
        }
        return TransitionEntry(
            .event, cause: after.attempt > before.attempt || effects.contains(where: \.handsOver) ? .recovery : cause,
            attempt: after.attempt == 0 ? nil : after.attempt,
            engine: after.current?.engine ?? before.current?.engine, owner: after.owner, fields: all,
            values: .step(event, effects))
    }

    /// Returns the records of the consequences of an event, for people to read.
    public static func consequences(
        of event: PlaybackEvent, _ cause: Cause, before: PlaybackState, after: PlaybackState,
        effects: [PlaybackEffect]
    ) -> [TransitionEntry] {
        var entries = calls(of: event, cause, before: before, after: after, effects: effects)
        guard
            before.status != after.status || before.current?.item != after.current?.item
                || before.current?.engine != after.current?.engine
        else { return entries }
        entries.append(
            TransitionEntry(
                .transition, cause: cause, attempt: after.attempt == 0 ? nil : after.attempt,
                engine: after.current?.engine, owner: after.owner, from: .string(before.status.rawValue),
                to: .string(after.status.rawValue),
                fields: [
                    "intent": .string(after.intent.rawValue),
                    "suppression": .optional(after.suppression?.rawValue),
                    "item": .optional(after.current?.item.uri),
                    "position": EventWords.value(after.current?.position),
                    "provenance": .optional(after.current?.provenance.rawValue),
                    "generation": .int(Int64(after.generation)),
                    "errorMessage": .optional(after.error?.message),
                ]))
        return entries
    }

    /// Returns the record of a place that was saved, or could not be.
    public static func saved(
        _ playing: Playing, of owner: OwnerID, finished: Bool, failure: String?
    ) -> TransitionEntry {
        let provenance = playing.provenance == .user ? Provenance.user : .heard
        return TransitionEntry(
            .place, cause: provenance == .user ? .user : .engine, engine: playing.engine, owner: owner,
            fields: [
                "action": "save", "item": .string(playing.item.uri), "content": .string(playing.item.kind.rawValue),
                "track": .int(Int64(playing.position.track)), "units": .int(playing.position.units),
                "provenance": .string(provenance.rawValue), "finished": .bool(finished),
                "result": .string(failure == nil ? "ok" : "failed"), "errorMessage": .optional(failure),
            ])
    }

    /// Returns the record of a last item that could not be remembered.
    public static func forgotten(_ playing: Playing, of owner: OwnerID, failure: String) -> TransitionEntry {
        TransitionEntry(
            .place, cause: .engine, engine: playing.engine, owner: owner,
            fields: [
                "action": "remember", "item": .string(playing.item.uri), "result": "failed",
                "errorMessage": .string(failure),
            ])
    }

    /// Returns the record from which a replay sets out.
    public static func snapshot(of state: PlaybackState) -> TransitionEntry {
        TransitionEntry(
            .snapshot, cause: .restore, engine: state.current?.engine, owner: state.owner,
            to: .string(state.status.rawValue),
            fields: [
                "intent": .string(state.intent.rawValue), "phase": .string(state.phase.rawValue),
                "suppression": .optional(state.suppression?.rawValue), "stream": .string(state.stream.rawValue),
                "generation": .int(Int64(state.generation)), "rate": .double(state.rate),
                "volume": .double(state.volume), "item": .optional(state.current?.item.uri),
                "position": EventWords.value(state.current?.position),
            ], values: .state(state))
    }
}
