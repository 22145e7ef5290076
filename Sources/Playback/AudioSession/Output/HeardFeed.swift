// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Which place is audible when, for the next moments.
///
/// An output says so ahead, each time that its thread is awake anyway; whoever wants to know the place often reads it
/// here, and wakes no device for it.
public final class HeardFeed: Sendable {
    /// A place and the time at which it is heard, as `MonotonicTime`.
    public struct Point: Sendable, Hashable {
        public var time: Int64
        public var place: HeardPosition

        public init(time: Int64, place: HeardPosition) {
            self.time = time
            self.place = place
        }
    }

    /// As much as is rendered ahead at most, in steps of `step`.
    static let capacity = 32
    static let step = 100 * MonotonicTime.millisecond
    /// How long what an output foretold counts: one that says nothing for longer may be stuck, and is not told as playing on.
    public static let longestForetold = 2 * MonotonicTime.second

    private struct Line {
        var points: [Point] = {
            var points: [Point] = []
            points.reserveCapacity(HeardFeed.capacity)
            return points
        }()
    }

    /// Locked so that a reader never sees half a line; the output only tries to lock, and never waits for a reader.
    private let line = Mutex(Line())

    public init() {}

    /// What is heard when.
    ///
    /// Replaces all that was said before. Allocates nothing. On the output's thread.
    ///
    /// - Parameter place: the place at an index from 0 to `count - 1`, with its time; nil: none there.
    /// - Returns: false if a reader was just looking; to be tried again soon.
    package func publish(count: Int, _ point: (Int) -> Point?) -> Bool {
        line.withLockIfAvailable { line in
            line.points.removeAll(keepingCapacity: true)
            for index in 0..<min(count, Self.capacity) {
                if let point = point(index) { line.points.append(point) }
            }
            return true
        } ?? false
    }

    /// The place that is audible at a time.
    ///
    /// Between two points of one track in proportion; after the last one there, since more was not rendered; and no
    /// further than the output may be believed without another word. Nil before the first sound.
    public func place(at time: Int64) -> HeardPosition? { place(at: time, beyond: true) }

    /// The place that is audible at a time between two that the output spoke of; nil beyond them.
    public func foretoldPlace(at time: Int64) -> HeardPosition? { place(at: time, beyond: false) }

    private func place(at time: Int64, beyond: Bool) -> HeardPosition? {
        line.withLock { line in
            let time = min(time, (line.points.first?.time ?? time) + Self.longestForetold)
            guard let index = line.points.lastIndex(where: { $0.time <= time }) else { return nil }
            let point = line.points[index]
            guard index + 1 < line.points.count else { return beyond ? point.place : nil }
            let next = line.points[index + 1]
            guard next.place.generation == point.place.generation, next.place.track == point.place.track,
                next.place.units > point.place.units, next.time > point.time
            else { return point.place }
            let part = Double(time - point.time) / Double(next.time - point.time)
            var place = point.place
            place.units += Int64(Double(next.place.units - point.place.units) * part)
            return place
        }
    }
}
