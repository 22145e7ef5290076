// SPDX-License-Identifier: Apache-2.0

package import EngineABI

private func string(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

/// Returns a number, or `nil` for ROSTRUM_UNKNOWN.
private func known(_ value: Int64) -> Int64? { value == .min ? nil : value }

package struct ProbeMedia: Sendable {
    package var trackCount: Int
    package var chapterCount: Int
    package var title: String?
    package var author: String?

    init(_ media: rostrum_media) {
        trackCount = Int(media.track_count)
        chapterCount = Int(media.chapter_count)
        title = string(media.title)
        author = string(media.author)
    }
}

package struct ProbeTrack: Sendable {
    package var sampleRate: Int
    package var channels: Int
    package var encoding: rostrum_encoding
    package var duration: Int64?
    package var confidence: rostrum_confidence
    package var unitsPerSecond: Double
    package var codec: String
    package var title: String?

    init(_ track: rostrum_track) {
        sampleRate = Int(track.sample_rate)
        channels = Int(track.channels)
        encoding = track.encoding
        duration = known(track.duration)
        confidence = track.confidence
        unitsPerSecond = track.units_per_second
        codec = string(track.codec) ?? ""
        title = string(track.title)
    }
}

package struct ProbeChapter: Sendable {
    package var track: Int
    package var start: Int64
    package var end: Int64?
    package var title: String?
    package var source: String

    init(_ chapter: rostrum_chapter) {
        track = Int(chapter.track)
        start = chapter.start
        end = known(chapter.end)
        title = string(chapter.title)
        source = string(chapter.source) ?? ""
    }
}

package struct ProbeVoice: Sendable {
    package var name: String
    package var language: String
    package var description: String?

    init(_ voice: rostrum_voice) {
        name = string(voice.name) ?? ""
        language = string(voice.language) ?? ""
        description = string(voice.description)
    }
}

/// A block as it was filled.
///
/// ``samples`` is valid until the probe's next call.
package struct ProbeBlock {
    package var frames: Int
    package var sampleRate: Int
    package var channels: Int
    package var track: Int
    package var position: Int64
    package var positionEnd: Int64
    package var isEnd: Bool
    package var isTrackEnd: Bool
    package var isDamaged: Bool
    package var samples: UnsafeBufferPointer<Float>

    init(_ block: rostrum_block, _ buffer: UnsafeBufferPointer<Float>) {
        frames = Int(block.frames)
        sampleRate = Int(block.sample_rate)
        channels = Int(block.channels)
        track = Int(block.track)
        position = block.position
        positionEnd = block.position_end
        isEnd = block.flags & ROSTRUM_BLOCK_END != 0
        isTrackEnd = block.flags & ROSTRUM_BLOCK_TRACK_END != 0
        isDamaged = block.flags & ROSTRUM_BLOCK_DAMAGED != 0
        samples = UnsafeBufferPointer(rebasing: buffer.prefix(min(buffer.count, frames * channels)))
    }
}

/// An engine's description of a file that it cut.
package struct ProbeCut: Equatable {
    package var isEncoded: Bool
    package var frames: Int64
    package var sampleRate: UInt32
    package var fileExtension: String

    package init(isEncoded: Bool, frames: Int64, sampleRate: UInt32, fileExtension: String) {
        self.isEncoded = isEncoded
        self.frames = frames
        self.sampleRate = sampleRate
        self.fileExtension = fileExtension
    }

    init(_ result: rostrum_cut_result) {
        isEncoded = result.encoded != 0
        frames = result.frames
        sampleRate = result.sample_rate
        fileExtension = withUnsafeBytes(of: result.extension) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
