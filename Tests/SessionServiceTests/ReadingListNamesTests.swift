// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import LibraryStore
import MediaPlayback
import PlaybackCore
import ReadingList
import Testing

/// The names by which documents of the reading list are found.
@Suite struct `A document of the reading list` {
    private let folder: TemporaryFolder
    private let list: ReadingList

    init() throws {
        folder = try TemporaryFolder()
        let files = folder.path
        list = ReadingList(folder: folder.path + "/reading", now: { 0 }) { url, _, _ in
            // The fake server sends the part behind the last slash.
            let path = files + "/sent"
            let title = url.split(separator: "/").last.map { $0.replacing("_", with: " ") } ?? ""
            guard (try? Data(title.utf8).write(to: URL(fileURLWithPath: path))) != nil else {
                return .failure(ItemError(.unreadable, "cannot write \(path)"))
            }
            let file = SharedDescriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
            let page = ReceivedPage(descriptor: file.rawValue, contentType: "text/plain", charset: nil)
            return .success((page, file))
        }
    }

    private func add(_ titles: String...) async throws -> [ReadingListEntry] {
        var entries: [ReadingListEntry] = []
        for title in titles {
            let entry = try await list.add("https://example.org/\(title.replacing(" ", with: "_"))")
            // Nobody could read one of them.
            if title != "damaged" { await list.note(title: title, of: entry.uri) }
            entries.append(entry)
        }
        return entries
    }

    @Test func `is named by its ID, its address, its title, or a part of that`() async throws {
        let entries = try await add("The White Whale", "The Whale", "Émile or On Education", "damaged")
        for (name, index) in [
            (entries[0].id, 0), (entries[1].url, 1), ("the whale", 1), ("The White Whale", 0), ("white", 0),
            ("émile", 2), ("On Edu", 2), ("damaged.txt", 3),
        ] {
            #expect(try await list.entry(named: name).id == entries[index].id, "\(name)")
        }
    }

    @Test func `is not guessed if there are several, or none`() async throws {
        let entries = try await add("The White Whale", "The Blue Whale", "Middlemarch", "A Whale", "Whales")
        let several = await #expect(throws: PlaybackError.self) { try await list.entry(named: "whale") }
        #expect(several?.kind == .usage)
        #expect(several?.message.contains("is in the titles of 4 documents of the reading list: ") == true)
        #expect(several?.message.hasSuffix(", …; give the ID of one") == true)
        for name in ["moby", "", "The White Whale and more"] {
            let none = await #expect(throws: PlaybackError.self) { try await list.entry(named: name) }
            #expect(none?.kind == .noInput)
        }
        _ = entries
    }

    @Test func `stands for its address among items`() async throws {
        let entries = try await add("One", "Two")
        let reading = ReadingAdministration(
            list, documents: NoWeb(), places: LibraryStore(path: folder.path + "/library.sqlite"))
        let items = ["/a/b.epub", "reading:two", "https://example.org/x", "reading:" + entries[0].id]
        #expect(
            try await reading.addresses(in: items) == [
                "/a/b.epub", "https://example.org/Two", "https://example.org/x", "https://example.org/One",
            ])
        // Eight letters may be the ID of a book as well.
        _ = try await add("Heart of Darkness")
        #expect(
            try await reading.addresses(in: ["reading:darkness", "reading:p0qq6fby"]) == [
                "https://example.org/Heart_of_Darkness", "library:p0qq6fby",
            ])
        await #expect(throws: PlaybackError.self) { try await reading.addresses(in: ["reading:three"]) }
    }
}
