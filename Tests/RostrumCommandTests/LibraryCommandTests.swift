// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import FakeSession
import SessionProtocol
import Synchronization
import Testing

@Suite struct `The library on the command line` {
    private static func book(_ number: Int) -> LibraryBook {
        LibraryBook(
            id: "book\(1000 + number)", uri: "file:///b/\(number)", title: "Title \(number)",
            author: number == 1 ? "Some\u{7}body" : nil, cover: nil, durationMs: number == 2 ? nil : 61_000,
            durationConfidence: "exact", files: 2, missing: number == 2 ? 1 : 0,
            text: number == 1 ? "file:///b/1.epub" : nil)
    }

    /// Returns a fixture that answers as the session does: with the page after the last known book.
    private static func fixture(of count: Int) throws -> CommandFixture {
        try CommandFixture { command, _, _ in
            guard case .library(let action) = command else { return .done }
            let known = action.after.flatMap { Int($0.dropFirst(4)) }.map { $0 - 1000 } ?? 0
            let first = known + 1 + action.offset
            return .books(
                LibraryPage(books: first > count ? [] : (first...min(count, first + action.limit - 1)).map(book)))
        }
    }

    @Test func `is listed with a line per book`() async throws {
        let fixture = try Self.fixture(of: 2)
        #expect(
            try await fixture.program.run("library").output == """
                book1001  1:01  Some body: Title 1  (with text)
                book1002  -:--  Title 2  (1 of 3 files missing)

                """)
        #expect(
            try await fixture.program.run("library", "list", "--json").output
                == String(decoding: JSONLine.encode(Self.book(1)) + JSONLine.encode(Self.book(2)), as: UTF8.self))
    }

    @Test(arguments: [(Int?.none, 0, 1201, [500, 500, 500]), (700, 10, 700, [500, 200]), (20, 0, 20, [20])])
    func `is requested page by page until the limit is reached`(
        _ limit: Int?, _ offset: Int, _ lines: Int, _ asked: [Int]
    ) async throws {
        let fixture = try Self.fixture(of: 1201)
        var words = ["library", "list", "--offset", "\(offset)"]
        if let limit { words += ["--limit", "\(limit)"] }
        let output = try await fixture.program.run(words).output
        #expect(output.split(separator: "\n").count == lines)
        #expect(output.hasPrefix("book\(1001 + offset) "))
        let actions = fixture.session.commands.compactMap { if case .library(let action) = $0 { action } else { nil } }
        #expect(actions.map(\.limit) == asked)
        #expect(actions.map(\.offset) == [offset] + asked.dropFirst().map { _ in 0 })
    }

    @Test(arguments: [(["next", "book1001"], "book1001"), (["next", "file:///b/1"], "file:///b/1")])
    func `shows the next book, if there is one`(_ words: [String], _ id: String) async throws {
        let count = Mutex(1)
        let fixture = try CommandFixture { command, _, _ in
            .books(LibraryPage(books: count.withLock(\.self) == 0 ? [] : [Self.book(2)]))
        }
        let line = "book1002  -:--  Title 2  (1 of 3 files missing)\n"
        #expect(try await fixture.program.run(["library"] + words) == .init(output: line, errors: "", code: 0))
        let json = String(decoding: try JSONLine.encode(Self.book(2)), as: UTF8.self)
        #expect(try await fixture.program.run(["library"] + words + ["--json"]).output == json)
        count.withLock { $0 = 0 }
        let none = try await fixture.program.run(["library"] + words)
        #expect(none == .init(output: "no next book\n", errors: "", code: 0))
        #expect(try await fixture.program.run(["library"] + words + ["--json"]).output.isEmpty)
        #expect(Set(fixture.session.commands) == [.library(LibraryAction(.next, id: id))])
    }

    @Test func `reports what an import leaves out on standard error, and the rest on standard output`() async throws {
        let box = SessionBox()
        let fixture = try CommandFixture { command, _, _ in
            guard case .library = command else { return .done }
            await box.tell(.library(LibraryProgress(found: 50)))
            await box.tell(.library(LibraryProgress(step: .init(done: 0, total: 2, title: "One"))))
            await box.tell(.library(LibraryProgress(problem: "/b/2.mp3: no audio\u{1B}[2J")))
            await box.tell(.library(LibraryProgress(book: .init(id: "book1001", title: "One", outcome: "added"))))
            var summary = LibraryImportSummary()
            summary.added = 1
            summary.failed = 1
            return .imported(summary)
        }
        await box.set(fixture.session)
        let path = try fixture.file("x.mp3")
        let outcome = try await fixture.program.run("library", "add", "x.mp3")
        #expect(outcome.code == 0)
        #expect(outcome.output == "added book1001  One\nbooks: 1 added, 1 left out\n")
        #expect(outcome.errors == "rostrum: /b/2.mp3: no audio [2J\n")
        #expect(fixture.session.commands.last == .library(LibraryAction(.add, items: [path])))
        #expect(
            try await fixture.program.run("library", "rescan", "--json").output == """
                {"type":"scanning","found":50}
                {"type":"progress","done":0,"title":"One","total":2}
                {"type":"problem","message":"/b/2.mp3: no audio\\u001b[2J"}
                {"type":"book","id":"book1001","outcome":"added","title":"One"}
                {"type":"summary","added":1,"cancelled":false,"failed":1,"missing":0,"moved":0,"unchanged":0,"updated":0}

                """)
    }

    @Test func `takes eight letters and digits as a book's ID, unless a file has that name`() async throws {
        let fixture = try CommandFixture()
        _ = try await fixture.program.run("play", "7qk2m9xd", "--detach")
        let path = try fixture.file("abcd1234")
        _ = try await fixture.program.run("play", "abcd1234", "library:abcd1234", "--detach")
        let items = fixture.session.commands.compactMap { if case .play(let play) = $0 { play.items } else { nil } }
        #expect(items == [["library:7qk2m9xd"], [path, "library:abcd1234"]])
    }

    @Test func `leaves a word of eight letters to the session where it may be of a title`() async throws {
        let fixture = try CommandFixture()
        _ = try await fixture.program.run("read", "darkness", "--detach")
        _ = try await fixture.program.run("read", "library:abcd1234", "--detach")
        _ = try await fixture.program.run("library", "pair", "7qk2m9xd", "darkness")
        _ = try await fixture.program.run("library", "pair", "7qk2m9xd", "https://example.org/x")
        let items = fixture.session.commands.compactMap { command -> [String]? in
            switch command {
            case .read(let read): read.items
            case .library(let action): action.items
            default: nil
            }
        }
        #expect(items == [["reading:darkness"], ["library:abcd1234"], ["reading:darkness"], ["https://example.org/x"]])
    }

    @Test(arguments: [
        (["library", "add"], 64), (["library", "list", "--limit", "0"], 64), (["library", "add", "none"], 66),
        (["library", "list", "--offset=-1"], 64), (["library", "next", ""], 64),
    ])
    func `refuses invalid arguments`(_ words: [String], _ code: Int) async throws {
        let fixture = try Self.fixture(of: 1)
        let outcome = try await fixture.program.run(words)
        #expect(outcome.code == Int32(code))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }
}

/// The session, which is created only after its answers.
private actor SessionBox {
    private var session: FakeSession?
    func set(_ session: FakeSession) { self.session = session }
    func tell(_ notification: SessionNotification) { session?.tell(notification) }
}
