// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import LibraryStore
import MediaPlayback
import PlaybackCore
import RandomTestSupport
import Testing

@Suite struct `The making of clip files` {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    /// Returns what is wrong on the disk and in the library; nothing is, if every clip has its audio and there is no other
    /// file.
    private func faults(after session: FaultySession) async throws -> [String] {
        var faults: [String] = []
        let clips = try await session.clips(ClipQuery())
        let known = Set(clips.compactMap { $0.file?.name })
        for name in try files() where !known.contains(name) { faults.append("no clip has \(name)") }
        for clip in clips {
            guard let file = clip.file else {
                faults.append("\(clip.id) has no file")
                continue
            }
            if text(session.path(of: file.name)) != bounds(clip) { faults.append("\(clip.id) has other audio") }
        }
        return faults
    }

    private func files(_ folder: String = "clips") throws -> [String] {
        let folder = "\(temporary.path)/\(folder)"
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "lost" }.sorted()
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func bounds(_ clip: Clip) -> String { "\(clip.start.position.units)-\(clip.end.position.units)" }

    /// Makes a clip, changes its bounds and deletes another one, with a file for each step.
    private func work(_ session: FaultySession) async {
        let maker = session.maker
        var clip = `Clips in the library`.clip()
        guard let first = try? await session.add(clip) else { return }
        try? await maker.make(first)
        clip.start.position.units = 500
        guard let second = try? await session.add(clip) else { return }
        try? await maker.make(second)
        var changed = first
        changed.end.position.units += 1_000
        if (try? await session.change(changed, from: first)) == .done { try? await maker.make(changed) }
        if let removed = try? await session.removeClip(id: second.id), let name = removed.file?.name {
            await maker.drop(name)
        }
    }

    /// Repairs, as the next session does when it starts.
    private func repair() async throws -> FaultySession {
        let next = FaultySession(temporary.path)
        for clip in try await next.maker.sweep(setsAside: true).incomplete { try await next.maker.make(clip) }
        return next
    }

    @Test func `removes nothing by itself, and nothing that it did not make`() async throws {
        let session = FaultySession(temporary.path)
        await work(session)
        await session.close()
        let before = try files()
        try "mine".write(toFile: temporary.path + "/clips/notes.txt", atomically: true, encoding: .utf8)
        // The library is lost.
        for name in ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: "\(temporary.path)/\(name)")
        }
        let next = FaultySession(temporary.path)
        for setsAside in [false, true] {
            #expect(try await next.maker.sweep(setsAside: setsAside).aside == 0)
            #expect(try Set(files()) == Set(before + ["notes.txt"]))
        }
    }

    @Test func `sets files aside that an older library does not know, and brings them back with the newer one`()
        async throws
    {
        let session = FaultySession(temporary.path)
        let old = try await session.add(`Clips in the library`.clip())
        try await session.maker.make(old)
        await session.close()
        let library = temporary.path + "/library.sqlite"
        try FileManager.default.copyItem(atPath: library, toPath: library + ".old")
        let later = FaultySession(temporary.path)
        let new = try await later.add(`Clips in the library`.clip(made: 2))
        try await later.maker.make(new)
        await later.close()
        try FileManager.default.moveItem(atPath: library, toPath: library + ".new")

        try FileManager.default.moveItem(atPath: library + ".old", toPath: library)
        let restored = FaultySession(temporary.path)
        let swept = try await restored.maker.sweep(setsAside: true)
        #expect((swept.incomplete, swept.aside) == ([], 1))
        #expect(try files() == ["\(old.id)-1.m4a"])
        #expect(try files("clips/lost") == ["\(new.id)-1.m4a"])
        // A clip of the same id, as an import brings it back, gets a name that no file had.
        _ = try await restored.add(new)
        try await restored.maker.make(new)
        #expect(try files() == ["\(old.id)-1.m4a", "\(new.id)-2.m4a"].sorted())
        await restored.close()

        try FileManager.default.removeItem(atPath: library)
        try FileManager.default.moveItem(atPath: library + ".new", toPath: library)
        let back = FaultySession(temporary.path)
        #expect(try await back.maker.sweep(setsAside: false).incomplete == [])
        #expect(try files("clips/lost") == [])
        #expect(text(back.path(of: "\(new.id)-1.m4a")) == bounds(new))
    }

    @Test func `makes no file twice, and makes one again that is gone`() async throws {
        let session = FaultySession(temporary.path)
        let clip = try await session.add(`Clips in the library`.clip())
        try await session.maker.make(clip)
        try await session.maker.make(clip)
        #expect(try files() == ["\(clip.id)-1.m4a"])
        try "kept".write(toFile: session.path(of: "\(clip.id)-1.m4a"), atomically: true, encoding: .utf8)
        try await session.maker.make(clip)
        #expect(text(session.path(of: "\(clip.id)-1.m4a")) == "kept")
        try FileManager.default.removeItem(atPath: session.path(of: "\(clip.id)-1.m4a"))
        try await session.maker.make(clip)
        #expect(try await faults(after: session) == [])
    }

    @Test func `keeps the file of a clip of which another clip is made`() async throws {
        let session = FaultySession(temporary.path)
        let first = try await session.add(`Clips in the library`.clip())
        try await session.maker.make(first)
        let source = session.path(of: "\(first.id)-1.m4a")
        var second = `Clips in the library`.clip("file://" + source, made: 2)
        second.items = [source]
        second = try await session.add(second)
        // The first gets other bounds, and with them another file; then it is deleted.
        var changed = first
        changed.end.position.units += 1_000
        #expect(try await session.change(changed, from: first) == .done)
        try await session.maker.make(changed)
        let removed = try await session.removeClip(id: first.id)
        await session.maker.drop(try #require(removed?.file?.name))
        #expect(try files() == ["\(first.id)-1.m4a"])
        let swept = try await session.maker.sweep(setsAside: true)
        #expect((swept.incomplete.map(\.id), swept.aside) == ([second.id], 0))
        try await session.maker.make(second)
        // Without the second clip, nothing needs it any more.
        _ = try await session.removeClip(id: second.id)
        _ = try await session.add(`Clips in the library`.clip(made: 3))
        #expect(try await session.maker.sweep(setsAside: true).aside == 2)
    }

    @Test func `takes no audio from what lies in place of a book that is gone`() async throws {
        let session = FaultySession(temporary.path)
        var clip = `Clips in the library`.clip()
        clip.isSourceThere = false
        let added = try await session.add(clip)
        await #expect(throws: PlaybackError.self) { try await session.maker.make(added) }
        #expect(try files() == [])
    }

    @Test func `leaves every clip with its audio and no other file`() async throws {
        let session = FaultySession(temporary.path)
        await work(session)
        #expect(try await faults(after: session) == [])
        #expect(try files().count == 1)
        #expect(session.calls > 15)
    }

    /// A session makes about 30 calls here; each of them fails once, before and after it did its work, and kills it once.
    @Test(arguments: FaultySession.Fault.allCases)
    func `loses nothing if any one call fails or kills the session`(_ fault: FaultySession.Fault) async throws {
        for call in 1...40 {
            let session = FaultySession(temporary.path, failure: .init(call: call, fault: fault))
            await work(session)
            await session.close()
            // A clip that had a file has one, with the audio of its bounds or of its former ones.
            let there = Set(try files())
            let store = LibraryStore(path: temporary.path + "/library.sqlite", deadline: .seconds(20))
            for clip in try await store.clips(ClipQuery()) {
                if let name = clip.file?.name { #expect(there.contains(name), "\(fault) at call \(call)") }
            }
            await store.close()
            let next = try await repair()
            #expect(try await faults(after: next) == [], "\(fault) at call \(call)")
            await next.close()
            try? FileManager.default.removeItem(atPath: temporary.path + "/library.sqlite")
            try? FileManager.default.removeItem(atPath: temporary.path + "/library.sqlite-wal")
            try? FileManager.default.removeItem(atPath: temporary.path + "/clips")
        }
    }
}
