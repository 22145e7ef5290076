// SPDX-License-Identifier: Apache-2.0

public import AlignmentFile
public import BookTimeline
public import MediaPlayback
import PassageMap
public import PlaybackCore
import Synchronization
import TaskChains

/// Finds the other side of books and texts: as the user paired them, or by their folder, or by their title.
///
/// Keeps the works that were looked up last, since a document that is open has descriptors.
public actor PairedWorks: WorkFinding {
    private let pairs: any PairStore
    private let books: any BookStore
    private let texts: any BookTextFinding
    private let resolver: any ItemResolving
    private let alignments: any AlignmentReading
    /// The works that were used last, the newest one last.
    private var works: [(key: Key, work: Work)] = []

    /// The texts that are being read.
    private var readings: [String: SharedTask<Result<Content, PlaybackError>>] = [:]

    private struct Key: Hashable {
        var book: Book
        var text: String
        var document: DocumentIdentity?
        var alignment: AlignmentVersion?
    }

    private static let mostWorks = 2

    /// The number of changes to pairs.
    ///
    /// It is atomic because a status asks for it while this actor reads a library or makes a map.
    private let revisions = Atomic<Int>(0)

    public nonisolated var revision: Int { revisions.load(ordering: .relaxed) }

    /// Notes that books were added, moved or removed.
    public nonisolated func noteBooks() { revisions.add(1, ordering: .relaxed) }

    public init(
        pairs: any PairStore, books: any BookStore, texts: any BookTextFinding, resolver: any ItemResolving,
        alignments: any AlignmentReading
    ) {
        self.pairs = pairs
        self.books = books
        self.texts = texts
        self.resolver = resolver
        self.alignments = alignments
    }

    // MARK: Pairs

    public func counterpart(of uri: String, kind: ContentKind) async -> WorkSide? {
        do throws(PlaceStoreError) {
            switch kind {
            case .audio:
                guard let book = try await books.book(uri: uri), let text = try await text(of: book) else { return nil }
                return WorkSide(uri: text, kind: .text, items: [text], title: ShownName.of(text))
            case .text:
                guard let book = try await recording(of: uri) else { return nil }
                return WorkSide(uri: book.uri, kind: .audio, items: book.items, title: book.title)
            }
        } catch {
            // A library that cannot be read keeps nothing from playing.
            return nil
        }
    }

    public func missingParts(of recording: String) async -> [MediaPosition] {
        guard let book = try? await books.book(uri: recording), book.missing > 0 else { return [] }
        return Work.missingParts(of: book.wholeTimeline, present: book.present).map(\.start)
    }

    /// Returns the URI of the text of a book.
    public func text(of book: Book) async throws(PlaceStoreError) -> String? {
        if let pair = try await pairs.pair(of: book.uri) { return pair.text }
        guard let text = await texts.text(beside: book) else { return nil }
        // The user gave it to another book.
        if let pair = try await pairs.pair(of: text), pair.recording != book.uri { return nil }
        return text
    }

    /// Returns the texts of books, as far as they are known at once, by the URI of the book.
    ///
    /// Does not wait for what this actor does.
    public nonisolated func knownTexts(of books: [BookSummary]) async throws(PlaceStoreError) -> [String: String] {
        var known: [String: String] = [:]
        for book in books { known[book.uri] = book.pair?.text }
        let beside = await texts.texts(beside: books.filter { $0.pair == nil })
        guard !beside.isEmpty else { return known }
        // The user gave some of them to other books.
        let taken = try await pairs.paired(among: Array(Set(beside.values)))
        for (book, text) in beside where !taken.contains(text) { known[book] = text }
        return known
    }

    private func recording(of text: String) async throws(PlaceStoreError) -> Book? {
        if let pair = try await pairs.pair(of: text) { return try await books.book(uri: pair.recording) }
        guard let folder = texts.folder(of: text) else { return nil }
        var candidates = try await books.book(uri: folder).map { [$0] } ?? []
        for uri in try await books.books(beside: text) {
            if let book = try await books.book(uri: uri) { candidates.append(book) }
        }
        for book in candidates.prefix(Self.mostCandidates) {
            if try await pairs.pair(of: book.uri) == nil, await texts.text(beside: book) == text { return book }
        }
        return nil
    }

    /// The most books of a folder whose texts are looked for.
    private static let mostCandidates = 200

    /// Pairs a book with a text, which must be readable.
    ///
    /// Throws `notPermitted` if it is the text of another book, unless it may be taken from that.
    ///
    /// - Parameter item: The path, URI or address of the text.
    /// - Returns: The work, and the book that had the text before.
    public func pair(
        _ book: Book, with item: String, takes: Bool = false
    ) async throws(PlaybackError) -> (work: Work, former: Book?) {
        let content = try await content(of: item)
        let work = try await work(recording: book.uri, text: item)
        // Another command may give the text to another book meanwhile.
        for _ in 0..<Self.mostRounds {
            let former = try await store { () throws(PlaceStoreError) in try await recording(of: content.uri) }
            let other = former.flatMap { $0.uri == book.uri ? nil : $0 }
            if let other, !takes {
                throw PlaybackError(
                    .notPermitted,
                    message:
                        "“\(content.title)” is the text of “\(other.title)” (\(other.id)); to take it from that book, "
                        + "add --force")
            }
            let isKept = try await store { () throws(PlaceStoreError) in
                try await pairs.keep(TextPair(recording: book.uri, text: content.uri), from: other?.uri)
            }
            guard isKept else { continue }
            revisions.add(1, ordering: .relaxed)
            return (work, other)
        }
        throw PlaybackError(
            .busy, message: "“\(content.title)” is being given to other books; see `rostrum library`, then try again")
    }

    /// The most times that a pair is tried that others overtake.
    private static let mostRounds = 8

    /// Parts a book from its text, and from whatever lies beside it.
    public func part(_ book: Book) async throws(PlaybackError) {
        try await store { () throws(PlaceStoreError) in
            _ = try await pairs.keep(TextPair(recording: book.uri, text: nil), from: nil)
        }
        revisions.add(1, ordering: .relaxed)
    }

    private func store<Value>(
        _ body: () async throws(PlaceStoreError) -> Value
    ) async throws(PlaybackError) -> Value {
        do throws(PlaceStoreError) {
            return try await body()
        } catch {
            throw PlaybackError(.io, message: error.message)
        }
    }

    /// Returns the content of a text; whoever wants it while it is being read waits for the same reading.
    private func content(of item: String) async throws(PlaybackError) -> Content {
        let task: SharedTask<Result<Content, PlaybackError>>
        if let running = readings[item], running.join() {
            task = running
        } else {
            task = SharedTask { [resolver] in
                do throws(ItemError) {
                    let request = ItemRequest(items: [item], asText: true, extensions: KnownExtensions(audio: []))
                    return .success(try await resolver.resolve(request).content)
                } catch {
                    return .failure(PlaybackError(error))
                }
            }
            _ = task.join()
            readings[item] = task
        }
        let result = await task.value
        if readings[item] === task { readings[item] = nil }
        return try result.get()
    }

    /// Pairs a text with the only book of its title, unless one of them has another side.
    public func learn(_ document: TextDocument, of uri: String) async {
        guard let title = document.title, title.count > 1 else { return }
        do throws(PlaceStoreError) {
            guard try await recording(of: uri) == nil, try await pairs.pair(of: uri) == nil else { return }
            let titled = try await pairs.books(titled: title, limit: 2)
            guard titled.count == 1, Self.agree(titled[0].author, document.author),
                let book = try await books.book(uri: titled[0].uri), try await pairs.pair(of: book.uri) == nil,
                await texts.text(beside: book) == nil
            else { return }
            if try await pairs.keep(TextPair(recording: book.uri, text: uri), from: nil) {
                revisions.add(1, ordering: .relaxed)
            }
        } catch {
            // The title is looked up again the next time.
        }
    }

    /// Returns whether two authors are one: both are known, and have a name in common.
    private static func agree(_ a: String?, _ b: String?) -> Bool {
        guard let a, let b else { return false }
        func names(_ author: String) -> Set<String> {
            Set(author.lowercased().split { !$0.isLetter }.map(String.init).filter { $0.count > 2 })
        }
        let (first, second) = (names(a), names(b))
        return !first.isDisjoint(with: second)
    }

    // MARK: Works

    /// Returns the making of the alignment of a work; `nil` if nobody makes it and the last who did has completed it.
    public func activity(of work: Work) async -> AlignmentActivity? {
        guard let book = try? await books.book(uri: work.recording.uri) else { return nil }
        return await alignments.activity(of: book, work.document)
    }

    public func work(
        of uri: String, kind: ContentKind, with other: WorkSide
    ) async throws(PlaybackError) -> Work {
        let (recording, text) = kind == .audio ? (uri, other.uri) : (other.uri, uri)
        return try await work(recording: recording, text: text)
    }

    /// Returns a work; reads the document, unless what was made of it is kept.
    public func work(recording uri: String, text: String) async throws(PlaybackError) -> Work {
        let book: Book?
        do throws(PlaceStoreError) {
            book = try await books.book(uri: uri)
        } catch {
            throw PlaybackError(.io, message: error.message)
        }
        guard let book else {
            throw PlaybackError(.noInput, message: "\(uri) is not in the library; add it with `rostrum library add`")
        }
        let content = try await content(of: text)
        guard let document = content.document else {
            throw PlaybackError(.badContent, message: "“\(ShownName.of(text))” is no text that can be paired")
        }
        // The map has all of the text.
        do throws(ItemError) { try await document.finish() } catch { throw PlaybackError(error) }
        let version = await alignments.version(of: book, document)
        let key = Key(book: book, text: text, document: DocumentIdentity(document), alignment: version)
        if let known = works.last(where: { $0.key == key })?.work { return known }
        let aligned = version == nil ? nil : await alignments.alignment(of: book, document)
        let work = Work(
            recording: WorkSide(uri: book.uri, kind: .audio, items: book.items, title: book.title),
            text: WorkSide(uri: content.uri, kind: .text, items: [text], title: content.title), document: document,
            map: WorkMap(book, document).map(refinedBy: aligned),
            timeline: book.wholeTimeline, present: book.present)
        works.removeAll { $0.key.book.uri == book.uri }
        works.append((key, work))
        if works.count > Self.mostWorks { works.removeFirst() }
        return work
    }
}
