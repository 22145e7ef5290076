// SPDX-License-Identifier: Apache-2.0

public import EngineABI
import EngineSDK
import FFmpegAudio

/// An engine that plays a part of an audio file, exact to the frame at both ends, once or in a loop, and writes such a
/// part into a file of its own.
///
/// Without a range it plays the whole file. It reads files as the `ffmpeg` engine does, but in a process of its own, so
/// that a clip does not disturb a book.
final class ClipEngine: Engine, RangeLimiting, TrackIndexing, PassageCutting, PeakReading {
    static let id = "clip"
    static let version = "1.0.0"

    private let files: AudioFiles
    /// The range in force since the last seek.
    private var range: PlayingRange?
    /// The range that takes effect at the next seek.
    ///
    /// It is kept apart because the host renders ahead: it sets a range while another one is still being rendered.
    private var nextRange: PlayingRange?
    /// The position at which the next block begins.
    private var place = (track: 0, position: Int64(0))
    private var format = (rate: 44_100, channels: 2)
    private var hasEnded = false

    init(host: Host) throws(EngineFailure) {
        files = AudioFiles(host: host)
    }

    func load(_ content: Content) throws(EngineFailure) -> Media {
        (range, nextRange) = (nil, nil)
        hasEnded = false
        place = (content.startTrack, content.start)
        return try files.load(content)
    }

    func unload() {
        (range, nextRange) = (nil, nil)
        files.unload()
    }

    func track(_ index: Int) throws(EngineFailure) -> Track { try files.track(index) }

    func measure(track: Int) throws(EngineFailure) -> Int64 { try files.measure(track: track) }

    func index(track: Int) throws(EngineFailure) -> [UInt8]? { try files.index(track: track) }

    func cut(_ order: CutOrder) throws(EngineFailure) -> CutOutcome { try files.cut(order) }

    func peaks(
        track: Int, framesPerPeak: Int, first: Int64, into peaks: UnsafeMutableBufferPointer<rostrum_peak>
    ) throws(EngineFailure) -> Int {
        try files.peaks(track: track, framesPerPeak: framesPerPeak, first: first, into: peaks)
    }

    func setRange(_ range: PlayingRange) throws(EngineFailure) {
        guard (range.startTrack, range.start) < (range.endTrack, range.end), range.start >= 0 else {
            throw EngineFailure(
                ROSTRUM_ERROR_ARGUMENT,
                "no clip from \(range.startTrack):\(range.start) to \(range.endTrack):\(range.end)")
        }
        nextRange = range
    }

    /// Seeks within the range; a position outside of it becomes the start of the range.
    func seek(track: Int, position: Int64) throws(EngineFailure) {
        hasEnded = false
        range = nextRange
        var target = (track, position)
        if let range, target < (range.startTrack, range.start) || target >= (range.endTrack, range.end) {
            target = (range.startTrack, range.start)
        }
        try move(to: target)
    }

    private func move(to target: (track: Int, position: Int64)) throws(EngineFailure) {
        try files.seek(track: target.track, position: target.position)
        place = target
    }

    func render(into block: inout Block) throws(EngineFailure) {
        guard let range else { return try files.render(into: &block) }
        guard !hasEnded else { throw EngineFailure(ROSTRUM_ERROR_STATE, "there is nothing more to render") }
        if place >= (range.endTrack, range.end) {
            guard range.loops else { return end(&block) }
            try move(to: (range.startTrack, range.start))
        }
        try files.render(into: &block)
        format = (block.sampleRate, block.channels)
        if block.track == range.endTrack, block.positionEnd >= range.end {
            block.cut(at: range.end)
            place = (range.endTrack, range.end)
            return
        }
        place = block.isTrackEnd ? (block.track + 1, 0) : (block.track, block.positionEnd)
        guard block.isEnd else { return }
        // The content is shorter than it was said to be.
        let isEmpty = block.track == range.startTrack && block.positionEnd <= range.start
        hasEnded = !range.loops || isEmpty
        block.isEnd = hasEnded
        place = (range.endTrack, range.end)
    }

    private func end(_ block: inout Block) {
        block.track = range?.endTrack ?? place.track
        block.position = place.position
        block.positionEnd = place.position
        (block.sampleRate, block.channels) = format
        block.isEnd = true
        block.isTrackEnd = true
        hasEnded = true
    }
}

extension Block {
    /// Removes everything behind `end`.
    ///
    /// A block that begins there becomes empty.
    fileprivate mutating func cut(at end: Int64) {
        position = min(position, end)
        frames = Int(end - position)
        positionEnd = end
        isEnd = false
        isTrackEnd = false
    }
}

@c(rostrum_engine_entry)
public func entry(major: UInt32, minor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
    EngineModule.export(ClipEngine.self, hostMajor: major)
}
