// SPDX-License-Identifier: Apache-2.0

/// The loudest sample of every hundredth of a second of a passage.
struct StillWaveform {
    private var peaks: [Float] = []
    /// The length of what was added, in seconds.
    private(set) var seconds = 0.0
    private static let perSecond = 100.0

    mutating func add(_ run: PassageSamples.Run) {
        let rate = Double(max(1, run.sampleRate))
        for frame in 0..<run.frames {
            let index = Int((seconds + Double(frame) / rate) * Self.perSecond)
            while peaks.count <= index { peaks.append(0) }
            for channel in 0..<run.channels {
                peaks[index] = max(peaks[index], abs(run.samples[frame * run.channels + channel]))
            }
        }
        seconds += Double(run.frames) / rate
    }

    /// Returns the loudest sample of each of some equal parts, in proportion to the loudest of all.
    func columns(_ count: Int) -> [Float] {
        let loudest = max(peaks.max() ?? 0, 1e-4)
        return (0..<count).map { column in
            let start = column * peaks.count / count
            let end = max(start + 1, (column + 1) * peaks.count / count)
            let part = peaks[min(start, peaks.count)..<min(end, peaks.count)]
            return min(1, (part.max() ?? 0) / loudest)
        }
    }
}
