// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
public import DocumentOrders
import EngineTransport
import Glibc
public import MediaPlayback
import ReadingText
import SpeechScript

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

    private static let mostSections = 10_000
    /// The kinds of failure that are the file's own; a full disk is none.
    private static let lasting: Set<String> = ["format", "corrupt", "encrypted", "empty", "encoding"]
    private static let job = DocumentProcess.Job(
        work: "reading the document", worker: "the reader of documents",
        end: "the document could not be read: its reader ended before it was done; the file may be damaged or hostile")

    /// - Parameters:
    ///   - program: The path of `rostrum-document-reader`.
    ///   - folder: The folder of what is kept, which need not exist.
    ///   - dictionary: The path of the listener's pronunciations, which need not exist.
    ///   - deadline: How long a document may take.
    public init(
        program: String, folder: String, dictionary: String, deadline: Duration = .seconds(120),
        orders: @escaping Orders = { DocumentOrder(name: $0) }
    ) {
        self.program = program
        cache = DocumentCache(folder: folder)
        self.dictionary = dictionary
        self.deadline = deadline
        self.orders = orders
    }

    public func read(
        _ source: TrackSource, name: String, charset: String?
    ) async throws(ItemError) -> TextDocument {
        let end = ProcessEnd()
        // A thread of its own: the process that reads ends with the thread that started it.
        let queue = BlockingQueue(label: "rostrum.document")
        let outcome = await withTaskCancellationHandler {
            await queue.run(within: deadline) { [self] in
                Result { () throws(ItemError) in try read(source, name, charset, end) }
            }
        } onCancel: {
            end.request()
        }
        guard let outcome else {
            end.request()
            throw ItemError(
                .timedOut, "\(name): reading the document took longer than \(deadline.components.seconds) s; split it")
        }
        return try outcome.get()
    }

    private func read(
        _ source: TrackSource, _ name: String, _ charset: String?, _ end: ProcessEnd
    ) throws(ItemError) -> TextDocument {
        let file = try DocumentSource.open(source, name)
        let words = Glibc.open(dictionary, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        let dictionary = words >= 0 ? SharedDescriptor(owning: words) : nil
        var order = orders(name)
        order.charset = charset
        let key = DocumentCache.key(of: file.rawValue, order, dictionary?.rawValue)
        if let key, let kept = cache.open(key), let document = try? document(kept, warnings: []) { return document }
        if let key, let fault = cache.fault(key, of: program) { throw ItemError(.unsupported, "\(name): \(fault)") }
        let draft = try cache.begin(name)
        let process = DocumentProcess(program, name: name, job: Self.job, end: end)
        let answer = try process.exchange(
            order.encoded, [file, draft.text, draft.script] + [dictionary].compactMap(\.self))
        guard let reply = DocumentReply(decoding: answer) else { throw process.hasEnded }
        switch reply {
        case .read(let warnings):
            let made = key.map { cache.keep(draft, as: $0) } ?? draft
            do throws(ScriptFileError) {
                return try document(made, warnings: warnings.map { "\(name): \($0)" })
            } catch {
                throw ItemError(.unreadable, "\(name): \(error.message)")
            }
        case .failed(let kind, let message):
            if let key, Self.lasting.contains(kind) { cache.keep(fault: message, of: key, program) }
            throw ItemError(.unsupported, "\(name): \(message)")
        }
    }

    private func document(
        _ files: DocumentCache.Files, warnings: [String]
    ) throws(ScriptFileError) -> TextDocument {
        let script = try ScriptFileReader(descriptor: files.script.rawValue)
        var sections: [TextDocument.Section] = []
        for index in 0..<min(script.sectionCount, Self.mostSections) {
            guard let section = try script.section(index) else { break }
            sections.append(
                TextDocument.Section(title: section.title, level: section.level, start: Int64(section.start)))
        }
        var language = script.language
        if language == nil { language = try script.utterance(script.count / 2)?.language }
        return TextDocument(
            text: files.text, script: files.script, title: script.title, author: script.author,
            language: language, sections: sections,
            warnings: warnings)
    }
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
        case .url:
            throw ItemError(.unsupported, "\(name): save it to a file first, or add it to the reading list")
        }
    }
}
