// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
public import PassageMap
public import PlaybackCore

/// One side of a work: its recording or its text.
public struct WorkSide: Sendable, Hashable, Codable {
    public var uri: String
    public var kind: ContentKind
    /// The items to resolve to open it.
    public var items: [String]
    public var title: String

    public init(uri: String, kind: ContentKind, items: [String], title: String) {
        self.uri = uri
        self.kind = kind
        self.items = items
        self.title = title
    }
}

/// A recording and its text, and the way from a place in one to the same place in the other.
public struct Work: Sendable {
    public var recording: WorkSide
    public var text: WorkSide
    public var document: TextDocument
    public var map: PassageMap
    /// The timeline of all files of the recording, also of those that are missing.
    public var timeline: BookTimeline
    /// The numbers of the files that are there, in the order in which they are played.
    public var present: [Int]

    public init(
        recording: WorkSide, text: WorkSide, document: TextDocument, map: PassageMap, timeline: BookTimeline,
        present: [Int]
    ) {
        self.recording = recording
        self.text = text
        self.document = document
        self.map = map
        self.timeline = timeline
        self.present = present
    }

    /// A place on the other side.
    public struct Place: Sendable, Hashable {
        public var position: MediaPosition
        public var grade: PassageGrade
        /// The bound of the error in seconds.
        public var error: Double

        /// The grade and the bound of the error, in words.
        public var quality: String {
            "\(grade.rawValue), within \(error < 10 ? tenths : String(Int(error.rounded(.up)))) s"
        }

        private var tenths: String {
            let tenths = Int((error * 10).rounded(.up))
            return "\(tenths / 10).\(tenths % 10)"
        }
    }

    /// Returns the utterance of the text that is said at a place in the recording; `nil` if nothing tells it.
    public func textPlace(of position: MediaPosition) -> Place? {
        guard let seconds = seconds(of: position), let found = map.byte(at: seconds) else { return nil }
        // A sentence of verse may be a whole stanza.
        let start = document.utteranceStart(at: found.value) ?? found.value
        return Place(position: MediaPosition(track: 0, units: start), grade: found.grade, error: found.error)
    }

    /// Returns where the recording says a place of the text; `nil` if nothing tells it.
    ///
    /// In a file that is missing, it is the beginning of the next one that is there, or the end of the one before if what is
    /// missing is to be heard.
    public func recordingPlace(of position: MediaPosition, hearingGaps: Bool = false) -> Place? {
        let start = document.utteranceStart(at: position.units) ?? position.units
        guard let found = map.seconds(at: start) else { return nil }
        var place = timeline.position(atSeconds: found.value)
        if !present.contains(place.track) {
            if hearingGaps, let last = present.last(where: { $0 < place.track }),
                let length = timeline.tracks[last].duration
            {
                place = MediaPosition(track: last, units: max(0, length - Int64(timeline.tracks[last].unitsPerSecond)))
            } else {
                guard let next = present.first(where: { $0 > place.track }) else { return nil }
                place = MediaPosition(track: next, units: 0)
            }
        }
        guard let number = present.firstIndex(of: place.track) else { return nil }
        return Place(
            position: MediaPosition(track: number, units: place.units), grade: found.grade, error: found.error)
    }

    /// Returns the place on the other side.
    public func place(of position: MediaPosition, kind: ContentKind, hearingGaps: Bool = false) -> Place? {
        kind == .audio ? textPlace(of: position) : recordingPlace(of: position, hearingGaps: hearingGaps)
    }

    /// Returns the time of the whole recording at a place in the files that are there.
    public func seconds(of position: MediaPosition) -> Double? {
        guard present.indices.contains(position.track) else { return nil }
        return timeline.seconds(of: MediaPosition(track: present[position.track], units: position.units))
    }

    /// Returns the milliseconds in the files that are there of a time of the whole recording.
    public func milliseconds(ofWhole seconds: Double) -> Int64? {
        let place = timeline.position(atSeconds: seconds)
        var there = 0.0
        for number in present where number <= place.track {
            let track = timeline.tracks[number]
            let units = number < place.track ? track.duration ?? 0 : place.units
            there += Double(units) / track.unitsPerSecond
        }
        return BookTimeline.milliseconds(there)
    }

    /// Returns the time of the whole recording of a place on one of its sides.
    func seconds(of position: MediaPosition, kind: ContentKind) -> Double? {
        kind == .audio ? seconds(of: position) : map.seconds(at: position.units)?.value
    }

    /// The seconds beyond which a listener misses a place that is lost.
    private static let farSeconds = 60.0

    /// Returns whether a place of one side lies so far behind another one that whoever goes on there may want it back.
    func isFar(_ position: MediaPosition, behind place: MediaPosition, kind: ContentKind) -> Bool {
        guard let there = seconds(of: position, kind: kind), let here = seconds(of: place, kind: kind) else {
            return position > place
        }
        return there - here > Self.farSeconds
    }

    /// The side of a kind.
    public subscript(kind: ContentKind) -> WorkSide { kind == .audio ? recording : text }
}
