// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineBridge
import Glibc
import MediaPlayback
import PlaybackCore

/// A run of frames as a listener records it.
struct HeardBlock: Equatable, Sendable {
    var generation: UInt32
    var track: Int
    var position: Int64
    var positionEnd: Int64
    var index: Int64
    var isEnd: Bool
    var first: Float
}

extension PCMSource {
    /// Waits until there is sound; returns `false` after this many milliseconds without any.
    func waitForSound(_ milliseconds: Int32 = 5000) -> Bool {
        while !arm() {
            var entry = pollfd(fd: readiness, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, milliseconds) > 0 else { return false }
            acknowledge()
        }
        return true
    }

    /// Takes the next whole block and gives its room back.
    func take() -> HeardBlock? {
        guard waitForSound(), let block = next() else { return nil }
        let heard = HeardBlock(
            generation: block.generation, track: block.track, position: block.position,
            positionEnd: block.positionEnd, index: block.index, isEnd: block.isEnd,
            first: block.frames > 0 ? block.samples[0] : 0)
        advance(by: block.frames)
        release(before: block.index + Int64(block.frames))
        return heard
    }
}

func tones(_ count: Int = 1) -> Content {
    Content(
        uri: "tone:", kind: .audio, tracks: Array(repeating: .file(path: "/dev/null"), count: count), title: "tones")
}

extension LoadRequest {
    init(_ content: Content, at start: MediaPosition = .start, generation: UInt32 = 1) {
        self.init(content: content, start: start, generation: generation, rate: 1, voice: nil)
    }
}
