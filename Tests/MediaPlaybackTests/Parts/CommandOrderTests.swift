// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `The order of commands` {
    private func request(_ name: String) -> PlayRequest {
        PlayRequest(item: ItemRequest(items: [name], extensions: KnownExtensions(audio: [])))
    }

    private func look(for name: String, by id: UInt64, in order: inout CommandOrder) {
        let begins = order.look(for: request(name), by: id)
        #expect(begins)
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

    @Test func `a later command that decides overtakes an earlier one`() {
        var order = CommandOrder()
        let play = order.next()
        look(for: "a.m4b", by: play, in: &order)
        let other = order.next()
        #expect(order.isDecided(by: play), "a command that decides nothing overtakes nothing")
        order.decide(by: other)
        #expect(!order.isDecided(by: play))
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
        order.coming?.moves.append(.seconds(10))
        #expect(order.take(1) == nil)
        #expect(order.take(2)?.moves == [.seconds(10)])
        #expect(order.take(2) == nil && order.coming == nil)
    }

    @Test func `look-ups that do not end are limited, because each may hold a thread and files`() {
        var order = CommandOrder()
        var begun = 0
        while order.look(for: request("a.m4b"), by: order.next()), begun < 1_000 { begun += 1 }
        #expect(begun == 32)
        order.endLook()
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
