// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// The parts that the recording lacks that plays now: files that are missing, and damage.
///
/// Where the recording has a text, it is read there instead: from the sentence that is cut to the end of the one in which
/// the recording goes on.
struct RecordingGaps {
    struct Gap: Hashable, Codable {
        /// The place up to which the recording is heard.
        var start: MediaPosition
        /// The place at which it goes on; `nil` if nothing follows.
        var end: MediaPosition?
        /// The bytes of the text that are read in between.
        var text: Range<Int64>

        /// `true` if nothing of the recording is before it, and what is missing takes no time of what is there.
        var isBeginning: Bool { start == .start && end == .start }

        /// Returns whether the recording has come to its beginning; behind the end of a file there is nothing else.
        fileprivate func begins(at place: MediaPosition) -> Bool {
            if place == start { return true }
            return place.track == start.track && place > start && end.map { $0.track != start.track } ?? true
        }
    }

    /// The other side of the recording; its work is `nil` if it was not looked up in this session.
    struct Sides {
        var recording: WorkSide
        var text: WorkSide
        var work: Work?

        init(_ work: Work) { (recording, text, self.work) = (work.recording, work.text, work) }

        init(_ crossing: GapCrossing) { (recording, text, work) = (crossing.recording, crossing.text, nil) }
    }

    var uri: String? { content?.uri }
    /// The number of its files that are there.
    var files: Int { content?.tracks.count ?? 0 }
    /// The item with its files, of which some may be back when it is opened again.
    private var content: Content?
    private var gaps: [Gap] = []
    private(set) var sides: Sides?
    /// `true` if its missing files were looked up.
    private(set) var isSearched = false
    /// The gap that the text is read for now, or until the session was ended.
    private(set) var crossing: GapCrossing?
    /// The gap behind which the recording went on as this generation.
    private var passed: (gap: Gap, generation: UInt32)?
    /// The generation that opened the recording at its beginning, and not at a chapter that somebody chose.
    private var opened: UInt32?
    /// The byte at which the next reading begins, because that was heard already.
    private var entry: Int64?
    /// The damage that was reported before the recording was known to be open.
    private var early: [(range: Range<Int64>, track: Int, generation: UInt32)] = []
    /// The first searches for the text of damage of a generation.
    private var damageSearches: [(task: Task<Void, Never>, range: Range<Int64>, track: Int, generation: UInt32)] = []
    /// The error with which a file could not be opened whose text is read instead.
    var unopened: (generation: UInt32, error: PlaybackError)?
    /// The engine that is prepared to read the text.
    var reader: EngineID?
    /// `true` once the library was asked what an earlier session read.
    private(set) var isRestored = false
    /// More than a listener would bear; an engine may report any number.
    private static let mostGaps = 1000

    // MARK: The gaps of the recording

    /// Begins with an item that was opened, unless it is the same as before.
    mutating func begin(_ content: Content) {
        guard self.content?.uri != content.uri || self.content?.tracks != content.tracks else { return }
        (self.content, gaps, sides, isSearched, passed, opened, reader) = (content, [], nil, false, nil, nil, nil)
        // An earlier session knew of this one.
        guard let crossing, crossing.recording.uri == content.uri, crossing.files == content.tracks.count else {
            return
        }
        (gaps, sides) = ([crossing.gap], Sides(crossing))
    }

    /// Notes that the missing files are being looked up; returns `false` if they were.
    mutating func search() -> Bool {
        defer { isSearched = true }
        return !isSearched
    }

    mutating func add(_ found: [Gap], of work: Work, in uri: String, generation: UInt32) {
        guard self.uri == uri else { return }
        sides = Sides(work)
        for gap in found
        where !gaps.contains(gap) && !gap.text.isEmpty && !isPassed(gap, generation) && gaps.count < Self.mostGaps {
            gaps.append(gap)
        }
        gaps.sort { $0.start < $1.start }
    }

    /// Returns whether the text of a gap was just read: an engine may report the same damage where it goes on.
    private func isPassed(_ gap: Gap, _ generation: UInt32) -> Bool {
        guard let passed, passed.generation == generation else { return false }
        return gap.start >= passed.gap.start && gap.text.overlaps(passed.gap.text)
    }

    /// Leaves a gap out whose text cannot be read.
    mutating func remove(_ gap: Gap) { gaps.removeAll { $0 == gap } }

    /// Returns the first gap behind a place of the item that plays.
    func next(in uri: String, after position: MediaPosition) -> Gap? {
        guard self.uri == uri else { return nil }
        return gaps.first { $0.start > position }
    }

    /// Returns the gap that begins where a generation of the item begins.
    func gap(at position: MediaPosition, in uri: String, generation: UInt32) -> Gap? {
        guard self.uri == uri, crossing?.isRead != true else { return nil }
        return gaps.last { gap in
            gap.begins(at: position) && (!gap.isBeginning || opened == generation) && !isPassed(gap, generation)
        }
    }

    /// Keeps damage that is reported while a generation opens the item.
    mutating func keepEarly(_ range: Range<Int64>, in track: Int, generation: UInt32) {
        early.removeAll { $0.generation != generation }
        if early.count < Self.mostEarly { early.append((range, track, generation)) }
    }

    /// Takes out the damage that was reported before the item was known to be open.
    mutating func takeEarlyDamage(of generation: UInt32) -> [(range: Range<Int64>, track: Int)] {
        defer { early = [] }
        return early.filter { $0.generation == generation }.map { ($0.range, $0.track) }
    }

    /// The number of places with damage that was reported and not looked at yet.
    var earlyDamage: Int { early.count }

    private static let mostEarly = 16

    /// Notes that the text of damage is being looked for.
    mutating func note(_ task: Task<Void, Never>, of range: Range<Int64>, in track: Int, generation: UInt32) {
        damageSearches.removeAll { $0.generation != generation }
        // Nobody waits for those that come while it is heard.
        if damageSearches.count < Self.mostEarly { damageSearches.append((task, range, track, generation)) }
    }

    /// Returns the searches for the text of damage with which a generation begins.
    func searches(of place: MediaPosition, generation: UInt32) -> [Task<Void, Never>] {
        damageSearches.filter { search in
            search.generation == generation && search.track == place.track
                && (search.range.lowerBound...search.range.upperBound).contains(place.units)
        }.map { $0.task }
    }

    /// Notes that a generation opens the item where it was left, or at its beginning.
    mutating func noteOpening(_ generation: UInt32) { opened = generation }

    // MARK: Crossing

    /// Notes the byte at which the text of a gap goes on when the recording comes there.
    mutating func enter(at byte: Int64?) { entry = byte }

    /// Returns the byte at which the reading begins.
    mutating func takeEntry(of gap: Gap) -> Int64 {
        defer { entry = nil }
        return entry.flatMap { gap.text.contains($0) ? $0 : nil } ?? gap.text.lowerBound
    }

    /// Begins to read the text for the gap at which the recording has stopped.
    mutating func cross(_ crossing: GapCrossing) { self.crossing = crossing }

    /// Takes over, once, what an earlier session read.
    mutating func restore(_ kept: GapCrossing?) {
        guard !isRestored else { return }
        isRestored = true
        crossing = crossing ?? kept
    }

    /// Notes that the text was read.
    mutating func noteRead() { crossing?.isRead = true }

    /// Forgets where the sleep timer ends in the gap or behind it.
    ///
    /// - Returns: Whether there was anything.
    mutating func forgetSleep() -> Bool {
        guard crossing?.sleep != nil || crossing?.sleepByte != nil else { return false }
        crossing?.sleep = nil
        crossing?.sleepByte = nil
        return true
    }

    /// Ends the reading, because the recording is heard behind the gap, or the listener went elsewhere.
    ///
    /// - Parameter generation: The generation of the recording that is heard; `nil` for anything else.
    mutating func leave(for generation: UInt32?) {
        if let crossing, crossing.isRead, let generation { passed = (crossing.gap, generation) }
        crossing = nil
    }
}
