// SPDX-License-Identifier: Apache-2.0

import Glibc
public import MediaPlayback

/// The peaks of one track, as far as they are made; what is made is kept on disk at once, and can be read at once.
///
/// In memory are the peaks of the coarsest level and the segments that were used last, so the memory does not grow with
/// what the disk has. It is used by one task at a time.
public final class PeakSheet {
    public let sampleRate: Int
    private let cache: PeakCache
    private let key: String
    private var finished: PeakSet?
    private var draft: PeakDraft?
    /// The reason why nothing is kept on disk, or `nil` if all is.
    public private(set) var fault: PeakFileError?

    private var done: Set<Int> = []
    private var rule = SilenceRule()
    /// The peaks of the coarsest level, those of a segment that is not made being 0.
    private var coarse: [Peak] = []
    /// The segments that were used last, the newest at the end.
    private var recent: [(segment: Int, peaks: [Peak])] = []
    /// A segment that lies behind the end, which is not known exactly.
    private var beyond: Int?
    /// The number of peaks of the finest level, once the end is known.
    public private(set) var count: Int?

    /// The maximum number of segments in memory: 1.6 MB.
    private static let mostRecent = 64
    private static let none = Peak(minimum: 0, maximum: 0, rms: 0)

    init(sampleRate: Int, cache: PeakCache, key: String, fault: PeakFileError) {
        (self.sampleRate, self.cache, self.key, self.fault) = (sampleRate, cache, key, fault)
    }

    init(_ finished: PeakSet, cache: PeakCache, key: String) {
        (sampleRate, self.cache, self.key, self.finished) = (finished.sampleRate, cache, key, finished)
        count = finished.count
    }

    init(sampleRate: Int, cache: PeakCache, key: String, draft path: String) throws(PeakFileError) {
        (self.sampleRate, self.cache, self.key) = (sampleRate, cache, key)
        var found: [(Int, [Peak])] = []
        var rule = SilenceRule()
        // Only the coarse peaks of each segment are kept here.
        let draft = try PeakDraft(path: path, sampleRate: sampleRate) { segment, peaks in
            rule.add(peaks)
            found.append((segment, PeakLevels.coarsened(peaks, by: PeakLevels.coarsest / PeakLevels.finest)))
        }
        self.rule = rule
        self.draft = draft
        for (segment, coarse) in found { note(segment, coarse: coarse) }
        if let last = draft.last, let peaks = draft.read(last) { count = last * PeakLevels.segment + peaks.count }
    }

    // MARK: Making

    /// `true` once every peak is made and, if the disk allows, the files are finished.
    public var isComplete: Bool { finished != nil || (isWhole && fault != nil) }

    private var isWhole: Bool { count.map { done.count == Self.segments($0) } ?? false }

    /// Returns the number of segments of a track: the last one is not full, and may be empty.
    public static func segments(_ count: Int) -> Int { count / PeakLevels.segment + 1 }

    public func isDone(_ segment: Int) -> Bool { finished != nil || done.contains(segment) }

    /// The number of segments that are made.
    public var doneCount: Int { finished.map { Self.segments($0.count) } ?? done.count }

    /// Returns how many segments there are to make.
    ///
    /// - Parameter estimate: the number of peaks that the track is said to have, or `nil`; it only counts until the end
    ///   is known.
    public func expectedSegments(estimate: Int?) -> Int {
        if let count { return Self.segments(count) }
        let known = (done.max() ?? -1) + 2
        return min(
            max(estimate.map { Self.segments(max(0, $0)) } ?? 0, known), beyond ?? .max, PeakLevels.mostSegments)
    }

    /// Takes the peaks of a segment; fewer than `PeakLevels.segment` mean the end of the track.
    ///
    /// Returns `false` if they contradict what is known about the end, as those of a file do that is changed meanwhile.
    public func take(_ segment: Int, _ peaks: [Peak]) -> Bool {
        guard finished == nil, (0..<PeakLevels.mostSegments).contains(segment), peaks.count <= PeakLevels.segment else {
            return finished != nil
        }
        if done.contains(segment) { return true }
        let end = segment * PeakLevels.segment + peaks.count
        if let count {
            guard peaks.count == PeakLevels.segment ? end <= count : end == count else { return false }
        } else if peaks.isEmpty, segment > 0, !done.contains(segment - 1) {
            // The track is shorter than it was said to be; by how much is not known yet.
            beyond = min(beyond ?? segment, segment)
            return done.allSatisfy { $0 < segment }
        } else if peaks.count < PeakLevels.segment {
            guard done.allSatisfy({ $0 < segment }) else { return false }
            count = end
        }
        keep(segment, peaks)
        if count == nil, segment + 1 == beyond {
            count = end
            keep(segment + 1, [])
        }
        return true
    }

    private func keep(_ segment: Int, _ peaks: [Peak]) {
        rule.add(peaks)
        note(segment, coarse: PeakLevels.coarsened(peaks, by: PeakLevels.coarsest / PeakLevels.finest))
        remember(segment, peaks)
        guard let draft, fault == nil else { return }
        do throws(PeakFileError) { try draft.write(segment, peaks) } catch { fault = error }
    }

    private func note(_ segment: Int, coarse peaks: [Peak]) {
        done.insert(segment)
        let first = segment * PeakLevels.coarseInSegment
        while coarse.count < first + peaks.count { coarse.append(Self.none) }
        for (offset, peak) in peaks.enumerated() { coarse[first + offset] = peak }
    }

    private func remember(_ segment: Int, _ peaks: [Peak]) {
        recent.removeAll { $0.segment == segment }
        recent.append((segment, peaks))
        if recent.count > Self.mostRecent { recent.removeFirst() }
    }

    /// Writes the finished files if every peak is made; the memory for it does not depend on the length of the track.
    ///
    /// A failure leaves what is made as it is, and is in ``fault``.
    public func finish() {
        guard finished == nil, fault == nil, isWhole, let draft, let count else { return }
        do throws(PeakFileError) {
            var writer = try PeakSetWriter(
                folder: cache.folder, key: key, sampleRate: sampleRate, threshold: rule.threshold)
            for segment in 0..<Self.segments(count) {
                guard let peaks = draft.read(segment) else {
                    // It was damaged meanwhile, and is made again.
                    done.remove(segment)
                    return
                }
                try writer.add(peaks)
            }
            try writer.finish()
            guard let complete = PeakSet(folder: cache.folder, key: key) else {
                throw PeakFileError(.io, "the peaks in \(cache.folder) were removed while they were written")
            }
            finished = complete
            unlink("\(cache.folder)/\(key).part")
            self.draft = nil
            (done, coarse, recent) = ([], [], [])
            cache.makeRoom(keeping: key)
        } catch {
            fault = error
        }
    }

    /// Forgets everything that is made, on disk, too.
    public func discard() {
        for name in PeakSet.names(key) + ["\(key).part"] where PeakCache.isKey(key) {
            unlink("\(cache.folder)/\(name)")
        }
        (finished, draft, count, beyond) = (nil, nil, nil, nil)
        (done, coarse, recent, rule) = ([], [], [], SilenceRule())
        fault = fault ?? PeakFileError(.io, "the peaks contradicted the file and were removed")
    }

    // MARK: Reading

    private func segment(_ segment: Int) -> [Peak]? {
        if let found = recent.last(where: { $0.segment == segment }) { return found.peaks }
        guard let peaks = draft?.read(segment) else {
            // Damaged on the disk, or not kept: it is made again.
            if draft != nil { done.remove(segment) }
            return nil
        }
        remember(segment, peaks)
        return peaks
    }

    /// Returns the peak of a level with this number; `nil` if it is not made, or was made and could not be kept.
    private func peak(_ number: Int, _ framesPerPeak: Int) -> Peak? {
        let factor = framesPerPeak / PeakLevels.finest
        let segment = number * factor / PeakLevels.segment
        guard done.contains(segment) else { return nil }
        if framesPerPeak == PeakLevels.coarsest { return coarse.indices.contains(number) ? coarse[number] : nil }
        guard let peaks = self.segment(segment) else { return nil }
        let first = number * factor - segment * PeakLevels.segment
        guard first < peaks.count else { return nil }
        return factor == 1 ? peaks[first] : PeakLevels.join(peaks[first..<min(first + factor, peaks.count)])
    }

    /// Returns the peaks of a level, `nil` for each that is missing; fewer only at the end of the track.
    public func peaks(_ framesPerPeak: Int, _ range: Range<Int>) -> [Peak?] {
        guard PeakLevels.framesPerPeak.contains(framesPerPeak), range.lowerBound >= 0 else { return [] }
        let factor = framesPerPeak / PeakLevels.finest
        let end = count.map { ($0 + factor - 1) / factor } ?? .max
        let range = range.clamped(to: 0..<max(0, end))
        if let finished { return finished.peaks(framesPerPeak, range) ?? range.map { _ in nil } }
        return range.map { peak($0, framesPerPeak) }
    }

    /// Returns the silences in a range of frames, at most `most` of them.
    ///
    /// While peaks are being made, they are found in what is made, by how loud that is.
    public func silences(in range: Range<Int64>, most: Int = 1024) -> [Silence] {
        if let finished { return finished.silences(in: range, most: most) }
        let frames = Int64(PeakLevels.finest)
        let first = Int(max(0, range.lowerBound) / frames) / PeakLevels.segment
        let last = Int(max(0, range.upperBound - 1) / frames) / PeakLevels.segment
        // More than is in memory would be read anew for each answer.
        guard first <= last, last - first < Self.mostRecent / 2 else { return [] }
        var found: [Silence] = []
        var finder = SilenceFinder(
            threshold: rule.threshold, sampleRate: sampleRate, first: first * PeakLevels.segment)
        for number in first...last {
            guard done.contains(number), let peaks = segment(number) else {
                finder.finish()
                found += finder.silences
                finder = SilenceFinder(
                    threshold: rule.threshold, sampleRate: sampleRate, first: (number + 1) * PeakLevels.segment)
                continue
            }
            finder.add(peaks)
        }
        finder.finish()
        return Array(
            (found + finder.silences).filter { $0.start < range.upperBound && $0.end > range.lowerBound }.prefix(most))
    }

    /// Returns the range joined to columns, from the coarsest level that is fine enough.
    ///
    /// - Parameters:
    ///   - range: Frames of the track.
    ///   - columns: 1 or more.
    public func columns(_ columns: Int, of range: Range<Int64>) -> (framesPerPeak: Int, columns: [Peak?]) {
        guard columns > 0, !range.isEmpty, range.lowerBound >= 0 else { return (PeakLevels.finest, []) }
        let span = Double(range.upperBound - range.lowerBound) / Double(columns)
        let frames = PeakLevels.level(framesPerColumn: span)
        let first = Int(range.lowerBound / Int64(frames))
        let end = Int((range.upperBound - 1) / Int64(frames)) + 1
        let peaks = self.peaks(frames, first..<end)
        return (
            frames,
            (0..<columns).map { column in
                let from = Int((Double(range.lowerBound) + Double(column) * span) / Double(frames)) - first
                let until = Int((Double(range.lowerBound) + Double(column + 1) * span) / Double(frames)) - first
                guard peaks.indices.contains(from) else { return nil }
                let part = peaks[from..<min(max(until, from + 1), peaks.count)].compactMap(\.self)
                return part.isEmpty ? nil : PeakLevels.join(part)
            }
        )
    }
}
