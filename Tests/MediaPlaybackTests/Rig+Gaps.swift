// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

/// A recording with a gap.
extension Rig {
    /// Reports damage of what plays, as its engine does.
    func report(damage range: Range<Int64>, in track: Int = 0) async {
        let state = await controller.snapshot().state
        engines.started.withLock { $0.last { $0.id == state.current?.engine } }?.report.yield(
            .damaged(generation: state.generation, track: track, range))
    }

    /// Lets the sound end.
    func end(atLimit: Bool = true) async {
        let generation = await controller.snapshot().state.generation
        output.report.yield(.ended(generation: generation, atLimit: atLimit))
    }

    /// Waits until an item is heard.
    func hears(_ uri: String) async {
        await until {
            let state = await controller.snapshot().state
            return state.current?.item.uri == uri && state.isPlaying
        }
    }

    /// Plays `book.m4b` to damage from 12 to 22 s, and returns when the text is heard in its place.
    func cross(
        _ request: PlayRequest = Rig.request("book.m4b"), damage: Range<Int64> = 12_000..<22_000,
        clock: HandClock? = nil
    ) async throws {
        try await controller.play(request)
        output.hear(9_000)
        await report(damage: damage)
        await tape.wait(for: "output: limit 0:\(damage.lowerBound)")
        output.hear(damage.lowerBound)
        clock?.advance(seconds: 1)
        await end()
        await hears("book.txt")
    }

    var position: Int64? {
        get async { await controller.snapshot().position?.units }
    }
}
