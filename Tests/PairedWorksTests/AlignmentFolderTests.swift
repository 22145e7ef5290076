// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import BookTimeline
import FileTestSupport
import MediaPlayback
import ProcessTestSupport
import Testing

@testable import PairedWorks

@Suite struct `Alignments of a book` {
    private let folder: TemporaryFolder
    private let document: TextDocument

    init() throws {
        folder = try TemporaryFolder()
        document = try Shelf.document([])
    }

    private func book(missing: Set<Int> = [], unknown: Set<Int> = []) -> Book {
        Book(
            uri: "file:///b", shape: .folder, title: "b",
            tracks: (0..<3).map { number in
                BookTrack(
                    file: BookFile(uri: "file:///b/\(number).mp3", size: 1, modified: 1),
                    fingerprint: unknown.contains(number)
                        ? nil : Fingerprint([UInt8](repeating: UInt8(number + 1), count: Fingerprint.size)),
                    timeline: TimelineTrack(unitsPerSecond: 1000, duration: 100_000, confidence: .exact),
                    isMissing: missing.contains(number))
            }, addedAt: 0)
    }

    @Test func `are of all its files, or of those that are there`() async throws {
        let alignments = AlignmentFolder(folder: folder.path)
        let whole = await alignments.comparisons(of: book(), document)
        #expect(whole.map(\.numbers) == [[0, 1, 2]])
        let part = await alignments.comparisons(of: book(missing: [1]), document)
        #expect(part.map(\.numbers) == [[0, 1, 2], [0, 2]])
        #expect(part[0].key == whole[0].key, "what was compared before a file was lost still counts")
        #expect(part[1].key != whole[0].key, "what is compared without it is another comparison")
        #expect(await alignments.key(of: book(missing: [1]), document) == part[1].key)
        let other = await alignments.comparisons(of: book(missing: [2]), document)
        #expect(other[1].key != part[1].key)
    }

    @Test func `need the content of every file that they compare`() async {
        let alignments = AlignmentFolder(folder: folder.path)
        #expect(await alignments.key(of: book(unknown: [0]), document) == nil)
        #expect(
            await alignments.comparisons(of: book(missing: [1], unknown: [1]), document).map(\.numbers) == [[0, 2]])
        #expect(await alignments.alignment(of: book(), document) == nil)
    }

    // MARK: Those that go on

    /// Starts another process that makes an alignment, as far as anybody can tell.
    private func align(_ name: String, book: String?) throws -> AligningProcess {
        let path = "\(folder.path)/\(name).alignment"
        try RunningAlignment(path, book: book).note(share: 0.25)
        return try AligningProcess(making: path)
    }

    @Test func `that go on are found and ended by the book, whatever became of its text and files`() async throws {
        let alignments = AlignmentFolder(folder: folder.path)
        var known = book(unknown: [0])
        known.id = "abcd1234"
        let own = try align("a", book: known.id)
        let other = try align("b", book: "efgh5678")
        #expect(await alignments.activity(of: known, document) == nil, "its text and files do not lead there")
        #expect(await alignments.running(of: known)?.state == .running(process: own.id))
        #expect(await alignments.isAnyOfUnknownBook() == false)
        let ended = try #require(try await alignments.end(of: known))
        #expect(ended.state == .stopped && ended.share == 0.25)
        #expect(try await alignments.end(of: known) == nil)
        #expect(await alignments.running(of: known) == nil)
        let rest = AlignmentActivity.running(in: folder.path)
        #expect(rest.values.map(\.state) == [.running(process: other.id)], "another book's goes on")
        other.end()
        let old = try align("c", book: nil)
        #expect(await alignments.isAnyOfUnknownBook(), "an older program does not say of which book it is")
        old.end()
    }
}
