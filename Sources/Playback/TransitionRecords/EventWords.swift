// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import JSON
import PlaybackCore

/// The names of events and decisions in the log.
enum EventWords {
    static func describe(_ event: PlaybackEvent) -> (String, TransitionEntry.Cause, JSONObject) {
        func of(_ generation: UInt32, _ more: JSONObject = [:]) -> JSONObject {
            var fields: JSONObject = ["generation": .int(Int64(generation))]
            for field in more.members { fields[field.name] = field.value }
            return fields
        }
        switch event {
        case .play(_, let order, let heard):
            return (
                "play", .user,
                [
                    "item": .string(order.item.uri), "with": .string(order.engine.rawValue),
                    "start": value(order.start), "provenance": .string(order.provenance.rawValue),
                    "rate": .optional(order.rate), "volume": .optional(order.volume), "heard": value(heard),
                    "handsBack": .bool(order.handsBack),
                ]
            )
        case .lookUp(_, let owner, let subject):
            return ("lookUp", .user, ["of": .string(owner.rawValue), "for": .optional(subject?.rawValue)])
        case .notFound(_, let error): return ("notFound", .user, value(error))
        case .holdLookUp(let owner): return ("holdLookUp", .user, ["of": .optional(owner?.rawValue)])
        case .joinLookUp(_, let owner): return ("joinLookUp", .user, ["of": .optional(owner?.rawValue)])
        case .setLookUp(let rate, let volume, let owner):
            return (
                "setLookUp", .user,
                ["rate": .optional(rate), "volume": .optional(volume), "of": .optional(owner?.rawValue)]
            )
        case .giveUpLookUp(let owner): return ("giveUpLookUp", .user, ["of": .optional(owner?.rawValue)])
        case .lookUpFailed(_, let order, let error, let heard):
            var fields = value(error)
            fields["item"] = .string(order.item.uri)
            fields["heard"] = value(heard)
            return ("lookUpFailed", .user, fields)
        case .resume(_, let owner, let heard, let back, _):
            return (
                "resume", .user, ["of": .optional(owner?.rawValue), "heard": value(heard), "back": value(back)]
            )
        case .pause(let owner, let heard):
            return ("pause", .user, ["of": .optional(owner?.rawValue), "heard": value(heard)])
        case .toggle(_, let heard, let back, _):
            return ("toggle", .user, ["heard": value(heard), "back": value(back)])
        case .stop(let owner): return ("stop", .user, ["of": .optional(owner?.rawValue)])
        case .locate(_, let owner, let uri):
            return ("locate", .user, ["of": .string(owner.rawValue), "item": .optional(uri)])
        case .notLocated(_, let error): return ("notLocated", .user, value(error))
        case .seek(let order):
            return (
                "seek", .user,
                [
                    "target": value(order.target), "heard": value(order.heard), "of": .optional(order.owner?.rawValue),
                    "item": .optional(order.uri),
                ]
            )
        case .claim(_, let owner, let heard):
            return ("claim", .user, ["of": .string(owner.rawValue), "heard": value(heard)])
        case .release(_, let owner, let heard):
            return ("release", .user, ["of": .string(owner.rawValue), "heard": value(heard)])
        case .setSleep(let order, let heard):
            return ("sleep", .user, ["order": .string(name(of: order)), "heard": value(heard)])
        case .restoredSleep(let timer, let milliseconds):
            return (
                "restoredSleep", .restore,
                ["sleep": .int(Int64(clamping: timer.id)), "left": .int(Int64(milliseconds))]
            )
        case .rearmedSleep(let id, let place):
            return ("rearmedSleep", .timer, ["sleep": .int(Int64(clamping: id)), "place": value(place)])
        case .sleepFading(let id): return ("sleepFading", .timer, ["sleep": .int(Int64(clamping: id))])
        case .sleepDue(let id, let heard):
            return ("sleepDue", .timer, ["sleep": .int(Int64(clamping: id)), "heard": value(heard)])
        case .sleepPlaceReached(let generation, let place):
            return ("sleepPlaceReached", .timer, of(generation, place.map { ["at": value($0)] } ?? [:]))
        case .setRules: return ("rules", .restore, [:])
        case .setRate(let rate, let heard, _): return ("rate", .user, ["rate": .double(rate), "heard": value(heard)])
        case .setVolume(let volume, _): return ("volume", .user, ["volume": .double(volume)])
        case .switchEngine(_, let engine, _, let heard, _):
            return ("engine", .user, ["with": .string(engine.rawValue), "heard": value(heard)])
        case .restored(_, let items):
            return ("restored", .restore, ["items": .array(items.map { .string($0.item.uri) })])
        case .loaded(let generation, let start, let unitsPerSecond, _, _, _):
            return (
                "loaded", .engine, of(generation, ["start": value(start), "unitsPerSecond": .double(unitsPerSecond)])
            )
        case .loadFailed(let generation, let error): return ("loadFailed", .engine, of(generation, value(error)))
        case .unopened(let generation, let error): return ("unopened", .engine, of(generation, value(error)))
        case .standIn(let generation, let engine):
            return ("standIn", .engine, of(generation, ["with": .optional(engine?.rawValue)]))
        case .engineFailed(let generation, let error, _):
            return ("engineFailed", .engine, of(generation, value(error)))
        case .engineGone(let generation, let error, let heard, let beyond, let leavesOut):
            var fields = of(generation, value(error))
            fields["heard"] = value(heard)
            fields["beyond"] = value(beyond)
            fields["sentences"] = .optional(leavesOut.map { Int64($0.sentences) })
            return ("engineGone", .engine, fields)
        case .engineLost(let generation, let end, let wasIdle):
            return ("engineLost", .engine, of(generation, ["end": value(end), "wasIdle": .bool(wasIdle)]))
        case .streamOpened(let generation): return ("streamOpened", .route, of(generation))
        case .streamFailed(let generation, let error): return ("streamFailed", .route, of(generation, value(error)))
        case .started(let generation): return ("started", .engine, of(generation))
        case .starved(let generation): return ("starved", .engine, of(generation))
        case .ended(let generation, let atLimit, let endsBook):
            var fields: JSONObject = ["atLimit": .bool(atLimit)]
            if let endsBook { fields["endsBook"] = .bool(endsBook) }
            return ("ended", .engine, of(generation, fields))
        case .silenced(let generation, let heard, let nearEnd):
            return (
                "silenced", .engine, of(generation, ["heard": value(heard), "nearEnd": .bool(nearEnd == true)])
            )
        case .outputFailed(let error, let isDeviceGone, let heard):
            var fields = value(error)
            fields["deviceGone"] = .bool(isDeviceGone)
            fields["heard"] = value(heard)
            return ("outputFailed", .route, fields)
        case .interruption(let began): return ("interruption", .interruption, ["began": .bool(began)])
        case .streamClosed(let heard, let goesOn):
            return ("streamClosed", .route, ["heard": value(heard), "goesOn": .bool(goesOn)])
        case .routeLost: return ("routeLost", .route, [:])
        case .routeReturned: return ("routeReturned", .route, [:])
        case .heard(let generation, let position):
            return ("heard", .timer, of(generation, ["heard": value(position)]))
        case .clock(let id, let heard):
            return ("clock", .timer, ["clock": .int(Int64(clamping: id)), "heard": value(heard)])
        }
    }

    private static func name(of order: SleepOrder) -> String {
        switch order {
        case .time(let milliseconds): "\(milliseconds) ms"
        case .extend(let milliseconds): "+\(milliseconds) ms"
        case .place(let place): "at \(place.track):\(place.units)"
        case .chapter(let index): index.map { "chapter \($0 + 1)" } ?? "chapter"
        case .book: "book"
        case .off: "off"
        }
    }

    static func name(of effect: PlaybackEffect) -> String {
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
        case .jumped(let jump):
            "jumped(\(jump.cause), \(jump.from.position.track):\(jump.from.position.units) to "
                + "\(jump.to.position.track):\(jump.to.position.units))"
        case .reply(_, let error): error == nil ? "reply" : "reply(error)"
        case .finished(_, let error): error == nil ? "finished" : "finished(error)"
        case .nothingToPlay: "nothingToPlay"
        case .endEngine(let engine): "endEngine(\(engine))"
        case .carryOn(let generation, let position): "carryOn(\(generation), \(position.track):\(position.units))"
        case .dropOutput: "dropOutput"
        case .retry(let attempt, let step): "retry(\(attempt), \(step))"
        case .handOver(let failed, let engine, _): "handOver(\(failed) to \(engine))"
        case .stepOver(let place, let beyond):
            "stepOver(\(place.track):\(place.units) to \(beyond.track):\(beyond.units))"
        case .startClock(let id, let kind, let milliseconds): "startClock(\(id), \(kind), \(milliseconds) ms)"
        case .stopClock: "stopClock"
        case .sleepClock(let id, let added, let runs): "sleepClock(\(id), +\(added) ms, \(runs ? "runs" : "stands"))"
        case .stopSleepClock: "stopSleepClock"
        case .rearmSleep(let id): "rearmSleep(\(id))"
        case .setLimit: "setLimit"
        case .fade: "fade"
        case .endFade: "endFade"
        case .refusePlace(let position, let floor):
            "refusePlace(\(position.track):\(position.units) below \(floor.track):\(floor.units))"
        case .dropped(let reason): "dropped(\(reason))"
        }
    }

    static func value(_ position: MediaPosition?) -> JSONValue {
        guard let position else { return .null }
        return .object(["track": .int(Int64(position.track)), "units": .int(position.units)])
    }

    static func value(_ error: PlaybackError) -> JSONObject {
        ["errorCode": .int(Int64(error.kind.exitCode)), "errorMessage": .string(error.message)]
    }
}
