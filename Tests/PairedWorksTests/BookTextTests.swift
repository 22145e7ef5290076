// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import ItemResolver
import MediaPlayback
import Testing

@Suite struct `The text beside a book` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ names: [String], bytes: Int = 5000) throws {
        for name in names {
            let path = folder.path + "/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(repeating: 65, count: bytes).write(to: URL(filePath: path))
        }
    }

    private func text(of name: String, shape: BookShape = .folder, title: String = "") async -> String? {
        let uri = URL(filePath: folder.path + "/" + name).absoluteString
        let book = Book(
            uri: uri.hasSuffix("/") ? String(uri.dropLast()) : uri, shape: shape, title: title, tracks: [], addedAt: 0)
        let found = await BookScanner().text(beside: book)
        return found.flatMap { URL(string: $0)?.lastPathComponent }
    }

    @Test(
        arguments: [
            (["Moby Dick.epub", "01.mp3", "readme.txt"], "Moby Dick.epub"),
            (["text.epub", "other.html", "01.mp3"], "text.epub"),
            (["moby_dick.txt", "a.epub", "b.epub"], "moby_dick.txt"),
            (["a.epub", "b.epub"], nil), (["README.txt", "index.html", "license.md"], nil),
            (["cover.jpg", "01.mp3"], nil),
            ([".hidden.epub"], nil), (["one.txt"], "one.txt"), (["one.txt", "two.txt"], nil),
            (["notes.txt", "one.txt"], "one.txt"),
        ] as [([String], String?)])
    func `of a folder has its name, or is the only one`(_ names: [String], _ text: String?) async throws {
        try write(names.map { "Moby Dick/" + $0 })
        #expect(await self.text(of: "Moby Dick") == text)
    }

    @Test func `of a folder may have the title of the book`() async throws {
        try write(["b/The Whale.epub", "b/Another.epub"])
        #expect(await text(of: "b", title: "The Whale") == "The Whale.epub")
    }

    @Test func `is found for many books at once`() async throws {
        try write(["a/a.epub", "b/1.mp3", "Emma.m4b", "Emma.epub", "Persuasion.m4b"])
        let folder = URL(filePath: folder.path).absoluteString
        let root = folder.hasSuffix("/") ? folder : folder + "/"
        func book(_ name: String, _ shape: BookShape) -> BookSummary {
            BookSummary(
                id: name, uri: root + name, shape: shape, title: "", author: nil, cover: nil, milliseconds: nil,
                confidence: .unknown, files: 1, missing: 0)
        }
        let books = [
            book("a", .folder), book("b", .folder), book("none", .folder), book("Emma.m4b", .file),
            book("Persuasion.m4b", .file), book("a", .list),
        ]
        let found = await BookScanner().texts(beside: books)
        #expect(found == [root + "a": root + "a/a.epub", root + "Emma.m4b": root + "Emma.epub"])
        #expect(await BookScanner().texts(beside: [book("a", .list)]).isEmpty)
    }

    @Test func `is no note about the recording`() async throws {
        try write(["b/config.txt"], bytes: 599)
        #expect(await text(of: "b") == nil)
    }

    @Test func `of a file has the name of the file`() async throws {
        try write(["Emma.m4b", "Emma.epub", "Persuasion.m4b", "Sanditon.epub"])
        #expect(await text(of: "Emma.m4b", shape: .file) == "Emma.epub")
        #expect(await text(of: "Persuasion.m4b", shape: .file) == nil)
        #expect(await text(of: "Persuasion.m4b", shape: .file, title: "Sanditon") == "Sanditon.epub")
        #expect(await text(of: "nowhere/x.m4b", shape: .file) == nil)
    }
}
