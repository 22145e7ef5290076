// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import PassageMap
import ReadingText
import SpeechScript

/// The map of a work, from everything that is known of its recording and its text.
struct WorkMap {
    private let book: Book
    private let timeline: BookTimeline
    private let document: TextDocument

    /// The most recordings of a document that are taken: a sentence each.
    private static let mostRecordings = 200_000

    init(_ book: Book, _ document: TextDocument) {
        self.book = book
        timeline = book.wholeTimeline
        self.document = document
    }

    /// Returns the map: what the document states, or else what was found by comparing, and chapters and lengths for the
    /// rest.
    func map(refinedBy alignment: WorkAlignment?) -> PassageMap {
        if let overlay = overlay() { return overlay }
        let anchors = chapters()
        guard let alignment, !alignment.passages.isEmpty else {
            // Words that were compared in vain say more than chapters and lengths: it may be another book.
            if alignment?.isComplete == true { return PassageMap([]) }
            return estimate(anchors)
        }
        // A file may say anything; what is spoken ends with the text.
        let end = spokenText()?.upperBound ?? 0
        let passages = alignment.passages.filter { $0.text.upperBound <= end }.compactMap(passage)
        let estimate = alignment.isComplete && anchors.isEmpty ? PassageMap([]) : estimate(anchors)
        let map = PassageMap(merged(passages, estimate.passages))
        return alignment.isComplete && anchors.isEmpty ? PassageMap(map.passages + missingEnd(behind: map, end)) : map
    }

    /// Returns the passage of the files that are missing at the end of the recording, and that nothing was compared with: they
    /// have the rest of the text.
    private func missingEnd(behind map: PassageMap, _ end: Int64) -> [PassageMap.Passage] {
        let first = (book.present.last ?? -1) + 1
        guard let last = map.passages.last, first > 0, first < timeline.tracks.count, last.text.upperBound < end,
            let start = timeline.seconds(of: MediaPosition(track: first, units: 0)), let duration = timeline.duration,
            last.sound.upperBound <= start, start < duration
        else { return [] }
        return [
            PassageMap.Passage(
                sound: start..<duration, text: last.text.upperBound..<end, grade: .anchored,
                error: PassageMap.announcement)
        ]
    }

    /// Returns the map from chapters, or else from the lengths.
    private func estimate(_ anchors: [(seconds: Double, byte: Int64)]) -> PassageMap {
        guard let duration = timeline.duration, let text = spokenText() else { return PassageMap([]) }
        return .anchored(anchors, duration: duration, text: text)
    }

    /// The bytes from the first to the last word that is spoken.
    private func spokenText() -> Range<Int64>? {
        do throws(ScriptFileError) {
            let script = try ScriptFileReader(descriptor: document.script.rawValue)
            guard script.count > 0, let first = try script.utterance(0),
                let last = try script.utterance(script.count - 1), first.range.lowerBound < last.range.upperBound
            else { return nil }
            return Int64(first.range.lowerBound)..<Int64(last.range.upperBound)
        } catch {
            return nil
        }
    }

    // MARK: Chapters

    /// The beginnings of sections that are chapters of the recording, by their titles.
    private func chapters() -> [(seconds: Double, byte: Int64)] {
        let sections = document.sections
        var starts: [(title: String, place: MediaPosition)] = timeline.chapters.map {
            ($0.title ?? "", MediaPosition(track: $0.track, units: max(0, $0.start)))
        }
        if starts.isEmpty, timeline.tracks.count > 1 {
            starts = book.tracks.indices.map { number in
                (
                    book.tracks[number].title ?? ShownName.withoutEnding(book.tracks[number].file.uri),
                    MediaPosition(track: number, units: 0)
                )
            }
        }
        var pairs = ChapterAnchors.pairs(chapters: starts.map(\.title), sections: sections.map(\.title))
        if pairs.isEmpty {
            // Titles that say nothing: a level of the table of contents may have one section for each chapter.
            let levels = Dictionary(grouping: sections.indices, by: { sections[$0].level }).sorted { $0.key < $1.key }
            if let level = levels.first(where: { $0.value.count == starts.count })?.value, starts.count > 1 {
                pairs = zip(starts.indices, level).map { ($0, $1) }
            }
        }
        return pairs.compactMap { pair in
            timeline.seconds(of: starts[pair.chapter].place).map { ($0, sections[pair.section].start) }
        }
    }

    // MARK: What the document states

    /// Returns the map that a media overlay is, if its sound files are those of the recording.
    private func overlay() -> PassageMap? {
        let recordings: [Recording]
        do throws(ScriptFileError) {
            let script = try ScriptFileReader(descriptor: document.script.rawValue)
            recordings = try script.recordings(of: 0..<script.textSize, limit: Self.mostRecordings)
        } catch {
            return nil
        }
        guard !recordings.isEmpty else { return nil }
        var tracks: [String: Int] = [:]
        for (number, track) in book.tracks.enumerated() { tracks[ShownName.withoutEnding(track.file.uri)] = number }
        let passages = recordings.compactMap { recording -> PassageMap.Passage? in
            let end = recording.end ?? .max
            guard let track = tracks[ShownName.withoutEnding(recording.file)], recording.start <= end else {
                return nil
            }
            return passage(
                track: track, recording.start..<end,
                Int64(recording.range.lowerBound)..<Int64(recording.range.upperBound), .exact, error: 0.1)
        }
        let map = PassageMap(passages)
        return map.grade == .exact ? map : nil
    }

    // MARK: What was compared

    private func passage(_ aligned: WorkAlignment.Passage) -> PassageMap.Passage? {
        passage(track: aligned.track, aligned.sound, aligned.text, .aligned, error: aligned.error)
    }

    /// - Parameter sound: Milliseconds of the track.
    private func passage(
        track: Int, _ sound: Range<Int64>, _ text: Range<Int64>, _ grade: PassageGrade, error: Double
    ) -> PassageMap.Passage? {
        guard timeline.tracks.indices.contains(track),
            let start = timeline.seconds(of: MediaPosition(track: track, units: 0))
        else { return nil }
        let line = timeline.tracks[track]
        let length = line.duration.map { Double($0) / line.unitsPerSecond } ?? .infinity
        let (from, to) = (Double(sound.lowerBound) / 1000, min(Double(sound.upperBound) / 1000, length))
        guard from >= 0, from <= to, to.isFinite else { return nil }
        return PassageMap.Passage(sound: start + from..<start + to, text: text, grade: grade, error: error)
    }

    /// Returns the better passages, and those of the others that lie between them.
    private func merged(
        _ better: [PassageMap.Passage], _ others: [PassageMap.Passage]
    ) -> [PassageMap.Passage] {
        let known = PassageMap(better).passages.filter { $0.grade == .aligned }
        var merged: [PassageMap.Passage] = []
        var rest = others[...]
        for passage in known {
            let (sound, text) = (merged.last?.sound.upperBound ?? 0, merged.last?.text.upperBound ?? 0)
            while let other = rest.first, other.sound.lowerBound < passage.sound.lowerBound {
                rest.removeFirst()
                if other.sound.lowerBound >= sound, other.text.lowerBound >= text,
                    other.sound.upperBound <= passage.sound.lowerBound,
                    other.text.upperBound <= passage.text.lowerBound
                {
                    merged.append(other)
                }
            }
            merged.append(passage)
        }
        // Behind the last place that is known, the rest passes evenly to the next chapter and on.
        guard let last = known.last else { return others }
        for other in rest + others.suffix(1) where other.sound.upperBound > last.sound.upperBound {
            var other = other
            guard other.text.upperBound > last.text.upperBound else { continue }
            if other.sound.lowerBound < last.sound.upperBound || other.text.lowerBound < last.text.upperBound {
                other.sound = last.sound.upperBound..<other.sound.upperBound
                other.text = last.text.upperBound..<other.text.upperBound
            }
            merged.append(other)
        }
        return merged
    }
}

extension Book {
    /// The timeline of all files, also of those that are missing.
    var wholeTimeline: BookTimeline { BookTimeline(tracks: tracks.map(\.timeline), chapters: chapters) }

    /// The numbers of the files that are there.
    var present: [Int] { tracks.indices.filter { !tracks[$0].isMissing } }
}
