// SPDX-License-Identifier: Apache-2.0

/// A position at which a clip may well begin or end.
public struct SnapPoint: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case silence
        case sentence
        case chapter
    }

    /// Units since the start of the content.
    public var position: Int64
    public var kind: Kind

    public init(position: Int64, kind: Kind) {
        self.position = position
        self.kind = kind
    }
}

/// The direction in which a snap looks for a point.
public enum SnapDirection: String, Hashable, Sendable, CaseIterable {
    case back
    case forward
    /// The nearer of both; of two at the same distance, the earlier one.
    case nearest
}

/// Points in the order of their positions.
public struct SnapPoints: Hashable, Sendable {
    public let points: [SnapPoint]

    public init(_ points: [SnapPoint] = []) { self.points = points.sorted { $0.position < $1.position } }

    /// Returns the next point of certain kinds within a range; `nil` if there is none.
    ///
    /// A point exactly at the position is behind it and before it in no direction: it is the nearest one only.
    public func next(
        _ direction: SnapDirection, from position: Int64, within range: ClosedRange<Int64>,
        kinds: Set<SnapPoint.Kind> = Set(SnapPoint.Kind.allCases)
    ) -> SnapPoint? {
        switch direction {
        case .back:
            var index = firstIndex(from: min(position, range.upperBound == .max ? .max : range.upperBound + 1)) - 1
            while index >= 0, points[index].position >= range.lowerBound {
                if kinds.contains(points[index].kind) { return points[index] }
                index -= 1
            }
            return nil
        case .forward:
            return firstPoint(from: max(position == .max ? .max : position + 1, range.lowerBound), range, kinds)
        case .nearest:
            let before = next(.back, from: position, within: range, kinds: kinds)
            guard let behind = firstPoint(from: max(position, range.lowerBound), range, kinds) else { return before }
            guard let before else { return behind }
            return distance(before.position, position) <= distance(behind.position, position) ? before : behind
        }
    }

    private func firstPoint(
        from position: Int64, _ range: ClosedRange<Int64>, _ kinds: Set<SnapPoint.Kind>
    ) -> SnapPoint? {
        var index = firstIndex(from: position)
        while index < points.count, points[index].position <= range.upperBound {
            if kinds.contains(points[index].kind) { return points[index] }
            index += 1
        }
        return nil
    }

    /// Returns the index of the first point at or behind a position.
    private func firstIndex(from position: Int64) -> Int {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func distance(_ a: Int64, _ b: Int64) -> UInt64 {
        a > b ? UInt64(bitPattern: a &- b) : UInt64(bitPattern: b &- a)
    }
}
