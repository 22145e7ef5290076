// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore
public import SpeechScript

/// Sentences and paragraphs by their numbers.
extension TextDocument {
    /// Returns the byte of the text at which a sentence or paragraph begins, by its number from 1.
    ///
    /// Waits for as much of the script as that takes; a task that is cancelled waits no longer.
    ///
    /// - Parameter title: The name of the text in an error, which says how many there are.
    public func start(of unit: SpokenUnit, number: Int, in title: String) async throws(PlaybackError) -> Int64 {
        var search = UnitSearch(unit, number)
        do throws(ItemError) {
            while !search.isOver {
                let present = search
                search = try await read { script throws(ScriptFileError) in try present.continued(in: script) }
                if let place = search.place { return place }
                if let end = search.madeEnd {
                    // One that does not grow, whatever its maker says, would be read for ever.
                    guard search.waits(for: end), making != nil else {
                        throw ItemError(.unreadable, "its script ends too early")
                    }
                    try await reach(Int64(end))
                }
                if Task.isCancelled { throw ItemError(.timedOut, "the search was given up") }
            }
        } catch {
            let failure = PlaybackError(error)
            throw PlaybackError(
                failure.kind,
                message: "no \(unit.rawValue) \(number) among the \(search.count) of “\(title)” that are known: "
                    + failure.message)
        }
        throw PlaybackError(.noInput, message: "no \(unit.rawValue) \(number): “\(title)” has \(search.count)")
    }
}

/// The search for a sentence or paragraph, which goes through the script from its beginning, a part at a time.
private struct UnitSearch {
    /// The utterances of a part: the disk has a few seconds to deliver it.
    private static let part = 20_000

    /// The byte at which it begins, once that is found.
    private(set) var place: Int64?
    /// `true` if the whole script was gone through.
    private(set) var isOver = false
    /// The byte up to which the script had been made, if all of that was gone through and more is to come.
    private(set) var madeEnd: Int?
    private let number: Int
    private var units: SpokenUnitCount
    private var next = 0
    private var waited = -1

    init(_ unit: SpokenUnit, _ number: Int) {
        units = SpokenUnitCount(unit)
        self.number = number
    }

    /// The units that were met.
    var count: Int { units.count }

    /// Notes a wait for more behind a byte; returns `false` if that was waited for before.
    mutating func waits(for end: Int) -> Bool {
        defer { waited = max(waited, end) }
        return end > waited
    }

    /// Goes through the next part.
    func continued(in script: ScriptFileReader) throws(ScriptFileError) -> UnitSearch {
        var search = self
        var cursor = try script.cursor(at: next)
        let stop = min(script.count, next + Self.part)
        while search.next < stop, let utterance = try cursor.next() {
            search.next += 1
            if search.units.take(utterance), search.units.count == number {
                search.place = Int64(utterance.range.lowerBound)
                return search
            }
        }
        let isAtEnd = search.next >= script.count
        search.isOver = isAtEnd && script.isWhole
        search.madeEnd = isAtEnd && !script.isWhole ? script.end : nil
        return search
    }
}
