// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `The order of commands` {
    private func request(_ name: String) -> PlayRequest {
        PlayRequest(item: ItemRequest(items: [name], extensions: KnownExtensions(audio: [])))
    }

    private func look(for name: String, by id: UInt64, in order: inout CommandOrder) {
        let begins = order.look(for: ComingItem(command: id, request: request(name)))
        #expect(begins)
    }

    private func options(_ set: (inout ResumeOptions) -> Void) -> ResumeOptions {
        var options = ResumeOptions()
        set(&options)
        return options
    }

    /// Waits as a caller of command `id`, and returns its answer.
    private func answer(_ order: inout CommandOrder, _ act: (inout CommandOrder, CommandOrder.Caller) -> Void) async
        -> Result<Void, PlaybackError>
    {
        var changed = order
        let result = await withCheckedContinuation { caller in act(&changed, caller) }
        order = changed
        return result
    }

    @Test func `numbers commands, and renders apart from them`() {
        var order = CommandOrder()
        #expect([order.next(), order.next()] == [1, 2])
        #expect([order.nextRender(), order.nextRender()] == [1, 2])
        #expect(order.last == 2)
    }

    @Test func `the intents for a coming item are forgotten once its command is answered`() {
        var order = CommandOrder()
        look(for: "a.m4b", by: 1, in: &order)
        order.answer(2, nil)
        #expect(order.coming?.command == 1)
        order.answer(1, nil)
        #expect(order.coming == nil)
    }

    @Test func `only the newest look-up takes the intents for its item, and only once`() {
        var order = CommandOrder()
        for name in ["a.m4b", "b.m4b"] { look(for: name, by: order.next(), in: &order) }
        order.keep(move: .seconds(10))
        #expect(order.take(1) == nil)
        #expect(order.take(2)?.moves == [.seconds(10)])
        #expect(order.take(2) == nil && order.coming == nil)
    }

    @Test func `the options of another command are added to those of the coming item`() {
        var order = CommandOrder()
        look(for: "a.m4b", by: 1, in: &order)
        order.keep(move: .seconds(10))
        order.join(ResumeOptions(), nil)
        #expect(order.coming?.moves == [.seconds(10)] && order.coming?.engine == nil)
        let engine = FakeEngines.engine("other", kinds: [.audio], extensions: [])
        order.join(options { ($0.voice, $0.start, $0.until) = ("amy", .relative(5), .chapter(1)) }, engine)
        order.join(ResumeOptions(), nil)
        let coming = order.take(1)
        #expect(coming?.moves == [.seconds(10), .relative(5)])
        #expect(coming?.voice == "amy" && coming?.until == .chapter(1))
        #expect(coming?.engine?.id == engine.id)
    }

    @Test func `the last sleep timer for a coming item counts, and none after it is turned off`() {
        var order = CommandOrder()
        look(for: "a.m4b", by: 1, in: &order)
        order.keep(sleep: .book)
        order.keep(sleep: .chapter(2))
        #expect(order.coming?.sleep == .chapter(2))
        order.keep(sleep: .off)
        #expect(order.coming != nil && order.coming?.sleep == nil)
    }

    @Test func `a coming item is of the kind that is asked for, until it is found`() {
        var order = CommandOrder()
        look(for: "a.txt", by: 1, in: &order)
        #expect(order.coming?.kind == .audio)
        order.found(.text)
        #expect(order.coming?.kind == .text)
    }

    @Test func `nothing is kept for an item if none is coming`() {
        var order = CommandOrder()
        order.keep(move: .seconds(10))
        order.keep(sleep: .book)
        order.join(options { $0.voice = "amy" }, nil)
        #expect(order.coming == nil)
        look(for: "a.m4b", by: 1, in: &order)
        #expect(order.coming?.moves == [] && order.coming?.sleep == nil && order.coming?.voice == nil)
    }

    @Test func `look-ups that do not end are limited, because each may hold a thread and files`() {
        var order = CommandOrder()
        var begun = 0
        while order.look(for: ComingItem(command: order.next(), request: request("a.m4b"))), begun < 1_000 {
            begun += 1
        }
        #expect(begun == 32)
        order.endLook(1)
        look(for: "a.m4b", by: 1, in: &order)
    }

    @Test func `a caller is answered once`() async throws {
        var order = CommandOrder()
        let result = await answer(&order) { order, caller in
            order.wait(7, caller)
            order.answer(7, nil)
            order.answer(7, PlaybackError(.defect, message: "twice"))
        }
        try result.get()
    }

    @Test func `the request for an item that could not be looked up is kept for that item only`() {
        var order = CommandOrder()
        order.keep(unlocated: request("a.m4b"), uri: "file:///a.m4b")
        #expect(order.unlocatedRequest(of: "file:///b.m4b") == nil)
        #expect(order.unlocatedRequest(of: nil) == nil)
        #expect(order.unlocatedRequest(of: "file:///a.m4b")?.item.items == ["a.m4b"])
        order.forgetUnlocated()
        #expect(order.unlocatedRequest(of: "file:///a.m4b") == nil)
    }
}
