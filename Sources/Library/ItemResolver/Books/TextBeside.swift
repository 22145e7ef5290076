// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import Glibc
public import MediaPlayback
import Synchronization

/// The text of a book among the files beside it.
///
/// All calls block.
enum TextBeside {
    /// The endings of documents, the best source first.
    private static let endings = ["epub", "fb2", "xhtml", "html", "htm", "md", "txt", "pdf"]
    /// Shorter files are notes about the recording.
    private static let leastSize: Int64 = 4096
    /// Names of files that come with recordings.
    private static let remarks: Set<String> = [
        "readme", "license", "licence", "copying", "index", "info", "description", "desc", "cover", "reader", "credits",
        "notes",
    ]

    /// Returns the path of the document that has the name of the book, or that is the only one of its format in its folder.
    ///
    /// - Parameters:
    ///   - path: The folder of the book, or its only file.
    ///   - isFolder: `true` if the book is a folder.
    static func beside(_ path: PathBytes, isFolder: Bool, title: String) -> PathBytes? {
        var folders: [PathBytes: [String: [PathBytes]]] = [:]
        return beside(path, isFolder: isFolder, title: title, &folders)
    }

    /// - Parameter folders: The documents of the folders that were looked into, by their endings.
    fileprivate static func beside(
        _ path: PathBytes, isFolder: Bool, title: String, _ folders: inout [PathBytes: [String: [PathBytes]]]
    ) -> PathBytes? {
        let name = String(decoding: path, as: UTF8.self)
        let folder = isFolder ? path : Array(FileName.folder(of: name).utf8)
        let found = folders[folder] ?? documents(in: folder)
        folders[folder] = found
        guard !found.isEmpty else { return nil }
        let wanted = Set([words(isFolder ? FileName.last(name) : stem(FileName.last(name))), words(title)])
        for ending in endings {
            let named = (found[ending] ?? []).filter {
                wanted.contains(words(stem(String(decoding: $0, as: UTF8.self))))
            }
            if named.count == 1, let file = file(named[0], in: folder) { return file }
        }
        guard isFolder else { return nil }
        for ending in endings {
            let others = (found[ending] ?? []).filter {
                !remarks.contains(stem(String(decoding: $0, as: UTF8.self)).lowercased())
            }.compactMap { file($0, in: folder, least: leastSize) }
            if others.count > 1 { return nil }
            if let only = others.first { return only }
        }
        return nil
    }

    private static func documents(in folder: PathBytes) -> [String: [PathBytes]] {
        var found: [String: [PathBytes]] = [:]
        guard let names = try? FolderWalk.names(in: folder) else { return found }
        for name in names.prefix(10_000) {
            let text = String(decoding: name, as: UTF8.self)
            guard let ending = FileName.fileExtension(text)?.lowercased(), endings.contains(ending),
                text.first != "."
            else { continue }
            found[ending, default: []].append(name)
        }
        return found
    }

    private static func file(_ name: PathBytes, in folder: PathBytes, least: Int64 = 1) -> PathBytes? {
        let path = FileProbe.path(of: name, in: folder)
        guard case .file(let size)? = try? FileProbe.look(at: path), Int64(size) >= least else { return nil }
        return path
    }

    private static func stem(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// Returns the letters and digits of a name, in small letters: what is left of it in whatever way it is written.
    private static func words(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension BookScanner: BookTextFinding {
    public func text(beside book: Book) async -> String? {
        guard book.shape != .list, let path = Self.bytes(ofFileURI: book.uri) else { return nil }
        return await run(within: Self.textTime) { _ in
            TextBeside.beside(path, isFolder: book.shape == .folder, title: book.title).map(ItemReader.fileURI)
        } ?? nil
    }

    public func texts(beside books: [BookSummary]) async -> [String: String] {
        let books = books.filter { $0.shape != .list }
        guard !books.isEmpty else { return [:] }
        let look = TextLook()
        _ = await Self.looks.run(within: Self.lookTime) {
            var folders: [PathBytes: [String: [PathBytes]]] = [:]
            for book in books where !look.isOver {
                guard let path = Self.bytes(ofFileURI: book.uri),
                    let text = TextBeside.beside(
                        path, isFolder: book.shape == .folder, title: book.title, &folders)
                else { continue }
                look.add(ItemReader.fileURI(text), of: book.uri)
            }
        }
        return look.end()
    }

    /// One queue for all looks beside many books: a mount that hangs holds up one thread.
    private static let looks = BlockingQueue(label: "rostrum.texts")
    private static let lookTime = Duration.milliseconds(200)

    public func folder(of uri: String) -> String? {
        guard uri.hasPrefix("file:///"), let slash = uri.lastIndex(of: "/") else { return nil }
        return String(uri[..<slash])
    }
}

/// The outcome of a look beside many books, as far as it has come.
private final class TextLook: Sendable {
    private struct Found {
        var texts: [String: String] = [:]
        var isOver = false
    }

    private let found = Mutex(Found())

    /// `true` if nobody waits for the rest.
    var isOver: Bool { found.withLock { $0.isOver } }

    func add(_ text: String, of book: String) { found.withLock { $0.texts[book] = text } }

    func end() -> [String: String] {
        found.withLock { found in
            found.isOver = true
            return found.texts
        }
    }
}
