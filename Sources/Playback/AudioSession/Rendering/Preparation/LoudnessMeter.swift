// SPDX-License-Identifier: Apache-2.0

import CEBUR128
import Glibc

/// A meter of the loudness of speech and its true peaks: libebur128, with the gates of BS.1770 over the last speech.
///
/// After `init` nothing here allocates: only those modes of the library are used whose memory is fixed.
final class LoudnessMeter {
    /// The number of seconds of speech that count.
    private static let window = 10
    /// The number of values: one each 100 ms, of 400 ms.
    private static let hops = window * 10
    /// The loudness below which there is no speech.
    ///
    /// BS.1770's absolute gate is −70; recordings of rooms lie above that.
    private static let absoluteGate = -55.0
    /// The relative gate of BS.1770: 10 dB below the mean of what passed the absolute gate.
    private static let relativeGate = 10.0

    private var state: UnsafeMutablePointer<ebur128_state>?
    private let channels: Int
    private let hopFrames: Int
    private var untilHop: Int
    private var hopsMeasured = 0
    /// The energies of the last hops that passed the absolute gate.
    private let energies = FixedTable<Double>(capacity: hops)
    /// The loudness in LUFS; `nil` before 400 ms were measured that are not silence.
    private(set) var loudness: Double?

    /// Creates a meter; `nil` if the library does not support the format, or there is no memory.
    init?(format: AudioFormat) {
        let modes = Int32(bitPattern: EBUR128_MODE_M.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue)
        guard let state = ebur128_init(UInt32(format.channels), UInt(format.sampleRate), modes) else { return nil }
        // A single channel is heard from two speakers.
        if format.channels == 1 { _ = ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
        self.state = state
        channels = format.channels
        hopFrames = max(1, format.sampleRate / 10)
        untilHop = hopFrames
    }

    deinit {
        ebur128_destroy(&state)
    }

    /// Returns the highest true peak of these frames; a peak at their very end may be reported with the next ones.
    func measure(_ samples: UnsafePointer<Float>, frames: Int) -> Float {
        var left = frames
        var samples = samples
        var highest: Float = 0
        while left > 0 {
            let part = min(left, untilHop)
            _ = ebur128_add_frames_float(state, samples, part)
            highest = max(highest, peak())
            samples += part * channels
            left -= part
            untilHop -= part
            if untilHop == 0 {
                untilHop = hopFrames
                hopsMeasured += 1
                if hopsMeasured >= 4 { takeHop() }
            }
        }
        return highest
    }

    /// Separates what follows from what was measured; the speech that counts is kept.
    func skip() {
        hopsMeasured = 0
        untilHop = hopFrames
    }

    private func peak() -> Float {
        var highest = 0.0
        for channel in 0..<channels {
            var value = 0.0
            if ebur128_prev_true_peak(state, UInt32(channel), &value) == 0 { highest = max(highest, value) }
        }
        return Float(highest)
    }

    private func takeHop() {
        var momentary = 0.0
        guard ebur128_loudness_momentary(state, &momentary) == 0, momentary.isFinite, momentary > Self.absoluteGate
        else { return }
        energies.append(pow(10, momentary / 10))
        let gate = mean(above: 0) * pow(10, -Self.relativeGate / 10)
        loudness = 10 * log10(mean(above: gate))
    }

    private func mean(above gate: Double) -> Double {
        var sum = 0.0
        var count = 0
        for index in 0..<energies.count where energies[index] > gate {
            sum += energies[index]
            count += 1
        }
        return count == 0 ? 0 : sum / Double(count)
    }
}
