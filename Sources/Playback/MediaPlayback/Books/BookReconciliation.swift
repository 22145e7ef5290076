// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// The comparison of a library book with the files that are there now: which file is which, and where its places go.
///
/// A place is a track and an offset, and a track is a number among the files that play. So a file that is renamed, gone
/// or back changes what a number means, and every place has to follow.
public struct BookReconciliation: Sendable, Hashable {
    public var uri: String
    public var shape: BookShape
    public var cover: String?
    /// All files in order, including missing ones; a new file has only the fingerprint and duration that were given.
    public private(set) var tracks: [BookTrack]
    /// The new number, in ``tracks``, of each previous file of the book.
    public private(set) var numbers: [Int]
    /// The number of the book's files that are there, by content.
    public private(set) var matches: Int

    /// - Parameters:
    ///   - files: the files that would play, in order.
    ///   - fingerprints: the fingerprints of `files`; `nil` where a file has the name, size and time of one of the
    ///     book's, or could not be read.
    public init(
        _ book: Book, uri: String, shape: BookShape, cover: String?, files: [BookFile], fingerprints: [Fingerprint?]
    ) {
        self.uri = uri
        self.shape = shape
        self.cover = cover
        var byFile: [BookFile: Int] = [:]
        var byName: [String: Int] = [:]
        var byContent: [Fingerprint: [Int]] = [:]
        for (number, track) in book.tracks.enumerated() {
            byFile[track.file] = number
            byName[track.file.uri] = number
            if let fingerprint = track.fingerprint { byContent[fingerprint, default: []].append(number) }
        }
        var taken: Set<Int> = []
        var found = [Int?](repeating: nil, count: files.count)
        var isSame = [Bool](repeating: false, count: files.count)
        func take(_ number: Int?, for index: Int, same: Bool) {
            guard let number, found[index] == nil, taken.insert(number).inserted else { return }
            found[index] = number
            isSame[index] = same
        }
        // The surest match comes first: the same file, then its content under another name, then a file that was
        // changed in place (new tags).
        for (index, file) in files.enumerated() { take(byFile[file], for: index, same: true) }
        for index in files.indices where found[index] == nil {
            guard let fingerprint = fingerprints[index] else { continue }
            let own = byName[files[index].uri].flatMap { byContent[fingerprint]?.contains($0) == true ? $0 : nil }
            take(own ?? byContent[fingerprint]?.first { !taken.contains($0) }, for: index, same: true)
        }
        for index in files.indices where found[index] == nil { take(byName[files[index].uri], for: index, same: false) }
        matches = zip(found, isSame).count { $0 != nil && $1 }

        var present: [(old: Int?, track: BookTrack)] = []
        for (index, file) in files.enumerated() {
            var track = BookTrack(file: file, fingerprint: fingerprints[index])
            if let old = found[index], isSame[index] {
                track = book.tracks[old]
                track.file = file
                track.isMissing = false
            } else if let old = found[index] {
                // Its former length is the best guess until an engine has seen it, and if none can open it.
                let line = book.tracks[old].timeline
                track.timeline = TimelineTrack(
                    unitsPerSecond: line.unitsPerSecond, duration: line.duration, confidence: .estimated)
            }
            present.append((found[index], track))
        }
        // A missing file stays behind the one that it came after.
        var merged: [(old: Int?, track: BookTrack)] = present
        for old in book.tracks.indices where !taken.contains(old) {
            var track = book.tracks[old]
            track.isMissing = true
            let place = merged.lastIndex { $0.old.map { $0 < old } == true }.map { $0 + 1 } ?? 0
            merged.insert((old, track), at: place)
        }
        tracks = merged.map(\.track)
        var numbers = [Int](repeating: 0, count: book.tracks.count)
        for (number, entry) in merged.enumerated() {
            if let old = entry.old { numbers[old] = number }
        }
        self.numbers = numbers
    }

    /// Returns whether nothing has changed.
    public func isNothing(for book: Book) -> Bool {
        uri == book.uri && shape == book.shape && tracks == book.tracks && cover == book.cover
    }

    /// `true` if a file is new to the library or was changed, so that no engine has seen it.
    public var needsInspection: Bool {
        tracks.contains(where: \.needsInspection)
    }

    /// Returns whether enough of the book's files are here to identify it as the same book.
    public func isSame(as book: Book) -> Bool { matches > 0 && matches * 2 >= book.tracks.count }
}

/// The track numbers of places, which count only the files that are there.
public struct TrackNumbers: Sendable {
    /// The numbers among all of the book's current files, indexed by the former track number.
    private var files: [Int] = []
    /// The number among the files that are there now, by the number among all files.
    private var numbers: [Int: Int] = [:]
    private let nowThere: [Int]

    public init(_ book: Book, _ reconciliation: BookReconciliation) {
        nowThere = reconciliation.tracks.indices.filter { !reconciliation.tracks[$0].isMissing }
        for (number, file) in nowThere.enumerated() { numbers[file] = number }
        files = zip(book.tracks, reconciliation.numbers).filter { !$0.0.isMissing }.map(\.1)
    }

    /// Returns a former track's number among all of the book's files; `nil` if the track never existed.
    public func file(_ track: Int) -> Int? { files.indices.contains(track) ? files[track] : nil }

    /// Returns the current track number of a file; `nil` if the file is gone.
    public func now(ofFile file: Int) -> Int? { numbers[file] }

    /// Returns the first file that is there after a missing one, or else the last one; `nil` if none is there.
    public func next(afterFile file: Int) -> Int? { nowThere.firstIndex { $0 > file } ?? nowThere.indices.last }
}
