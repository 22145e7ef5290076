// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import DocumentOrders
import Glibc
import MediaPlayback
import ReadingText
import SpeechScript
import Synchronization
import TaskChains

/// The reading of one document in a process of its own, from its begin to the end of the script.
///
/// All who want the document at the time share it. It is given up when nobody waits for the document, or refers to it, any
/// more.
final class DocumentJob: Sendable {
    typealias Outcome = Result<TextDocument, ItemError>

    /// A document to be read, and how.
    struct Work: Sendable {
        var name: String
        var order: DocumentOrder
        /// The key under which the outcome is kept; `nil` for a pipe.
        var key: String?
        var source: SharedDescriptor
        /// The listener's pronunciations.
        var dictionary: SharedDescriptor?
        /// The time for the beginning of the script, and for every part behind it.
        var deadline: Duration
        /// The bytes of the largest text whose script is made to its end, and kept, although nobody wants it any more.
        var wholeSize: Int
        /// The time for which the reading goes on without anybody who wants it; nobody else can want what came by a pipe.
        var patience: Duration
    }

    /// The way to the document, for one more who wants it.
    enum Way {
        case document(TextDocument)
        /// The caller counts as a waiter.
        case opening(SharedTask<Outcome>)
    }

    private struct State {
        /// The task of all who wait for the beginning, until that is there.
        var opening: SharedTask<Outcome>?
        /// The document without the making of its script, once its beginning is there, and how far the script is.
        var begun: TextDocument?
        var end: Int64 = 0
        /// The size of the text, which the process may change later.
        var size = 0
        /// The time at which nobody wanted the document any more, although it is made to its end.
        var unwantedSince: ContinuousClock.Instant?
        /// The making of the script, as long as somebody refers to it.
        weak var making: ScriptMaking?
        /// `true` once no more of the script is to come.
        var isOver = false
    }

    private static let words = DocumentProcess.Job(
        work: "reading the document", worker: "the reader of documents",
        end: "the document could not be read: its reader ended before it was done; the file may be damaged or hostile")
    /// The kinds of failure that are the file's own; a full disk is none.
    private static let lasting: Set<String> = ["format", "corrupt", "encrypted", "empty", "encoding"]
    /// The niceness of a process whose beginning is there: what plays goes before the rest of its script.
    private static let niceness: Int32 = 10

    private let work: Work
    private let program: String
    private let cache: DocumentCache
    private let draft: DocumentCache.Files
    private let end = ProcessEnd()
    private let over: @Sendable (DocumentJob) -> Void
    private let state = Mutex(State())

    /// - Parameter over: Called on the thread of the reading when that is over.
    init(
        _ work: Work, program: String, cache: DocumentCache, over: @escaping @Sendable (DocumentJob) -> Void
    ) throws(ItemError) {
        self.work = work
        self.program = program
        self.cache = cache
        self.over = over
        draft = try cache.begin(work.name)
    }

    /// Begins to read, and returns the way to the document for whoever wants it first.
    func begin() -> Way {
        // A command that takes the place of another may want the same document, and must not begin anew.
        let opening = SharedTask(patience: work.patience) { await self.open() }
        _ = opening.join()
        state.withLock { $0.opening = opening }
        return .opening(opening)
    }

    /// The way to the document for one more; `nil` if the reading is over, or was given up.
    var way: Way? {
        state.withLock { state in
            guard var document = state.begun else {
                return state.opening.flatMap { $0.join() ? .opening($0) : nil }
            }
            guard !state.isOver else { return nil }
            let making = state.making ?? newMaking(state.end)
            (state.making, state.unwantedSince) = (making, nil)
            document.making = making
            return .document(document)
        }
    }

    private func newMaking(_ end: Int64) -> ScriptMaking { ScriptMaking(end: end) { [weak self] in self?.abandon() } }

    /// Gives the reading up, unless somebody wants it again by now, or it will be over soon.
    private func abandon() {
        // Whoever wants it may be gone in this moment; the last reference must not end while the lock is held.
        let (isUnwanted, making) = state.withLock { state in
            let making = state.making
            guard making == nil, !state.isOver else { return (false, making) }
            guard state.size > work.wholeSize else {
                state.unwantedSince = .now
                return (false, making)
            }
            state.isOver = true
            return (true, making)
        }
        if isUnwanted { end.request() }
        withExtendedLifetime(making) {}
    }

    /// Returns the document as soon as its beginning is there, while the rest is made.
    private func open() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                // A thread of its own: the process that reads ends with the thread that started it.
                BlockingQueue(label: "rostrum.document").enqueue { [self] in
                    run { caller.resume(returning: $0) }
                    over(self)
                    // Whoever waits has it; the document must not be kept by its own reading.
                    state.withLock { $0.opening = nil }
                }
            }
        } onCancel: {
            // Whoever wants it from now on begins a reading of its own.
            state.withLock { $0.isOver = true }
            end.request()
        }
    }

    /// - Parameter answer: Takes the document or the reason why there is none; called once.
    private func run(_ answer: (Outcome) -> Void) {
        var hasBegun = false
        let process = DocumentProcess(program, name: work.name, job: Self.words, end: end)
        do throws(ItemError) {
            try process.exchange(
                work.order.encoded, [work.source, draft.text, draft.script] + [work.dictionary].compactMap(\.self),
                within: work.deadline
            ) { bytes, number throws(ItemError) in
                switch DocumentReply(decoding: bytes) {
                case .begun(let warnings) where !hasBegun:
                    let document = try begun(warnings)
                    hasBegun = true
                    giveWay(number)
                    answer(.success(document))
                case .made(let end) where hasBegun:
                    guard try advance(to: Int64(end)) else { throw process.hasEnded }
                case .read(let warnings, let pronunciations):
                    guard draft.areComplete else { throw process.hasEnded }
                    let made = work.key.map { cache.keep(draft, as: $0) } ?? draft
                    guard !hasBegun else {
                        finish(.success(()))
                        return false
                    }
                    var document = try document(made, warnings)
                    document.pronunciations = pronunciations
                    answer(.success(document))
                    return false
                case .failed(let kind, let message):
                    if let key = work.key, Self.lasting.contains(kind) { cache.keep(fault: message, of: key, program) }
                    throw ItemError(.unsupported, "\(work.name): \(message)")
                case .begun, .made, nil: throw process.hasEnded
                }
                return true
            }
        } catch {
            if hasBegun { finish(.failure(error)) } else { answer(.failure(error)) }
        }
    }

    /// Lowers the priority of the process, unless it has a lower one from whoever started it.
    private func giveWay(_ process: pid_t) {
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        guard getpriority(which, id_t(process)) < Self.niceness else { return }
        setpriority(which, id_t(process), Self.niceness)
    }

    /// Returns the document with the making of its script, which must be held until the document is handed over.
    private func begun(_ warnings: [String]) throws(ItemError) -> TextDocument {
        var document = try document(draft, warnings)
        let end = try Self.end(of: draft, work.name)
        guard let size = draft.textSize else { throw ItemError(.unreadable, "\(work.name): its text is gone") }
        let making = newMaking(end)
        let isOver = state.withLock { state in
            (state.opening, state.end, state.size) = (nil, end, size)
            if !state.isOver { (state.begun, state.making) = (document, making) }
            return state.isOver
        }
        guard !isOver else { throw ItemError(.timedOut, "\(work.name): reading the document was given up") }
        document.making = making
        return document
    }

    /// Notes how far the script is; returns `false` if that is no progress, or not what the file says.
    ///
    /// A process that is not what it should be must come to an end, too.
    private func advance(to end: Int64) throws(ItemError) -> Bool {
        let present = try Self.end(of: draft, work.name)
        let (making, isRight) = state.withLock { state in
            let isRight = end - state.end >= Self.leastStep && end <= present && end <= Int64(state.size)
            if isRight { state.end = end }
            return (state.making, isRight)
        }
        if isRight { making?.advance(to: end) }
        if let since = state.withLock({ $0.unwantedSince }), since.duration(to: .now) > work.deadline {
            self.end.request()
        }
        return isRight
    }

    /// The fewest bytes of the text between two reports.
    private static let leastStep: Int64 = 64 << 10

    private func finish(_ outcome: Result<Void, ItemError>) {
        let making = state.withLock { state in
            state.isOver = true
            return state.making
        }
        making?.end(outcome)
    }

    private static func end(of files: DocumentCache.Files, _ name: String) throws(ItemError) -> Int64 {
        do throws(ScriptFileError) {
            return Int64(try ScriptFileReader(descriptor: files.script.rawValue).end)
        } catch {
            throw ItemError(.unreadable, "\(name): \(error.message)")
        }
    }

    private func document(_ files: DocumentCache.Files, _ warnings: [String]) throws(ItemError) -> TextDocument {
        do throws(ScriptFileError) {
            return try TextDocument(files, warnings: warnings.map { "\(work.name): \($0)" })
        } catch {
            throw ItemError(.unreadable, "\(work.name): \(error.message)")
        }
    }
}

extension TextDocument {
    private static let mostSections = 10_000
    private static let mostPages = 20_000

    /// Opens what was made of a document.
    init(_ files: DocumentCache.Files, warnings: [String] = []) throws(ScriptFileError) {
        let script = try ScriptFileReader(descriptor: files.script.rawValue)
        var sections: [TextDocument.Section] = []
        for index in 0..<min(script.sectionCount, Self.mostSections) {
            guard let section = try script.section(index) else { break }
            sections.append(
                TextDocument.Section(title: section.title, level: section.level, start: Int64(section.start)))
        }
        var pages: [TextDocument.Page] = []
        for index in 0..<min(script.pageCount, Self.mostPages) {
            guard let page = try script.page(index) else { break }
            // What is searched must be in order, and what is shown be short, whatever the file says.
            guard TextPage.isLabel(page.label), page.start >= pages.last.map({ Int($0.start) }) ?? 0 else { continue }
            pages.append(TextDocument.Page(label: page.label, start: Int64(page.start)))
        }
        var language = script.language
        if language == nil { language = try script.utterance(script.count / 2)?.language }
        self.init(
            text: files.text, script: files.script, title: script.title, author: script.author, language: language,
            sections: sections, pages: pages, warnings: warnings)
    }
}
