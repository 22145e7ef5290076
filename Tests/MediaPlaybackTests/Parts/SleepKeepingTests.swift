// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `The sleep timer that outlives a session` {
    private typealias Change = SleepKeeping.Change

    private func timer(_ id: UInt64 = 1, at: Int64? = 5_000) -> KeptSleep {
        let item = ItemReference(uri: "a", kind: .audio, title: "a", items: [])
        let playing = Playing(item: item, engine: EngineID("ffmpeg"), position: .start, provenance: .heard)
        return KeptSleep(timer: SleepTimer(id: id, end: .time, setAt: playing), items: ["a.m4b"], left: 60_000, at: at)
    }

    /// Returns the number of the timer in a change.
    private func stored(_ change: Change?) -> UInt64? { change?.text.flatMap(KeptSleep.init(text:))?.timer.id }

    @Test func `is stored while it is set, and deleted once when it is over`() {
        var keeping = SleepKeeping()
        #expect(keeping.change(to: nil) == nil, "the library has none")
        #expect(stored(keeping.change(to: timer(1))) == 1)
        #expect(stored(keeping.change(to: timer(2))) == 2)
        #expect(keeping.change(to: nil) == Change(text: nil))
        #expect(keeping.change(to: nil) == nil)
    }

    @Test func `stays stored while it waits for its item, unless another one is set`() {
        var keeping = SleepKeeping()
        keeping.wait(with: timer(1))
        #expect(stored(keeping.change(to: nil)) == 1)
        #expect(stored(keeping.change(to: timer(2))) == 2)
        let waited = [keeping.endWait(), keeping.endWait()]
        #expect(waited == [true, false] && keeping.waiting == nil)
        #expect(keeping.change(to: nil) == Change(text: nil))
    }

    @Test func `is read once, and deleted if nobody wants it`() {
        var keeping = SleepKeeping()
        #expect(!keeping.isRead)
        #expect(keeping.read("old") == "old" && keeping.isRead)
        #expect(keeping.read("old") == nil)
        #expect(keeping.change(to: nil) == Change(text: nil))
    }

    @Test func `is deleted although the library had none when it was read`() {
        var keeping = SleepKeeping()
        _ = keeping.change(to: timer())
        #expect(keeping.read(nil) == nil && keeping.isRead)
        #expect(keeping.change(to: nil) == Change(text: nil))
    }

    @Test func `is not changed while the last player leaves, and waits afterwards`() {
        var keeping = SleepKeeping()
        _ = keeping.change(to: timer(1))
        keeping.leaves()
        #expect(keeping.isLeaving && keeping.change(to: nil) == nil && keeping.change(to: timer(2)) == nil)
        keeping.left(timer(1))
        #expect(!keeping.isLeaving && keeping.waiting?.timer.id == 1)
        #expect(stored(keeping.change(to: nil)) == 1)
    }

    @Test func `goes on waiting if another one did not end when the last player left`() {
        var keeping = SleepKeeping()
        keeping.wait(with: timer(1))
        keeping.leaves()
        keeping.left(nil)
        #expect(keeping.waiting?.timer.id == 1)
    }

    @Test func `is the same after it was stored`() throws {
        let kept = try #require(timer(7).text.flatMap(KeptSleep.init(text:)))
        #expect(kept.timer.id == 7 && kept.items == ["a.m4b"] && kept.left == 60_000 && kept.at == 5_000)
        #expect(KeptSleep(text: "no timer") == nil)
    }

    @Test func `is of another night after three hours, or if its time is not known or still to come`() {
        let longest: Int64 = 3 * 60 * 60 * 1_000
        for (later, isFresh) in [(-1, false), (0, true), (longest, true), (longest + 1, false)] {
            #expect(timer(at: 5_000).isFresh(at: 5_000 + later) == isFresh)
        }
        #expect(!timer(at: nil).isFresh(at: 5_000))
    }
}
