// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import ItemResolver
import MediaPlayback
import Testing

@Suite struct `A part that changed` {
    private static let part = ChangedPart(
        root: "file:///r", folders: ["file:///r/a/b"], trees: ["file:///r/t"], unsettledFolders: ["file:///r/u/v"],
        unsettledTrees: ["file:///r/w", "file:///r/x/1.mp3"])

    @Test(arguments: [
        ("file:///r/a/b", true, false), ("file:///r/a", true, false), ("file:///r", true, true),
        ("file:///", true, true),
        ("file:///r/a/b/1.m4b", true, false), ("file:///r/a/b/c/1.m4b", false, false), ("file:///r/a/bb", false, false),
        ("file:///r/t", true, false), ("file:///r/t/x/y", true, false), ("file:///r/tt", false, false),
        ("file:///r/u", false, true), ("file:///r/u/v/1.m4b", false, true), ("file:///r/u/v/w/x", false, false),
        ("file:///r/w/1/2", false, true), ("file:///r/x", false, true), ("file:///r/x/1.mp3", false, true),
        ("file:///r/x/2.mp3", false, false), ("http://r/a/b", false, false), ("", false, false),
    ])
    func `has the books around a change`(_ uri: String, _ changed: Bool, _ unsettled: Bool) {
        #expect(Self.part.mayHaveChanged(uri) == changed)
        #expect(Self.part.isUnsettled(uri) == unsettled)
    }
}

@Suite struct `A change in a watched folder` {
    private static func part(
        _ shelf: Shelf, _ trees: [String] = [""], folders: [String] = [], unsettled: [String] = []
    ) -> ChangedPart {
        func uris(_ names: [String]) -> Set<String> { Set(names.map { shelf.uri($0).droppingSlash }) }
        return ChangedPart(
            root: shelf.uri("").droppingSlash, folders: uris(folders), trees: uris(trees),
            unsettledTrees: uris(unsettled))
    }

    private static func takeUp(
        _ shelf: Shelf, _ trees: [String] = [""], folders: [String] = [], unsettled: [String] = [],
        refused: RefusedBooks = RefusedBooks()
    ) async throws -> [ImportOutcome: Int] {
        try await shelf.importer().takeUp(
            [part(shelf, trees, folders: folders, unsettled: unsettled)], refused: refused
        ).outcomes
    }

    @Test func `is taken up, and nothing else is looked at again`() async throws {
        let shelf = try Shelf()
        for name in ["A", "B", "C"] { try shelf.write("\(name)/1.mp3") }
        #expect(try await Self.takeUp(shelf) == [.added: 3])
        shelf.log.clear()
        try shelf.write("B/2.mp3")
        #expect(try await Self.takeUp(shelf, [], folders: ["B"]) == [.updated: 1])
        #expect(shelf.log.reports.count { if case .book = $0 { true } else { false } } == 1)
    }

    @Test func `keeps its place when it moves, also from one watched folder to another`() async throws {
        let shelf = try Shelf()
        try shelf.write("old/A/1.mp3")
        try shelf.write("old/A/2.mp3")
        try shelf.write("new/B/1.mp3")
        let parts = ["old", "new"].map { ChangedPart(root: shelf.uri($0), trees: [shelf.uri($0)]) }
        let refused = RefusedBooks()
        _ = try await shelf.importer().takeUp(parts, refused: refused)
        let id = try #require(try await shelf.store.book(uri: shelf.uri("old/A"))).id
        try await shelf.store.save(Shelf.place(shelf.uri("old/A"), track: 1), durably: true)
        try shelf.move("old/A", "new/Author/A")
        #expect(try await shelf.importer().takeUp(parts, refused: refused).outcomes[.moved] == 1)
        #expect(try await shelf.store.book(uri: shelf.uri("new/Author/A"))?.id == id)
        #expect(await shelf.place(of: shelf.uri("new/Author/A"))?.track == 1)
    }

    @Test func `leaves out what still changes, and takes it up later`() async throws {
        let shelf = try Shelf()
        try shelf.write("A/CD 1/1.mp3")
        try shelf.write("A/CD 2/1.mp3")
        try shelf.write("B/1.mp3")
        #expect(try await Self.takeUp(shelf, unsettled: ["A/CD 2/1.mp3"]) == [.added: 1])
        #expect(try await Self.takeUp(shelf, [], folders: ["A/CD 2"]) == [.added: 1])
        // A book that is being replaced is neither missing nor new.
        try shelf.remove("B/1.mp3")
        #expect(try await Self.takeUp(shelf, unsettled: ["B"]) == [.unchanged: 1])
        #expect(try await shelf.store.summary(uri: shelf.uri("B"))?.missing == 0)
    }

    @Test func `is missing while its disk is away, and has its place again afterwards`() async throws {
        let shelf = try Shelf()
        try shelf.write("disk/A/1.mp3")
        try shelf.write("disk/A/2.mp3")
        let part = ChangedPart(root: shelf.uri("disk"), trees: [shelf.uri("disk")])
        let refused = RefusedBooks()
        _ = try await shelf.importer().takeUp([part], refused: refused)
        let id = try #require(try await shelf.store.book(uri: shelf.uri("disk/A"))).id
        try await shelf.store.save(Shelf.place(shelf.uri("disk/A"), track: 1, units: 3), durably: true)
        for isEmptyThere in [false, true] {
            // A mount point stays as an empty folder, or goes as well.
            try shelf.move("disk", "away")
            if isEmptyThere {
                try FileManager.default.createDirectory(atPath: shelf.root + "/disk", withIntermediateDirectories: true)
            }
            #expect(try await shelf.importer().takeUp([part], refused: refused).outcomes == [.missing: 1])
            #expect(try await shelf.store.book(id: id)?.missing == 2)
            // A second look says nothing new.
            #expect(try await shelf.importer().takeUp([part], refused: refused).outcomes.isEmpty)
            if isEmptyThere { try shelf.remove("disk") }
            try shelf.move("away", "disk")
            #expect(try await shelf.importer().takeUp([part], refused: refused).outcomes == [.updated: 1])
            let book = try #require(try await shelf.store.book(id: id))
            #expect(book.missing == 0 && book.uri == shelf.uri("disk/A"))
            #expect(await shelf.place(of: shelf.uri("disk/A")) == Shelf.place("", track: 1, units: 3).position)
        }
    }

    @Test func `is recognised where it comes back after it was missing`() async throws {
        let shelf = try Shelf()
        try shelf.write("A/1.mp3")
        #expect(try await Self.takeUp(shelf) == [.added: 1])
        let id = try #require(try await shelf.store.book(uri: shelf.uri("A"))).id
        try FileManager.default.moveItem(atPath: shelf.root + "/A", toPath: shelf.folder.path + "/A")
        #expect(try await Self.takeUp(shelf, ["A"], folders: [""]) == [.missing: 1])
        try FileManager.default.moveItem(atPath: shelf.folder.path + "/A", toPath: shelf.root + "/Z")
        #expect(try await Self.takeUp(shelf, ["Z"], folders: [""]) == [.moved: 1])
        #expect(try await shelf.books().map(\.id) == [id])
    }

    @Test func `may make books of the folders beside it`() async throws {
        let shelf = try Shelf()
        for name in ["CD 1", "CD 2"] { try shelf.write("A/\(name)/1.mp3") }
        #expect(try await Self.takeUp(shelf) == [.added: 1])
        for name in ["x", "y", "z"] { try shelf.write("A/\(name)/1.mp3") }
        let outcomes = try await Self.takeUp(shelf, ["A/x", "A/y", "A/z"], folders: ["A"])
        #expect(outcomes[.added] == 5)
    }

    @Test func `is tried once if it cannot be read, until its files change`() async throws {
        let shelf = try Shelf()
        try shelf.write("A/1.mp3", "bad")
        let refused = RefusedBooks()
        for _ in 0..<3 { #expect(try await Self.takeUp(shelf, refused: refused).isEmpty) }
        #expect(shelf.log.inspected.count == 1)
        #expect(shelf.log.problems.count == 1)
        try shelf.write("A/1.mp3", "good, and longer")
        #expect(try await Self.takeUp(shelf, refused: refused) == [.added: 1])
    }

    @Test func `says which books are in a folder`() async throws {
        let shelf = try Shelf()
        for name in ["A/1.mp3", "A B/1.mp3", "C/D/1.mp3", "C0/1.mp3"] { try shelf.write(name) }
        _ = try await Self.takeUp(shelf)
        func uris(_ name: String) async throws -> [String] {
            try await shelf.store.books(in: shelf.uri(name)).map(\.uri).sorted()
        }
        #expect(try await uris("C") == [shelf.uri("C/D")])
        #expect(try await uris("A") == [shelf.uri("A")])
        #expect(try await uris("").count == 4)
    }
}

extension String {
    fileprivate var droppingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
