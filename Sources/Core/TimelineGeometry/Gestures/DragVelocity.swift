// SPDX-License-Identifier: Apache-2.0

/// The velocity of a finger or a pointer, from the places where it was lately.
///
/// It is what ``TimelineEvent/panEnded(velocity:)`` needs if a front end gets places and times only.
public struct DragVelocity: Hashable, Sendable {
    private struct Place: Hashable {
        var x: Double
        var seconds: Double
    }

    private var places: [Place] = []
    /// The seconds that count: long enough for several places, too short for a change of mind.
    private static let window = 0.1

    public init() {}

    /// Notes an x in pixels at a time in seconds; what is not finite, or earlier than the last one, is left out.
    public mutating func note(x: Double, at seconds: Double) {
        guard x.isFinite, seconds.isFinite, seconds >= places.last?.seconds ?? seconds else { return }
        places.removeAll { seconds - $0.seconds > Self.window }
        if places.last?.seconds == seconds { places.removeLast() }
        places.append(Place(x: x, seconds: seconds))
    }

    /// Returns pixels a second at the time when the finger leaves; 0 if it has rested before.
    public func velocity(at seconds: Double) -> Double {
        let recent = places.filter { seconds - $0.seconds <= Self.window }
        guard let first = recent.first, let last = recent.last, last.seconds > first.seconds else { return 0 }
        let velocity = (last.x - first.x) / (last.seconds - first.seconds)
        return velocity.isFinite ? velocity : 0
    }
}
