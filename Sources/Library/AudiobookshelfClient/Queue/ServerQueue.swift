// SPDX-License-Identifier: Apache-2.0

/// The files of a book or an episode in play order, and its chapters in them.
///
/// It is the one rule for what is played and for what is downloaded: the files that the server lists, in order; without
/// such a list those that the chapters name; else the one audio file that there is. Never the item's folder.
public struct ServerQueue: Sendable, Hashable {
    public struct File: Sendable, Hashable {
        /// The number in addresses, which may change.
        public var ino: String
        /// The path in the item's folder, by which the file is found again.
        public var relPath: String?
        public var name: String
        /// The length as the server measured it.
        public var seconds: Double?
        public var bytes: Int64?
    }

    /// A chapter, at a place in one of the files.
    ///
    /// Its place in the book follows from the lengths of the files as the player measures them.
    public struct Chapter: Sendable, Hashable {
        public var file: Int
        public var seconds: Double
        public var title: String?
    }

    /// The reason why nothing can be played.
    public enum Fault: Error, Sendable, Hashable {
        /// A podcast without an episode that was named.
        case needsEpisode
        case noSuchEpisode
        /// A book that has no audio.
        case noAudio
    }

    public var title: String
    public var author: String?
    public var files: [File]
    public var chapters: [Chapter]

    /// Seconds within which a chapter that begins about where a file does begins with it.
    private static let snap = 0.05

    public init(_ item: ServerItem, episode: String? = nil) throws(Fault) {
        switch item.media {
        case .book(let book):
            guard episode == nil else { throw .noSuchEpisode }
            title = item.title
            author = book.author
            let audio = Self.audio(of: book, item)
            files = audio.compactMap { File($0) }
            guard !files.isEmpty else { throw .noAudio }
            // With a file left out, the server's times say nothing of the others.
            chapters = audio.count == files.count ? Self.chapters(book.chapters, in: audio) : []
        case .podcast(let podcast):
            guard let episode else { throw .needsEpisode }
            guard let found = podcast.episodes.first(where: { $0.id == episode }) else { throw .noSuchEpisode }
            guard let audio = found.audioFile, let file = File(audio) else { throw .noAudio }
            title = found.title ?? item.title
            author = podcast.title ?? podcast.author
            files = [file]
            chapters = Self.chapters(found.chapters, in: [audio])
        }
    }

    private static func audio(of book: ServerBook, _ item: ServerItem) -> [ServerAudioFile] {
        let tracks = inOrder(book.tracks.filter { !$0.isExcluded })
        if !tracks.isEmpty {
            // Tracks of versions before 2.18 do not say all; the file of the same number does.
            return tracks.map { track in
                let file = book.audioFiles.first { $0.ino != nil && $0.ino == track.ino }
                var track = track
                if track.path.relPath == nil, let file { track.path = file.path }
                track.seconds = track.seconds ?? file?.seconds
                return track
            }
        }
        let listed = inOrder(book.audioFiles.filter { !$0.isExcluded && !$0.isInvalid })
        if !listed.isEmpty { return listed }
        var seen: Set<String> = []
        let named = book.chapters.compactMap(\.filePath).filter { seen.insert($0).inserted }.compactMap { path in
            item.files.first { $0.path.relPath == path || $0.path.name == path }
        }
        if !named.isEmpty { return named.map { ServerAudioFile($0) } }
        let audio = item.files.filter { $0.kind == "audio" }
        return audio.count == 1 ? audio.map { ServerAudioFile($0) } : []
    }

    /// Returns files by their indexes, if all have one and no two the same, and otherwise as they came.
    private static func inOrder(_ files: [ServerAudioFile]) -> [ServerAudioFile] {
        let indexes = files.compactMap(\.index)
        guard indexes.count == files.count, Set(indexes).count == files.count else { return files }
        return files.sorted { ($0.index ?? 0) < ($1.index ?? 0) }
    }

    /// Returns the chapters at their places in the files, or none if one of them has no place.
    private static func chapters(_ chapters: [ServerChapter], in files: [ServerAudioFile]) -> [Chapter] {
        var starts: [Double] = []
        for file in files {
            let previous = starts.count - 1
            let sum = previous < 0 ? 0 : files[previous].seconds.map { starts[previous] + $0 }
            guard let start = file.startOffset ?? sum else { break }
            starts.append(start)
        }
        var found: [Chapter] = []
        for chapter in chapters {
            if let path = chapter.filePath {
                guard let file = files.firstIndex(where: { $0.path.relPath == path || $0.path.name == path }) else {
                    return []
                }
                found.append(Chapter(file: file, seconds: chapter.start, title: chapter.title))
                continue
            }
            guard var file = starts.lastIndex(where: { $0 <= chapter.start }) else { return [] }
            var seconds = chapter.start - starts[file]
            if file + 1 < starts.count, starts[file + 1] - chapter.start <= snap { (file, seconds) = (file + 1, 0) }
            // Behind the last file whose place is known, nothing is.
            if file == starts.count - 1, starts.count < files.count { return [] }
            found.append(Chapter(file: file, seconds: seconds <= snap ? 0 : seconds, title: chapter.title))
        }
        return found
    }
}

extension ServerQueue.File {
    init?(_ file: ServerAudioFile) {
        guard let ino = file.ino else { return nil }
        self.ino = ino
        relPath = file.path.relPath
        name = file.path.name ?? file.title ?? relPath ?? ino
        seconds = file.seconds
        bytes = file.path.bytes
    }
}

extension ServerAudioFile {
    /// Creates the file of a list that says only where files are.
    init(_ file: ServerFile) {
        ino = file.ino
        path = file.path
        (isExcluded, isInvalid) = (false, false)
    }
}
