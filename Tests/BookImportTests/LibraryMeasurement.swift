// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import LibraryStore
import MediaPlayback
import PlaybackCore
import Testing

/// Measures the time of each look-up in a library of a hundred thousand books.
///
/// `Benchmarks/library/books.py` continues with the file.
@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["ROSTRUM_MEASURE"] != nil, "set ROSTRUM_MEASURE to measure"),
    .serialized)
struct `A library of a hundred thousand books` {
    private static let count = 100_000
    private static let files = 8

    private static func print(_ book: Int, _ file: Int) -> Fingerprint? {
        var bytes = [UInt8](repeating: 0, count: 16)
        var value = UInt64(book) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(file) &* 0xD1B5_4A32_D192_ED03
        for index in 0..<16 {
            value ^= value >> 29
            value = value &* 0xBF58_476D_1CE4_E5B9
            bytes[index] = UInt8(truncatingIfNeeded: value >> 32)
        }
        return Fingerprint(bytes)
    }

    private static func uri(_ book: Int) -> String {
        "file:///media/books/Author%20\(book % 5000)/A%20title%20of%20some%20length%20\(book)"
    }

    private static func book(_ number: Int) -> Book {
        Book(
            uri: uri(number), shape: .folder, title: "A title of some length \(number &* 7919 % count)",
            author: "Author \(number % 5000)",
            tracks: (0..<files).map { file in
                BookTrack(
                    file: BookFile(uri: uri(number) + "/0\(file).mp3", size: Int64(number * 10 + file), modified: 5),
                    fingerprint: print(number, file),
                    timeline: TimelineTrack(unitsPerSecond: 44_100, duration: 1 << 26, confidence: .exact),
                    codec: "mp3", title: "Part \(file)")
            },
            chapters: (0..<files).map {
                Chapter(title: "Chapter \($0)", track: $0, start: 0, end: nil, source: "id3")
            }, addedAt: 1)
    }

    private func measure(_ what: String, times: Int = 200, _ work: (Int) async throws -> Void) async throws {
        let clock = ContinuousClock()
        var taken: [Duration] = []
        for number in 0..<times {
            taken.append(try await clock.measure { try await work(number &* 7919 % Self.count) })
        }
        taken.sort()
        Swift.print(
            "library: \(what): median \(taken[times / 2]), 99 % \(taken[times * 99 / 100]), most \(taken[times - 1])")
    }

    @Test func `is fast to list, show, search and save to`() async throws {
        let folder = try TemporaryFolder()
        let path = ProcessInfo.processInfo.environment["ROSTRUM_MEASURE_LIBRARY"] ?? folder.path + "/library.sqlite"
        let store = LibraryStore(path: path, deadline: .seconds(60))
        let clock = ContinuousClock()
        if try await store.bookCount() < Self.count {
            let time = try await clock.measure {
                for number in 0..<Self.count { _ = try await store.add(Self.book(number)) }
            }
            Swift.print("library: \(Self.count) books of \(Self.files) files added in \(time)")
        }
        try await store.save(Shelf.place(Self.uri(5), track: 1), durably: true)
        await store.close()
        let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        Swift.print("library: \((bytes ?? 0) >> 20) MiB")
        try await measure("open, and look up a place", times: 20) { number async throws in
            await store.close()
            _ = await store.place(of: Self.uri(number), owner: .main)
        }
        try await measure("first page of 500") { _ async throws in
            #expect(try await store.books(after: nil, offset: 0, limit: 500).count == 500)
        }
        for book in try await store.books(after: nil, offset: 0, limit: 500) {
            try await store.save(Shelf.place(book.uri, track: Self.files - 1), durably: false)
        }
        try await measure("first page of 500 that were played to the last file") { _ async throws in
            let page = try await store.books(after: nil, offset: 0, limit: 500)
            #expect(page.allSatisfy { $0.position != nil })
        }
        let middle = try #require(try await store.books(after: nil, offset: 50_000, limit: 1).first?.id)
        try await measure("page of 500 from the middle, after a book") { _ async throws in
            #expect(try await store.books(after: middle, offset: 0, limit: 500).count == 500)
        }
        try await measure("page of 20 at offset 99,000", times: 20) { _ async throws in
            #expect(try await store.books(after: nil, offset: 99_000, limit: 20).count == 20)
        }
        try await measure("show") { number async throws in
            let id = try #require(try await store.book(uri: Self.uri(number))?.id)
            #expect(try await store.book(id: id)?.tracks.count == Self.files)
        }
        try await measure("books of the same folder") { number async throws in
            #expect(try await store.books(beside: Self.uri(number)).count == Self.count / 5000)
        }
        try await measure("where a path is played from: known") { number async throws in
            #expect(try await store.whereabouts(of: Self.uri(number)) != .unknown)
        }
        try await measure("where a path is played from: unknown") { number async throws in
            #expect(try await store.whereabouts(of: "file:///\(number)") == .unknown)
        }
        try await measure("look up by fingerprint") { number async throws in
            #expect(try await store.books(with: #require(Self.print(number, 3))).first?.uri == Self.uri(number))
        }
        try await measure("look up by a fingerprint that is new") { number async throws in
            #expect(try await store.books(with: #require(Self.print(number, 99))).isEmpty)
        }
        try await measure("save a place, to the system") { number async throws in
            try await store.save(Shelf.place(Self.uri(number), track: 2), durably: false)
        }
        try await measure("save a place, to the disk") { number async throws in
            try await store.save(Shelf.place(Self.uri(number), track: 3), durably: true)
        }
        try await measure("move a book with its place", times: 50) { number async throws in
            let book = try #require(try await store.book(uri: Self.uri(number)))
            let files = book.tracks.map { BookFile(uri: "file:///new" + $0.file.uri, size: $0.file.size, modified: 6) }
            try await store.move(
                book.id,
                to: BookReconciliation(
                    book, uri: "file:///new/\(book.id)", shape: .folder, cover: nil, files: files,
                    fingerprints: book.tracks.map(\.fingerprint)))
        }
    }
}
