// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import Testing

@testable import LibraryStore

@Suite struct `The files of clips` {
    private let temporary: TemporaryFolder
    private let clips: ClipFolder
    private var path: String { temporary.path + "/clips" }

    init() throws {
        temporary = try TemporaryFolder()
        clips = ClipFolder(path: temporary.path + "/clips")
    }

    private func write(_ text: String, to draft: FileDraft) {
        FileHandle(fileDescriptor: draft.descriptor.rawValue, closeOnDealloc: false).write(Data(text.utf8))
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `have a name only when they are complete, and never the name of another`() async throws {
        #expect(try await clips.names() == [])
        let draft = try await clips.begin()
        write("first", to: draft)
        #expect(try await clips.names() == [])
        #expect(try await clips.finish(draft, of: "abc", extension: "m4a") == "abc-1.m4a")
        #expect(try mode(path + "/abc-1.m4a") == 0o600)
        let next = try await clips.begin()
        write("second", to: next)
        #expect(try await clips.finish(next, of: "abc", extension: "m4a") == "abc-2.m4a")
        #expect(try await clips.names() == ["abc-1.m4a", "abc-2.m4a"])
        #expect(text(clips.path(of: "abc-1.m4a")) == "first")
        await clips.remove("abc-1.m4a")
        #expect(try await clips.names() == ["abc-2.m4a"])
    }

    @Test func `are not removed by a name that leads elsewhere`() async throws {
        let other = temporary.path + "/other"
        #expect(FileManager.default.createFile(atPath: other, contents: Data()))
        for name in ["../other", "", ".", "..", other] { await clips.remove(name) }
        #expect(text(other) == "")
    }

    private func entries(_ folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    /// A folder of clips as on a file system where each file has a name.
    private var named: ClipFolder { ClipFolder(path: path, hasNamelessFiles: false) }

    @Test func `have no name while they are written, so that a kill leaves nothing`() async throws {
        let own = try await clips.begin()
        let export = try await clips.begin(beside: temporary.path + "/x.mp3")
        write("half", to: own)
        write("half", to: export)
        #expect((own.path, export.path) == (nil, nil))
        #expect(try entries(temporary.path) == ["clips"])
        #expect(try entries(path) == [])
        await clips.discard(export)
        #expect(try await clips.finish(own, of: "abc", extension: "m4a") == "abc-1.m4a")
    }

    @Test func `that a killed session was writing are removed, and those of this session stay`() async throws {
        let clips = named
        let mine = try await clips.begin()
        let left = path + "/.draft-999999999-1"
        #expect(FileManager.default.createFile(atPath: left, contents: Data("half".utf8)))
        #expect(try await clips.names() == [])
        #expect(text(left) == nil)
        let draft = try #require(mine.path)
        #expect(text(draft) == "")
        await clips.discard(mine)
        #expect(text(draft) == nil)
    }

    @Test func `for others that a killed session was writing are removed, and nothing else is`() async throws {
        let killed = named
        let export = try await killed.begin(beside: temporary.path + "/x.mp3")
        let half = try #require(export.path)
        // A link that no session made, and the draft of somebody else.
        let mine = temporary.path + "/mine"
        #expect(FileManager.default.createFile(atPath: mine, contents: Data()))
        try FileManager.default.createSymbolicLink(atPath: path + "/.draft-1-1", withDestinationPath: mine)
        #expect(FileManager.default.createFile(atPath: temporary.path + "/.draft-2-2", contents: Data()))
        let next = named
        let own = try await next.begin(beside: temporary.path + "/y.mp3")
        #expect(try await next.names() == [])
        #expect(text(half) == nil)
        #expect(text(mine) == "")
        #expect(try await next.finish(own, as: temporary.path + "/y.mp3", replaces: false) == temporary.path + "/y.mp3")
        #expect(try entries(temporary.path) == ["clips", "mine", ".draft-2-2", "y.mp3"])
        #expect(try entries(path) == [])
    }

    @Test func `that are not finished are removed at the end of a session`() async throws {
        let clips = named
        let own = try await clips.begin()
        _ = try await clips.begin(beside: temporary.path + "/x.mp3")
        await clips.discardAll()
        #expect(try entries(temporary.path) == ["clips"])
        #expect(try entries(path) == [])
        await #expect(throws: PlaceStoreError.self) { try await clips.finish(own, of: "abc", extension: "m4a") }
    }

    @Test func `that no clip has are set aside under a name that is free, and come back`() async throws {
        #expect(try await !clips.setAside("abc-1.m4a"))
        #expect(await !clips.bringBack("abc-1.m4a"))
        let draft = try await clips.begin()
        write("first", to: draft)
        _ = try await clips.finish(draft, of: "abc", extension: "m4a")
        #expect(try await clips.setAside("abc-1.m4a"))
        #expect(try await clips.names() == [])
        // The name stays taken.
        #expect(try await clips.finish(clips.begin(), of: "abc", extension: "m4a") == "abc-2.m4a")
        #expect(FileManager.default.createFile(atPath: path + "/abc-1.m4a", contents: Data("other".utf8)))
        #expect(await !clips.bringBack("abc-1.m4a"))
        #expect(try await clips.setAside("abc-1.m4a"))
        #expect(try entries(clips.lost) == ["abc-1.m4a", "abc-1 (2).m4a"])
        #expect(await clips.bringBack("abc-1.m4a"))
        #expect(text(clips.path(of: "abc-1.m4a")) == "first")
        for name in ["../library.sqlite", "", ".", ".."] {
            #expect(try await !clips.setAside(name))
            #expect(await !clips.bringBack(name))
        }
    }

    @Test(arguments: [true, false])
    func `for others take a free name, unless they may replace one`(_ hasNameless: Bool) async throws {
        let clips = hasNameless ? clips : named
        let wanted = temporary.path + "/My clip.mp3"
        for (replaces, name, content) in [
            (false, "My clip.mp3", "1"), (false, "My clip (2).mp3", "2"), (true, "My clip.mp3", "3"),
            (false, "My clip (3).mp3", "4"),
        ] {
            let draft = try await clips.begin(beside: wanted)
            write(content, to: draft)
            #expect(try await clips.finish(draft, as: wanted, replaces: replaces) == "\(temporary.path)/\(name)")
            #expect(text("\(temporary.path)/\(name)") == content)
        }
        #expect(text(temporary.path + "/My clip (2).mp3") == "2")
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary.path).filter { $0.hasPrefix(".") }
        #expect(left == [])
    }

    @Test func `fail with a reason where nothing can be written`() async throws {
        let error = await #expect(throws: PlaceStoreError.self) {
            try await clips.begin(beside: "/nonexistent/folder/x.mp3")
        }
        #expect(error?.message == "cannot write /nonexistent/folder: No such file or directory")
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        await #expect(throws: PlaceStoreError.self) { try await clips.begin() }
    }
}
