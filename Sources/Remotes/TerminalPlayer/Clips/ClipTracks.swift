// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The files of a clip's recording, side by side on one line of time in ms.
///
/// The line is that of the book. If nobody knows where in the book the clip's first file begins, it starts with that
/// file. Lengths of files become known on the way, with their waveforms; what lies behind an unknown one has no place
/// yet, and a length that a file only states places nothing.
struct ClipTracks: Sendable, Hashable {
    struct Part: Sendable, Hashable {
        var track: Int
        /// Ms in the track.
        var range: Range<Int64>
    }

    private struct Track: Sendable, Hashable {
        var start: Int64
        var length: Int64?
        var isExact = false

        var end: Int64? { length.map { start + $0 } }
    }

    /// The items that open the recording.
    let items: [String]
    /// `false` while the times are those of a file.
    let isBookTime: Bool
    private var tracks: [Int: Track] = [:]
    /// The number of files, once that is known.
    private var count: Int?

    private static let mostTracks = 65_536

    /// Places the files in which a clip begins and ends, as far as its times say where they lie.
    init(_ clip: ClipInfo) {
        items = clip.items
        let start = Self.ms(clip.start)
        isBookTime = clip.startMs != nil
        let offset = max(0, (clip.startMs ?? start).bounded - start)
        tracks[clip.start.track] = Track(start: offset)
        guard clip.end.track > clip.start.track, let duration = clip.durationMs?.bounded else { return }
        tracks[clip.end.track] = Track(start: max(offset, offset + start + duration - Self.ms(clip.end)))
        if clip.end.track == clip.start.track + 1, let next = tracks[clip.end.track] {
            tracks[clip.start.track]?.length = next.start - offset
            tracks[clip.start.track]?.isExact = true
        }
    }

    /// Stands for a clip's own file, all of which is the clip.
    init(path: String, duration: Int64) {
        items = [path]
        isBookTime = false
        tracks = [0: Track(start: 0, length: max(0, duration.bounded), isExact: true)]
        count = 1
    }

    static func ms(_ bound: ClipInfo.Bound) -> Int64 {
        guard bound.unitsPerSecond > 0 else { return 0 }
        let ms = (Double(bound.units) * 1000 / bound.unitsPerSecond).rounded()
        return ms.isFinite ? Int64(min(max(0, ms), 1e15)) : 0
    }

    // MARK: What becomes known

    /// Takes the length of a file, and places its neighbours by it; one that is not exact places none.
    mutating func learn(_ track: Int, length: Int64, isExact: Bool) {
        guard (0..<Self.mostTracks).contains(track) else { return }
        let length = max(0, length.bounded)
        if tracks[track] == nil {
            guard isExact, let next = tracks[track + 1] else { return }
            tracks[track] = Track(start: max(0, next.start - length))
        }
        guard tracks[track]?.isExact == false else { return }
        tracks[track]?.length = length
        tracks[track]?.isExact = isExact
        guard isExact, let end = tracks[track]?.end, tracks[track + 1] == nil, track + 1 < count ?? Self.mostTracks
        else { return }
        tracks[track + 1] = Track(start: end)
    }

    /// Notes that there is no file of this number.
    mutating func lacks(_ track: Int) {
        guard track > 0 else { return }
        count = min(count ?? track, track)
        tracks = tracks.filter { $0.key < track }
    }

    /// Takes the number of files.
    mutating func learn(count: Int) { if count > 0 { lacks(count) } }

    /// The end of the recording; `nil` while it is not known.
    var end: Int64? {
        guard let count, let last = tracks[count - 1], last.isExact else { return nil }
        return last.end
    }

    /// The end of what has a place; at least a certain one where no length is exact.
    func reach(atLeast least: Int64) -> Int64 {
        guard let last = tracks.values.max(by: { $0.start < $1.start }) else { return least }
        return last.isExact ? last.end ?? least : max(last.end ?? last.start, least)
    }

    /// The first place of the line.
    var first: Int64 { tracks.values.map(\.start).min() ?? 0 }

    /// The file before those that have a place; `nil` if there is none.
    var before: Int? { isBookTime ? tracks.keys.min().flatMap { $0 > 0 ? $0 - 1 : nil } : nil }

    /// The file whose length has to be known for a bound to have a place.
    func unknown(before bound: ClipInfo.Bound) -> Int? {
        guard tracks[bound.track] == nil else { return nil }
        return tracks.keys.filter { $0 < bound.track }.max()
    }

    // MARK: Conversions

    /// Returns the place of a bound; `nil` while it has none.
    func position(of bound: ClipInfo.Bound) -> Int64? { position(of: bound.track, ms: Self.ms(bound)) }

    /// Returns the place of a time in a file; `nil` while it has none.
    func position(of track: Int, ms: Int64) -> Int64? { tracks[track].map { $0.start + ms.bounded } }

    /// Returns the file at a place, and the time in it.
    ///
    /// A place at the end of the last file is in that file, and a place before the first at its start.
    func place(of position: Int64) -> (track: Int, ms: Int64) {
        let known = tracks.filter { $0.value.start <= position }.max { $0.value.start < $1.value.start }
        guard let known else { return (tracks.keys.min() ?? 0, 0) }
        return (known.key, position - known.value.start)
    }

    /// Returns a place as a time that a command takes.
    func time(of position: Int64) -> String {
        let place = place(of: position)
        let milliseconds = String(place.ms % 1000)
        return "track:\(place.track + 1)+\(place.ms / 1000)."
            + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
    }

    /// Returns the parts of files that lie in a range, as far as they have a place.
    func parts(in range: Range<Int64>) -> [Part] {
        tracks.sorted { $0.value.start < $1.value.start }.compactMap { track, place in
            let end = place.isExact ? place.end ?? .max : tracks[track + 1]?.start ?? Int64.max >> 1
            let (from, to) = (max(range.lowerBound, place.start), min(range.upperBound, end))
            return from < to ? Part(track: track, range: from - place.start..<to - place.start) : nil
        }
    }
}
