// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import Glibc
import Synchronization

/// A source whose every sample carries its position, filled by the test or by itself.
public final class FakeSource: PCMSource {
    /// Returns the sample at a position (counted in frames of the content) and channel.
    public typealias Signal = @Sendable (_ position: Int64, _ channel: Int) -> Float

    // The pointer belongs to the source, which guards it with its lock.
    private struct Block: @unchecked Sendable {
        var memory: UnsafeMutablePointer<Float>
        var format: AudioFormat
        var frames: Int
        var generation: UInt32
        var track: Int
        var position: Int64
        var index: Int64
        var isEnd: Bool
        var isTrackEnd: Bool
    }

    private struct State {
        var blocks: [Block] = []
        /// The number of frames ever delivered.
        var delivered: Int64 = 0
        /// The next frame to read.
        var read: Int64 = 0
        /// The number below which frames have been released.
        var released: Int64 = 0
        var oldest: UInt32 = 0
        var isArmed = false
        /// The number of blocks without frames that were read since the last rewind.
        var emptyRead = 0
        var supply: Supply?
        var arms = 0
    }

    private struct Supply {
        var generation: UInt32
        var position: Int64
        var end: Int64?
        var blockFrames: Int
    }

    public let format: AudioFormat
    private let signal: Signal
    private let state = Mutex(State())
    private let reader: Int32
    private let writer: Int32

    public init(
        format: AudioFormat = AudioFormat(sampleRate: 48_000, channels: 2), signal: @escaping Signal = PlaceCode.sample
    ) {
        self.format = format
        self.signal = signal
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        reader = ends[0]
        writer = ends[1]
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    }

    deinit {
        state.withLock { for block in $0.blocks { block.memory.deallocate() } }
        close(reader)
        close(writer)
    }

    /// Delivers one block of sound; its units are its frames.
    public func put(
        _ frames: Int, generation: UInt32 = 1, track: Int = 0, at position: Int64, isEnd: Bool = false,
        isTrackEnd: Bool = false, format other: AudioFormat? = nil
    ) {
        state.withLock {
            append(
                to: &$0, frames, generation: generation, track: track, position: position, isEnd: isEnd,
                isTrackEnd: isTrackEnd, format: other ?? format)
        }
    }

    /// Lets the source always have sound, from `position` to `end`, like a fast engine.
    public func supply(generation: UInt32, from position: Int64, to end: Int64? = nil, blockFrames: Int = 1024) {
        state.withLock {
            $0.supply = Supply(generation: generation, position: position, end: end, blockFrames: blockFrames)
            signalIfArmed(&$0)
        }
    }

    /// Stops the supply of sound for now.
    public func stopSupply() {
        state.withLock { $0.supply = nil }
    }

    /// The number below which frames have been released.
    public var released: Int64 { state.withLock { $0.released } }

    /// The number of times that the output requested to be woken.
    public var arms: Int { state.withLock { $0.arms } }

    private func append(
        to state: inout State, _ frames: Int, generation: UInt32, track: Int, position: Int64, isEnd: Bool,
        isTrackEnd: Bool, format: AudioFormat
    ) {
        guard generation >= state.oldest else { return }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, frames * format.channels))
        for frame in 0..<frames {
            for channel in 0..<format.channels {
                memory[frame * format.channels + channel] = signal(position + Int64(frame), channel)
            }
        }
        state.blocks.append(
            Block(
                memory: memory, format: format, frames: frames, generation: generation, track: track,
                position: position,
                index: state.delivered, isEnd: isEnd, isTrackEnd: isTrackEnd))
        state.delivered += Int64(frames)
        signalIfArmed(&state)
    }

    private func signalIfArmed(_ state: inout State) {
        guard state.isArmed else { return }
        state.isArmed = false
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Returns the first unread block, which a supply creates on demand.
    private func unread(_ state: inout State) -> Block? {
        if let block = state.blocks.first(where: { isUnread($0, state) }) { return block }
        guard var supply = state.supply, supply.generation >= state.oldest else { return nil }
        let frames = min(Int64(supply.blockFrames), (supply.end ?? .max) - supply.position)
        let isEnd = supply.end == supply.position + frames
        state.supply = nil
        append(
            to: &state, Int(frames), generation: supply.generation, track: 0, position: supply.position, isEnd: isEnd,
            isTrackEnd: isEnd, format: format)
        supply.position += frames
        state.supply = isEnd ? nil : supply
        return state.blocks.last
    }

    private func isUnread(_ block: Block, _ state: State) -> Bool {
        block.frames == 0
            ? block.index >= state.read && state.emptyRead == 0 : block.index + Int64(block.frames) > state.read
    }

    // MARK: PCMSource

    public func next() -> PCMBlock? {
        state.withLock { state in
            guard let block = unread(&state) else { return nil }
            let skipped = Int(max(0, state.read - block.index))
            return PCMBlock(
                samples: UnsafePointer(block.memory + skipped * block.format.channels), frames: block.frames - skipped,
                format: block.format, generation: block.generation, track: block.track,
                position: block.position + Int64(skipped), positionEnd: block.position + Int64(block.frames),
                index: block.index + Int64(skipped), isEnd: block.isEnd, isTrackEnd: block.isTrackEnd)
        }
    }

    public func advance(by frames: Int) {
        state.withLock { state in
            guard let block = unread(&state) else { return }
            if block.frames == 0 { state.emptyRead += 1 }
            state.read = max(state.read, block.index) + Int64(frames)
        }
    }

    public func rewind(to index: Int64) -> Bool {
        state.withLock { state in
            guard index >= state.released, index <= state.delivered else { return false }
            state.read = index
            state.emptyRead = 0
            return true
        }
    }

    public func release(before index: Int64) {
        state.withLock { state in
            state.released = max(state.released, min(index, state.read))
            while let first = state.blocks.first, first.frames > 0, first.index + Int64(first.frames) <= state.released
            {
                first.memory.deallocate()
                state.blocks.removeFirst()
            }
        }
    }

    public func discard(before generation: UInt32) {
        state.withLock { state in
            state.oldest = max(state.oldest, generation)
            if let supply = state.supply, supply.generation < generation { state.supply = nil }
            for block in state.blocks where block.generation < generation {
                block.memory.deallocate()
                state.read = max(state.read, block.index + Int64(block.frames))
            }
            state.blocks.removeAll { $0.generation < generation }
            state.released = max(state.released, state.blocks.first?.index ?? state.read)
        }
    }

    public var readiness: Int32 { reader }

    public func arm() -> Bool {
        state.withLock { state in
            state.arms += 1
            if unread(&state) != nil { return true }
            state.isArmed = true
            return false
        }
    }

    public func acknowledge() {
        var byte: UInt8 = 0
        while read(reader, &byte, 1) == 1 {}
    }
}
