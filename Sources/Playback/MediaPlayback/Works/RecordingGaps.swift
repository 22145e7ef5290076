// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// The parts that the recording lacks that plays now: files that are missing, and damage.
///
/// Where the recording has a text, it is read there instead: from the sentence that is cut to the end of the one in which
/// the recording goes on.
struct RecordingGaps {
    struct Gap: Hashable {
        /// The place up to which the recording is heard.
        var start: MediaPosition
        /// The place at which it goes on; `nil` if nothing follows.
        var end: MediaPosition?
        /// The bytes of the text that are read in between.
        var text: Range<Int64>
    }

    /// A gap that the text is read for now.
    struct Crossing {
        var gap: Gap
        var recording: WorkSide
        var text: WorkSide
        /// The place in the recording at which the user wants it to end.
        var until: MediaPosition?

        /// The bytes behind the gap's text at which it may still be: what is said last ends with its pause.
        private static let tail: Int64 = 256

        /// Returns whether a place is in the text that is read for the gap, and not one to which the user went.
        func isWithin(_ place: MediaPosition) -> Bool {
            place.units >= gap.text.lowerBound - Self.tail && place.units <= gap.text.upperBound + Self.tail
        }
    }

    var uri: String? { content?.uri }
    /// The item with its files, of which some may be back when it is opened again.
    private var content: Content?
    private var gaps: [Gap] = []
    private var sides: (recording: WorkSide, text: WorkSide)?
    private(set) var crossing: Crossing?
    /// More than a listener would bear; an engine may report any number.
    private static let mostGaps = 1000

    /// Begins with an item that was opened; returns `false` if its gaps are known already.
    mutating func begin(_ content: Content) -> Bool {
        guard self.content?.uri != content.uri || self.content?.tracks != content.tracks else { return false }
        (self.content, gaps, sides) = (content, [], nil)
        return true
    }

    mutating func add(_ found: [Gap], of work: Work, in uri: String) {
        guard self.uri == uri else { return }
        sides = (work.recording, work.text)
        gaps += found.filter { !gaps.contains($0) && $0.text.lowerBound < $0.text.upperBound }
        gaps = Array(gaps.prefix(Self.mostGaps))
        gaps.sort { $0.start < $1.start }
    }

    /// Returns the first gap behind a place of the item that plays.
    func next(in uri: String, after position: MediaPosition) -> Gap? {
        guard self.uri == uri else { return nil }
        return gaps.first { $0.start > position }
    }

    /// Begins to read the text for the gap at which the recording has stopped.
    ///
    /// - Parameter until: The place in the recording at which the user wants it to end.
    mutating func cross(_ gap: Gap, until: MediaPosition?) -> Crossing? {
        crossing = sides.map { Crossing(gap: gap, recording: $0.recording, text: $0.text, until: until) }
        return crossing
    }

    /// Ends the reading; returns where the recording goes on.
    mutating func leave() -> Crossing? {
        defer { crossing = nil }
        return crossing
    }
}
