// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `The contents of what is loaded` {
    /// Makes a folder of three files of 20 s, and returns its path.
    private static func book(_ name: String, in session: RunningSession) throws -> String {
        let path = session.temporary.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for file in ["1", "2", "10"] { _ = try session.sound("\(name)/\(file).wav", milliseconds: 20_000) }
        return path
    }

    @Test func `are the chapters of the status, with the cover of the library`() async throws {
        let session = try RunningSession()
        #expect(
            try await session.ask(.contents, as: ItemContents.self) == ItemContents(item: nil, cover: nil, chapters: [])
        )
        let book = try Self.book("book", in: session)
        #expect(try await session.program.run("play", book, "--at", "track:2+5", "--detach").code == 0)
        #expect(try await session.program.run("pause").code == 0)
        // The lengths of the other files become known one after the other.
        try await session.until { $0.duration.ms == 60_000 }
        var contents = try await session.ask(.contents, as: ItemContents.self)
        let status = try await session.status().status
        #expect(contents.item == status.item && contents.item?.uri == "file://" + book)
        #expect(contents.cover == nil)
        #expect(contents.chapters.map(\.index) == [0, 1, 2])
        #expect(contents.chapters.map(\.startMs) == [0, 20_000, 40_000])
        #expect(contents.chapters.map(\.endMs) == [20_000, 40_000, 60_000])
        #expect(contents.chapters.allSatisfy { $0.source == "file" })
        let chapter = try #require(status.chapter)
        #expect(chapter.index == 1 && chapter.count == contents.chapters.count)
        #expect(contents.chapters[1].title == chapter.title && contents.chapters[1].startMs == chapter.startMs)

        // The picture beside the files is the library's.
        try session.temporary.file("book/cover.jpg", "picture")
        #expect(try await session.program.run("library", "add", book).code == 0)
        contents = try await session.ask(.contents, as: ItemContents.self)
        #expect(contents.cover == book + "/cover.jpg")
    }

    @Test func `are those of the owner's own item while another owner has focus`() async throws {
        let session = try RunningSession()
        let book = try Self.book("book", in: session)
        let other = try session.sound("other.wav", milliseconds: 5_000)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        try await session.until { $0.duration.ms == 60_000 }
        let before = try await session.ask(.contents, as: ItemContents.self)
        #expect(try await session.program.run("play", other, "--owner", "applet", "--detach").code == 0)
        let main = SessionCommand.addressed(Address(owner: "main"), .contents)
        let aside = try await session.ask(main, as: ItemContents.self)
        #expect(aside == before, "\(aside)\n\(before)")
        #expect(try await session.ask(.contents, as: ItemContents.self).item?.uri == "file://" + other)
        let nobody = SessionCommand.addressed(Address(owner: "nobody"), .contents)
        #expect(
            try await session.ask(nobody, as: ItemContents.self) == ItemContents(item: nil, cover: nil, chapters: []))
    }
}
