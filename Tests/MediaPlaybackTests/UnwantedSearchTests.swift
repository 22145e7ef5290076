// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Synchronization
import Testing
import WaitTestSupport

@testable import MediaPlayback

/// Searches for items that nobody waits for any more, such as the reading of a huge text.
@Suite(.timeLimit(.minutes(1))) struct UnwantedSearchTests {
    /// A resolver that finds no end in items named "huge" as long as it is told so, unless the search is given up.
    private struct EndlessResolver: ItemResolving {
        let isEndless = Watched(true)
        let begun = Watched<[String]>([])
        let givenUp = Watched<[String]>([])

        func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
            let name = request.items.first ?? ""
            guard name.contains("huge"), isEndless.value else { return try await FakeResolver().resolve(request) }
            begun.change { $0.append(name) }
            if await isEndless.wait(until: { !$0 }) { return try await FakeResolver().resolve(request) }
            givenUp.change { $0.append(name) }
            throw ItemError(.timedOut, "\(name): reading the document was given up")
        }

        func isGivenUp() async { _ = await givenUp.wait { !$0.isEmpty } }
        func hasBegun() async { _ = await begun.wait { !$0.isEmpty } }
    }

    private let resolver = EndlessResolver()

    private func failure(_ play: Task<Void, any Error>) async -> PlaybackError? {
        do {
            try await play.value
            return nil
        } catch {
            return error as? PlaybackError
        }
    }

    @Test func `a look-up that another item overtakes is given up`() async throws {
        let rig = Rig(resolver: resolver)
        let play = Task { try await rig.controller.play(Rig.request("huge.txt")) }
        await resolver.hasBegun()
        try await rig.controller.play(Rig.request("other.m4b"))
        await resolver.isGivenUp()
        #expect(await failure(play) != nil)
        #expect(await rig.controller.snapshot().state.current?.item.uri == "other.m4b")
    }

    @Test func `a look-up is given up by a stop, and not by a pause`() async throws {
        let rig = Rig(resolver: resolver)
        let play = Task { try await rig.controller.play(Rig.request("huge.txt")) }
        await resolver.hasBegun()
        await rig.controller.pause()
        #expect(resolver.givenUp.value.isEmpty)
        await rig.controller.stop()
        await resolver.isGivenUp()
        #expect(await failure(play) != nil)
    }

    @Test func `the reading of the last text is given up when another item is played`() async throws {
        let first = Rig(resolver: resolver)
        resolver.isEndless.change { $0 = false }
        try await first.controller.play(Rig.request("huge.txt"))
        first.output.hear(20)
        await first.controller.stop()
        await first.tape.wait(for: "store: huge.txt 20")
        await first.controller.shutDown()
        resolver.isEndless.change { $0 = true }
        let rig = Rig(store: first.store, resolver: resolver)
        let resume = Task { try await rig.controller.resume() }
        await resolver.hasBegun()
        try await rig.controller.play(Rig.request("other.m4b"))
        await resolver.isGivenUp()
        _ = await failure(resume)
        #expect(await rig.controller.snapshot().state.current?.item.uri == "other.m4b")
    }
}
