// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `The order of commands` {
    private let viewer = OwnerID("clip-viewer-1")

    private func request(_ name: String, _ owner: OwnerID = .main) -> PlayRequest {
        PlayRequest(item: ItemRequest(items: [name], extensions: KnownExtensions(audio: [])), owner: owner)
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

    @Test func `a later command that decides overtakes the look-up`() {
        var order = CommandOrder()
        let play = order.next()
        order.look(for: request("a.m4b"), by: play)
        #expect(order.isComing(nil) && order.isComing(.main) && !order.isComing(viewer))
        let other = order.next()
        #expect(order.isDecided(by: play), "a command that decides nothing overtakes nothing")
        order.decide(by: other)
        #expect(!order.isDecided(by: play) && !order.isComing(nil))
    }

    @Test func `what is taken out is gone, and an older look-up takes nothing`() {
        var order = CommandOrder()
        order.look(for: request("a.m4b"), by: order.next())
        order.look(for: request("b.m4b"), by: order.next())
        order.coming?.moves.append(.seconds(10))
        #expect(order.take(1) == nil)
        #expect(order.take(2)?.moves == [.seconds(10)])
        #expect(order.take(2) == nil && order.coming == nil)
    }

    @Test func `a caller is answered once`() async throws {
        var order = CommandOrder()
        let result = await answer(&order) { order, caller in
            order.wait(7, caller)
            order.answer(7, nil)
            order.answer(7, PlaybackError(code: 70, message: "twice"))
        }
        try result.get()
    }

    @Test func `those who join a look-up are told its end, and let it sound`() async {
        var order = CommandOrder()
        order.look(for: request("a.m4b"), by: 1)
        order.coming?.isHeld = true
        let failure = PlaybackError(code: 66, message: "gone")
        let result = await answer(&order) { order, caller in
            order.join(caller)
            #expect(order.joinedCount == 1 && order.coming?.isHeld == false)
            order.endLook(by: 1, .failure(failure))
        }
        #expect(throws: failure) { try result.get() }
        #expect(order.coming == nil && order.joinedCount == 0)
    }

    @Test func `a caller that joins too late is not left waiting`() async throws {
        var order = CommandOrder()
        try await answer(&order) { $0.join($1) }.get()
    }

    @Test func `an item that could not be looked up is asked for again by its name only`() {
        var order = CommandOrder()
        order.keep(unlocated: request("a.m4b"), uri: "file:///a.m4b")
        #expect(order.unlocatedRequest(of: "file:///b.m4b") == nil)
        #expect(order.unlocatedRequest(of: nil) == nil)
        #expect(order.unlocatedRequest(of: "file:///a.m4b")?.item.items == ["a.m4b"])
        order.forgetUnlocated()
        #expect(order.unlocatedRequest(of: "file:///a.m4b") == nil)
    }
}
