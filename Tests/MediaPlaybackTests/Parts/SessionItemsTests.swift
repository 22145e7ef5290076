// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Glibc
import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `The items of a session` {
    private let other = OwnerID("clip-viewer-1")

    private func content(_ uri: String, title: String = "as found") -> Content {
        Content(uri: uri, kind: .audio, tracks: [.file(path: "/" + uri)], title: title)
    }

    /// Returns items named `0`, `1`, …, of which the last was used last.
    private func items(_ count: Int) -> SessionItems {
        var items = SessionItems()
        for number in 0..<count { items.keep(content("\(number)")) }
        return items
    }

    private func kept(_ items: SessionItems, of count: Int) -> [Int] {
        (0..<count).filter { items[content: "\($0)"] != nil }
    }

    @Test func `are unknown until they are kept`() {
        let items = SessionItems()
        #expect(items.count == 0 && items[content: "a"] == nil && items[silentSince: "a"] == nil)
        #expect(items[opening: "a"].start == nil && items[opening: "a"].moves == [])
        #expect(items[preferences: "a", .main] == nil)
    }

    @Test func `keep their options and preferences when their content is found again`() {
        var items = SessionItems()
        items.keep(content("a"))
        items[opening: "a"].voice = "amy"
        items[preferences: "a", .main] = ItemPreferences(rate: 2)
        items[silentSince: "a"] = 5
        items.keep(content("a", title: "as found again"))
        #expect(items.count == 1 && items[content: "a"]?.title == "as found again")
        #expect(items[opening: "a"].voice == "amy")
        #expect(items[preferences: "a", .main] == ItemPreferences(rate: 2))
        #expect(items[silentSince: "a"] == 5)
    }

    @Test func `close documents that nobody can come back to, except the two that were used last`() throws {
        var items = SessionItems()
        let file = SharedDescriptor(owning: open("/dev/null", O_RDONLY))
        for number in 0..<6 {
            var text = content("\(number)")
            text.document = TextDocument(text: file, script: file)
            items.keep(text)
            items[opening: "\(number)"].voice = "amy"
        }
        items.keep(content("audio"))
        items.prune { ["1"] }
        #expect((0..<6).filter { items[content: "\($0)"] != nil } == [1, 4, 5])
        #expect(items[content: "audio"] != nil)
        #expect(items[opening: "0"].voice == "amy", "how it was opened is known still")
    }

    @Test func `have preferences of each owner`() {
        var items = SessionItems()
        items[preferences: "a", .main] = ItemPreferences(rate: 2)
        #expect(items[preferences: "a", other] == nil && items[preferences: "b", .main] == nil)
        items[preferences: "a", other] = ItemPreferences(volume: 0.5)
        #expect(items[preferences: "a", .main] == ItemPreferences(rate: 2))
        items[preferences: "a", .main] = nil
        #expect(items[preferences: "a", .main] == nil)
        #expect(items[preferences: "a", other] == ItemPreferences(volume: 0.5))
    }

    @Test func `have the content that a command replaced once more if the new one was never open`() {
        var items = SessionItems()
        items.keep(content("a", title: "old"))
        items.keep(content("a", title: "new"), replacing: items[content: "a"], by: 1)
        #expect(items[content: "a"]?.title == "new", "it is to be opened")
        items.settle(1) { $0.title == "new" }
        #expect(items[content: "a"]?.title == "old")
    }

    @Test func `have the new content once a command is settled`() {
        var items = SessionItems()
        items.keep(content("a", title: "new"), replacing: content("a", title: "old"), by: 1)
        items.settle(2) { _ in true }
        #expect(items[content: "a"]?.title == "new", "another command is settled")
        items.settle(1)
        items.settle(1) { _ in true }
        #expect(items[content: "a"]?.title == "new", "nothing replaced is left")
    }

    @Test func `have the new content in any case if it replaced nothing`() {
        var items = SessionItems()
        items.keep(content("a"), replacing: nil, by: 1)
        items.settle(1) { _ in true }
        #expect(items[content: "a"] != nil)
    }

    @Test func `are all kept while there are few, and nobody is asked which are needed`() {
        var items = items(16)
        items.prune {
            Issue.record("asked")
            return []
        }
        #expect(items.count == 16)
    }

    @Test func `are forgotten in the order of use, except those that somebody can come back to`() {
        var items = items(20)
        items.prune { ["0", "2"] }
        #expect(kept(items, of: 20) == [0] + [2] + (4..<20), "16 beside the needed ones")
        items.prune { [] }
        #expect(kept(items, of: 20) == Array(4..<20), "nobody needs them any more")
    }

    @Test(arguments: [0, 1, 2])
    func `become the newest by their content or options, and not by preferences`(_ use: Int) {
        var items = items(17)
        switch use {
        case 0: items.keep(content("0"))
        case 1: items[opening: "0"].limit = .chapter(1)
        default: items[preferences: "0", .main] = ItemPreferences(rate: 2)
        }
        items.prune { [] }
        #expect(kept(items, of: 17) == (use < 2 ? [0] + (2..<17) : Array(1..<17)))
    }

    @Test func `are forgotten with everything that is known of them`() {
        var items = SessionItems()
        items[opening: "a"].voice = "amy"
        items[preferences: "a", .main] = ItemPreferences(rate: 2)
        items[silentSince: "a"] = 5
        items[preferences: "b", .main] = ItemPreferences(rate: 2)
        items[silentSince: "c"] = 7
        for number in 0..<16 { items.keep(content("\(number)")) }
        items.prune { [] }
        #expect(items.count == 16)
        #expect(items[opening: "a"].voice == nil && items[silentSince: "a"] == nil)
        #expect(items[preferences: "a", .main] == nil && items[preferences: "b", .main] == nil)
        #expect(items[silentSince: "c"] == nil && items[content: "0"] != nil)
    }
}

@Suite struct `The items that somebody can come back to` {
    private let other = OwnerID("clip-viewer-1")

    /// A machine that plays what it is told.
    private struct Player {
        private var machine = PlaybackMachine()

        var reachable: Set<String> { machine.state.reachable }

        mutating func open(_ uri: String, _ kind: ContentKind = .audio, by owner: OwnerID = .main) {
            let item = ItemReference(uri: uri, kind: kind, title: uri, items: [uri])
            let order = PlayOrder(
                item: item, engine: EngineID("ffmpeg"), start: .start, provenance: .restored, owner: owner)
            _ = machine.handle(.play(id: UInt64(machine.state.generation) + 1, order, heard: nil))
        }

        mutating func play(_ uri: String, _ kind: ContentKind = .audio, by owner: OwnerID = .main) {
            open(uri, kind, by: owner)
            let generation = machine.state.generation
            _ = machine.handle(.loaded(generation: generation, start: .start, unitsPerSecond: 1, needsSeek: false))
            _ = machine.handle(.streamOpened(generation: generation))
            _ = machine.handle(.started(generation: generation))
        }

        /// Moves within the present item, which is the last one of its kind from then on.
        mutating func seek() { _ = machine.handle(.seek(SeekOrder(to: MediaPosition(track: 0, units: 5)))) }

        /// Reports where the item before the present one fell silent.
        mutating func silence() {
            _ = machine.handle(.silenced(generation: machine.state.generation - 1, heard: .start))
        }
    }

    @Test func `are the one that is opened, and the one before it until that succeeds`() {
        var player = Player()
        #expect(player.reachable == [])
        player.play("book")
        player.open("other")
        player.silence()
        player.seek()
        #expect(player.reachable == ["book", "other"])
        player.play("other")
        #expect(player.reachable == ["other"])
    }

    @Test func `are those whose last place is not known yet`() {
        var player = Player()
        player.play("book")
        player.play("other")
        #expect(player.reachable == ["book", "other"])
        player.silence()
        #expect(player.reachable == ["other"])
    }

    @Test func `are the last ones of each kind`() {
        var player = Player()
        player.play("text", .text)
        player.play("book")
        player.silence()
        #expect(player.reachable == ["text", "book"])
    }

    @Test func `are those that wait for audio focus, and the ones before them`() {
        var player = Player()
        player.play("book")
        player.open("other")
        player.silence()
        player.seek()
        player.play("clip", by: other)
        #expect(player.reachable == ["book", "other", "clip"])
    }
}
