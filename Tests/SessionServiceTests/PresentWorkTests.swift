// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import SessionProtocol
import Synchronization
import Testing
import WaitTestSupport

@testable import MediaPlayback
@testable import PlaybackCore

/// Pairs that change; texts that cannot be read, so that a work is known by its other side alone.
private final class ChangingWorks: WorkFinding {
    /// Locked for one access.
    private let state = Mutex<(other: String?, revision: Int)>(("file:///a.epub", 0))
    /// Holds look-ups while it is closed.
    let isHeld = Watched(false)
    let lookUps = Watched(0)

    var revision: Int { state.withLock(\.revision) }

    func change(to other: String?) {
        state.withLock { $0 = (other, $0.revision + 1) }
    }

    func counterpart(of uri: String, kind: ContentKind) async -> WorkSide? {
        let other = state.withLock(\.other)
        lookUps.change { $0 += 1 }
        _ = await isHeld.wait { !$0 }
        return other.map { WorkSide(uri: $0, kind: .text, items: [$0], title: $0) }
    }

    func missingParts(of recording: String) async -> [MediaPosition] { [] }
    func learn(_ document: TextDocument, of uri: String) async {}
    func work(of uri: String, kind: ContentKind, with other: WorkSide) async throws(PlaybackError) -> Work {
        throw PlaybackError(.noInput, message: "no such text")
    }
}

@Suite(.timeLimit(.minutes(1))) struct `The work in a status` {
    private let works = ChangingWorks()

    private func snapshot(_ uri: String = "file:///book") -> PlaybackSnapshot {
        var machine = PlaybackMachine()
        let item = ItemReference(uri: uri, kind: .audio, title: "Book", items: [uri])
        _ = machine.handle(
            .play(
                id: 1,
                PlayOrder(
                    item: item, engine: EngineID("ffmpeg"), start: .start, provenance: .restored, owner: .main),
                heard: nil))
        return PlaybackSnapshot(
            state: machine.state, position: .start, provenance: .restored, media: nil, isSessionActive: false,
            route: nil)
    }

    @Test func `is the present one as soon as a pair is made or parted`() async {
        let present = PresentWork(works)
        await until { await present.view(of: snapshot())?.uri == "file:///a.epub" }
        works.change(to: "file:///b.epub")
        let next = await present.view(of: snapshot())?.uri
        #expect(next == nil || next == "file:///b.epub", "never the former one")
        await until { await present.view(of: snapshot())?.uri == "file:///b.epub" }
        works.change(to: nil)
        #expect(await present.view(of: snapshot()) == nil)
        let lookUps = works.lookUps.value
        for _ in 0..<10 { _ = await present.view(of: snapshot()) }
        #expect(works.lookUps.value <= lookUps + 1, "nothing is looked up again for each status")
    }

    @Test func `is not what was looked up before the change`() async {
        let present = PresentWork(works)
        works.isHeld.change { $0 = true }
        _ = await present.view(of: snapshot())
        _ = await works.lookUps.wait { $0 == 1 }
        works.change(to: "file:///b.epub")
        works.isHeld.change { $0 = false }
        var seen: Set<String> = []
        await until {
            if let uri = await present.view(of: snapshot())?.uri { seen.insert(uri) }
            return !seen.isEmpty
        }
        #expect(seen == ["file:///b.epub"])
    }

    @Test func `is that of the item that is loaded`() async {
        let present = PresentWork(works)
        await until { await present.view(of: snapshot())?.uri == "file:///a.epub" }
        works.isHeld.change { $0 = true }
        #expect(await present.view(of: snapshot("file:///other")) == nil, "not known yet")
        works.isHeld.change { $0 = false }
    }
}
