// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `A folder that the library watches` {
    private static func session(in temporary: TemporaryFolders? = nil) throws -> RunningSession {
        let temporary = try temporary ?? TemporaryFolders()
        try temporary.folders.create()
        try Data(#"{"watchDelay": 0.05}"#.utf8).write(
            to: URL(fileURLWithPath: temporary.folders.config + "/settings.json"))
        try FileManager.default.createDirectory(
            atPath: temporary.path + "/books", withIntermediateDirectories: true)
        return try RunningSession(in: temporary)
    }

    private static func makeFolder(_ name: String, in session: RunningSession) throws {
        try FileManager.default.createDirectory(
            atPath: session.temporary.path + "/" + name, withIntermediateDirectories: true)
    }

    private static func watch(_ session: RunningSession) async throws {
        let outcome = try await session.program.run("library", "watch", session.temporary.path + "/books")
        try #require(outcome.code == 0, "\(outcome)")
    }

    private static func books(_ session: RunningSession) async throws -> [LibraryBook] {
        try await session.program.run("library", "list", "--json").output.split(separator: "\n").map {
            try JSONDecoder().decode(LibraryBook.self, from: Data($0.utf8))
        }
    }

    private static func watches(_ session: RunningSession) async throws -> LibraryWatches {
        let output = try await session.program.run("library", "watch", "--list", "--json").output
        return try JSONDecoder().decode(LibraryWatches.self, from: Data(output.utf8))
    }

    /// Waits until the books are as expected.
    private static func until(
        _ session: RunningSession, sourceLocation: SourceLocation = #_sourceLocation,
        _ holds: ([LibraryBook]) -> Bool
    ) async throws {
        try await session.wait(sourceLocation) { holds(try await books(session)) }
    }

    @Test func `has its books added, and a new one taken up by itself, with a line in the log`() async throws {
        let session = try Self.session()
        try Self.makeFolder("books/A", in: session)
        _ = try session.sound("books/A/1.wav", milliseconds: 500)
        let outcome = try await session.program.run("library", "watch", session.temporary.path + "/books")
        #expect(outcome.code == 0 && outcome.output.hasSuffix("books: 1 added\n"), "\(outcome)")
        try Self.makeFolder("books/B", in: session)
        _ = try session.sound("books/B/1.wav", milliseconds: 500)
        try await Self.until(session) { $0.map(\.title) == ["A", "B"] }
        try await session.wait { try await Self.watches(session).last?.contains("1 added: “B”") == true }
        let watches = try await Self.watches(session)
        #expect(watches.folders.map(\.state) == ["watched"] && watches.folders.map(\.folders) == [3])
        #expect(try await session.log().contains { ($0["message"] as? String)?.contains("1 added: “B”") == true })
    }

    @Test func `keeps the place of a book that moves, and shows one that is gone until it is back`() async throws {
        let session = try Self.session()
        try Self.makeFolder("books/A", in: session)
        for name in ["1", "2"] { _ = try session.sound("books/A/\(name).wav", milliseconds: 20_000) }
        try await Self.watch(session)
        let (root, program) = (session.temporary.path, session.program)
        let id = try #require(try await Self.books(session).first).id
        #expect(try await program.run("play", id, "--at", "track:2+5", "--detach").code == 0)
        #expect(try await program.run("stop").code == 0)
        let place = try #require(try await Self.books(session).first?.positionMs)
        #expect(place >= 25_000)
        try Self.makeFolder("books/Author", in: session)
        try FileManager.default.moveItem(atPath: root + "/books/A", toPath: root + "/books/Author/Z")
        try await Self.until(session) {
            $0.map(\.id) == [id] && $0[0].uri.hasSuffix("/books/Author/Z") && $0[0].positionMs == place
        }
        // As if its disk were unmounted.
        try FileManager.default.moveItem(atPath: root + "/books", toPath: root + "/away")
        try await Self.until(session) { $0.map(\.id) == [id] && $0[0].files == 0 }
        try await session.wait { try await Self.watches(session).folders.map(\.state) == ["absent"] }
        try FileManager.default.moveItem(atPath: root + "/away", toPath: root + "/books")
        try await Self.until(session) { $0.map(\.id) == [id] && $0[0].missing == 0 && $0[0].positionMs == place }
    }

    @Test func `has a file that is being written taken up when it is complete, and one that is replaced again`()
        async throws
    {
        let session = try Self.session()
        try await Self.watch(session)
        let root = session.temporary.path
        for name in ["x", "y", "z"] { try Self.makeFolder("books/" + name, in: session) }
        let whole = try session.sound("whole.wav", milliseconds: 2_000)
        let data = try Data(contentsOf: URL(fileURLWithPath: whole))
        let writer = try #require(fopen(root + "/books/x/a.wav", "w"))
        let half = Array(data.prefix(data.count / 2))
        #expect(fwrite(half, 1, half.count, writer) == half.count && fflush(writer) == 0)
        // The other one is taken up meanwhile.
        _ = try session.sound("books/y/b.wav", milliseconds: 1_000)
        try await Self.until(session) { !$0.isEmpty }
        #expect(try await Self.books(session).map(\.durationMs) == [1_000])
        let rest = Array(data.dropFirst(half.count))
        #expect(fwrite(rest, 1, rest.count, writer) == rest.count && fclose(writer) == 0)
        try await Self.until(session) { $0.map(\.durationMs).sorted { ($0 ?? 0) < ($1 ?? 0) } == [1_000, 2_000] }
        _ = try session.sound("other.part", milliseconds: 3_000)
        #expect(rename(root + "/other.part", root + "/books/x/a.wav") == 0)
        try await Self.until(session) { $0.map(\.durationMs).sorted { ($0 ?? 0) < ($1 ?? 0) } == [1_000, 3_000] }
    }

    @Test func `is watched after a restart, and what changed meanwhile is taken up`() async throws {
        var session: RunningSession? = try Self.session()
        let temporary = try #require(session).temporary
        try await Self.watch(try #require(session))
        let later = try #require(session).sound("later.wav", milliseconds: 500)
        session = nil
        #expect(rename(later, temporary.path + "/books/later.wav") == 0)
        let next = try Self.session(in: temporary)
        try await Self.until(next) { $0.count == 1 }
        #expect(try await Self.watches(next).folders.count == 1)
    }

    @Test func `loses nothing when the session is killed in the middle of an import`() async throws {
        var session = try Self.session()
        let temporary = session.temporary
        for number in 0..<12 {
            try Self.makeFolder("books/\(number)", in: session)
            _ = try session.sound("books/\(number)/1.wav", milliseconds: 300 + number)
        }
        let importing = try session.program.start(["library", "watch", temporary.path + "/books"])
        try await Self.until(session) { $0.count >= 2 }
        session.signal(SIGKILL)
        try await session.end()
        _ = try await blocking { importing.outcome() }
        session = try Self.session(in: temporary)
        try await Self.until(session) { $0.count == 12 }
        #expect(Set(try await Self.books(session).map(\.id)).count == 12)
    }

    @Test func `is watched no longer once the user says so`() async throws {
        let session = try Self.session()
        try await Self.watch(session)
        let path = session.temporary.path + "/books"
        let none = try await session.program.run("library", "unwatch", session.temporary.path + "/none")
        #expect(none.code == 66 && none.errors.contains("not watched"), "\(none)")
        try FileManager.default.removeItem(atPath: path)
        let outcome = try await session.program.run("library", "unwatch", path)
        #expect(outcome.code == 0 && outcome.output == "no longer watched: \(path)\n", "\(outcome)")
        let list = try await session.program.run("library", "watch")
        #expect(list.output.hasPrefix("no folder is watched"), "\(list)")
    }

    @Test func `must be a folder`() async throws {
        let session = try Self.session()
        let file = try session.sound("a.wav", milliseconds: 100)
        let outcome = try await session.program.run("library", "watch", file)
        #expect(outcome.code == 65 && outcome.errors.contains("not a folder"), "\(outcome)")
        #expect(try await session.program.run("library", "watch", session.temporary.path + "/none").code == 66)
        #expect(try await session.program.run("library", "watch", "--list", file).code == 64)
        #expect(try await Self.watches(session).folders.isEmpty)
    }
}

@Suite struct `The list of watched folders` {
    @Test func `has a line for each, and what was taken up last`() async throws {
        let watches = LibraryWatches(
            folders: [
                .init(path: "/a\u{7}", state: "watched", folders: 3),
                .init(path: "/b", state: "shared", folders: 1, reason: "other machines may change it"),
                .init(path: "/c", state: "scanned", folders: 0, reason: "too many"),
                .init(path: "/d", state: "absent", folders: 0), .init(path: "/e", state: "starting", folders: 0),
            ], settled: false, last: "watched folders: 1 added: “B”", lastAt: 5)
        let fixture = try CommandFixture { _, _, _ in .watches(watches) }
        let outcome = try await fixture.program.run("library", "watch")
        #expect(
            outcome.output == """
                /a   watched, 3 folders
                /b  watched, 1 folders, and scanned every 15 min: other machines may change it
                /c  scanned every 15 min: too many
                /d  not there; waits for it
                /e  starts
                last: watched folders: 1 added: “B”
                changes are being taken up

                """)
        let json = String(decoding: try JSONLine.encode(watches), as: UTF8.self)
        #expect(try await fixture.program.run("library", "watch", "--list", "--json").output == json)
        #expect(Set(fixture.session.commands) == [.library(LibraryAction(.watched))])
    }

    @Test func `changes by absolute paths, also of folders that are gone`() async throws {
        let fixture = try CommandFixture { command, _, _ in
            guard case .library(let action) = command, action.verb == .watch else { return .message("done") }
            return .imported(LibraryImportSummary())
        }
        let path = try fixture.file("x")
        let watch = try await fixture.program.run("library", "watch", "x")
        #expect(watch == .init(output: "no books found\n", errors: "", code: 0))
        #expect(try await fixture.program.run("library", "unwatch", path + ".gone").output == "done\n")
        #expect(
            fixture.session.commands == [
                .library(LibraryAction(.watch, items: [path])),
                .library(LibraryAction(.unwatch, items: [path + ".gone"])),
            ])
    }
}
