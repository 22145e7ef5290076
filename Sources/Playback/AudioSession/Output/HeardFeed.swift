// SPDX-License-Identifier: Apache-2.0

import Clocks
import Synchronization

/// The forecast of which position is audible when, for the next moments.
///
/// An output publishes it each time its thread is awake anyway. Code that needs the position often reads it here and
/// thus wakes no device.
public final class HeardFeed: Sendable {
    /// A position and the time at which it is heard, as `MonotonicTime`.
    public struct Point: Sendable, Hashable {
        public var time: Int64
        public var place: HeardPosition

        public init(time: Int64, place: HeardPosition) {
            self.time = time
            self.place = place
        }
    }

    /// The largest number of points: what is rendered ahead at most, in steps of `step`.
    static let capacity = 32
    static let step = 100 * MonotonicTime.millisecond
    /// The time that a forecast is valid.
    ///
    /// An output that publishes nothing for longer may be stuck, and is not reported as playing on.
    public static let longestForetold = 2 * MonotonicTime.second

    private struct Line {
        var points: [Point] = {
            var points: [Point] = []
            points.reserveCapacity(HeardFeed.capacity)
            return points
        }()
    }

    /// Locked so that no reader sees half a forecast.
    ///
    /// The output only tries to lock and never waits for a reader.
    private let line = Mutex(Line())

    public init() {}

    /// Publishes which position is heard when, and replaces everything published before.
    ///
    /// It allocates nothing and runs on the output's thread.
    ///
    /// - Parameter point: Returns the position at an index from 0 to `count - 1`, with its time; `nil` if there is
    ///   none.
    /// - Returns: `false` if a reader held the lock; the caller should try again soon.
    package func publish(count: Int, _ point: (Int) -> Point?) -> Bool {
        line.withLockIfAvailable { line in
            line.points.removeAll(keepingCapacity: true)
            for index in 0..<min(count, Self.capacity) {
                if let point = point(index) { line.points.append(point) }
            }
            return true
        } ?? false
    }

    /// Returns the position that is audible at a time; `nil` before the first sound.
    ///
    /// Between two points of one track it interpolates. After the last point it returns that point, because no more was
    /// rendered. It goes no further than ``longestForetold``.
    public func place(at time: Int64) -> HeardPosition? { place(at: time, beyond: true) }

    /// Returns the position that is audible at a time between two published points; `nil` beyond them.
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
