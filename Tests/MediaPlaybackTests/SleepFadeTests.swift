// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import MediaPlayback
import PlaybackCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The last seconds of a sleep timer` {
    /// Returns the volumes that were set until the sound was paused, with the time that this took.
    private static func fade(after seconds: Double, volume: Double = 1) async throws -> ([Double], Duration) {
        let clock = ManualClock()
        let rig = Rig(clock: clock)
        var request = Rig.request("book.m4b")
        request.volume = volume
        try await rig.controller.play(request)
        rig.output.hear(1_000)
        try await rig.controller.sleep(.duration(milliseconds: Int(seconds * 1000)))
        // Time passes, and sound with it, until playback has ended, however late somebody looks at the clock.
        while !rig.tape.lines.contains("output: pause"), !Task.isCancelled {
            let sleepers = clock.sleepers
            clock.advance(by: .milliseconds(5))
            rig.output.hear(1_000 + Int64(clock.now.offset / .milliseconds(1)))
            for _ in 0..<20 { await Task.yield() }
            // A task that was woken sleeps again, or has ended.
            for _ in 0..<10_000 where clock.sleepers < sleepers { await Task.yield() }
        }
        let set = rig.tape.lines.prefix { $0 != "output: pause" }.compactMap { line in
            line.hasPrefix("output: volume ") ? Double(line.dropFirst(15)) : nil
        }
        await rig.controller.shutDown()
        return (set, clock.now.offset)
    }

    // By default the fade takes 10 s; a shorter timer is all fade.
    @Test(arguments: [(30.0, 1.0), (10, 1), (4, 1), (1, 1), (12, 0.4)])
    func `get steadily softer, and are silent at the end`(_ seconds: Double, _ volume: Double) async throws {
        let (volumes, taken) = try await Self.fade(after: seconds, volume: volume)
        #expect(volumes.count >= 35)
        #expect(volumes == volumes.sorted(by: >))
        #expect((volumes.first ?? 0) > 0.9 * volume)
        // The amplitude is the cube of the volume: 0.1 is −60 dB.
        #expect((volumes.last ?? 1) <= 0.1 * volume)
        #expect(abs(taken / .seconds(1) - seconds) < 1)
    }
}
