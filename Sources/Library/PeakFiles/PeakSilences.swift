// SPDX-License-Identifier: Apache-2.0

import Glibc
public import MediaPlayback

/// A stretch of silence, in frames of the track.
public struct Silence: Sendable, Hashable {
    public var start: Int64
    public var end: Int64
    /// The place to snap to: the middle, which has the most room on both sides.
    public var place: Int64 { start + (end - start) / 2 }

    public init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }
}

/// The rule by which a stretch of a track counts as silence, from how loud all of the track is.
///
/// Levels are the RMS of peaks of the finest level. Those that are 0 are left out, because a file may be padded with
/// them. The level of speech is the one that a quarter of the rest exceeds, and the noise is the one that a twentieth
/// stays below. A peak is silent below 1/32 of the level of speech (-30 dB); in a noisy recording, below twice the noise
/// (+6 dB), but never above 1/6 of speech (-16 dB). What is silent for at least 300 ms is a silence.
public struct SilenceRule: Sendable, Hashable {
    /// The number of peaks at each level, in eighths of an octave; element 0 counts the peaks of 0.
    private var counts = [Int](repeating: 0, count: 8 * 16 + 2)
    static let shortest = 0.3

    public init() {}

    private static func bin(_ rms: UInt16) -> Int { rms == 0 ? 0 : 1 + Int(log2(Double(rms)) * 8) }

    public mutating func add(_ peaks: some Sequence<Peak>) {
        for peak in peaks { counts[Self.bin(peak.rms)] += 1 }
    }

    /// The level below which a peak is silent, 1 or more.
    public var threshold: Double {
        let audible = counts.dropFirst().reduce(0, +)
        guard audible > 0 else { return 1 }
        func level(_ share: Double) -> Double {
            var left = Int(Double(audible) * share)
            for bin in counts.indices.dropFirst() {
                left -= counts[bin]
                if left < 0 { return exp2((Double(bin) - 0.5) / 8) }
            }
            return 32_768
        }
        let (speech, noise) = (level(0.75), level(0.05))
        return max(1, min(max(speech / 32, noise * 2), speech / 6))
    }
}

/// A reader of consecutive peaks that finds the silences among them.
public struct SilenceFinder {
    private let threshold: Double
    private let least: Int
    private var peak: Int
    private var start: Int?
    public private(set) var silences: [Silence] = []

    /// Creates a finder for the peaks of the finest level from number `first` on.
    public init(threshold: Double, sampleRate: Int, first: Int = 0) {
        self.threshold = threshold
        least = max(1, Int((SilenceRule.shortest * Double(sampleRate) / Double(PeakLevels.finest)).rounded(.up)))
        peak = first
    }

    public mutating func add(_ peaks: some Sequence<Peak>) {
        for found in peaks {
            if Double(found.rms) < threshold {
                if start == nil { start = peak }
            } else {
                finish()
            }
            peak += 1
        }
    }

    /// Ends the silence that the last peaks are part of; call it behind the last one.
    public mutating func finish() {
        if let start, peak - start >= least {
            let frames = Int64(PeakLevels.finest)
            silences.append(Silence(start: Int64(start) * frames, end: Int64(peak) * frames))
        }
        start = nil
    }

    /// Returns the silences found since the last call, so that they need not all be in memory.
    mutating func take() -> [Silence] {
        defer { silences = [] }
        return silences
    }
}
