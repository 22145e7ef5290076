// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
public import DocumentOrders
import EngineTransport
import Glibc
public import MediaPlayback
import SpeechScript
import Synchronization
import TaskChains

/// Reads documents in a confined process of its own, which is gone when one is read.
///
/// A parser of foreign files is foreign code: whatever it does, the session goes on. What was made of a file is kept until the
/// file or a setting changes.
public struct DocumentReader: DocumentReading {
    /// Returns what the listener has set, for an item of this name.
    public typealias Orders = @Sendable (_ name: String) -> DocumentOrder

    private let program: String
    private let cache: DocumentCache
    private let dictionary: String
    private let deadline: Duration
    private let orders: Orders
    private let wholeSize: Int
    private let patience: Duration
    private let jobs = DocumentJobs()

    /// - Parameters:
    ///   - program: The path of `rostrum-document-reader`.
    ///   - folder: The folder of what is kept, which need not exist.
    ///   - dictionary: The path of the listener's pronunciations, which need not exist.
    ///   - deadline: How long the beginning of a document may take, and every part behind it; less than a client waits.
    ///   - wholeSize: The bytes of the largest text whose script is made to its end although nobody wants it any more. It is
    ///     kept then, and took a second or two.
    ///   - patience: The time for which the reading of a file goes on when the last who waited for its beginning is gone: what
    ///     a command takes to come in the place of another.
    public init(
        program: String, folder: String, dictionary: String, deadline: Duration = .seconds(50),
        wholeSize: Int = 8 << 20, patience: Duration = .milliseconds(100),
        orders: @escaping Orders = { DocumentOrder(name: $0) }
    ) {
        self.program = program
        cache = DocumentCache(folder: folder)
        self.dictionary = dictionary
        self.deadline = deadline
        self.wholeSize = wholeSize
        self.patience = patience
        self.orders = orders
    }

    public func read(
        _ source: TrackSource, name: String, charset: String?, wishes: ReadingWishes
    ) async throws(ItemError) -> TextDocument {
        let call = DocumentCall()
        let found = await BlockingQueue(label: "rostrum.document.open").run(within: deadline) { [self] in
            let found = Result { () throws(ItemError) in try way(to: source, name, charset, wishes) }
            // Nobody is there to take it.
            if call.isOver, case .success(.opening(let task)) = found { task.leave() }
            return found
        }
        guard let found else {
            call.end()
            throw ItemError(
                .timedOut, "\(name): reading the document took longer than \(deadline.components.seconds) s; split it")
        }
        switch try found.get() {
        case .document(let document): return document
        case .opening(let task): return try await task.value.get()
        }
    }

    /// Returns the way to a document: what is kept of it, a reading that is under way, or a new one.
    private func way(
        to source: TrackSource, _ name: String, _ charset: String?, _ wishes: ReadingWishes
    ) throws(ItemError) -> DocumentJob.Way {
        let file = try DocumentSource.open(source, name)
        let words = Glibc.open(dictionary, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        let dictionary = words >= 0 ? SharedDescriptor(owning: words) : nil
        var order = orders(name)
        order.charset = charset
        order.language = wishes.language ?? order.language
        order.pronunciations += wishes.pronunciations
        let key = DocumentCache.key(of: file.rawValue, order, dictionary?.rawValue)
        if let key, let kept = cache.open(key), let document = try? TextDocument(kept) { return .document(document) }
        if let key, let fault = cache.fault(key, of: program) { throw ItemError(.unsupported, "\(name): \(fault)") }
        let work = DocumentJob.Work(
            name: name, order: order, key: key, source: file, dictionary: dictionary, deadline: deadline,
            wholeSize: wholeSize, patience: key == nil ? .zero : patience)
        return try jobs.way(work, program: program, cache: cache)
    }
}

/// The readings that are under way, by the keys of their documents.
private final class DocumentJobs: Sendable {
    private let jobs = Mutex<[String: DocumentJob]>([:])

    /// Returns the way to a document by the reading that is under way, or by a new one.
    func way(_ work: DocumentJob.Work, program: String, cache: DocumentCache) throws(ItemError) -> DocumentJob.Way {
        let remove: @Sendable (DocumentJob) -> Void = { [weak self] in self?.remove($0, work.key) }
        guard let key = work.key else {
            return try DocumentJob(work, program: program, cache: cache, over: remove).begin()
        }
        return try jobs.withLock { jobs throws(ItemError) in
            if let way = jobs[key]?.way { return way }
            let job = try DocumentJob(work, program: program, cache: cache, over: remove)
            jobs[key] = job
            return job.begin()
        }
    }

    private func remove(_ job: DocumentJob, _ key: String?) {
        guard let key else { return }
        jobs.withLock { if $0[key] === job { $0[key] = nil } }
    }
}

/// A call for a document, which may be over before a file system answers.
private final class DocumentCall: Sendable {
    private let state = Mutex(false)
    var isOver: Bool { state.withLock { $0 } }

    func end() { state.withLock { $0 = true } }
}

/// The descriptor of a document.
enum DocumentSource {
    static func open(_ source: TrackSource, _ name: String) throws(ItemError) -> SharedDescriptor {
        switch source {
        case .file(let path):
            let raw = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard raw >= 0 else {
                let code = errno
                throw ItemError(
                    code == ENOENT || code == ENOTDIR ? .missing : .unreadable,
                    "\(path): \(String(cString: strerror(code)))")
            }
            return SharedDescriptor(owning: raw)
        case .descriptor(let shared, _): return shared
        case .url, .served:
            throw ItemError(.unsupported, "\(name): save it to a file first, or add it to the reading list")
        }
    }
}
