// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import PlaybackCore

/// Reads a transition log and decides everything in it once more.
///
/// A machine is set up from each snapshot and fed with the events that follow; what it decides is compared with what the
/// log says. Lines come in the order of the file; other kinds of records are passed over.
public struct TransitionReplay {
    public enum Failure: Error, Hashable {
        /// This is no log, or not one that can be replayed.
        case unreadable(String)
        /// The machine decides something else than it did.
        case divergence(String)
    }

    /// Events that were decided once more, alike.
    public private(set) var events = 0
    public private(set) var snapshots = 0
    /// Events before the first snapshot.
    public private(set) var skipped = 0
    private var machine: PlaybackMachine?
    private var lines = 0
    /// Of a line that is no record: what follows cannot be trusted before the next snapshot.
    private var gap: Int?
    private let decoder = JSONDecoder()
    private static let version = 1

    public init() {}

    /// A snapshot was found.
    public var hasBegun: Bool { machine != nil }

    /// The state that the log leads to.
    public var state: PlaybackState? { machine?.state }

    public var summary: String {
        "\(events) events from \(snapshots) snapshot\(snapshots == 1 ? "" : "s"): every decision is the same"
            + (skipped == 0 ? "" : "; \(skipped) events before the first snapshot were skipped")
    }

    /// Takes in one line, without its newline.
    public mutating func take(_ line: [UInt8]) throws(Failure) {
        lines += 1
        if line.isEmpty { return }
        let record: Record
        do {
            record = try decoder.decode(Record.self, from: Data(line))
        } catch {
            // The last line of a process that was killed; the next process begins with a snapshot.
            guard gap == nil else { throw .unreadable("line \(gap ?? lines) is no record of a transition log") }
            gap = lines
            return
        }
        guard record.v == Self.version else {
            throw .unreadable("line \(lines) has version \(record.v) of the log; this program reads \(Self.version)")
        }
        switch record.kind {
        case "snapshot":
            guard let state = record.state else { throw .unreadable("the snapshot in line \(lines) has no state") }
            machine = PlaybackMachine(state: state)
            snapshots += 1
            gap = nil
        case "event":
            guard let input = record.input else { return }
            if let gap { throw .unreadable("line \(gap) is no record of a transition log") }
            guard machine != nil else {
                // The beginning of this log is in another file.
                skipped += 1
                return
            }
            try decide(input, record)
        default: break
        }
    }

    private mutating func decide(_ event: PlaybackEvent, _ record: Record) throws(Failure) {
        let decided = machine?.handle(event) ?? []
        let recorded = record.output ?? []
        guard decided == recorded else {
            let index = zip(decided, recorded).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            let place = index ?? min(decided.count, recorded.count)
            throw .divergence(
                "line \(lines) (seq \(record.seq)): decision \(place + 1) is \(Self.text(decided, place)), the log says "
                    + Self.text(recorded, place))
        }
        events += 1
    }

    private static func text(_ effects: [PlaybackEffect], _ index: Int) -> String {
        effects.indices.contains(index) ? "\(effects[index])" : "nothing"
    }
}

/// What of a line matters here.
private struct Record: Decodable {
    var v: Int
    var seq: Int64
    var kind: String
    var state: PlaybackState?
    var input: PlaybackEvent?
    var output: [PlaybackEffect]?
}
