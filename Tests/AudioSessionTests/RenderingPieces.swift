// SPDX-License-Identifier: Apache-2.0

@testable import AudioSession

extension PCMBlock {
    /// A block whose samples nobody reads.
    static func unread(_ frames: Int, track: Int = 0, units: Range<Int64>, index: Int64 = 0) -> PCMBlock {
        PCMBlock(
            samples: nothing, frames: frames, format: AudioFormat(sampleRate: 48_000, channels: 1), generation: 1,
            track: track, position: units.lowerBound, positionEnd: units.upperBound, index: index, isEnd: false,
            isTrackEnd: false)
    }

    // It is never written to.
    private nonisolated(unsafe) static let nothing = UnsafePointer(UnsafeMutablePointer<Float>.allocate(capacity: 1))
}

extension HeardPosition {
    static func place(_ track: Int, _ units: Int64) -> HeardPosition {
        HeardPosition(generation: 1, track: track, units: units)
    }
}

/// Calls a body with a buffer that holds these samples, and returns them afterwards.
func changed(_ samples: [Float], _ body: (UnsafeMutablePointer<Float>) -> Void) -> [Float] {
    var samples = samples
    samples.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { body(base) } }
    return samples
}
