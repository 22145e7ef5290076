// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioSession

@Suite struct `The gain of a stream` {
    private let format = AudioFormat(sampleRate: 1_000, channels: 1)

    /// The gain of the next frames, in hundredths.
    private func next(_ frames: Int, _ gain: inout StreamGain) -> [Int] {
        let ones = [Float](repeating: 1, count: frames)
        return changed(ones) { target in gain.copy(ones, into: target, frames: frames) }.map {
            Int(($0 * 100).rounded())
        }
    }

    @Test func `fades out to a pause, and in from it`() {
        var gain = StreamGain(volume: 1, format: format, isPaused: false)
        #expect(next(2, &gain) == [100, 100])
        gain.fadeOut(at: 2)
        #expect(gain.transitionEnd == 6 && gain.isFadingOut && gain.isPaused)
        #expect(gain.run(100) == 4)
        #expect(next(4, &gain) == [96, 68, 32, 4])
        gain.becomeSilent()
        #expect(gain.isSilent && gain.value == 0)
        gain.resume(at: 10)
        #expect(gain.isSounding && !gain.isPaused && gain.transitionEnd == 12)
        #expect(next(2, &gain) == [16, 84])
        #expect(gain.run(100) == 100 && gain.value == 1)
    }

    @Test func `resumes within a fade-out from where it is`() {
        var gain = StreamGain(volume: 1, format: format, isPaused: false)
        gain.fadeOut(at: 0)
        #expect(next(2, &gain) == [96, 68])
        gain.resume(at: 2)
        #expect(next(3, &gain) == [42, 89, 100])
    }

    @Test func `follows the volume without a step`() {
        var gain = StreamGain(volume: 1, format: format, isPaused: false)
        gain.setVolume(0.5)
        gain.fade(fromSilence: false, milliseconds: 4, at: 0)
        #expect(next(5, &gain) == [96, 72, 40, 16, 13])
    }

    @Test(arguments: [(1, true), (0.97, true), (0.96, false), (0, false)] as [(Double, Bool)])
    func `is near a volume within a tenth of full amplitude`(_ volume: Double, isNear: Bool) {
        #expect(StreamGain(volume: 1, format: format, isPaused: false).isNear(volume) == isNear)
    }

    @Test func `of a hushed stream comes back with the awaited sound, unless it is paused`() {
        var gain = StreamGain(volume: 1, format: format, isPaused: false)
        gain.fadeOut(at: 0)
        gain.hush()
        #expect(!gain.isPaused && !gain.isSounding)
        var paused = gain
        gain.arrive()
        #expect(gain.isSounding)
        paused.unhush()
        paused.arrive()
        #expect(paused.isPaused)
    }

    @Test func `softens only what is steady`() {
        var gain = StreamGain(volume: 1, format: format, isPaused: true)
        gain.soften(at: 0)
        #expect(gain.isSilent && gain.transitionEnd == 0)
        gain.resume(at: 0)
        _ = next(1, &gain)
        gain.soften(at: 1)
        #expect(gain.transitionEnd == 2, "it fades in already")
        _ = next(1, &gain)
        gain.soften(at: 7)
        #expect(gain.transitionEnd == 9 && !gain.isSteady)
    }

    @Test func `protects the longest transition`() {
        var gain = StreamGain(volume: 1, format: format, isPaused: false)
        gain.protect(before: 9)
        gain.fade(fromSilence: true, milliseconds: 4, at: 2)
        #expect(gain.transitionEnd == 9)
    }
}
