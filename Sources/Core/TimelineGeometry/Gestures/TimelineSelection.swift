// SPDX-License-Identifier: Apache-2.0

/// An end of the selection that can be held and moved.
public enum TimelineHandle: String, Hashable, Sendable, CaseIterable {
    case start
    case end
}

/// The part of the content that is a clip, over the half-open interval `[start, end)` in units.
///
/// Its length never falls below the least distance of the handles, or below its first length if that was shorter: a clip
/// that is too short already can still be edited. So the handles never change places.
public struct TimelineSelection: Hashable, Sendable {
    public private(set) var start: Int64
    public private(set) var end: Int64
    /// The least length in units.
    public private(set) var least: Int64

    /// Creates a selection from two bounds, which are brought into order and into the content.
    ///
    /// - Parameters:
    ///   - least: the least distance of the handles in units.
    ///   - limit: the end of the content in units.
    init(_ one: Int64, _ other: Int64, least: Int64, limit: Int64) {
        let limit = max(0, limit)
        start = min(one, other).clamped(to: 0...limit)
        end = max(one, other).clamped(to: 0...limit)
        self.least = min(max(0, least), end - start)
    }

    /// The length in units.
    public var length: Int64 { end - start }

    public subscript(handle: TimelineHandle) -> Int64 { handle == .start ? start : end }

    /// Returns the positions that a handle can have while the other one stays where it is.
    func range(of handle: TimelineHandle, limit: Int64) -> ClosedRange<Int64> {
        switch handle {
        case .start: 0...(end - least)
        case .end: (start + least)...max(end, limit)
        }
    }

    /// Moves a handle as near to a position as it can be.
    mutating func move(_ handle: TimelineHandle, to position: Int64, limit: Int64) {
        let position = position.clamped(to: range(of: handle, limit: limit))
        switch handle {
        case .start: start = position
        case .end: end = position
        }
    }

    /// Brings the end into content that turned out to be shorter.
    mutating func shorten(to limit: Int64) {
        let limit = max(0, limit)
        guard end > limit else { return }
        end = limit
        least = min(least, limit)
        start = min(start, end - least)
    }
}
