// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `Pictures that the library keeps` {
    private let folder: TemporaryFolder
    private let store: LibraryStore

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite", deadline: .seconds(20))
    }

    private static func picture(_ text: String, _ type: String = "image/jpeg") -> CoverPicture {
        CoverPicture(mediaType: type, bytes: Array(text.utf8))
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/covers")) ?? []).sorted()
    }

    @Test(arguments: [
        ("image/jpeg", "jpg"), ("image/png", "png"), ("image/gif", "gif"), ("image/webp", "webp"), ("image/bmp", "bmp"),
    ])
    func `are named by their content and type`(_ type: String, _ ending: String) async throws {
        let path = try await store.keep(Self.picture("abc", type))
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(path == "\(folder.path)/covers/\(hash).\(ending)")
        #expect(FileManager.default.contents(atPath: path) == Data("abc".utf8))
        #expect(store.keeps(path))
    }

    @Test func `are rejected if their type is unknown`() async throws {
        let error = await #expect(throws: PlaceStoreError.self) {
            try await store.keep(Self.picture("x", "image/../../x"))
        }
        #expect(error?.reason == .refused)
        #expect(names == [])
    }

    @Test func `are distinguished from the user's own pictures`() {
        for path in ["/music/cover.jpg", "\(folder.path)/cover.jpg", "\(folder.path)/covers/a/b.jpg", "", "covers/x"] {
            #expect(!store.keeps(path), "\(path)")
        }
    }

    @Test func `are written again if a crash left a part, and leave no draft`() async throws {
        let path = try await store.keep(Self.picture("a whole picture"))
        try Data("a who".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await store.keep(Self.picture("a whole picture")) == path)
        #expect(FileManager.default.contents(atPath: path) == Data("a whole picture".utf8))
        #expect(names.count == 1)
    }

    @Test func `leave no draft if the name is taken`() async throws {
        let path = try await store.keep(Self.picture("x"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path + "/in the way", withIntermediateDirectories: true)
        await #expect(throws: PlaceStoreError.self) { try await store.keep(Self.picture("x")) }
        #expect(names == [(path as NSString).lastPathComponent])
    }

    @Test func `stay for a book that is being added, even if the last book that names them is removed`() async throws {
        let path = try await store.keep(Self.picture("x"))
        var first = `Books in the library`.book("first", files: 1)
        first.cover = path
        let id = try await store.add(first)
        #expect(try await store.keep(Self.picture("x")) == path)
        #expect(try await store.remove(id))
        #expect(names.count == 1)
        var second = `Books in the library`.book("second", files: 1)
        second.cover = path
        let other = try await store.add(second)
        #expect(names.count == 1)
        #expect(try await store.remove(other))
        #expect(names == [])
    }

    @Test func `a picture of the user's own is never removed`() async throws {
        let own = try folder.write("book/cover.jpg")
        var book = `Books in the library`.book("x", files: 1)
        book.cover = own
        let id = try await store.add(book)
        book.cover = nil
        #expect(try await store.add(book) == id)
        book.cover = own
        _ = try await store.add(book)
        #expect(try await store.remove(id))
        #expect(FileManager.default.fileExists(atPath: own))
    }
}
