// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
import PassageMap

/// The parts that a recording lacks, and what its text says there.
extension Work {
    /// The largest share of a gap by which its ends in the text may be off.
    private static let precision = 0.5

    /// Returns the gaps that missing files leave before, between and behind those that are there.
    func missingFiles() -> [RecordingGaps.Gap] {
        Self.missingParts(of: timeline, present: present).compactMap { part in
            gap(from: part.start, to: part.end, at: part.wholeStart, part.wholeEnd)
        }
    }

    /// A part of a recording whose files are missing.
    public struct MissingPart: Sendable, Hashable {
        /// The place in the files that are there up to which the recording is heard.
        public var start: MediaPosition
        /// The place at which it goes on; `nil` if nothing follows.
        public var end: MediaPosition?
        /// The times of the whole recording; `nil` if they are not known.
        var wholeStart: Double?
        var wholeEnd: Double?
    }

    /// Returns the parts of a recording whose files are missing.
    ///
    /// - Parameters:
    ///   - timeline: The timeline of all files.
    ///   - present: The numbers of the files that are there, in order.
    public static func missingParts(of timeline: BookTimeline, present: [Int]) -> [MissingPart] {
        var parts: [MissingPart] = []
        if let first = present.first, first > 0 {
            parts.append(
                MissingPart(
                    start: .start, end: .start, wholeStart: 0,
                    wholeEnd: timeline.seconds(of: MediaPosition(track: first, units: 0))))
        }
        for index in present.indices {
            let next = index + 1 < present.count ? present[index + 1] : timeline.tracks.count
            let track = present[index]
            guard next > track + 1, timeline.tracks.indices.contains(track),
                let length = timeline.tracks[track].duration
            else { continue }
            let isLast = index + 1 == present.count
            parts.append(
                MissingPart(
                    start: MediaPosition(track: index, units: length),
                    end: isLast ? nil : MediaPosition(track: index + 1, units: 0),
                    wholeStart: timeline.seconds(of: MediaPosition(track: track, units: length)),
                    wholeEnd: isLast
                        ? timeline.summed ?? timeline.duration
                        : timeline.seconds(of: MediaPosition(track: next, units: 0))))
        }
        return parts
    }

    /// Returns a gap between two places of the recording; `nil` if nothing tells what it would say there.
    ///
    /// - Parameter end: The place at which the recording goes on; `nil` if it ends.
    func gap(from start: MediaPosition, to end: MediaPosition?) -> RecordingGaps.Gap? {
        gap(from: start, to: end, at: seconds(of: start), end.map(seconds) ?? timeline.summed ?? timeline.duration)
    }

    /// Returns the gap that a file leaves that cannot be opened, from a place in it on; `nil` if nothing tells what it would
    /// say.
    ///
    /// - Parameter isFirst: `true` if the files that are missing before it belong to the gap.
    func unopened(at place: MediaPosition, isFirst: Bool) -> RecordingGaps.Gap? {
        guard present.indices.contains(place.track) else { return nil }
        let next = place.track + 1
        let end = next < present.count ? MediaPosition(track: next, units: 0) : nil
        return gap(
            from: place, to: end, at: isFirst && place == .start ? 0 : seconds(of: place),
            end.map(seconds) ?? timeline.summed ?? timeline.duration)
    }

    /// Returns the place in the files that are there of a time that counts only these.
    func place(atSeconds seconds: Double) -> MediaPosition {
        BookTimeline(tracks: present.map { timeline.tracks[$0] }, chapters: []).position(atSeconds: seconds)
    }

    private func gap(
        from start: MediaPosition, to end: MediaPosition?, at from: Double?, _ to: Double?
    ) -> RecordingGaps.Gap? {
        guard let from, let to, to > from, let last = map.byte(at: to),
            let first = from == 0 ? beginning(upTo: to) : map.byte(at: from),
            [.exact, .aligned, .anchored].contains(first.grade), first.error <= max(1, (to - from) * Self.precision),
            first.value < last.value
        else { return nil }
        let begin = document.sentenceStart(at: first.value) ?? first.value
        guard begin < last.value else { return nil }
        guard end != nil else { return RecordingGaps.Gap(start: start, end: nil, text: begin..<last.value) }
        // The sentence in which the recording goes on is read whole, and the recording goes on behind it.
        let cut = document.sentence(at: last.value)
        let isCut = cut.map { $0.lowerBound < last.value - 1 } ?? false
        guard isCut, let cut, let behind = map.seconds(at: cut.upperBound),
            let back = place(atWhole: behind.value)
        else { return RecordingGaps.Gap(start: start, end: end, text: begin..<last.value) }
        // A script may say anything.
        guard begin < cut.upperBound else { return nil }
        return RecordingGaps.Gap(start: start, end: back, text: begin..<cut.upperBound)
    }

    /// The seconds within which the first place that is known lies where the recording begins to be there.
    private static let adjacency = 5.0

    /// Returns the byte at which the recording begins to say the text.
    ///
    /// If nothing is known of what is missing at its beginning, it is as much text as is said in that time, at most all.
    private func beginning(upTo end: Double) -> PassageMap.Place<Int64>? {
        guard let first = map.passages.first, first.sound.lowerBound > 0 else { return map.byte(at: 0) }
        guard first.sound.lowerBound <= end + Self.adjacency, [.exact, .aligned].contains(first.grade),
            let spoken = document.sentence(at: 0)
        else { return nil }
        return map.byte(secondsAhead: end, from: spoken.lowerBound)
    }

    /// The seconds by which the sentences beside lost sound may reach over it.
    private static let vicinity = 1.5
    /// The seconds of speech below which nothing is missed.
    private static let leastLoss = 2.0

    /// Returns the gap at a place where sound is lost and the recording's times do not show it, as in an MP3 file.
    ///
    /// Between two places that are known, there is more text then than anybody says in the time.
    func lostSound(at place: MediaPosition) -> RecordingGaps.Gap? {
        guard let now = seconds(of: place), let pace = map.bytesPerSecond,
            let passage = map.passages.first(where: {
                $0.grade == .anchored && !$0.text.isEmpty && $0.sound.upperBound > now - Self.vicinity
            }), passage.sound.lowerBound < now + Self.vicinity
        else { return nil }
        let (before, behind) = (
            max(0, now - passage.sound.lowerBound), max(0, passage.sound.upperBound - now)
        )
        let lost = Double(passage.text.count) / pace - before - behind
        let error = passage.error + PassageMap.pace * min(before, behind)
        guard lost >= max(Self.leastLoss, PassageMap.pace * (before + behind)), error <= max(1, lost * Self.precision)
        else { return nil }
        let size = Double(passage.text.count)
        let first = passage.text.lowerBound + Int64(min(before * pace, size))
        let last = passage.text.upperBound - Int64(min(behind * pace, size))
        guard first < last else { return nil }
        let start = document.sentence(at: first)?.lowerBound ?? first
        let end = document.sentence(at: last - 1)?.upperBound ?? last
        return start < end ? RecordingGaps.Gap(start: place, end: place, text: start..<end) : nil
    }

    /// Returns the place in the files that are there of a time of the whole recording; `nil` if its file is missing.
    func place(atWhole seconds: Double) -> MediaPosition? {
        let place = timeline.position(atSeconds: seconds)
        return present.firstIndex(of: place.track).map { MediaPosition(track: $0, units: place.units) }
    }

    // MARK: Ends within a gap

    /// The position of an end that the listener wants, relative to a gap.
    enum EndInGap: Hashable {
        /// The place at which the gap begins.
        case before
        /// A byte of the text that is read for the gap.
        case within(Int64)
        /// A place of the recording behind the gap.
        case behind
    }

    /// The seconds by which a place behind the beginning of a gap is still that beginning: a length may be counted anew.
    private static let tolerance = 0.5

    /// Returns where a place of the recording is, if a gap begins before it.
    ///
    /// The end of a chapter is the beginning of the section of the text that begins there, or else the nearest end of a
    /// sentence.
    func end(at place: MediaPosition, in gap: RecordingGaps.Gap) -> EndInGap {
        guard let now = seconds(of: place), let start = seconds(of: gap.start), let found = map.byte(at: now) else {
            return .behind
        }
        // The gap takes no time of the files that are there.
        if gap.start == gap.end, place > gap.start { return .behind }
        if now <= start + Self.tolerance { return .before }
        guard found.value < gap.text.upperBound else { return .behind }
        let byte = section(near: found, at: now) ?? sentenceEnd(near: found.value)
        if byte <= gap.text.lowerBound { return .before }
        return .within(min(byte, gap.text.upperBound))
    }

    /// The seconds by which the beginning of a section may lie from the end of a chapter, beside the error of both.
    private static let pause = 2.0

    private func section(near place: PassageMap.Place<Int64>, at seconds: Double) -> Int64? {
        let sections = document.sections.compactMap { section in
            map.seconds(at: section.start).map { (byte: section.start, distance: abs($0.value - seconds)) }
        }
        guard let nearest = sections.min(by: { $0.distance < $1.distance }),
            nearest.distance <= place.error + Self.pause
        else { return nil }
        return nearest.byte
    }

    private func sentenceEnd(near byte: Int64) -> Int64 {
        guard let sentence = document.sentence(at: byte), sentence.lowerBound < byte else { return byte }
        return byte - sentence.lowerBound < sentence.upperBound - byte ? sentence.lowerBound : sentence.upperBound
    }
}
