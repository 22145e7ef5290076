// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import MediaPlayback
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
}
