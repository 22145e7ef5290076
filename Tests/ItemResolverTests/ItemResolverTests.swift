// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

@testable import ItemResolver

let extensions = KnownExtensions(audio: ["mp3", "flac", "wav", "m4b", "ogg"])

func resolve(_ items: [String], asText: Bool = false, headers: [String] = []) async throws(ItemError) -> ResolvedItem {
    try await ItemResolver().resolve(
        ItemRequest(items: items, headers: headers, asText: asText, extensions: extensions))
}

func failure(_ items: [String], asText: Bool = false, headers: [String] = []) async -> ItemError? {
    do throws(ItemError) {
        _ = try await resolve(items, asText: asText, headers: headers)
        return nil
    } catch {
        #expect(!error.message.contains("\n"))
        return error
    }
}

/// Returns the names of the tracks, relative to a folder.
func names(_ item: ResolvedItem, in folder: TemporaryFolder) -> [String] {
    item.content.tracks.map {
        switch $0 {
        case .file(let path): path.hasPrefix(folder.path) ? String(path.dropFirst(folder.path.count + 1)) : path
        case .descriptor(_, let name): "descriptor " + name
        case .url(let url, _): url
        case .served(let track): track.uri
        }
    }
}

@Suite struct `Item resolver` {
    @Test func `a file is an item with one track and a clean URI`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("Mr. Ñ & co/a book 100%#?.m4b")
        let item = try await resolve([folder.path + "//Mr. Ñ & co/./a book 100%#?.m4b"])
        #expect(item.content.tracks == [.file(path: path)])
        #expect(
            item.content.uri == "file://\(folder.path)/Mr.%20%C3%91%20%26%20co/a%20book%20100%25%23%3F.m4b")
        #expect(item.content.title == "a book 100%#?")
        #expect(item.content.kind == .audio)
        #expect(try await resolve([item.content.uri]) == item)
        #expect(try await resolve(item.items) == item)
        #expect(
            try await resolve([folder.path + "/Mr. Ñ & co/../Mr. Ñ & co/a book 100%#?.m4b"]).content == item.content)
    }

    @Test func `a folder plays only its audio files, in natural order, including its discs`() async throws {
        let folder = try TemporaryFolder()
        let book = [
            "Book/1.mp3", "Book/2.MP3", "Book/10.mp3", "Book/CD 1/Track 9.mp3", "Book/CD 1/track 10.mp3",
            "Book/CD 2/a/01.flac", "Book/CD 10/01.mp3",
        ]
        for name in book.shuffled() { try folder.write(name) }
        for name in [
            "cover.jpg", "index.html", "book.json", "book.cue", "info.nfo", ".hidden.mp3", "._1.mp3", "CD 1/list.m3u",
            ".git/x.mp3",
        ] {
            try folder.write("Book/" + name)
        }
        try folder.write("Book/0.mp3", Data())
        try folder.write("Book/CD 1/a/b/c/d/deep.mp3")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/Book/CD 1/loop", withDestinationPath: folder.path + "/Book")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/Book/gone.mp3", withDestinationPath: folder.path + "/nothing")
        let item = try await resolve([folder.path + "/Book/"])
        #expect(names(item, in: folder) == book)
        #expect(item.content.title == "Book")
        #expect(item.content.uri == "file://\(folder.path)/Book")
        #expect(item.notes.count == 3)
        #expect(item.notes.contains { $0.contains("0.mp3: it is empty") })
        #expect(item.notes.contains { $0.contains("gone.mp3") })
        #expect(item.notes.contains { $0.contains("too deep") })
    }

    @Test func `a folder gets its title like a file`() async throws {
        let folder = try TemporaryFolder()
        for name in ["1.mp3", "2.mp3"] { try folder.write("count_monte_cristo_64kb/" + name) }
        let path = folder.path + "/count_monte_cristo_64kb"
        #expect(try await resolve([path]).content.title == "count monte cristo")
        #expect(try await resolve([path + "/2.mp3", path + "/1.mp3"]).content.title == "count monte cristo")
    }

    @Test func `files whose names are not UTF-8 are played`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("b.mp3")
        let descriptor = open(
            Array(folder.path.utf8).map { CChar(bitPattern: $0) } + [0x2F, -0x17, 0x2E, 0x6D, 0x70, 0x33, 0],
            O_CREAT | O_WRONLY, 0o600)
        #expect(descriptor >= 0)
        _ = write(descriptor, "x", 1)
        close(descriptor)
        #expect(names(try await resolve([folder.path]), in: folder) == ["b.mp3", "descriptor \u{FFFD}.mp3"])
    }

    @Test func `several texts cannot be queued`() async throws {
        let folder = try TemporaryFolder()
        let files = try ["a.txt", "b.txt"].map { try folder.write($0, Data("Words.".utf8)) }
        let error = await #expect(throws: ItemError.self) { _ = try await resolve(files) }
        #expect(error?.reason == .unsupported)
        #expect(error?.message == "b: several texts cannot be in one queue; read them one after the other")
        #expect(try await resolve([files[1]]).content.kind == .text)
    }

    @Test func `several items become one queue`() async throws {
        let folder = try TemporaryFolder()
        let files = try ["b/2.mp3", "b/10.mp3", "a/1.mp3"].map { try folder.write($0) }
        let queue = try await resolve([files[1], folder.path + "/a", files[0]])
        #expect(names(queue, in: folder) == ["b/10.mp3", "a/1.mp3", "b/2.mp3"])
        #expect(queue.content.uri.hasPrefix("queue:"))
        #expect(queue.content.title == "10 and 2 more")
        #expect(try await resolve(queue.items) == queue)
        #expect(try await resolve([files[0], files[1]]).content.title == "b")
        #expect(try await resolve([files[0], files[1]]).content.uri != resolve([files[1], files[0]]).content.uri)
    }

    @Test func `an item that cannot be played fails with the reason`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("pictures/a.jpg")
        let empty = try folder.write("empty.mp3", Data())
        let text = try folder.write("a.txt")
        let audio = try folder.write("a.mp3")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: "loop")
        mkfifo(folder.path + "/pipe.mp3", 0o600)
        let cases: [([String], Bool, ItemError.Reason)] = [
            ([], false, .missing), (["book.mp3"], false, .missing), (["/nowhere/at/all.mp3"], false, .missing),
            ([audio + "/x"], false, .missing), (["/" + String(repeating: "n", count: 5000)], false, .missing),
            ([folder.path + "/loop"], false, .unreadable), ([folder.path + "/pictures"], false, .empty),
            ([empty], false, .unsupported), ([empty], true, .unsupported), ([folder.path], true, .notAFile),
            ([folder.path + "/pipe.mp3"], false, .notAFile), (["/dev/zero"], false, .notAFile),
            ([text, audio], false, .unsupported), (["ftp://host/a.mp3"], false, .unsupported),
            (["http://"], false, .unsupported), (["http://ho st/"], false, .unsupported),
            (["https://user:secret@"], false, .unsupported), (["file://elsewhere/a.mp3"], false, .unsupported),
            (["descriptor:0"], false, .unsupported), (["descriptor:x"], false, .unsupported),
            (["/a\0b"], false, .missing),
        ]
        for (items, asText, reason) in cases {
            let error = await failure(items, asText: asText)
            #expect(error?.reason == reason, "\(items): \(String(describing: error))")
            #expect(error?.message.contains("secret") != true)
        }
    }

    @Test func `an item without read permission is neither missing nor empty`() throws {
        let folder = try TemporaryFolder()
        try folder.write("locked/a.mp3")
        let file = try folder.write("secret")
        chmod(folder.path + "/locked", 0)
        chmod(file, 0)
        defer { chmod(folder.path + "/locked", 0o700) }
        for path in ["/locked", "/locked/a.mp3", "/secret", ""] {
            let error = #expect(throws: ItemError.self, "\(path)") {
                try asNobody {
                    _ = try ItemReader(ItemRequest(items: [folder.path + path], extensions: extensions)).read()
                }
            }
            #expect(error?.reason == .unreadable, "\(path)")
        }
    }

    @Test func `a file system that hangs ends in a timeout`() async throws {
        let held = DispatchSemaphore(value: 0)
        defer { held.signal() }
        let resolver = ItemResolver(deadline: .milliseconds(20)) { held.wait() }
        let error = await #expect(throws: ItemError.self) {
            try await resolver.resolve(ItemRequest(items: ["/mnt/a.mp3"], extensions: extensions))
        }
        #expect(error?.reason == .timedOut)
    }

    @Test func `file descriptors are items`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.mp3")
        let file = SharedDescriptor(owning: open(path, O_RDONLY))
        let gone = try folder.write("gone.txt", Data("Call me Ishmael.".utf8))
        let orphan = SharedDescriptor(owning: open(gone, O_RDONLY))
        try FileManager.default.removeItem(atPath: gone)
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let (pipeEnd, writeEnd) = (SharedDescriptor(owning: ends[0]), SharedDescriptor(owning: ends[1]))
        _ = writeEnd
        func item(_ descriptor: SharedDescriptor, _ name: String, asText: Bool = false) async throws -> ResolvedItem {
            try await ItemResolver().resolve(
                ItemRequest(
                    items: ["descriptor:0"], descriptors: [descriptor], descriptorNames: [name], asText: asText,
                    extensions: extensions))
        }
        let named = try await item(file, "a.mp3")
        #expect(named.content.uri == "file://" + path)
        #expect(named.items == [path])
        #expect(named.content.tracks == [.descriptor(file, name: "a.mp3")])
        let sniffed = try await item(orphan, "-")
        #expect(sniffed.content.kind == .text)
        #expect(sniffed.content.title == "standard input")
        #expect(sniffed.items == [])
        #expect(sniffed.content.uri.hasPrefix("descriptor:"))
        #expect(try await item(pipeEnd, "-", asText: true).content.kind == .text)
        await #expect(throws: ItemError.self) { try await item(pipeEnd, "-") }
    }
}

/// Runs `body` without superuser permissions.
///
/// Permissions do not bind the superuser, so its thread accesses the file system as the user nobody.
private func asNobody(_ body: () throws -> Void) throws {
    typealias SetFileSystemUser = @convention(c) (UInt32) -> Int32
    guard geteuid() == 0 else { return try body() }
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let setFileSystemUser = unsafeBitCast(symbol, to: SetFileSystemUser.self)
    _ = setFileSystemUser(65534)
    defer { _ = setFileSystemUser(0) }
    try body()
}
