// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import ItemResolver
import MediaPlayback
import Testing

@Suite struct `A scan for books` {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var files: [String]
        /// The path of each book below the root, and the number of its files.
        var books: [String: Int]
    }

    static let cases = [
        Case(testDescription: "a folder of files", files: ["B/1.mp3", "B/2.mp3"], books: ["B": 2]),
        Case(
            testDescription: "folders in a folder", files: ["A/B/1.mp3", "A/C/1.mp3", "A/C/2.mp3"],
            books: ["A/B": 1, "A/C": 2]),
        Case(
            testDescription: "disc folders are one book",
            files: ["B/CD 1/1.mp3", "B/CD 2/1.mp3", "B/cd10/1.mp3"], books: ["B": 3]),
        Case(
            testDescription: "discs and a bonus", files: ["B/Disc 1/1.mp3", "B/disk_02/1.mp3", "B/Bonus/x.mp3"],
            books: ["B": 3]),
        Case(
            testDescription: "files beside folders are books of their own",
            files: ["a.m4b", "b.mp3", "C/1.mp3", "D/1.mp3"], books: ["a.m4b": 1, "b.mp3": 1, "C": 1, "D": 1]),
        Case(
            testDescription: "whole books in one folder", files: ["A/First.m4b", "A/Second.m4b"],
            books: ["A/First.m4b": 1, "A/Second.m4b": 1]),
        Case(
            testDescription: "parts of a book in one folder", files: ["A/Book part 1.m4b", "A/Book part 2.m4b"],
            books: ["A": 2]),
        Case(
            testDescription: "no audio, hidden and empty files are left out",
            files: ["B/1.mp3", "B/cover.jpg", "B/.2.mp3", "C/notes.txt"], books: ["B": 1]),
        Case(
            testDescription: "a folder named as a disc without audio", files: ["B/x.mp3", "B/CD art/y.jpg"],
            books: ["B": 1]),
    ]

    @Test(arguments: cases)
    func `finds books by the structure of the folders`(_ it: Case) async throws {
        let shelf = try Shelf()
        for file in it.files { try shelf.write("r/" + file) }
        let scan = try await BookScanner().scan(
            BookSource(items: [shelf.root + "/r"]), extensions: extensions.audio, found: { _ in })
        #expect(
            Dictionary(uniqueKeysWithValues: scan.plans.map { ($0.uri, $0.files.count) })
                == Dictionary(uniqueKeysWithValues: it.books.map { (shelf.uri("r/" + $0.key), $0.value) }))
    }

    @Test func `finds the files of a book that playing it plays, in that order`() async throws {
        let shelf = try Shelf()
        for name in ["10", "9", "1", "CD 2/1", "CD 1/2", "CD 1/10"] { try shelf.write("B/\(name).mp3") }
        let scan = try await BookScanner().scan(
            BookSource(items: [shelf.root + "/B"]), extensions: extensions.audio, found: { _ in })
        let played = try await ItemResolver().resolve(
            ItemRequest(items: [shelf.root + "/B"], extensions: extensions)
        ).content
        #expect(scan.plans.count == 1)
        #expect(scan.plans[0].uri == played.uri)
        #expect(
            scan.plans[0].files.map(\.uri)
                == played.tracks.map { if case .file(let path) = $0 { BookScanner().uri(of: path) ?? "" } else { "" } })
    }

    @Test func `takes the picture beside a book's files as its cover`() async throws {
        let shelf = try Shelf()
        for name in ["A/1.mp3", "A/Folder.JPG", "B/1.mp3", "B/picture.jpg", "x.m4b", "x.png", "cover.jpg"] {
            try shelf.write(name)
        }
        let scan = try await BookScanner().scan(
            BookSource(items: [shelf.root]), extensions: extensions.audio, found: { _ in })
        let covers = Dictionary(uniqueKeysWithValues: scan.plans.map { ($0.title, $0.cover) })
        #expect(covers == ["A": shelf.root + "/A/Folder.JPG", "B": nil, "x": shelf.root + "/x.png"])
    }

    @Test func `survives a circular link and a control character in a name`() async throws {
        let shelf = try Shelf()
        try shelf.write("A/1.mp3")
        try FileManager.default.createSymbolicLink(atPath: shelf.root + "/A/again", withDestinationPath: shelf.root)
        try shelf.write("bad\u{1}name/1.mp3")
        let scan = try await BookScanner().scan(
            BookSource(items: [shelf.root]), extensions: extensions.audio, found: { _ in })
        #expect(scan.plans.count == 2)
    }

    @Test func `computes fingerprints from the content, not from name and time`() async throws {
        let shelf = try Shelf()
        let long = String(repeating: "0123456789", count: 50_000)
        try shelf.write("a.mp3", long)
        try shelf.write("b.mp3", long)
        try shelf.write("head.mp3", "X" + long.dropFirst())
        try shelf.write("tail.mp3", long.dropLast() + "X")
        try shelf.write("longer.mp3", long + "0")
        var middle = Array(long)
        middle[long.count / 2] = "X"
        try shelf.write("middle.mp3", String(middle))
        try shelf.write("short.mp3", "1")
        let names = ["a", "b", "head", "tail", "longer", "middle", "short", "none"]
        let prints = await BookScanner().fingerprints(
            of: names.map { BookFile(uri: shelf.uri($0 + ".mp3"), size: 0, modified: 0) })
        #expect(prints[0] == prints[1])
        #expect(Set(prints.dropLast().compactMap(\.self)).count == 6)
        #expect(prints.last == .some(nil))
    }
}
