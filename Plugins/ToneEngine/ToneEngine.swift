// SPDX-License-Identifier: Apache-2.0

public import EngineABI
public import EngineSDK
import Glibc

/// An engine that makes test tones, with no codec and no file: the smallest kind of engine.
///
/// Track `n` is a sine of `220 * (n + 1)` Hz, ten seconds at 48 kHz in one channel.
public final class ToneEngine: Engine {
    public static let id = "tone"
    public static let version = "1.0.0"

    private static let sampleRate = 48_000
    private static let length = Int64(10 * sampleRate)

    private var trackCount = 0
    private var track = 0
    private var position: Int64 = 0

    public init(host: Host) {}

    public func load(_ content: Content) throws(EngineFailure) -> Media {
        guard content.kind == .audio else {
            throw EngineFailure(ROSTRUM_ERROR_FORMAT, "tones are audio, not text")
        }
        trackCount = content.trackCount
        try seek(track: content.startTrack, position: content.start)
        return Media(title: "Tones")
    }

    public func unload() {
        trackCount = 0
    }

    public func track(_ index: Int) -> Track {
        Track(
            sampleRate: Self.sampleRate, channels: 1, encoding: .float32, duration: Self.length, confidence: .exact,
            unitsPerSecond: Double(Self.sampleRate), codec: "sine")
    }

    public func seek(track: Int, position: Int64) throws(EngineFailure) {
        guard (0..<trackCount).contains(track), position >= 0 else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no place \(position) in track \(track)")
        }
        self.track = track
        self.position = min(position, Self.length)
    }

    public func render(into block: inout Block) {
        let frames = Int(min(Int64(block.capacity), 4096, Self.length - position))
        let step = 2 * Double.pi * 220 * Double(track + 1) / Double(Self.sampleRate)
        for frame in 0..<frames {
            block.samples[frame] = 0.25 * Float(sin(step * Double(position + Int64(frame))))
        }
        block.frames = frames
        block.sampleRate = Self.sampleRate
        block.channels = 1
        block.track = track
        block.position = position
        position += Int64(frames)
        block.positionEnd = position
        if position == Self.length {
            block.isTrackEnd = true
            if track + 1 < trackCount {
                track += 1
                position = 0
            } else {
                block.isEnd = true
            }
        }
    }
}

/// The entry symbol of the module.
@c(rostrum_engine_entry)
public func entry(major: UInt32, minor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
    EngineModule.export(ToneEngine.self, hostMajor: major)
}
