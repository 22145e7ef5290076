// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// A book of the library against the files that are there now: which is which, and where its places go.
///
/// A place is a track and an offset, and a track is a number among the files that play. So a file that is renamed, gone or back
/// changes what a number means, and every place has to follow.
public struct BookReconciliation: Sendable, Hashable {
    public var uri: String
    public var shape: BookShape
    public var cover: String?
    /// All files, in order, with those that are missing; a new one has no fingerprint or duration but what was given.
    public private(set) var tracks: [BookTrack]
    /// The number of each file of the book so far, among ``tracks``.
    public private(set) var numbers: [Int]
    /// Files of the book that are there, as counted by content.
    public private(set) var matches: Int

    /// - Parameters:
    ///   - files: what would play, in order.
    ///   - fingerprints: of `files`; nil where a file has the name, size and time of one of the book's, or could not be read.
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
        // Surest first: the very file, then its content under another name, then a file that was changed in place (new tags).
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
            }
            present.append((found[index], track))
        }
        // One that is gone stays behind the one that it came after.
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

    /// Nothing has changed.
    public func isNothing(for book: Book) -> Bool {
        uri == book.uri && shape == book.shape && tracks == book.tracks && cover == book.cover
    }

    /// Some file is new to the library or was changed: an engine has not seen it.
    public var needsInspection: Bool {
        tracks.contains(where: \.needsInspection)
    }

    /// Enough of the book is here to say that it is the book.
    public func isSame(as book: Book) -> Bool { matches > 0 && matches * 2 >= book.tracks.count }
}

/// Numbers of tracks as places have them: of the files that are there.
public struct TrackNumbers: Sendable {
    /// Of all of the book's files as they are now, by the number among those that were there.
    private var files: [Int] = []
    /// The number among those that are there now, by that among all.
    private var numbers: [Int: Int] = [:]
    private let nowThere: [Int]

    public init(_ book: Book, _ reconciliation: BookReconciliation) {
        nowThere = reconciliation.tracks.indices.filter { !reconciliation.tracks[$0].isMissing }
        for (number, file) in nowThere.enumerated() { numbers[file] = number }
        files = zip(book.tracks, reconciliation.numbers).filter { !$0.0.isMissing }.map(\.1)
    }

    /// Of all of the book's files; nil: the track never was.
    public func file(_ track: Int) -> Int? { files.indices.contains(track) ? files[track] : nil }

    /// Nil: the file is gone.
    public func now(ofFile file: Int) -> Int? { numbers[file] }

    /// The first file that is there after one that is gone, else the last one; nil: none is there.
    public func next(afterFile file: Int) -> Int? { nowThere.firstIndex { $0 > file } ?? nowThere.indices.last }
}
