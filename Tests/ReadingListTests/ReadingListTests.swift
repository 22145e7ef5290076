// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import MediaPlayback
import Synchronization
import Testing

@testable import ReadingList

@Suite struct ReadingListTests {
    private let folder: TemporaryFolder
    private let server = FakeServer()

    init() throws { folder = try TemporaryFolder() }

    private var list: ReadingList {
        let server = server
        return ReadingList(folder: folder.path + "/data/reading", now: { 1000 + Int64(server.count) }) {
            url, _, allowed in
            server.answer(url, allowed)
        }
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func `a document is fetched once, and read again without the server`() async throws {
        let list = list
        let first = try await list.document(at: "https://example.org/a/story.html?utm_source=x", headers: [])
        server.fails.store(true, ordering: .relaxed)
        let again = try await list.document(at: "https://example.org/a/story.html", headers: [])
        #expect(again == first)
        #expect(text(first.path) == "https://example.org/a/story.html?utm_source=x 1")
        #expect(first.name == "story.html" && first.charset == "utf-8")
        #expect(server.count == 1)
        // Another session finds it, too.
        let other = try await self.list.document(at: "https://example.org/a/story.html", headers: [])
        #expect(other == first)
    }

    @Test func `two wishes for one document at a time are one request`() async throws {
        let list = list
        async let one = list.add("https://example.org/x")
        async let two = list.add("https://example.org/x")
        #expect(try await (one.id) == (try await two.id))
        #expect(server.count <= 2)
        #expect(await list.entries().count == 1)
    }

    @Test func `a document that cannot be fetched is not listed`() async throws {
        server.fails.store(true, ordering: .relaxed)
        await #expect(throws: ItemError.self) { try await list.add("https://example.org/x") }
        #expect(await list.entries().isEmpty)
    }

    @Test func `a document that is added again is replaced, and keeps its ID and its date`() async throws {
        let list = list
        let first = try await list.add("https://example.org/x")
        let path = list.path(of: first)
        try await list.setArchived(true, first.id)
        let second = try await list.add("https://example.org/x")
        #expect(second.id == first.id && second.addedAt == first.addedAt && !second.isArchived)
        #expect(text(list.path(of: second)) == "https://example.org/x 2")
        #expect(text(path) == nil)
        server.fails.store(true, ordering: .relaxed)
        await #expect(throws: ItemError.self) { try await list.add("https://example.org/x") }
        #expect(text(list.path(of: second)) == "https://example.org/x 2", "what is kept stays if the server fails")
    }

    @Test func `the list is sorted by date, and entries are archived and deleted by ID or address`() async throws {
        let list = list
        let one = try await list.add("https://example.org/1")
        _ = try await list.add("https://example.org/2")
        #expect(await list.entries().map(\.url) == ["https://example.org/2", "https://example.org/1"])
        try await list.setArchived(true, one.id)
        #expect(await list.entries().map(\.isArchived) == [false, true])
        _ = try await list.delete("https://example.org/2")
        #expect(await self.list.entries().map(\.id) == [one.id])
        #expect(text(list.path(of: one)) != nil)
        await #expect(throws: ItemError.self) { try await list.delete("nobody") }
    }

    @Test func `a password in an address is for the server alone`() async throws {
        let list = list
        let entry = try await list.add("https://me:secret@example.org/x?y=1")
        #expect(entry.url == "https://example.org/x?y=1")
        #expect(text(list.path(of: entry))?.hasPrefix("https://me:secret@") == true, "the server got it")
        #expect(try await list.add("https://example.org/x?y=1").id == entry.id)
    }

    @Test func `an accent behind a sign of an address hides nothing`() async throws {
        let list = list
        let entry = try await list.add("https://me:hunter2@\u{301}example.org/a/\u{301}b.html")
        #expect(!entry.url.contains("hunter2"))
        #expect(!entry.name.utf8.contains(UInt8(ascii: "/")))
    }

    @Test func `foreign files in the folder are neither listed nor touched`() async throws {
        let list = list
        let entry = try await list.add("https://example.org/1")
        try folder.write("data/reading/junk.entry.json", Data("{".utf8))
        try folder.write(
            "data/reading/evil.entry.json",
            Data(
                #"{"id":"evil","uri":"u","url":"u","file":"../../secret","name":"n","addedAt":1,"isArchived":false}"#
                    .utf8))
        #expect(await list.entries() == [entry])
        #expect(folder.names == ["data"])
        #expect(text(folder.path + "/data/reading/junk.entry.json") == "{")
    }

    @Test(
        arguments: [
            ("text/html", "https://e.org/", "e.org.html"), ("text/html", "https://e.org/a.php?x", "a.php.html"),
            ("application/pdf", "https://e.org/paper", "paper.pdf"), (nil, "https://e.org/book.epub", "book.epub"),
            ("application/octet-stream", "https://e.org/b/Book.EPUB?dl=1", "Book.EPUB"),
            ("text/plain", "https://e.org/README.md", "README.md"), ("text/plain", "https://e.org/x.bin", "x.bin.txt"),
        ] as [(String?, String, String)])
    func `the name of a document tells its format`(_ type: String?, _ url: String, _ name: String) {
        let suffix = DocumentName.suffix(contentType: type, url: url)
        #expect(DocumentName.name(of: url, suffix: suffix) == name)
    }
}

/// A server whose documents are their address and the number of the request.
private final class FakeServer: Sendable {
    private let requests = Mutex(0)
    let fails = Atomic<Bool>(false)

    var count: Int { requests.withLock { $0 } }

    func answer(_ url: String, _ allowsPrivate: Bool) -> Result<(page: ReceivedPage, owner: any Sendable), ItemError> {
        if fails.load(ordering: .relaxed) { return .failure(ItemError(.unreadable, "\(url): no answer")) }
        let number = requests.withLock { count in
            count += 1
            return count
        }
        var path = Array("/tmp/reading-list-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        unlink(path)
        let text = "\(url) \(number)"
        _ = text.withCString { write(file, $0, strlen($0)) }
        let type = url.contains(".html") ? "text/html" : "text/plain"
        return .success(
            (
                ReceivedPage(descriptor: file, contentType: type, charset: "utf-8"),
                SharedDescriptor(owning: file)
            ))
    }
}
