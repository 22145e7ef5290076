// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import HTTPExchange
import MediaPlayback
import PlaybackCore
import Testing
import WaitTestSupport

@testable import Downloads

@Suite(.timeLimit(.minutes(1))) struct DownloadsTests {
    let stage: DownloadStage
    private let one = [UInt8](0..<200)
    private let two = [UInt8](repeating: 7, count: 300)

    init() throws { stage = try DownloadStage() }

    private func book() { stage.book("b", "Emma", [("1.mp3", one), ("2.mp3", two)]) }

    @Test func `a book is fetched in the order in which it is played, its cover first`() async throws {
        book()
        stage.server.put("c.png", [1, 2, 3])
        let cover = stage.server.url("c.png")
        stage.plan("b") { $0.cover = DownloadPlan.File(relPath: "c", address: cover) }
        let downloads = await stage.session()
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
        #expect(stage.server.transfers == ["GET c.png", "GET b-1.mp3", "GET b-2.mp3"])
        #expect(
            stage.files == [
                "Ada Reader/Emma/.rostrum-download.json", "Ada Reader/Emma/01.mp3", "Ada Reader/Emma/02.mp3",
                "Ada Reader/Emma/cover.png",
            ])
        #expect(stage.content("Ada Reader/Emma/01.mp3") == one && stage.content("Ada Reader/Emma/02.mp3") == two)
        #expect(stage.state.value.checked == ["01.mp3", "02.mp3"])
        let copy = try #require(await downloads.localCopy(of: "uri:b"))
        #expect(copy.paths.map { $0.split(separator: "/").last } == ["01.mp3", "02.mp3"])
        #expect(await downloads.localCopy(of: "b") == copy)
        // By another name of the same item, too.
        #expect(await downloads.localCopy(of: "alias:b") == copy)
        #expect(try await downloads.add("alias:b").item == "b")
        #expect(await downloads.bytes == 500)
        #expect(await stage.state.wait { $0.downloaded == ["b"] })
    }

    @Test func `a cover that fails keeps nothing from being downloaded`() async throws {
        book()
        let cover = stage.server.url("none.png")
        stage.plan("b") { $0.cover = DownloadPlan.File(relPath: "c", address: cover) }
        try await stage.session().add("b")
        await stage.wait("b", .downloaded)
        #expect(!stage.files.contains { $0.contains("cover") })
    }

    @Test func `a transfer that is cut goes on where it was, after a pause`() async throws {
        book()
        stage.server.fail("b-1.mp3", .cut(70), .cut(50))
        try await stage.session().add("b")
        for due in [1001, 1002] {
            #expect(await stage.state.wait { $0.pauses.count == due - 1000 })
            stage.state.change { $0.now = .seconds(due) }
        }
        await stage.wait("b", .downloaded)
        #expect(
            stage.server.transfers == [
                "GET b-1.mp3", "GET b-1.mp3 bytes=70-", "GET b-1.mp3 bytes=120-", "GET b-2.mp3",
            ])
        #expect(stage.content("Ada Reader/Emma/01.mp3") == one)
    }

    @Test func `a new session goes on where the one before was`() async throws {
        book()
        stage.server.fail("b-2.mp3", .hold(130))
        let first = await stage.session()
        try await first.add("b")
        #expect(await stage.server.state.wait { $0.held == 1 })
        await first.end()
        #expect(stage.content("Ada Reader/Emma/.02.mp3.part")?.count == 130)
        let second = await stage.session()
        await stage.wait("b", .downloaded)
        #expect(stage.server.transfers.suffix(2) == ["GET b-2.mp3", "GET b-2.mp3 bytes=130-"])
        #expect(stage.content("Ada Reader/Emma/02.mp3") == two)
        #expect(await second.list().count == 1)
    }

    @Test func `a file that is another one by now starts over`() async throws {
        book()
        stage.server.fail("b-1.mp3", .hold(70))
        let first = await stage.session()
        try await first.add("b")
        #expect(await stage.server.state.wait { $0.held == 1 })
        await first.end()
        let other = [UInt8](repeating: 9, count: 200)
        stage.server.put("b-1.mp3", other, tag: "\"new\"")
        _ = await stage.session()
        await stage.wait("b", .downloaded)
        #expect(stage.content("Ada Reader/Emma/01.mp3") == other)
        #expect(stage.server.transfers.filter { $0.contains("b-1") } == ["GET b-1.mp3", "GET b-1.mp3"])
    }

    @Test(arguments: [true, false])
    func `a server without ranges, or without versions, sends the whole file again`(hasTag: Bool) async throws {
        book()
        stage.server.put("b-1.mp3", one, tag: hasTag ? "\"a\"" : "")
        stage.server.state.change { $0.takesRanges = false }
        stage.server.fail("b-1.mp3", .cut(70))
        try await stage.session().add("b")
        #expect(await stage.state.wait { $0.pauses.count == 1 })
        stage.state.change { $0.now = .seconds(1001) }
        await stage.wait("b", .downloaded)
        #expect(stage.content("Ada Reader/Emma/01.mp3") == one)
    }

    @Test(arguments: [true, false])
    func `a server that does not take HEAD is asked for the first byte, and large files are no matter`(
        takesRanges: Bool
    ) async throws {
        let large = [UInt8](repeating: 5, count: 17 << 20)
        stage.book("b", "Emma", [("1.mp3", large)])
        stage.server.state.change { ($0.takesHead, $0.takesRanges) = (false, takesRanges) }
        stage.server.fail("b-1.mp3", .cut(9 << 20))
        try await stage.session().add("b")
        #expect(await stage.state.wait { $0.pauses.count == 1 })
        stage.state.change { $0.now = .seconds(1001) }
        await stage.wait("b", .downloaded)
        let resumed = stage.server.log.contains("GET b-1.mp3 bytes=\(9 << 20)-")
        #expect(resumed == takesRanges && stage.content("Ada Reader/Emma/Emma.mp3") == nil)
        #expect(stage.content("Ada Reader/Emma/1.mp3") == large)
    }

    @Test func `a file with a wrong length is an error, and what was complete is kept`() async throws {
        book()
        stage.server.put("b-2.mp3", Array(two.dropLast()))
        let downloads = await stage.session()
        try await downloads.add("b")
        await stage.wait("b", .error)
        let download = try #require(await downloads.list().first)
        #expect(download.reason == "2.mp3: the server says 300 bytes, and has 299; scan its library again")
        #expect(download.bytes == 200 && download.files[0].isComplete)
        #expect(await downloads.localCopy(of: "b") == nil)
        stage.server.put("b-2.mp3", two)
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
        #expect(stage.server.transfers.filter { $0.contains("b-1") }.count == 1)
    }

    @Test func `a file that does not play is an error, and is fetched again`() async throws {
        book()
        stage.state.change { $0.verdicts["02.mp3"] = .broken("no frame") }
        let downloads = await stage.session()
        try await downloads.add("b")
        await stage.wait("b", .error)
        #expect(await downloads.list().first?.reason?.hasSuffix("does not play: no frame; download it again") == true)
        #expect(stage.content("Ada Reader/Emma/02.mp3") == nil)
        stage.state.change { $0.verdicts = ["02.mp3": .unknown("the engine is away")] }
        try await downloads.add("b")
        #expect(await stage.state.wait { $0.downloads["b"]?.reason?.contains("cannot be checked") == true })
        let count = stage.server.transfers.count
        stage.state.change { $0.verdicts = [:] }
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
        // What only could not be checked is not fetched again.
        #expect(stage.server.transfers.count == count)
    }

    @Test func `removing takes the files and leaves what somebody else put there`() async throws {
        book()
        stage.server.fail("b-2.mp3", .hold(10))
        let downloads = await stage.session()
        try await downloads.add("b")
        #expect(await stage.server.state.wait { $0.held == 1 })
        #expect(try await downloads.remove("b") != nil)
        #expect(stage.files == [] && stage.content("Ada Reader") == nil)
        #expect(!FileManager.default.fileExists(atPath: stage.root + "/Ada Reader"))
        #expect(await downloads.list().isEmpty)
        stage.server.state.change { $0.isReleased = true }
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: stage.root + "/Ada Reader/Emma/notes.txt"))
        try await downloads.remove("b")
        #expect(stage.files == ["Ada Reader/Emma/notes.txt"])
        // That folder is somebody's now.
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
        #expect(stage.files.contains("Ada Reader/Emma (2)/01.mp3"))
        #expect(try await downloads.remove("unknown") == nil)
    }

    @Test func `a removal that a kill ended goes on at the start`() async throws {
        book()
        let downloads = await stage.session()
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
        var download = try #require(await downloads.list().first)
        download.state = .removing
        try DownloadFolder(root: stage.root).save(download)
        #expect(await stage.session().list().isEmpty)
        #expect(stage.files == [])
    }

    @Test func `a server that is away keeps no other waiting, and items go on in their order`() async throws {
        for item in ["a/1", "a/2", "b/1"] { stage.book(item, "T\(item.last ?? "x")", [("1.mp3", one)]) }
        stage.plan("a/1") { $0.files[0].address = "https://example.org/a1" }
        stage.server.put("a1", one)
        stage.server.fail("a1", .failure(.network))
        let downloads = await stage.session()
        try await downloads.add("a/1")
        #expect(await stage.state.wait { $0.pauses.count == 1 })
        try await downloads.add("a/2")
        try await downloads.add("b/1")
        await stage.wait("b/1", .downloaded)
        #expect(await downloads.list().map(\.state) == [.queued, .queued, .downloaded])
        #expect(await downloads.list().first?.reason == "1.mp3: told to")
        await downloads.networkIsBack()
        await stage.wait("a/2", .downloaded)
        #expect(await downloads.list().map(\.state) == [.downloaded, .downloaded, .downloaded])
    }

    @Test func `an address that changed is looked up again, and credentials are renewed once`() async throws {
        book()
        stage.server.fail("b-1.mp3", .status(401))
        let stage = stage
        try await stage.session().add("b")
        await stage.wait("b", .downloaded)
        #expect(stage.state.value.renewals == 1)
        // The second book is at another address when it is fetched than when it was asked for.
        stage.book("c", "Persuasion", [("1.mp3", one)])
        stage.plan("c") { $0.files[0].address = "https://example.org/old" }
        stage.server.fail("c-1.mp3", .status(401), .status(401))
        let downloads = await stage.session()
        try await downloads.add("c")
        await stage.wait("c", .error)
        stage.plan("c") { $0.files[0].address = "https://example.org/c-1.mp3" }
        try await downloads.add("c")
        #expect(await stage.state.wait { $0.downloads["c"]?.reason?.contains("log in again") == true })
        try await downloads.add("c")
        await stage.wait("c", .downloaded)
    }

    @Test func `a disk without room is an error before anything is fetched`() async throws {
        book()
        let downloads = await stage.session(reserve: .max)
        try await downloads.add("b")
        await stage.wait("b", .error)
        #expect(stage.server.transfers == [])
        #expect(await downloads.list().first?.reason?.contains("make room") == true)
    }

    @Test func `a disk that is full keeps what there is for the retry`() async throws {
        book()
        stage.server.fail("b-1.mp3", .failure(.output))
        let downloads = await stage.session()
        try await downloads.add("b")
        await stage.wait("b", .error)
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
    }

    @Test func `folders that were moved are found, and what is missing is noticed`() async throws {
        book()
        let first = await stage.session()
        try await first.add("b")
        await stage.wait("b", .downloaded)
        let files = FileManager.default
        try files.createDirectory(atPath: stage.root + "/Shelf/Austen", withIntermediateDirectories: true)
        try files.moveItem(atPath: stage.root + "/Ada Reader/Emma", toPath: stage.root + "/Shelf/Austen/Emma, Vol. 1")
        let second = await stage.session()
        #expect(await second.localCopy(of: "b")?.paths.first == stage.root + "/Shelf/Austen/Emma, Vol. 1/01.mp3")
        try files.removeItem(atPath: stage.root + "/Shelf/Austen/Emma, Vol. 1/02.mp3")
        #expect(await second.localCopy(of: "b") == nil)
        #expect(await second.list().first?.state == Download.State.error)
        try files.moveItem(atPath: stage.root + "/Shelf", toPath: stage.disk.path + "/elsewhere")
        let third = await stage.session()
        #expect(await third.list().map(\.state) == [Download.State.error])
        // It comes back by itself with its folder, but for the file that is missing.
        try files.moveItem(atPath: stage.disk.path + "/elsewhere", toPath: stage.root + "/Shelf")
        let fourth = await stage.session()
        #expect(await fourth.list().first?.reason?.contains("02.mp3 is gone") == true)
        try await fourth.add("b")
        await stage.wait("b", .downloaded)
        #expect(stage.server.transfers.suffix(1) == ["GET b-2.mp3"])
    }

    @Test func `a check finds what was damaged since`() async throws {
        book()
        let downloads = await stage.session()
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
        #expect(await downloads.verify().map(\.state) == [.downloaded])
        stage.state.change { $0.verdicts["01.mp3"] = .broken("noise") }
        #expect(await downloads.verify("b").map(\.reason) == ["noise"])
        stage.state.change { $0.verdicts = [:] }
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
        #expect(stage.server.transfers.suffix(1) == ["GET b-1.mp3"])
    }

    @Test func `an item that is asked for twice is one download, and one that no server has is refused`() async throws {
        book()
        let downloads = await stage.session()
        try await downloads.add("b")
        try await downloads.add("b")
        #expect(await downloads.list().count == 1)
        await #expect(throws: DownloadFault.self) { try await downloads.add("nothing") }
        try await downloads.add("unknown")
        await stage.wait("unknown", .error)
        #expect(await downloads.list().last?.reason == "unknown: no such item")
        try await downloads.remove("unknown")
        #expect(await stage.session().list().map(\.item) == ["b"])
    }

    @Test func `an item that is downloaded is played from its files, as the item that it is`() async throws {
        book()
        let downloads = await stage.session()
        let resolver = DownloadedItems(Echo(), downloads: downloads)
        let request = ItemRequest(items: ["b"], headers: ["X: y"], extensions: KnownExtensions(audio: []))
        #expect(try await resolver.resolve(request).content.isRemote)
        try await downloads.add("b")
        await stage.wait("b", .downloaded)
        let item = try await resolver.resolve(request)
        #expect(item.content.uri == "uri:b" && item.content.title == "Emma" && item.items == ["b"])
        #expect(item.content.tracks.map(\.title) == ["01", "02"] && !item.content.isRemote)
    }

    /// Resolves paths as files, and anything else as an address of its own.
    private struct Echo: ItemResolving {
        func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
            let tracks = request.items.map { item in
                item.hasPrefix("/") ? TrackSource.file(path: item) : .url(item, headers: request.headers)
            }
            return ResolvedItem(
                content: Content(uri: request.items.joined(), kind: .audio, tracks: tracks, title: "echo"),
                items: request.items, notes: [])
        }
    }
}
