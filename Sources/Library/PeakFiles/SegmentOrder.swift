// SPDX-License-Identifier: Apache-2.0

/// The order in which the segments of a track are made: what is looked at first, then forward to the end, then the rest.
///
/// Within each part the order is forward, because an engine that goes straight on need not seek.
public struct SegmentOrder: Sendable, Hashable {
    /// The segments that are looked at.
    public var visible: Range<Int>
    /// The segment that is heard, or is in the middle of what is looked at.
    public var center: Int

    public init(visible: Range<Int>, center: Int) {
        self.visible = visible
        self.center = center
    }

    /// Returns the segment to make next, or `nil` if all are made.
    ///
    /// - Parameters:
    ///   - count: The number of segments, or as many as are expected.
    ///   - isDone: Whether a segment is made.
    public func next(of count: Int, isDone: (Int) -> Bool) -> Int? {
        let visible = visible.clamped(to: 0..<max(0, count))
        let center = min(max(center, visible.lowerBound), visible.upperBound)
        let parts = [
            center..<visible.upperBound, visible.lowerBound..<center,
            visible.upperBound..<max(count, visible.upperBound),
            0..<visible.lowerBound,
        ]
        for part in parts {
            if let next = part.first(where: { !isDone($0) }) { return next }
        }
        return nil
    }
}
