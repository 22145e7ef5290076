// SPDX-License-Identifier: Apache-2.0

import AudioSession
import EngineTransport

/// The sound that an engine renders, in the form that an output takes.
final class RingSource: PCMSource {
    let reader: RingReader

    init(_ reader: RingReader) { self.reader = reader }

    func next() -> PCMBlock? {
        guard let block = reader.next() else { return nil }
        let header = block.header
        return PCMBlock(
            samples: block.samples, frames: block.frames,
            format: AudioFormat(sampleRate: Int(header.sampleRate), channels: Int(header.channels)),
            generation: header.generation, track: Int(header.track), position: block.position,
            positionEnd: header.positionEnd, index: block.index, isEnd: header.flags.contains(.end),
            isTrackEnd: header.flags.contains(.trackEnd))
    }

    func advance(by frames: Int) { reader.advance(by: frames) }
    func rewind(to index: Int64) -> Bool { reader.rewind(to: index) }
    func release(before index: Int64) { reader.release(before: index) }
    func discard(before generation: UInt32) { reader.discard(before: generation) }
    var readiness: Int32 { reader.readiness }
    func arm() -> Bool { reader.arm() }
    func acknowledge() { reader.acknowledge() }
}
