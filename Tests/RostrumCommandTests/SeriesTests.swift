// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `A series in the library` {
    @Test func `has a next book in its folder, and a place for each that was played`() async throws {
        let session = try RunningSession()
        let series = session.temporary.path + "/series"
        try FileManager.default.createDirectory(atPath: series + "/Book 10", withIntermediateDirectories: true)
        _ = try session.sound("series/Book 1.wav", milliseconds: 20_000)
        _ = try session.sound("series/Book 2.wav", milliseconds: 20_000)
        _ = try session.sound("series/Book 10/1.wav", milliseconds: 20_000)
        _ = try session.sound("series/Book 10/2.wav", milliseconds: 20_000)
        #expect(try await session.program.run("library", "add", series).code == 0)
        func books(_ action: LibraryAction) async throws -> [LibraryBook] {
            try await session.ask(.library(action), as: LibraryPage.self).books
        }
        let all = try await books(LibraryAction(.list))
        try #require(all.count == 3, "\(all)")
        #expect(all.allSatisfy { $0.positionMs == nil && $0.playedAt == nil })
        func book(_ name: String) throws -> LibraryBook {
            try #require(all.first { $0.uri.hasSuffix("/" + name) }, "\(name)")
        }
        let (first, second) = (try book("Book%201.wav"), try book("Book%202.wav"))
        let third = try book("Book%2010")
        #expect(try await books(LibraryAction(.next, id: first.id)).map(\.id) == [second.id])
        #expect(try await books(LibraryAction(.next, id: second.uri)).map(\.id) == [third.id])
        #expect(try await books(LibraryAction(.next, id: third.id)) == [])
        let unknown = try await session.program.run("library", "next", "zzzzzzzz")
        #expect(unknown.code == 66 && unknown.errors == "rostrum: no such book: zzzzzzzz; see `rostrum library`\n")

        try FileManager.default.removeItem(atPath: series + "/Book 2.wav")
        #expect(try await session.program.run("library", "rescan").code == 0)
        #expect(try await books(LibraryAction(.next, id: first.id)).map(\.id) == [third.id])

        #expect(try await session.program.run("play", series + "/Book 10", "--detach").code == 0)
        #expect(try await session.program.run("pause").code == 0)
        #expect(try await session.program.run("seek", "track:2+5").code == 0)
        #expect(try await session.program.run("stop").code == 0)
        let played = try #require(try await books(LibraryAction(.list)).first { $0.id == third.id })
        #expect(played.positionMs == 25_000)
        #expect(try #require(played.playedAt) > 1_700_000_000_000)
        let shown = try await session.ask(
            .library(LibraryAction(.show, id: third.id)), as: LibraryBookDetail.self)
        #expect(shown.book == played)
        #expect(try await session.program.run("library", "next", first.id, "--json").output.contains("25000"))

        #expect(try await session.program.run("play", third.uri, "--at", "track:2+19.5", "--detach").code == 0)
        // The place is saved behind the status.
        try await session.wait {
            let over = try #require(try await books(LibraryAction(.list)).first { $0.id == third.id })
            return over.positionMs == over.durationMs && over.positionMs == 40_000
        }
    }
}
