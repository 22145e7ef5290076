// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The sound of one engine, in which that of another can follow at any frame, as one source.
///
/// The other engine opens the same content. It is offered from any thread, and the reader goes over to it on its own
/// thread: at the first frame, read next, that both have at the same position. So nothing waits for it, and what was read
/// before stays as it was, and can be read again. Numbers of frames go on over the joint. Both engines may deliver the
/// same generation, since to whoever reads nothing happens.
public final class JointSource: PCMSource {
    // The values of `state`.
    private static let isAlone: UInt8 = 0
    private static let isOffered: UInt8 = 1
    /// The reader looks at what is offered, for no longer than that takes.
    private static let isTried: UInt8 = 2

    /// One engine's sound; the number of a frame of it, plus `shift`, is the frame's number here.
    private struct Part {
        var source: any PCMSource
        var shift: Int64 = 0
    }

    /// A position in the content; tracks come one after the other.
    private struct Place: Comparable {
        var track: Int
        var units: Int64

        static func < (one: Place, other: Place) -> Bool { (one.track, one.units) < (other.track, other.units) }
    }

    private let state = Atomic<UInt8>(JointSource.isAlone)
    private let count = Atomic<Int>(0)
    /// The place behind what was read, for other threads; `-1` as its track if nothing was.
    private let track = Atomic<Int>(-1)
    private let units = Atomic<Int64>(0)
    /// Written by whoever offers while the state is `isAlone`, else by the reader.
    private nonisolated(unsafe) var offered: (any PCMSource)?

    // The rest belongs to the reader.
    private nonisolated(unsafe) var first: Part
    /// The part that follows `first` at the frame `joint`, until all of `first` is released.
    private nonisolated(unsafe) var second: Part?
    private nonisolated(unsafe) var joint: Int64 = 0
    private nonisolated(unsafe) var isBehindJoint = false
    /// The block that was read last: its generation, and the frame and place behind what was read.
    private nonisolated(unsafe) var last: (generation: UInt32, index: Int64, place: Place, endsTrack: Bool)?
    /// The number behind the last frame that was ever read.
    private nonisolated(unsafe) var highest: Int64 = 0
    /// The oldest generation that is wanted of what is offered, if that replaces what was there; else `nil`.
    private nonisolated(unsafe) var replacing: UInt32?
    /// `true` if what is offered was asked for a signal, because the other source has nothing.
    private nonisolated(unsafe) var awaitsOffer = false

    public init(_ source: any PCMSource) {
        first = Part(source: source)
    }

    // MARK: From any thread

    /// Offers another engine's sound to follow; one at a time.
    ///
    /// The caller keeps each source until its sound has been heard: the reader must not be the one that frees memory.
    ///
    /// - Returns: `false` if another one is offered still.
    public func offer(_ source: any PCMSource) -> Bool {
        guard state.load(ordering: .acquiring) == Self.isAlone else { return false }
        offered = source
        state.store(Self.isOffered, ordering: .releasing)
        return true
    }

    /// Takes back what was offered.
    ///
    /// - Returns: `false` if the reader has gone over to it.
    public func takeBack() -> Bool {
        while true {
            let (exchanged, found) = state.compareExchange(
                expected: Self.isOffered, desired: Self.isAlone, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            // A look at what is offered takes some microseconds.
            if found == Self.isAlone { return false }
        }
    }

    public var joints: Int { count.load(ordering: .acquiring) }

    /// The position at which reading goes on; `nil` if nothing was read.
    ///
    /// It may be read on any thread, and is exact while the reader rests.
    public var nextPlace: (track: Int, units: Int64)? {
        let track = track.load(ordering: .acquiring)
        return track < 0 ? nil : (track, units.load(ordering: .acquiring))
    }

    // MARK: PCMSource

    public func next() -> PCMBlock? {
        tryOffer()
        return read()
    }

    public func advance(by frames: Int) {
        guard let block = read() else { return }
        reading.source.advance(by: frames)
        let isWhole = frames >= block.frames
        let read = isWhole ? block.frames : max(0, frames)
        let place = isWhole ? block.positionEnd : block.position + Self.units(of: read, in: block)
        let index = block.index + Int64(read)
        note((block.generation, index, Place(track: block.track, units: place), isWhole && block.isTrackEnd))
        if second != nil, !isBehindJoint, index >= joint { isBehindJoint = true }
    }

    public func rewind(to index: Int64) -> Bool {
        guard let second else { return rewind(first, to: index) }
        guard index < joint else {
            guard rewind(second, to: index) else { return false }
            isBehindJoint = true
            return true
        }
        guard rewind(first, to: index), rewind(second, to: joint) else { return false }
        isBehindJoint = false
        return true
    }

    public func release(before index: Int64) {
        guard let second else { return first.source.release(before: index - first.shift) }
        first.source.release(before: min(index, joint) - first.shift)
        guard index >= joint else { return }
        second.source.release(before: index - second.shift)
        if isBehindJoint { leaveFirst() }
    }

    /// Drops older generations, and also the sound before the joint; what is offered takes its place.
    public func discard(before generation: UInt32) {
        first.source.discard(before: generation)
        second?.source.discard(before: generation)
        leaveFirst()
        withOffer { source in
            source.discard(before: generation)
            replacing = generation
            return false
        }
    }

    public var readiness: Int32 {
        var descriptor = reading.source.readiness
        if awaitsOffer {
            withOffer { source in
                descriptor = source.readiness
                return false
            }
        }
        return descriptor
    }

    public func arm() -> Bool {
        tryOffer()
        awaitsOffer = false
        if read() == nil {
            withOffer { source in
                awaitsOffer = source.next() == nil && !source.arm()
                return false
            }
        }
        return awaitsOffer ? false : reading.source.arm()
    }

    public func acknowledge() {
        reading.source.acknowledge()
        if awaitsOffer {
            withOffer { source in
                source.acknowledge()
                return false
            }
        }
    }

    // MARK: Reading

    private var reading: Part { isBehindJoint ? second ?? first : first }

    private func rewind(_ part: Part, to index: Int64) -> Bool { part.source.rewind(to: index - part.shift) }

    private func note(_ read: (generation: UInt32, index: Int64, place: Place, endsTrack: Bool)) {
        last = read
        highest = max(highest, read.index)
        track.store(read.place.track, ordering: .relaxed)
        units.store(read.place.units, ordering: .releasing)
    }

    /// Returns the next block under its number here, of the part before the joint only what lies before that.
    private func read() -> PCMBlock? {
        let part = reading
        guard var block = part.source.next() else { return nil }
        block.index += part.shift
        guard second != nil, !isBehindJoint else { return block }
        let left = joint - block.index
        guard left > 0 else {
            isBehindJoint = true
            return read()
        }
        guard left < Int64(block.frames) else { return block }
        block.positionEnd = block.position + Self.units(of: Int(left), in: block)
        block.frames = Int(left)
        block.isEnd = false
        block.isTrackEnd = false
        return block
    }

    private func leaveFirst() {
        guard let second else { return }
        first = second
        self.second = nil
        isBehindJoint = false
    }

    // MARK: The joint

    /// Goes over to what is offered, if it has the frame that is read next.
    private func tryOffer() {
        guard second == nil else { return }
        withOffer { source in
            guard let index = joint(with: source), let block = source.next() else { return false }
            second = Part(source: source, shift: index - block.index)
            joint = index
            isBehindJoint = true
            if replacing != nil { leaveFirst() }
            replacing = nil
            awaitsOffer = false
            offered = nil
            count.wrappingAdd(1, ordering: .releasing)
            return true
        }
    }

    /// Looks at what is offered, if anything is; nobody takes it back meanwhile.
    ///
    /// - Parameter look: Returns `true` if the reader has gone over to it.
    private func withOffer(_ look: (any PCMSource) -> Bool) {
        guard state.load(ordering: .relaxed) == Self.isOffered else { return }
        let (begun, _) = state.compareExchange(
            expected: Self.isOffered, desired: Self.isTried, ordering: .acquiringAndReleasing)
        guard begun else { return }
        let source = offered
        let isTaken = source.map(look) ?? false
        state.store(isTaken ? Self.isAlone : Self.isOffered, ordering: .releasing)
    }

    /// Returns the frame's number at which the offered source can follow now, and moves it there; `nil` if it cannot.
    private func joint(with source: any PCMSource) -> Int64? {
        if let replacing { return begins(source, with: replacing) ? highest : nil }
        let here: Place
        let generation: UInt32
        let number: Int64
        var follows = false
        if let block = first.source.next() {
            guard block.frames > 0 else { return nil }
            here = Place(track: block.track, units: block.position)
            (generation, number) = (block.generation, block.index + first.shift)
        } else if let last {
            (here, generation, number, follows) = (last.place, last.generation, last.index, last.endsTrack)
        } else {
            return nil
        }
        while let offered = source.next() {
            let place = Place(track: offered.track, units: offered.position)
            let isStart = follows && place == Place(track: here.track + 1, units: 0)
            if offered.generation == generation, offered.frames > 0, place == here || isStart { return number }
            guard offered.generation < generation || offered.generation == generation && place < here else {
                return nil
            }
            skip(offered, upTo: offered.generation == generation ? here : nil, in: source)
        }
        return nil
    }

    /// Drops what the offered source has before a place.
    private func skip(_ block: PCMBlock, upTo here: Place?, in source: any PCMSource) {
        var frames = block.frames
        if let here, here.track == block.track, here.units < block.positionEnd, block.positionEnd > block.position {
            let part = Double(here.units - block.position) / Double(block.positionEnd - block.position)
            frames = min(frames, max(1, Int((part * Double(block.frames)).rounded())))
        }
        source.advance(by: frames)
        source.release(before: block.index + Int64(frames))
    }

    /// Returns `true` if the source has sound of a generation, or a later one; what is older is dropped.
    private func begins(_ source: any PCMSource, with generation: UInt32) -> Bool {
        while let block = source.next() {
            if block.generation >= generation { return true }
            source.advance(by: block.frames)
        }
        return false
    }

    /// Returns the units of the first frames of a block; for audio, a unit is a frame, and this is exact.
    private static func units(of frames: Int, in block: PCMBlock) -> Int64 {
        guard block.frames > 0, frames > 0 else { return 0 }
        let span = block.positionEnd - block.position
        let product = span.magnitude.multipliedFullWidth(by: UInt64(min(frames, block.frames)))
        let part = Int64(clamping: UInt64(block.frames).dividingFullWidth(product).quotient)
        return span < 0 ? -part : part
    }
}
