// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSON
public import PlaybackCore
import TransitionRecords

/// Replays a transition log and compares each decision, and what was written about it for people.
///
/// A machine is set up from each snapshot and gets the events that follow; its decisions are compared with those in the
/// log, and so are the words of its records: events, their consequences, and saved places. Lines are read in the order
/// of the file; what does not follow from a decision is skipped. A version with another schema may have decided
/// otherwise: from its first such decision until the next snapshot, nothing can be compared.
public struct TransitionReplay {
    public enum Failure: Error, Hashable {
        /// The input is no log, or not one that can be replayed.
        case unreadable(String)
        /// The machine decides otherwise than the log says, or would write it in other words.
        case divergence(String)
    }

    /// The number of events that were replayed with the same decisions.
    public private(set) var events = 0
    public private(set) var snapshots = 0
    /// The number of events before the first snapshot.
    public private(set) var skipped = 0
    /// The number of events of an older schema that cannot be compared.
    public private(set) var incomparable = 0
    /// The place of the first of these events, and the reason.
    public private(set) var firstIncomparable: String?
    private var machine: PlaybackMachine?
    private var expected = ExpectedRecords()
    private var lines = 0
    /// The sequence number of the latest record.
    private var last: Int64 = 0
    /// The schema of the latest snapshot.
    private var schema = PlaybackSchema.current
    /// The oldest schema in this log.
    private var oldest = PlaybackSchema.current
    /// `true` if the machine has deviated from the older version since the latest snapshot.
    private var isApart = false
    /// The number of a line that is no record, after which nothing can be trusted until the next snapshot.
    private var gap: Int?
    /// A record that differs, until it is known that no records were lost before it.
    private var doubt: Failure?
    private let decoder = JSONDecoder()
    private static let version = 1

    public init() {}

    /// `true` once a snapshot was found.
    public var hasBegun: Bool { snapshots > 0 }

    /// The state that the log leads to so far.
    public var state: PlaybackState? { machine?.state }

    public var summary: String {
        let counted = "\(events) events from \(snapshots) snapshot\(snapshots == 1 ? "" : "s"): "
        let before = skipped == 0 ? "" : "; \(skipped) events before the first snapshot were skipped"
        guard let firstIncomparable else { return counted + "every decision is the same" + before }
        return counted
            + "the same decisions; \(incomparable) events cannot be compared: the log is of schema \(oldest), "
            + "this program decides by \(PlaybackSchema.current), and \(firstIncomparable)" + before
    }

    /// Processes one line, without its newline.
    public mutating func take(_ line: [UInt8]) throws(Failure) {
        lines += 1
        if line.isEmpty { return }
        let data = Data(line)
        let header: Header
        do {
            header = try decoder.decode(Header.self, from: data)
        } catch {
            return try noteNonsense()
        }
        guard header.v == Self.version else {
            throw .unreadable("line \(lines) has version \(header.v) of the log; this program reads \(Self.version)")
        }
        switch header.kind {
        case "snapshot": try begin(header, data)
        case "event": try goOn(header, data)
        case "transition", "engine", "place": try compare(header, data)
        default: break
        }
        last = header.seq
    }

    /// Notes a line that is no record.
    ///
    /// One such line is accepted before a snapshot: it is the last line of a process that was killed, and the next
    /// process begins with a snapshot.
    private mutating func noteNonsense() throws(Failure) {
        guard gap == nil else { throw .unreadable("line \(gap ?? lines) is not a record of a transition log") }
        gap = lines
    }

    private mutating func begin(_ header: Header, _ data: Data) throws(Failure) {
        let found = header.schema ?? 1
        guard found <= PlaybackSchema.current else {
            throw .unreadable(
                "line \(lines) is of schema \(found); this program decides by \(PlaybackSchema.current): "
                    + "use the version that wrote the log")
        }
        if header.lost == nil { try finish() }
        doubt = nil
        (schema, oldest, isApart) = (found, min(oldest, found), false)
        let before = machine?.state
        do {
            guard let state = try state(data) else {
                throw Failure.unreadable("the snapshot in line \(lines) has no state")
            }
            machine = PlaybackMachine(state: state)
        } catch let failure as Failure {
            throw failure
        } catch {
            guard schema < PlaybackSchema.current else { return try noteNonsense() }
            part("its snapshot in line \(lines) (seq \(header.seq)) cannot be read")
        }
        snapshots += 1
        // Within a session and without a hole, what was decided before is still to be written. A process that was
        // killed wrote no more, though the next one continues its numbers.
        if header.seq != last + 1 || header.lost != nil || gap != nil || before == nil || before != machine?.state {
            expected = ExpectedRecords(isWhole: header.seq == 1, schema: schema)
        }
        gap = nil
    }

    private func state(_ data: Data) throws -> PlaybackState? {
        guard schema < PlaybackSchema.current else { return try decoder.decode(Snapshot.self, from: data).state }
        return try decoder.decode(OlderSnapshot.self, from: data).state(decoder)
    }

    private mutating func goOn(_ header: Header, _ data: Data) throws(Failure) {
        guard header.input != nil else { return }
        try finish()
        if isApart {
            incomparable += 1
            return
        }
        let step: Step
        do {
            step =
                try schema < PlaybackSchema.current
                ? decoder.decode(OlderStep.self, from: data).step(decoder) : decoder.decode(Step.self, from: data)
        } catch {
            guard hasBegun, schema < PlaybackSchema.current else { return try noteNonsense() }
            part("its event in line \(lines) (seq \(header.seq)) cannot be read")
            incomparable += 1
            return
        }
        guard let event = step.input else { return }
        if let gap { throw .unreadable("line \(gap) is not a record of a transition log") }
        guard machine != nil else {
            // The beginning of this log is in another file.
            skipped += 1
            return
        }
        try decide(event, step.output ?? [], header, data)
    }

    /// Compares the words of a record that follows from earlier decisions.
    private mutating func compare(_ header: Header, _ data: Data) throws(Failure) {
        guard machine != nil else { return }
        guard let words = try? decoder.decode(Words.self, from: data), gap == nil, doubt == nil else { return }
        do throws(Failure) {
            try report(expected.take(words.record, line: lines), header)
        } catch {
            doubt = error
        }
    }

    /// Ends the log, and throws the difference that is still in doubt.
    ///
    /// A record that follows from one that was lost comes before the snapshot that reports the loss, and that comes
    /// before the next event.
    public mutating func finish() throws(Failure) {
        defer { doubt = nil }
        if let doubt { throw doubt }
    }

    private func report(_ difference: ExpectedRecords.Difference?, _ header: Header) throws(Failure) {
        guard let difference else { return }
        let place = difference.place ?? (lines, header.seq)
        throw .divergence("line \(place.line) (seq \(place.seq)): \(difference.text)")
    }

    private mutating func decide(
        _ event: PlaybackEvent, _ recorded: [PlaybackEffect], _ header: Header, _ data: Data
    ) throws(Failure) {
        let before = machine?.state
        let decided = machine?.handle(event) ?? []
        guard decided == recorded else {
            let index = zip(decided, recorded).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            let place = index ?? min(decided.count, recorded.count)
            let reason =
                "line \(lines) (seq \(header.seq)): decision \(place + 1) is \(Self.text(decided, place)), the log says "
                + Self.text(recorded, place)
            guard schema < PlaybackSchema.current else { throw .divergence(reason) }
            part("from here on the decisions differ: \(reason)")
            incomparable += 1
            return
        }
        if let before, let after = machine?.state, let words = try? decoder.decode(Words.self, from: data) {
            try report(
                expected.take(event, words.record, before: before, after: after, effects: decided), header)
        }
        events += 1
    }

    private mutating func part(_ reason: String) {
        isApart = true
        machine = nil
        firstIncomparable = firstIncomparable ?? reason
    }

    private static func text(_ effects: [PlaybackEffect], _ index: Int) -> String {
        effects.indices.contains(index) ? "\(effects[index])" : "nothing"
    }
}

/// The members of a line that matter for every kind of record.
private struct Header: Decodable {
    var v: Int
    var seq: Int64
    var kind: String
    /// The schema of a snapshot, or `nil` for 1.
    var schema: Int?
    /// The number of records that were lost before a snapshot.
    var lost: Int64?
    var input: Anything?

    /// A value of any form.
    struct Anything: Decodable {}
}

private struct Snapshot: Decodable {
    var state: PlaybackState?
}

/// The part of a record that is for people: its members without those that are decoded as values of the machine.
private struct Words: Decodable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let machineValues: Set = ["state", "input", "output"]

    var record: JSONValue

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        var record = JSONObject()
        for name in members.allKeys where !Self.machineValues.contains(name.stringValue) {
            record[name.stringValue] = try members.decode(JSONValue.self, forKey: name)
        }
        self.record = .object(record)
    }
}

/// An event with its decisions.
struct Step: Decodable {
    var input: PlaybackEvent?
    var output: [PlaybackEffect]?
}
