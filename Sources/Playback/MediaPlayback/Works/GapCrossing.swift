// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FoundationEssentials

/// The reading of a text for a gap of its recording; the library keeps it, so that the next session goes on with it.
struct GapCrossing: Hashable, Codable {
    var gap: RecordingGaps.Gap
    var recording: WorkSide
    var text: WorkSide
    /// The number of files of the recording that were there.
    var files: Int
    /// The place in the recording at which the user wants it to end.
    var until: MediaPosition?
    /// The place in the recording, behind the gap, at which the sleep timer ends.
    var sleep: MediaPosition?
    /// The byte of the text at which the sleep timer ends.
    var sleepByte: Int64?
    /// `true` once the text was read, until the recording is heard behind it.
    var isRead = false

    /// The bytes beside the gap's text at which it may still be: what is said last ends with its pause.
    private static let tail: Int64 = 256

    /// The place at which the reading ends.
    var textEnd: MediaPosition { MediaPosition(track: 0, units: gap.text.upperBound) }

    /// Returns whether a place is in the text that is read for the gap, and not one to which the user went.
    func isWithin(_ place: MediaPosition) -> Bool {
        place.units >= gap.text.lowerBound - Self.tail && place.units <= gap.text.upperBound + Self.tail
    }
}

extension GapCrossing {
    /// Reads a crossing; `nil` if the text is none.
    init?(text: String) {
        guard let kept = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)), kept.gap.text.lowerBound >= 0,
            kept.gap.text.upperBound < Self.largestText
        else { return nil }
        self = kept
        isRead = false
    }

    /// More than the size of any text.
    private static let largestText: Int64 = 1 << 40

    /// The form that the library keeps.
    var encoded: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }
}
