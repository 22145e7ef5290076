// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// A reader of a passage as samples: what rendering would give, with silence where something is damaged.
final class PassageSamples {
    /// A run of samples of one format, which is valid until the next call.
    struct Run {
        var samples: UnsafePointer<Float>
        var frames: Int
        var sampleRate: Int
        var channels: Int
    }

    private let order: CutOrder
    private let open: (Int) throws(EngineFailure) -> OpenTrack
    private var track: OpenTrack
    /// The unit of the track at which the next run begins.
    private var position: Int64
    private let buffer: UnsafeMutablePointer<Float>
    private static let capacity = 64 * 1024
    /// The samples behind a gap, and the frames of silence that are still to come before them.
    private var behindGap: (missing: Int64, samples: [Float], sampleRate: Int, channels: Int)?
    /// The longest gap that is filled, in seconds; a longer one is no damage, but a false time stamp.
    private static let longestGap: Int64 = 600

    /// Creates a reader at the start of the passage.
    ///
    /// - Parameters:
    ///   - first: The track in which the passage starts.
    ///   - open: Opens another track.
    init(
        _ order: CutOrder, first: OpenTrack, open: @escaping (Int) throws(EngineFailure) -> OpenTrack
    ) throws(EngineFailure) {
        self.order = order
        self.open = open
        track = first
        position = order.start
        buffer = .allocate(capacity: Self.capacity)
        buffer.initialize(repeating: 0, count: Self.capacity)
        try first.seek(to: order.start)
    }

    deinit { buffer.deallocate() }

    /// The end within the track that is read; `nil` in a track that is read to its end.
    private var end: Int64? { track.index == order.endTrack ? order.end : nil }

    /// Returns what comes next, or `nil` at the end of the passage.
    func next() throws(EngineFailure) -> Run? {
        while true {
            if track.host.isInterrupted { throw track.interrupted() }
            if let end, position >= end { return nil }
            if let behindGap { return fill(behindGap) }
            var block = Block(samples: buffer, capacity: Self.capacity)
            let goesOn = try track.fill(&block)
            if block.frames > 0 {
                if let run = try take(block) { return run }
                continue
            }
            if goesOn { continue }
            guard end == nil else {
                throw EngineFailure(
                    ROSTRUM_ERROR_ARGUMENT,
                    "cannot cut up to \(order.end): “\(track.name)” ends at \(position); choose an earlier end")
            }
            try openNext()
        }
    }

    private func openNext() throws(EngineFailure) {
        if track.index == order.startTrack, position <= order.start {
            throw EngineFailure(
                ROSTRUM_ERROR_ARGUMENT,
                "cannot cut from \(order.start): “\(track.name)” ends before; choose an earlier start")
        }
        track = try open(track.index + 1)
        position = 0
    }

    /// Returns a block, or `nil` if something is missing before it.
    private func take(_ block: Block) throws(EngineFailure) -> Run? {
        let gap = block.position &- position
        guard gap >= 0, gap <= Self.longestGap * Int64(max(1, block.sampleRate)) else {
            throw EngineFailure(ROSTRUM_ERROR_CORRUPT, "cannot cut “\(track.name)”: its time stamps make no sense")
        }
        guard gap == 0 else {
            let samples = Array(UnsafeBufferPointer(start: buffer, count: block.frames * block.channels))
            behindGap = (gap, samples, block.sampleRate, block.channels)
            return nil
        }
        return run(block.frames, sampleRate: block.sampleRate, channels: block.channels)
    }

    /// Returns the frames at the start of the buffer, without those that lie behind the passage.
    private func run(_ frames: Int, sampleRate: Int, channels: Int) -> Run {
        let count = end.map { min(Int64(frames), $0 &- position) } ?? Int64(frames)
        position &+= count
        return Run(samples: buffer, frames: Int(count), sampleRate: sampleRate, channels: channels)
    }

    /// Returns a part of the silence that is missing, or what lies behind it.
    private func fill(
        _ gap: (missing: Int64, samples: [Float], sampleRate: Int, channels: Int)
    ) -> Run {
        guard gap.missing > 0 else {
            behindGap = nil
            buffer.update(from: gap.samples, count: gap.samples.count)
            return run(gap.samples.count / gap.channels, sampleRate: gap.sampleRate, channels: gap.channels)
        }
        let frames = min(gap.missing, Int64(Self.capacity / gap.channels))
        behindGap?.missing -= frames
        buffer.update(repeating: 0, count: Int(frames) * gap.channels)
        return run(Int(frames), sampleRate: gap.sampleRate, channels: gap.channels)
    }
}
