// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FileTestSupport
import FolderWatch
import Foundation
import Glibc
import Testing
import WaitTestSupport

/// A watched folder `books` in a temporary one.
private final class Watching: Sendable {
    struct Seen: Sendable {
        var changes: [FolderChange] = []
        var states: [FolderState] = []
    }

    let folder: TemporaryFolder
    let seen = Watched(Seen())
    let watch: FolderWatch

    var root: String { folder.path + "/books" }

    init(limit: Int = 1000, exists: Bool = true, in folder: TemporaryFolder? = nil) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        if exists {
            try FileManager.default.createDirectory(atPath: folder.path + "/books", withIntermediateDirectories: true)
        }
        var limits = FolderWatch.Limits(folders: limit)
        limits.spacing = .milliseconds(1)
        watch = FolderWatch(
            Array((folder.path + "/books").utf8), limits: limits,
            isRelevant: { $0.suffix(4) == Array(".mp3".utf8)[...] },
            report: { [seen] report in
                seen.change { seen in
                    if let state = report.state { seen.states.append(state) }
                    seen.changes += report.changes
                }
            })
        watch.begin()
    }

    deinit { watch.end() }

    func path(_ name: String) -> [UInt8] { Array((name.isEmpty ? root : root + "/" + name).utf8) }

    func begun() async {
        await expect { $0.changes.contains(.tree(self.path(""))) }
        seen.change { $0.changes = [] }
    }

    func expect(
        sourceLocation: SourceLocation = #_sourceLocation, _ test: @escaping @Sendable (Seen) -> Bool
    ) async {
        if await seen.wait(until: test) { return }
        didNotCome("the change", "\(seen.value)", sourceLocation)
    }

    func expect(_ change: FolderChange, sourceLocation: SourceLocation = #_sourceLocation) async {
        await expect(sourceLocation: sourceLocation) { $0.changes.contains(change) }
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: true)
    }

    func write(_ name: String) throws { try folder.write("books/" + name) }

    func move(_ from: String, _ to: String) throws {
        try #require(rename(root + "/" + from, root + "/" + to) == 0)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct `A watch of a folder` {
    @Test func `begins with a change of all of it`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("books/a/b/1.mp3")
        let it = try Watching(in: folder)
        await it.begun()
        #expect(it.seen.value.states == [.watched(folders: 3)])
    }

    @Test func `reports a file once it is complete`() async throws {
        let it = try Watching()
        await it.begun()
        let file = open(it.root + "/1.mp3", O_CREAT | O_WRONLY, 0o600)
        await it.expect(.opened(it.path("1.mp3")))
        #expect(!it.seen.value.changes.contains(.entries(of: it.path(""))))
        #expect(write(file, "x", 1) == 1)
        close(file)
        await it.expect(.closed(it.path("1.mp3")))
        await it.expect(.entries(of: it.path("")))
    }

    @Test func `reports a half copied file when it gets its name`() async throws {
        let it = try Watching()
        await it.begun()
        try it.write("1.mp3.part")
        try it.write(".1.mp3")
        try it.write("other.mp3")
        await it.expect(.closed(it.path("other.mp3")))
        #expect(!it.seen.value.changes.contains { "\($0)".contains("part") })
        it.seen.change { $0.changes = [] }
        try it.move("1.mp3.part", "1.mp3")
        await it.expect(.entries(of: it.path("")))
        try it.move("1.mp3", "2.mp3")
        await it.expect(.closed(it.path("2.mp3")))
    }

    @Test func `reports links, and files that are deleted or get other rights`() async throws {
        let it = try Watching()
        try it.write("1.mp3")
        await it.begun()
        for change in [
            { symlink(it.root + "/1.mp3", it.root + "/link.mp3") }, { link(it.root + "/1.mp3", it.root + "/hard.mp3") },
            { chmod(it.root + "/1.mp3", 0o640) }, { unlink(it.root + "/1.mp3") },
        ] {
            #expect(change() == 0)
            await it.expect(.entries(of: it.path("")))
            it.seen.change { $0.changes = [] }
        }
    }

    @Test func `reports what happens in a folder that came later, however deep`() async throws {
        let it = try Watching()
        await it.begun()
        try it.makeFolder("a/b/c/d")
        await it.expect { $0.states.last == .watched(folders: 5) }
        try it.write("a/b/c/d/1.mp3")
        await it.expect(.entries(of: it.path("a/b/c/d")))
    }

    @Test func `reports a folder that moves within it by its new name`() async throws {
        let it = try Watching()
        try it.makeFolder("a/b")
        await it.begun()
        try it.move("a", "z")
        await it.expect(.tree(it.path("a")))
        await it.expect(.tree(it.path("z")))
        try it.write("z/b/1.mp3")
        await it.expect(.entries(of: it.path("z/b")))
        #expect(it.seen.value.states.last == .watched(folders: 3))
    }

    @Test func `reports a folder that moves in, and nothing of one that moved out`() async throws {
        let it = try Watching()
        try it.makeFolder("a/b")
        try it.folder.write("outside/c/1.mp3")
        await it.begun()
        try #require(rename(it.root + "/a", it.folder.path + "/a") == 0)
        await it.expect(.tree(it.path("a")))
        try it.folder.write("a/b/1.mp3")
        try #require(rename(it.folder.path + "/outside", it.root + "/inside") == 0)
        await it.expect(.tree(it.path("inside")))
        try it.write("inside/c/2.mp3")
        await it.expect(.entries(of: it.path("inside/c")))
        #expect(!it.seen.value.changes.contains(.entries(of: it.path("a/b"))))
        #expect(it.seen.value.states.last == .watched(folders: 3))
    }

    @Test func `follows no symbolic link and no hidden folder`() async throws {
        let it = try Watching()
        try it.folder.write("outside/1.mp3")
        try it.makeFolder(".hidden/a")
        #expect(symlink(it.folder.path + "/outside", it.root + "/link") == 0)
        await it.begun()
        #expect(it.seen.value.states == [.watched(folders: 1)])
    }

    @Test func `watches names with a newline and names that are not UTF-8`() async throws {
        let it = try Watching()
        await it.begun()
        let name = Array("\n \\040".utf8) + [0xFF, 0xC3]
        let path = it.path("") + [UInt8(ascii: "/")] + name
        let made = (path + [0]).withUnsafeBytes { mkdir($0.bindMemory(to: CChar.self).baseAddress, 0o700) }
        #expect(made == 0)
        await it.expect(.tree(path))
        let file = path + Array("/1.mp3".utf8)
        let descriptor = (file + [0]).withUnsafeBytes {
            creat($0.bindMemory(to: CChar.self).baseAddress.unsafelyUnwrapped, 0o600)
        }
        close(descriptor)
        await it.expect(.entries(of: path))
    }

    @Test func `waits for a folder that is not there, and for each one on the way`() async throws {
        let it = try Watching(exists: false)
        await it.expect { $0.states == [.absent] }
        try FileManager.default.createDirectory(atPath: it.root, withIntermediateDirectories: false)
        await it.expect { $0.states.last == .watched(folders: 1) }
        try it.write("1.mp3")
        await it.expect(.entries(of: it.path("")))
    }

    @Test func `notices that a folder above it moves away and comes back`() async throws {
        let outer = try TemporaryFolder()
        try outer.write("disk/books/1.mp3")
        let seen = Watched<[FolderState]>([])
        var limits = FolderWatch.Limits(folders: 10)
        limits.spacing = .milliseconds(1)
        let watch = FolderWatch(
            Array((outer.path + "/disk/books").utf8), limits: limits, isRelevant: { _ in true },
            report: { report in if let state = report.state { seen.change { $0.append(state) } } })
        defer { watch.end() }
        watch.begin()
        #expect(await seen.wait { $0.last == .watched(folders: 1) })
        try #require(rename(outer.path + "/disk", outer.path + "/other") == 0)
        #expect(await seen.wait { $0.last == .absent })
        try #require(rename(outer.path + "/other", outer.path + "/disk") == 0)
        #expect(await seen.wait { $0.last == .watched(folders: 1) })
    }

    @Test func `reports all of it after it was deleted and made again`() async throws {
        let it = try Watching()
        try it.write("a/1.mp3")
        await it.begun()
        try FileManager.default.removeItem(atPath: it.root)
        await it.expect { $0.states.last == .absent && $0.changes.contains(.tree(it.path(""))) }
        it.seen.change { $0.changes = [] }
        try it.write("b/2.mp3")
        await it.expect { $0.states.last == .watched(folders: 2) }
        #expect(it.seen.value.changes.contains(.tree(it.path(""))))
    }

    @Test func `says that there are more folders than it may watch, and gives them up`() async throws {
        let it = try Watching(limit: 5)
        try it.makeFolder("a/b/c")
        await it.begun()
        let full = FolderState.unwatched(.tooManyFolders(limit: 5))
        #expect(full.needsScans)
        try it.makeFolder("a/b/d/e/f")
        await it.expect { $0.states.last == full && $0.changes.contains(.tree(it.path(""))) }
        let other = try Watching(limit: 2, in: it.folder)
        await other.expect { $0.states == [.unwatched(.tooManyFolders(limit: 2))] }
    }

    @Test func `loses nothing of ten thousand files at once`() async throws {
        let it = try Watching()
        await it.begun()
        try it.makeFolder("a")
        await it.expect { $0.states.last == .watched(folders: 2) }
        for number in 0..<10_000 { close(creat(it.root + "/a/\(number).mp3", 0o600)) }
        // Either each file, or all of it after the queue of the kernel was full.
        let last = it.path("a/9999.mp3")
        await it.expect { $0.changes.contains(.closed(last)) || $0.changes.contains(.tree(it.path(""))) }
    }

    @Test func `keeps track of a folder whose names go round`() async throws {
        let it = try Watching()
        try it.makeFolder("a/x")
        await it.begun()
        for _ in 0..<500 {
            try it.move("a", "b")
            try it.move("b", "a")
        }
        try it.write("a/x/1.mp3")
        await it.expect { $0.changes.contains(.entries(of: it.path("a/x"))) }
        #expect(it.seen.value.states.last == .watched(folders: 3))
    }

    @Test func `watches no deeper than books are looked for`() async throws {
        let it = try Watching()
        await it.begun()
        try it.makeFolder((0..<40).map { "\($0)" }.joined(separator: "/"))
        await it.expect { $0.states.last == .watched(folders: 17) }
    }
}
