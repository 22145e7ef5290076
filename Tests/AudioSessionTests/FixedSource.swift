// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport

/// A source of one block that was made before; it allocates nothing itself.
final class FixedSource: PCMSource {
    private nonisolated(unsafe) let block: UnsafeMutablePointer<Float>
    private let frames: Int
    private let format: AudioFormat
    private nonisolated(unsafe) var read = 0

    init(_ source: FakeSource, frames: Int) {
        self.frames = frames
        format = source.format
        block = .allocate(capacity: frames * 2)
        // Sound and silence alternate every half second.
        for index in 0..<frames * 2 { block[index] = index / 48_000 % 2 == 0 ? Float(index % 100) / 200 : 0 }
    }

    deinit { block.deallocate() }

    func next() -> PCMBlock? {
        guard read < frames else { return nil }
        return PCMBlock(
            samples: block + read * 2, frames: min(1_000, frames - read), format: format, generation: 1, track: 0,
            position: Int64(read), positionEnd: Int64(read + min(1_000, frames - read)), index: Int64(read),
            isEnd: false,
            isTrackEnd: false)
    }
    func advance(by frames: Int) { read += frames }
    func rewind(to index: Int64) -> Bool {
        read = Int(index)
        return true
    }
    func release(before index: Int64) {}
    func discard(before generation: UInt32) {}
    var readiness: Int32 { -1 }
    func arm() -> Bool { read < frames }
    func acknowledge() {}
}
