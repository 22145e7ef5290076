// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import BlockingCalls
import CacheFolders
import Glibc
public import MediaPlayback
import SpeechScript
import Synchronization

/// The folder of alignments: what was found by comparing recordings with texts, under the content of both.
public final class AlignmentFolder: AlignmentReading {
    /// The name of an alignment: what it compares.
    public struct Key: Sendable, Hashable {
        /// The content of the files of the recording, in order.
        public var recording: String
        /// The content of the reading text.
        public var text: String

        fileprivate var name: String { "\(recording)-\(text)" }
    }

    let folder: CacheFolder
    let queue = BlockingQueue(label: "rostrum.alignments")
    /// The end of a process takes longer than a look at a file.
    let ends = BlockingQueue(label: "rostrum.alignments.end")
    /// The time that a disk has for a text or an alignment.
    static let deadline = Duration.seconds(5)

    /// The content of the text that was read last.
    ///
    /// Reason for the lock: look-ups come from several actors; held for one access.
    private let known = Mutex<(identity: DocumentIdentity, hash: ContentHash)?>(nil)

    /// The total size of all alignments, in bytes: those of some hundred books.
    private static let limit: Int64 = 256 << 20

    public init(folder: String) { self.folder = CacheFolder(path: folder, limit: Self.limit) }

    /// Returns the key of an alignment of the files that are there; `nil` if the text cannot be read in time, or if a file has
    /// no fingerprint.
    public func key(of book: Book, _ document: TextDocument) async -> Key? {
        await comparisons(of: book, document).last?.key
    }

    /// Returns the comparisons that say something of a book, and the numbers in it of the files that each compared: all
    /// files, of which some may be missing by now, and those that are there.
    func comparisons(of book: Book, _ document: TextDocument) async -> [(key: Key, numbers: [Int])] {
        guard let hash = await hash(of: document) else { return [] }
        let all = Array(book.tracks.indices)
        let there = all.filter { !book.tracks[$0].isMissing }
        return (all == there ? [all] : [all, there]).compactMap { numbers in
            let prints = numbers.map { book.tracks[$0].fingerprint }
            guard !prints.isEmpty, !prints.contains(nil) else { return nil }
            let recording = prints.compactMap(\.self).reduce(ContentHash()) { $0.adding($1.bytes) }
            return (Key(recording: recording.text, text: hash.text), numbers)
        }
    }

    /// Makes the folder, and room in it, for whoever writes an alignment.
    ///
    /// A folder that cannot be made is reported by the one who writes there.
    public func prepare(for key: Key) async {
        let folder = folder
        _ = await queue.run(within: Self.deadline) {
            _ = folder.make()
            folder.makeRoom(keeping: key.name)
        }
    }

    public func path(_ key: Key) -> String { "\(folder.path)/\(key.name).alignment" }

    public func version(of book: Book, _ document: TextDocument) async -> AlignmentVersion? {
        let paths = await comparisons(of: book, document).map { path($0.key) }
        return await queue.run(within: Self.deadline) {
            for path in paths {
                var found = stat()
                guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { continue }
                let changed = Int64(found.st_mtim.tv_sec) * 1_000_000_000 + Int64(found.st_mtim.tv_nsec)
                return AlignmentVersion(size: Int64(found.st_size), changed: changed)
            }
            return nil
        } ?? nil
    }

    public func alignment(of book: Book, _ document: TextDocument) async -> WorkAlignment? {
        let comparisons = await comparisons(of: book, document).map { ($0.key, path($0.key), $0.numbers) }
        return await queue.run(within: Self.deadline) {
            for (key, path, numbers) in comparisons {
                if let found = Self.read(path, key, numbers, document) { return found }
            }
            return nil
        } ?? nil
    }

    /// - Parameter numbers: The numbers in the book of the files that were compared, in order.
    private static func read(
        _ path: String, _ key: Key, _ numbers: [Int], _ document: TextDocument
    ) -> WorkAlignment? {
        let file: Alignment
        do throws(AlignmentFileError) {
            file = try AlignmentFile.read(path)
        } catch {
            return nil
        }
        guard file.header.recording == key.recording, file.header.text == key.text else { return nil }
        var passages: [WorkAlignment.Passage] = []
        for sentence in file.sentences
        where sentence.isMatched && sentence.error <= widestError && numbers.indices.contains(sentence.track) {
            let track = numbers[sentence.track]
            // The pause behind a sentence belongs to it.
            if let last = passages.last, last.track == track,
                (0...longestPause).contains(sentence.start - last.sound.upperBound)
            {
                passages[passages.count - 1].sound = last.sound.lowerBound..<sentence.start
            }
            guard sentence.start <= sentence.end else { continue }
            passages.append(
                WorkAlignment.Passage(
                    text: Int64(sentence.range.lowerBound)..<Int64(sentence.range.upperBound), track: track,
                    sound: sentence.start..<sentence.end, error: Double(max(0, sentence.error)) / 1000))
        }
        return WorkAlignment(
            passages: passages, isComplete: file.isComplete,
            unmatched: UnmatchedPassage.all(in: file, numbers, rest: rest(of: document, file)))
    }

    /// Returns passages with the first words of their text; without them if the disk takes too long.
    ///
    /// Whoever plays needs no words, and each takes a read of its own.
    public func withWords(_ passages: [UnmatchedPassage], of document: TextDocument) async -> [UnmatchedPassage] {
        await queue.run(within: Self.deadline) {
            passages.map { passage in
                var passage = passage
                passage.words = passage.firstWords(in: document)
                return passage
            }
        } ?? passages
    }

    /// Returns the bytes from the first utterance behind a whole alignment to the end; `nil` if nothing is said there.
    private static func rest(of document: TextDocument, _ file: Alignment) -> Range<Int>? {
        guard file.isComplete, let place = file.state?.text,
            let script = try? ScriptFileReader(descriptor: document.script.rawValue),
            let index = try? script.index(at: place), var cursor = try? script.cursor(at: index),
            let first = try? cursor.next()
        else { return nil }
        let start = max(place, first.range.lowerBound)
        return start < script.end ? start..<script.end : nil
    }

    /// The error in milliseconds above which a sentence was not found, but only bridged between others.
    private static let widestError = 3000

    /// The longest pause between two sentences, in milliseconds.
    private static let longestPause: Int64 = 4000

    // MARK: Content

    private func hash(of document: TextDocument) async -> ContentHash? {
        guard let identity = DocumentIdentity(document) else { return nil }
        if let known = known.withLock({ $0 }), known.identity == identity { return known.hash }
        let text = document.text
        guard let hash = await queue.run(within: Self.deadline, { Self.hash(of: text.rawValue) }) ?? nil else {
            return nil
        }
        known.withLock { $0 = (identity, hash) }
        return hash
    }

    private static func hash(of descriptor: CInt) -> ContentHash? {
        var hash = ContentHash()
        var place = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(place))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return hash }
            hash = hash.adding(buffer[..<count])
            place += count
        }
    }
}

/// A name for content: FNV-1a of 64 bits, which nobody has to resist.
private struct ContentHash: Sendable {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    func adding(_ bytes: some Sequence<UInt8>) -> ContentHash {
        var hash = self
        for byte in bytes { hash.value = (hash.value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    var text: String { String(value, radix: 36) }
}
