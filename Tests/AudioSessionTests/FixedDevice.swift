// SPDX-License-Identifier: Apache-2.0

@testable import AudioSession

/// A device that takes what it is given, a second ahead.
final class FixedDevice: StreamDevice {
    let format: AudioFormat
    var heard: Int64 = 0
    private(set) var written: Int64 = 0
    /// The frames at which each write began.
    private(set) var writes: [Int64] = []

    /// `false` while allocations are counted.
    var isRecording = false

    init(format: AudioFormat) { self.format = format }

    var flows = true
    func replaceable() -> Int64 { heard }
    func heard(at now: Int64) -> Int64 { heard }
    func write(_ samples: UnsafePointer<Float>, frames: Int, at frame: Int64) {
        written = frame + Int64(frames)
        if isRecording { writes.append(frame) }
    }
    func push() {}
    func wanted(at now: Int64) -> Int { max(0, 48_000 - Int(written - heard)) }
    func wantsAgain(at now: Int64) -> Int64? { nil }
    func start() {}
    func stop() {}
}
