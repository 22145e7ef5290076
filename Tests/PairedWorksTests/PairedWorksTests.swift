// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import BookTimeline
import FileTestSupport
import Foundation
import Glibc
import LibraryStore
import MediaPlayback
import PassageMap
import PlaybackCore
import ReadingText
import SpeechScript
import Testing

@testable import PairedWorks

/// A library with one book of three files, each 100 s long, and a text of three sections.
struct Shelf {
    static let text = "Loomings. Call me. The Bag. I stuffed. The Spouter. Entering."
    let folder: TemporaryFolder
    let store: LibraryStore
    var texts = Beside()
    var alignments = FakeAlignments()

    struct Beside: BookTextFinding {
        var found: [String: String] = [:]
        func text(beside book: Book) async -> String? { found[book.uri] }
        func texts(beside books: [BookSummary]) async -> [String: String] {
            let uris = Set(books.map(\.uri))
            return found.filter { uris.contains($0.key) }
        }
        func folder(of uri: String) -> String? { uri.lastIndex(of: "/").map { String(uri[..<$0]) } }
    }

    struct FakeAlignments: AlignmentReading {
        var known: WorkAlignment?
        func version(of book: Book, _ document: TextDocument) async -> AlignmentVersion? {
            known.map { AlignmentVersion(size: Int64($0.passages.count), changed: 0) }
        }
        func alignment(of book: Book, _ document: TextDocument) async -> WorkAlignment? { known }
        func activity(of book: Book, _ document: TextDocument) async -> AlignmentActivity? { nil }
    }

    /// Resolves every item to the same document.
    struct OneDocument: ItemResolving {
        var titles = ["1. Loomings", "2. The Bag", "3. The Spouter"]
        func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
            let item = request.items[0]
            guard !item.contains("missing") else { throw ItemError(.missing, "no such file: \(item)") }
            var content = Content(uri: item, kind: .text, tracks: [], title: "Moby Dick")
            do {
                content.document = try Shelf.document(titles)
            } catch {
                throw ItemError(.unreadable, "\(error)")
            }
            return ResolvedItem(content: content, items: request.items, notes: [])
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite", deadline: .seconds(20))
    }

    func works(_ resolver: OneDocument = OneDocument()) -> PairedWorks {
        PairedWorks(pairs: store, books: store, texts: texts, resolver: resolver, alignments: alignments)
    }

    static func file() -> SharedDescriptor {
        var path = Array("/tmp/rostrum-work-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        unlink(path)
        return SharedDescriptor(owning: file)
    }

    static func document(_ titles: [String], recordings: [Recording] = []) throws -> TextDocument {
        let (script, text) = (file(), file())
        let sections = zip(titles, [0, 19, 39]).map { TextSection(title: $0, level: 1, start: $1) }
        var block = TextBlock(.paragraph, 0..<Self.text.utf8.count)
        block.recordings = recordings
        var writer = try ScriptFileWriter(
            descriptor: script.rawValue,
            of: ReadingDocument(text: Array(Self.text.utf8), blocks: [block], sections: sections))
        let starts = [0, 10, 19, 28, 39, 52]
        for (index, start) in starts.enumerated() {
            let range = start..<(index + 1 < starts.count ? starts[index + 1] : Self.text.utf8.count)
            try writer.append(Utterance(range: range, sentence: range, block: 0, spoken: "x"))
        }
        try writer.finish()
        return TextDocument(
            text: text, script: script, title: "Moby Dick", author: "Herman Melville",
            sections: sections.map { .init(title: $0.title, level: 1, start: Int64($0.start)) })
    }

    func book(_ uri: String = "file:///books/moby", titles: [String] = ["01 Loomings", "02 The Bag", "03 The Spouter"])
        async throws -> Book
    {
        var book = Book(
            uri: uri, shape: .folder, title: "Moby Dick", author: "Melville, H.",
            tracks: titles.enumerated().map { number, title in
                BookTrack(
                    file: BookFile(uri: "\(uri)/\(number).mp3", size: 1, modified: 1),
                    timeline: TimelineTrack(unitsPerSecond: 1000, duration: 100_000, confidence: .exact), codec: "mp3",
                    title: title)
            }, addedAt: 1)
        book.id = try await store.add(book)
        return book
    }
}

@Suite struct `Works of a library` {
    @Test func `are paired by hand, and parted`() async throws {
        var shelf = try Shelf()
        let book = try await shelf.book()
        let works = shelf.works()
        #expect(await works.counterpart(of: book.uri, kind: .audio) == nil)
        let work = try await works.pair(book, with: "file:///texts/moby.epub").work
        #expect(work.text.title == "Moby Dick" && work.recording.uri == book.uri)
        #expect(await works.counterpart(of: book.uri, kind: .audio)?.uri == "file:///texts/moby.epub")
        #expect(await works.counterpart(of: "file:///texts/moby.epub", kind: .text)?.uri == book.uri)
        await #expect(throws: PlaybackError.self) { try await works.pair(book, with: "file:///missing.epub") }
        // What lies beside a book that was parted from its text does not count.
        shelf.texts.found[book.uri] = "file:///books/moby/moby.epub"
        let again = shelf.works()
        try await again.part(book)
        #expect(await again.counterpart(of: book.uri, kind: .audio) == nil)
        #expect(await again.counterpart(of: "file:///books/moby/moby.epub", kind: .text) == nil)
    }

    @Test func `are told from other books in a list`() async throws {
        var shelf = try Shelf()
        let (alone, given) = (try await shelf.book("file:///books/1"), try await shelf.book("file:///books/2"))
        let (parted, beside) = (try await shelf.book("file:///books/3"), try await shelf.book("file:///books/4"))
        let other = try await shelf.book("file:///books/5")
        for book in [parted, beside, other] { shelf.texts.found[book.uri] = book.uri + "/text.epub" }
        let works = shelf.works()
        // The second book gets what lies beside the fifth.
        _ = try await works.pair(given, with: other.uri + "/text.epub", takes: true)
        try await works.part(parted)
        let all = try await shelf.store.books(after: nil, offset: 0, limit: 10)
        try #require(Set(all.map(\.uri)) == Set([alone, given, parted, beside, other].map(\.uri)))
        let known = try await works.knownTexts(of: all)
        #expect(known == [given.uri: other.uri + "/text.epub", beside.uri: beside.uri + "/text.epub"])
        for book in [alone, given, parted, beside, other] {
            #expect(try await works.text(of: book) == known[book.uri], "as each by itself")
        }
    }

    @Test func `are paired by the folder`() async throws {
        var shelf = try Shelf()
        let book = try await shelf.book()
        shelf.texts.found[book.uri] = "file:///books/moby/moby.epub"
        let works = shelf.works()
        #expect(await works.counterpart(of: book.uri, kind: .audio)?.title == "moby.epub")
        #expect(await works.counterpart(of: "file:///books/moby/moby.epub", kind: .text)?.uri == book.uri)
        #expect(await works.counterpart(of: "file:///books/moby/other.epub", kind: .text) == nil)
    }

    @Test func `are paired by title and author`() async throws {
        let shelf = try Shelf()
        let book = try await shelf.book()
        let works = shelf.works()
        var document = try Shelf.document([])
        document.author = "Somebody Else"
        await works.learn(document, of: "file:///texts/a.epub")
        #expect(await works.counterpart(of: book.uri, kind: .audio) == nil)
        document.author = "Herman Melville"
        await works.learn(document, of: "file:///texts/a.epub")
        #expect(await works.counterpart(of: book.uri, kind: .audio)?.uri == "file:///texts/a.epub")
        await works.learn(document, of: "file:///texts/b.epub")
        #expect(
            await works.counterpart(of: book.uri, kind: .audio)?.uri == "file:///texts/a.epub", "the first one stays")
    }

    @Test func `move along with their book`() async throws {
        let shelf = try Shelf()
        let book = try await shelf.book()
        let works = shelf.works()
        _ = try await works.pair(book, with: book.uri + "/moby.epub")
        let moved = BookReconciliation(
            book, uri: "file:///new/moby", shape: .folder, cover: nil,
            files: book.tracks.map {
                BookFile(uri: $0.file.uri.replacing("/books/", with: "/new/"), size: 1, modified: 1)
            }, fingerprints: book.tracks.map { _ in nil })
        try await shelf.store.move(book.id, to: moved)
        #expect(await works.counterpart(of: "file:///new/moby", kind: .audio)?.uri == "file:///new/moby/moby.epub")
    }

    @Test func `lose their text to another book only if that is wanted`() async throws {
        var shelf = try Shelf()
        let (first, second) = (try await shelf.book(), try await shelf.book("file:///books/again"))
        let text = "file:///texts/moby.epub"
        let works = shelf.works()
        #expect(try await works.pair(first, with: text).former == nil)
        #expect(try await works.pair(first, with: text).former == nil, "it is its own")
        await #expect {
            try await works.pair(second, with: text)
        } throws: { error in
            (error as? PlaybackError)?.kind == .notPermitted
                && (error as? PlaybackError)?.message.contains("“Moby Dick” (\(first.id))") == true
        }
        #expect(await works.counterpart(of: text, kind: .text)?.uri == first.uri)
        #expect(try await works.pair(second, with: text, takes: true).former?.id == first.id)
        #expect(await works.counterpart(of: text, kind: .text)?.uri == second.uri)
        #expect(await works.counterpart(of: first.uri, kind: .audio) == nil)
        // A text that lies beside a book is its text, too.
        let third = try await shelf.book("file:///books/third")
        shelf.texts.found[third.uri] = third.uri + "/third.epub"
        let beside = shelf.works()
        await #expect(throws: PlaybackError.self) { try await beside.pair(second, with: third.uri + "/third.epub") }
        #expect(try await beside.pair(second, with: third.uri + "/third.epub", takes: true).former?.id == third.id)
        #expect(await beside.counterpart(of: third.uri, kind: .audio) == nil, "not one that has another recording")
    }

    /// A library in which another book gets the text just before the first pair is kept.
    private actor OvertakenPairs: PairStore {
        let store: LibraryStore
        private var other: TextPair?

        init(_ store: LibraryStore, by other: TextPair) { (self.store, self.other) = (store, other) }

        func pair(of uri: String) async throws(PlaceStoreError) -> TextPair? { try await store.pair(of: uri) }

        func paired(among texts: [String]) async throws(PlaceStoreError) -> Set<String> {
            try await store.paired(among: texts)
        }

        func keep(_ pair: TextPair, from former: String?) async throws(PlaceStoreError) -> Bool {
            let other = other
            self.other = nil
            if let other { _ = try await store.keep(other, from: nil) }
            return try await store.keep(pair, from: former)
        }

        func books(titled title: String, limit: Int) async throws(PlaceStoreError) -> [BookSummary] {
            try await store.books(titled: title, limit: limit)
        }
    }

    @Test(arguments: [false, true])
    func `are not taken from a book that gets the text meanwhile, unless that is wanted`(_ takes: Bool) async throws {
        let shelf = try Shelf()
        let (first, second) = (try await shelf.book(), try await shelf.book("file:///books/again"))
        let text = "file:///texts/moby.epub"
        let works = PairedWorks(
            pairs: OvertakenPairs(shelf.store, by: TextPair(recording: second.uri, text: text)), books: shelf.store,
            texts: shelf.texts, resolver: Shelf.OneDocument(), alignments: shelf.alignments)
        if takes {
            #expect(try await works.pair(first, with: text, takes: true).former?.id == second.id, "and it says so")
        } else {
            await #expect {
                try await works.pair(first, with: text)
            } throws: { ($0 as? PlaybackError)?.kind == .notPermitted }
        }
        #expect(await works.counterpart(of: text, kind: .text)?.uri == (takes ? first : second).uri)
        #expect((await works.counterpart(of: first.uri, kind: .audio) != nil) == takes)
        #expect((await works.counterpart(of: second.uri, kind: .audio) != nil) != takes)
    }

    @Test func `have one recording, however many want their text at once`() async throws {
        let shelf = try Shelf()
        let text = "file:///texts/moby.epub"
        var books: [Book] = []
        for number in 0..<4 { books.append(try await shelf.book("file:///books/\(number)")) }
        let works = shelf.works()
        let winners = await withTaskGroup(of: String?.self, returning: [String].self) { group in
            for book in books {
                group.addTask { (try? await works.pair(book, with: text)).map { _ in book.uri } }
            }
            return await group.reduce(into: []) { if let uri = $1 { $0.append(uri) } }
        }
        #expect(winners.count == 1, "\(winners)")
        #expect(await works.counterpart(of: text, kind: .text)?.uri == winners.first)
    }

    @Test func `are known to have changed`() async throws {
        let shelf = try Shelf()
        let book = try await shelf.book()
        let works = shelf.works()
        var revisions = [works.revision]
        _ = try await works.pair(book, with: "file:///texts/moby.epub")
        revisions.append(works.revision)
        try await works.part(book)
        revisions.append(works.revision)
        works.noteBooks()
        revisions.append(works.revision)
        #expect(Set(revisions).count == 4, "\(revisions)")
    }

    @Test func `lack the files that are missing, at the beginning too`() async throws {
        let shelf = try Shelf()
        var book = try await shelf.book()
        (book.tracks[0].isMissing, book.tracks[2].isMissing) = (true, true)
        _ = try await shelf.store.add(book)
        let parts = await shelf.works().missingParts(of: book.uri)
        #expect(parts == [.start, MediaPosition(track: 0, units: 100_000)])
        #expect(await shelf.works().missingParts(of: "file:///unknown") == [])
    }

    // MARK: Maps

    @Test func `have the beginnings of chapters in common`() async throws {
        let shelf = try Shelf()
        let work = try await shelf.works().pair(try await shelf.book(), with: "file:///a.epub").work
        #expect(work.map.grade == .anchored)
        #expect(work.textPlace(of: MediaPosition(track: 1, units: 0))?.position.units == 19)
        #expect(
            work.recordingPlace(of: MediaPosition(track: 0, units: 39))?.position == MediaPosition(track: 2, units: 0))
        let within = try #require(work.textPlace(of: MediaPosition(track: 1, units: 60_000)))
        #expect(within.position.units == 28 && within.grade == .anchored && abs(within.error - 25) < 0.01)
    }

    @Test func `have only their lengths in common without chapters`() async throws {
        let shelf = try Shelf()
        let book = try await shelf.book(titles: ["a", "b"])
        let work = try await shelf.works(.init(titles: ["Loomings"])).pair(book, with: "file:///a.epub").work
        #expect(work.map.grade == .proportional)
        #expect(work.textPlace(of: MediaPosition(track: 1, units: 0))?.position.units == 28)
    }

    @Test func `have nothing in common if the recording was compared in vain`() async throws {
        var shelf = try Shelf()
        shelf.alignments.known = WorkAlignment(passages: [], isComplete: true)
        let book = try await shelf.book(titles: ["a", "b"])
        let work = try await shelf.works(.init(titles: ["Loomings"])).pair(book, with: "file:///a.epub").work
        #expect(work.map.grade == .unknown)
        #expect(work.textPlace(of: MediaPosition(track: 1, units: 0)) == nil)
    }

    @Test func `have nothing in common after a comparison in vain, whatever their chapters are called`() async throws {
        var shelf = try Shelf()
        let chapters = try await shelf.works().pair(try await shelf.book(), with: "file:///a.epub").work
        #expect(chapters.map.grade == .anchored)
        shelf.alignments.known = WorkAlignment(passages: [], isComplete: true)
        let work = try await shelf.works().pair(try await shelf.book(), with: "file:///a.epub").work
        #expect(work.map.grade == .unknown)
    }

    @Test func `have the sentences in common that were compared, and chapters for the rest`() async throws {
        var shelf = try Shelf()
        shelf.alignments.known = WorkAlignment(
            passages: [
                .init(text: 0..<10, track: 0, sound: 5_000..<40_000, error: 0.2),
                .init(text: 10..<19, track: 0, sound: 41_000..<99_000, error: 0.2),
                .init(text: 19..<28, track: 1, sound: 2_000..<50_000, error: 0.3),
            ], isComplete: false)
        let work = try await shelf.works().pair(try await shelf.book(), with: "file:///a.epub").work
        let place = try #require(work.textPlace(of: MediaPosition(track: 0, units: 41_500)))
        #expect(place.position.units == 10 && place.grade == .aligned && place.error == 0.2)
        #expect(
            work.recordingPlace(of: MediaPosition(track: 0, units: 20))?.position
                == MediaPosition(track: 1, units: 2_000))
        // Behind the last sentence that was compared.
        let behind = try #require(work.recordingPlace(of: MediaPosition(track: 0, units: 39)))
        #expect(behind.position == MediaPosition(track: 2, units: 0) && behind.grade == .anchored)
    }

    @Test func `lack a last file that was not compared, and have the rest of the text for it`() throws {
        var book = Book(
            uri: "file:///b", shape: .folder, title: "b",
            tracks: ["one.mp3", "two.mp3"].map {
                BookTrack(
                    file: BookFile(uri: "file:///b/\($0)", size: 1, modified: 1),
                    timeline: TimelineTrack(unitsPerSecond: 1000, duration: 60_000, confidence: .exact))
            }, addedAt: 0)
        book.tracks[1].isMissing = true
        let document = try Shelf.document([])
        let alignment = WorkAlignment(
            passages: [
                .init(text: 0..<10, track: 0, sound: 5_000..<30_000, error: 0.2),
                .init(text: 10..<19, track: 0, sound: 31_000..<58_000, error: 0.2),
            ], isComplete: true)
        let map = WorkMap(book, document).map(refinedBy: alignment)
        #expect(map.text(in: 60..<120) == 19..<Int64(Shelf.text.utf8.count))
        #expect(map.byte(at: 61)?.grade == .anchored)
    }

    @Test func `have what the document states in common`() throws {
        let shelf = Book(
            uri: "file:///b", shape: .folder, title: "b",
            tracks: ["one.mp3", "two.mp3"].map {
                BookTrack(
                    file: BookFile(uri: "file:///b/\($0)", size: 1, modified: 1),
                    timeline: TimelineTrack(unitsPerSecond: 44_100, duration: 4_410_000, confidence: .exact))
            }, addedAt: 0)
        let document = try Shelf.document(
            [],
            recordings: [
                Recording(0..<10, file: "audio/one.mp3", start: 1_000, end: 3_000),
                Recording(10..<19, file: "audio/one.mp3", start: 3_000, end: 7_500),
                Recording(19..<61, file: "audio/two.mp3", start: 0, end: nil),
            ])
        let map = WorkMap(shelf, document).map(refinedBy: nil)
        #expect(map.grade == .exact)
        #expect(map.byte(at: 3.5)?.value == 11 && map.byte(at: 3.5)?.grade == .exact)
        #expect(map.seconds(at: 19)?.value == 100)
    }
}
