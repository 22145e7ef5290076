// SPDX-License-Identifier: Apache-2.0

import JSON
import PlaybackCore
import TransitionRecords

/// The records that the machine's decisions led to, and that are still to be found in the log.
struct ExpectedRecords {
    /// A record in other words than the machine's.
    struct Difference {
        /// The line and the sequence number of the record, if it is not the present one.
        var place: (line: Int, seq: Int64)?
        var text: String
    }

    /// A place that is to be saved.
    private struct Save {
        var owner: OwnerID
        var playing: Playing
        var finished: Bool
        var durably: Bool
    }

    /// The first schema with the words of today; records of an older one may lack members, and some are missing.
    private static let wordsAreComplete = 2

    /// The records that an event led to, in order.
    private var consequences: [TransitionEntry] = []
    /// Places that are not known to be saved, oldest first.
    private var saves: [Save] = []
    /// Last items that may turn out not to be remembered.
    private var remembered: [(owner: OwnerID, playing: Playing)] = []
    /// `false` until a place is found that was decided after the snapshot: others may have been decided before it.
    private var isWhole: Bool
    /// The latest place that was taken for one that was decided before the snapshot.
    private var doubtful: Difference?
    private let isComplete: Bool

    /// - Parameter isWhole: `true` if nothing was decided before, because a session begins here.
    init(isWhole: Bool = true, schema: Int = PlaybackSchema.current) {
        self.isWhole = isWhole
        isComplete = schema >= Self.wordsAreComplete
    }

    /// Compares the record of an event, and notes what must follow it.
    mutating func take(
        _ event: PlaybackEvent, _ record: JSONValue, before: PlaybackState, after: PlaybackState,
        effects: [PlaybackEffect]
    ) -> Difference? {
        if isComplete, let missing = consequences.first {
            return Difference(text: "before this, the log lacks the record: \(Self.name(of: missing))")
        }
        var entry = TransitionEntry.event(event, before: before, after: after, effects: effects)
        // The log alone knows the origin of a command.
        if entry.cause == .user { entry.cause = record["cause"]?.string.flatMap(TransitionEntry.Cause.init) ?? .user }
        if let difference = difference(of: record, from: entry) { return difference }
        consequences = TransitionEntry.consequences(
            of: event, entry.cause, before: before, after: after, effects: effects)
        for index in consequences.indices { consequences[index].command = record["command"]?.string }
        for effect in effects {
            switch effect {
            case .savePlace(let owner, let playing, let finished, let durably):
                saves.append(Save(owner: owner, playing: playing, finished: finished, durably: durably))
            case .rememberItem(let owner, let playing): remembered.append((owner, playing))
            default: break
            }
        }
        return nil
    }

    /// Compares a record of another kind; one that follows from no decision is none of the machine's.
    mutating func take(_ record: JSONValue, line: Int) -> Difference? {
        switch record["kind"]?.string {
        case "transition": takeConsequence(record)
        // What engines report themselves has no state of the machine beside it.
        case "engine" where record["stream"] != nil && record["isPaused"] != nil: takeConsequence(record)
        case "place": takePlace(record, line)
        default: nil
        }
    }

    private mutating func takeConsequence(_ record: JSONValue) -> Difference? {
        guard let entry = consequences.first else {
            return isComplete ? Difference(text: "the log has a record that no decision led to") : nil
        }
        guard isComplete || entry.kind.rawValue == record["kind"]?.string else { return nil }
        consequences.removeFirst()
        return difference(of: record, from: entry)
    }

    // MARK: Places

    private mutating func takePlace(_ record: JSONValue, _ line: Int) -> Difference? {
        switch record["action"]?.string {
        case "history": return nil
        case "remember":
            let failure = record["errorMessage"]?.string ?? ""
            let isKnown = remembered.contains {
                difference(of: record, from: .forgotten($0.playing, of: $0.owner, failure: failure)) == nil
            }
            return isKnown || !isWhole ? nil : Difference(text: "no such item was to be remembered")
        default: return takeSave(record, line)
        }
    }

    /// Places are saved in order; one that need not last is recorded only if it cannot be saved.
    private mutating func takeSave(_ record: JSONValue, _ line: Int) -> Difference? {
        let failure = record["result"] == .string("ok") ? nil : record["errorMessage"]?.string ?? ""
        var firstDifference: Difference?
        var skipsDurable = false
        for (index, save) in saves.enumerated() where save.durably || failure != nil {
            let entry = TransitionEntry.saved(
                save.playing, of: save.owner, finished: save.finished, failure: failure)
            guard let difference = difference(of: record, from: entry) else {
                defer {
                    saves.removeFirst(index + 1)
                    isWhole = true
                    doubtful = nil
                }
                guard skipsDurable else { return nil }
                return doubtful ?? firstDifference
            }
            firstDifference = firstDifference ?? difference
            if save.durably { skipsDurable = true }
        }
        let difference = firstDifference ?? Difference(text: "no place was to be saved")
        if isWhole { return difference }
        doubtful = Difference(place: (line, Int64(record["seq"]?.number ?? 0)), text: difference.text)
        return nil
    }

    // MARK: Words

    /// Returns the first member that a record has in other words, or `nil`.
    private func difference(of record: JSONValue, from entry: TransitionEntry) -> Difference? {
        for member in Self.members(of: entry) {
            let found = record[member.name]
            if found == nil, !isComplete { continue }
            if let found, Self.isSame(found, member.value) { continue }
            return Difference(
                text: "“\(member.name)” is \(Self.text(member.value)), the log says "
                    + (found.map(Self.text) ?? "nothing"))
        }
        return nil
    }

    private static func members(of entry: TransitionEntry) -> [JSONObject.Member] {
        var members: JSONObject = [
            "kind": .string(entry.kind.rawValue), "cause": .string(entry.cause.rawValue),
            "attempt": .optional(entry.attempt.map(Int64.init)), "engine": .optional(entry.engine?.rawValue),
            "owner": .optional(entry.owner?.rawValue), "from": entry.from ?? .null, "to": entry.to ?? .null,
        ]
        if let command = entry.command { members["command"] = .string(command) }
        for field in entry.fields.members { members[field.name] = field.value }
        return members.members
    }

    private static func name(of entry: TransitionEntry) -> String {
        switch (entry.fields["action"], entry.from, entry.to) {
        case (.string(let action)?, _, _): "\(entry.kind.rawValue) \(action)"
        case (_, let from?, let to?): "\(entry.kind.rawValue) from \(text(from)) to \(text(to))"
        default: entry.kind.rawValue
        }
    }

    /// Returns `true` if two values are written alike; a number is one whatever its form, and no number is infinite.
    private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if let number = one.number, let otherNumber = other.number { return number == otherNumber }
        switch (one, other) {
        case (.null, .double(let number)), (.double(let number), .null): return !number.isFinite
        case (.array(let ones), .array(let others)):
            return ones.count == others.count && zip(ones, others).allSatisfy { isSame($0, $1) }
        case (.object(let object), .object(let otherObject)):
            return object.members.count == otherObject.members.count
                && object.members.allSatisfy { member in
                    otherObject[member.name].map { isSame(member.value, $0) } ?? false
                }
        default: return one == other
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let string): "\"\(string)\""
        case .array(let values): "[" + values.map(text).joined(separator: ", ") + "]"
        case .object(let object):
            "{" + object.members.map { "\($0.name): \(text($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}
