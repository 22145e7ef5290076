// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TimelineGeometry

/// The waveforms of the files of a recording, as far as the session has sent them.
struct ClipSound: Sendable {
    private struct Track: Sendable {
        var waveform = Waveform(framesPerSecond: 1000)
        var silences: Set<Int64> = []
        /// The question that was answered last, and whether all of it was there.
        var answered: (wish: WaveformWish, isWhole: Bool)?
        /// The question that is under way.
        var asked: WaveformWish?
        /// `true` if there is more than when it was asked about last.
        var hasNews = false
        var progress = 0.0

        /// `true` if columns are there, or nothing has changed since they were not.
        func isKnown(_ columns: Range<Int64>, step: Int64) -> Bool {
            guard let (wish, isWhole) = answered, wish.step == step, isWhole || !hasNews else { return false }
            return wish.columns.lowerBound <= columns.lowerBound && columns.upperBound <= wish.columns.upperBound
        }
    }

    private var tracks: [Int: Track] = [:]
    /// The identity of the recording, by which news of it are told from those of others.
    private var uri: String?
    /// The reason why there is no waveform; one line.
    private(set) var fault: String?

    /// The finest step: about the frames of the finest peak, in ms.
    private static let finest: Int64 = 8
    private static let mostColumns: Int64 = 4000

    /// Returns the questions about what is shown; none about what is known or asked for.
    ///
    /// A question has as much again on either side. There is one at a time for a file, and the one about the playhead
    /// comes last: the session makes first what it was asked for last.
    mutating func wishes(for parts: [ClipTracks.Part], at playhead: (track: Int, ms: Int64), msPerPixel: Double)
        -> [WaveformWish]
    {
        var step = Self.finest
        while Double(step * 2) <= msPerPixel, step < 1 << 30 { step *= 2 }
        var wishes: [WaveformWish] = []
        for part in parts {
            let shown = part.range.lowerBound / step..<(part.range.upperBound + step - 1) / step
            var track = tracks[part.track] ?? Track()
            guard track.asked == nil, !track.isKnown(shown, step: step) else { continue }
            let room = min(Int64(shown.count), (Self.mostColumns - min(Int64(shown.count), Self.mostColumns)) / 2)
            let first = max(0, shown.lowerBound - room)
            let wish = WaveformWish(
                track: part.track, columns: first..<min(first + Self.mostColumns, shown.upperBound + room), step: step)
            track.asked = wish
            track.hasNews = false
            tracks[part.track] = track
            wishes.append(wish)
        }
        return wishes.filter { $0.track != playhead.track } + wishes.filter { $0.track == playhead.track }
    }

    /// Returns a question about a file whose length alone matters; `nil` if it was asked, and there is no news since.
    mutating func lengthWish(_ number: Int) -> WaveformWish? {
        var track = tracks[number] ?? Track()
        guard track.asked == nil, track.answered == nil || track.hasNews else { return nil }
        let wish = WaveformWish(track: number, columns: 0..<1, step: 1000)
        (track.asked, track.hasNews) = (wish, false)
        tracks[number] = track
        return wish
    }

    // MARK: Answers

    mutating func take(_ info: WaveformInfo, to wish: WaveformWish) {
        var track = tracks[wish.track] ?? Track()
        track.asked = nil
        uri = info.uri
        let peaks = info.columns.prefix(wish.columns.count)
        var run: [WaveformPeak] = []
        func flush(_ end: Int) {
            track.waveform.add(
                run, from: Int(wish.columns.lowerBound) + end - run.count, framesPerPeak: Int(wish.step))
            run = []
        }
        for (index, peak) in peaks.enumerated() {
            if let peak { run.append(peak) } else { flush(index) }
        }
        flush(peaks.count)
        // Behind the end of the file nothing is ever there.
        let inside = peaks.prefix(Int(max(0, (info.trackMs.bounded / wish.step) - wish.columns.lowerBound)))
        track.answered = (wish, info.isComplete || inside.allSatisfy { $0 != nil })
        track.silences.formUnion(info.silences.map(\.placeMs.bounded))
        track.progress = info.isComplete ? 1 : info.progress
        tracks[wish.track] = track
        fault = info.isComplete ? nil : info.fault
    }

    /// Notes that a question was refused; it is not asked again before the session tells of progress.
    mutating func refuse(_ wish: WaveformWish, _ reason: String?) {
        tracks[wish.track, default: Track()].asked = nil
        tracks[wish.track]?.answered = (wish, false)
        fault = reason ?? fault
    }

    /// Notes that there is more of a file.
    mutating func take(_ progress: WaveformProgress) {
        guard tracks[progress.track] != nil, progress.uri == uri else { return }
        tracks[progress.track]?.hasNews = true
        tracks[progress.track]?.progress = progress.isComplete ? 1 : progress.progress
        if progress.isComplete { fault = nil } else { fault = progress.fault ?? fault }
    }

    /// Forgets the questions: their session is gone.
    mutating func forgetQuestions() {
        for track in tracks.keys {
            tracks[track]?.asked = nil
            tracks[track]?.answered = nil
        }
    }

    // MARK: What is known

    /// The share of a file that is made, 0 to 1.
    func progress(of track: Int) -> Double { tracks[track]?.progress ?? 0 }

    /// Returns the places of silences, which the files have on the line of time.
    func silences(_ files: ClipTracks) -> [SnapPoint] {
        tracks.flatMap { track, known in
            known.silences.compactMap { ms in
                files.position(of: track, ms: ms).map { SnapPoint(position: $0, kind: .silence) }
            }
        }
    }

    /// Returns the peaks of the columns of a strip.
    func columns(_ geometry: TimelineGeometry, _ files: ClipTracks) -> WaveformColumns {
        let parts = files.parts(in: geometry.columnReach).compactMap { part in
            files.position(of: part.track, ms: part.range.lowerBound).map { (start: $0, part: part) }
        }
        let end = Double(geometry.end)
        var index = 0
        let peaks = (0..<geometry.columnCount).map { column -> WaveformPeak? in
            let positions = geometry.positions(ofColumn: column)
            let (from, to) = (max(0, positions.lowerBound), min(end, positions.upperBound))
            guard from < to else { return nil }
            while index + 1 < parts.count, Double(parts[index + 1].start) <= from { index += 1 }
            guard parts.indices.contains(index) else { return nil }
            let (start, part) = parts[index]
            let offset = Double(part.range.lowerBound) - Double(start)
            let limit = Double(part.range.upperBound)
            guard from + offset >= Double(part.range.lowerBound), from + offset < limit else { return nil }
            return tracks[part.track]?.waveform.peak(over: from + offset..<min(to + offset, limit))
        }
        return WaveformColumns(peaks)
    }
}
