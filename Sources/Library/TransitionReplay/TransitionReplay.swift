// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import PlaybackCore

/// Replays a transition log and compares each decision.
///
/// A machine is set up from each snapshot and gets the events that follow; its decisions are compared with those in the
/// log. Lines are read in the order of the file, and other kinds of records are skipped. A version with another schema
/// may have decided otherwise: from its first such decision until the next snapshot, nothing can be compared.
public struct TransitionReplay {
    public enum Failure: Error, Hashable {
        /// The input is no log, or not one that can be replayed.
        case unreadable(String)
        /// The machine decides otherwise than the log says.
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
    private var lines = 0
    /// The schema of the latest snapshot.
    private var schema = PlaybackSchema.current
    /// The oldest schema in this log.
    private var oldest = PlaybackSchema.current
    /// `true` if the machine has deviated from the older version since the latest snapshot.
    private var isApart = false
    /// The number of a line that is no record, after which nothing can be trusted until the next snapshot.
    private var gap: Int?
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
        default: break
        }
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
        (schema, oldest, isApart) = (found, min(oldest, found), false)
        do {
            guard let state = try decoder.decode(Snapshot.self, from: data).state else {
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
        gap = nil
    }

    private mutating func goOn(_ header: Header, _ data: Data) throws(Failure) {
        guard header.input != nil else { return }
        if isApart {
            incomparable += 1
            return
        }
        let step: Step
        do {
            step = try decoder.decode(Step.self, from: data)
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
        try decide(event, step.output ?? [], header)
    }

    private mutating func decide(
        _ event: PlaybackEvent, _ recorded: [PlaybackEffect], _ header: Header
    ) throws(Failure) {
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
    var input: Anything?

    /// A value of any form.
    struct Anything: Decodable {}
}

private struct Snapshot: Decodable {
    var state: PlaybackState?
}

private struct Step: Decodable {
    var input: PlaybackEvent?
    var output: [PlaybackEffect]?
}
