// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import LibraryStore
import MediaPlayback
import Testing

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

    @Test func `that a killed session was writing are removed, and those of this session stay`() async throws {
        let mine = try await clips.begin()
        let left = path + "/.draft-999999999-1"
        #expect(FileManager.default.createFile(atPath: left, contents: Data("half".utf8)))
        #expect(try await clips.names() == [])
        #expect(text(left) == nil)
        #expect(text(mine.path) == "")
        await clips.discard(mine)
        #expect(text(mine.path) == nil)
    }

    @Test func `for others take a free name, unless they may replace one`() async throws {
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
