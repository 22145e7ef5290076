// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `A damaged library` {
    private static let count = 300

    private static func uri(_ number: Int) -> String { "file:///books/\(String(format: "%04d", number))" }

    /// Creates a library with places and books, and returns its path.
    private static func library(in folder: TemporaryFolder) async throws -> String {
        let path = folder.path + "/library.sqlite"
        let store = LibraryStore(path: path)
        for number in 0..<count {
            let name = String(format: "%04d", number)
            _ = try await store.add(`Books in the library`.book(name, files: 4))
            try await store.save(`Library store`.place(Int64(number + 1), uri: uri(number)), durably: false)
        }
        await store.close()
        return path
    }

    private static func log(in folder: TemporaryFolder, torn: Bool = true) throws -> String {
        var lines = ["{\"v\":1,\"seq\":1,\"kind\":\"snapshot\"}", "no JSON at all"]
        for number in 0..<count {
            // The wall clock is a day behind that of the library, so only places that the library lost come from the
            // log.
            lines.append(
                """
                {"v":1,"seq":\(number + 2),"t":5,"wall":"2025-12-31T00:00:00.250Z","kind":"place","cause":"user",\
                "command":"c1","attempt":null,"engine":"ffmpeg","owner":"main","from":null,"to":null,"action":"save",\
                "item":"\(uri(number))","content":"audio","track":2,"units":\(number + 7),"provenance":"heard",\
                "finished":false,"result":"ok","errorMessage":null}
                """)
        }
        lines.append(#"{"v":1,"kind":"place","wall":"2025-12-31T00:00:00.250Z","action":"save","item":"#)
        let half = lines.count / 2
        try folder.write("log/transitions.jsonl.1", Data(lines[..<half].joined(separator: "\n").utf8))
        return try folder.write("log/transitions.jsonl", Data(lines[half...].joined(separator: "\n").utf8))
    }

    enum Damage: String, Sendable, CaseIterable {
        case headerOverwritten, schemaOverwritten, everyTenthPage, lowerThird, truncated, truncatedInAPage, zeroed

        func apply(to path: String) throws {
            let handle = try #require(FileHandle(forUpdatingAtPath: path))
            defer { try? handle.close() }
            let size = try handle.seekToEnd()
            let pages = size / 4096
            func overwrite(_ page: UInt64, with byte: UInt8 = 0x55) throws {
                try handle.seek(toOffset: page * 4096)
                try handle.write(contentsOf: Data(repeating: byte, count: 4096))
            }
            switch self {
            case .headerOverwritten:
                try handle.seek(toOffset: 0)
                try handle.write(contentsOf: Data(repeating: 0x55, count: 100))
            case .schemaOverwritten:
                try handle.seek(toOffset: 100)
                try handle.write(contentsOf: Data(repeating: 0x55, count: 3996))
            case .everyTenthPage: for page in stride(from: 45, to: pages, by: 10) { try overwrite(page) }
            case .lowerThird: for page in pages * 2 / 3..<pages { try overwrite(page) }
            case .truncated: try handle.truncate(atOffset: pages * 2 / 3 * 4096)
            case .truncatedInAPage: try handle.truncate(atOffset: size - 5000)
            case .zeroed: for page in stride(from: 20, to: pages, by: 7) { try overwrite(page, with: 0) }
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `is set aside and rebuilt without losing a place that the log has`(_ damage: Damage) async throws {
        let folder = try TemporaryFolder()
        let path = try await Self.library(in: folder)
        let log = try Self.log(in: folder)
        try damage.apply(to: path)
        let damaged = FileManager.default.contents(atPath: path)

        let store = LibraryStore(path: path, log: log)
        var warnings = await store.prepare()
        var (fromLibrary, fromLog, lost) = (0, 0, 0)
        for number in 0..<Self.count {
            var lookup = await store.place(of: Self.uri(number), owner: .main)
            // The damage was found during the read. The store reports it once and is rebuilt by the next call.
            if `Library store on a bad disk`.isFailed(lookup) != nil {
                lookup = await store.place(of: Self.uri(number), owner: .main)
            }
            guard case .progress(let place) = lookup else {
                lost += 1
                continue
            }
            switch (place.position.track, place.position.units) {
            case (3, Int64(number + 1)): fromLibrary += 1
            case (2, Int64(number + 7)): fromLog += 1
            default: Issue.record("a place that was never saved: \(place)")
            }
        }
        // Damage in the books alone is found when they are read.
        var books = (try? await store.books(after: nil, offset: 0, limit: 1000)) ?? []
        for book in books { _ = try? await store.book(id: book.id) }
        for number in 0..<Self.count {
            _ = try? await store.books(
                with: #require(
                    `Books in the library`.print(
                        String(format: "%04d", number) + "/0.mp3")))
        }
        warnings += await store.prepare()
        #expect(lost == 0)
        // If the tables can be found at all, the rows around the damage come from there.
        #expect(fromLibrary > 0 || [.headerOverwritten, .schemaOverwritten].contains(damage))
        let aside = folder.names.filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        #expect(aside.count == 1, "\(folder.names)")
        if let name = aside.first {
            #expect(FileManager.default.contents(atPath: folder.path + "/" + name) == damaged)
            #expect(warnings.contains { $0.contains(name) })
        }
        books = try await store.books(after: nil, offset: 0, limit: 1000)
        for book in books {
            let whole = try #require(try await store.book(id: book.id))
            #expect(whole.tracks.count == 4, "half a book was taken for a whole one")
        }
        print("damage \(damage): places \(fromLibrary) from the library, \(fromLog) from the log; \(books.count) books")
        #expect(try await store.add(`Books in the library`.book("0007", files: 4)).count == 8)
    }
}
