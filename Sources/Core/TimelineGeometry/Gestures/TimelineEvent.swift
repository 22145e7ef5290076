// SPDX-License-Identifier: Apache-2.0

/// A key step or a snap moves one of these.
public enum TimelineTarget: Hashable, Sendable {
    case playhead
    case handle(TimelineHandle)
}

/// The amount of a key step.
public enum TimelineStep: String, Hashable, Sendable, CaseIterable {
    case fine
    case coarse
    /// The skip of the player, which is longer back than forward.
    case skip
}

/// An event of a timeline: a gesture, a key, a fact about the content, or time that passed.
///
/// An x is in pixels from the left edge of the strip. An event with a number that is not finite does nothing.
public enum TimelineEvent: Hashable, Sendable {
    case resized(width: Double)
    /// The length of the content in units is known, has changed, or is unknown (`nil`).
    case measured(Int64?)
    /// A clip is opened; its bounds are units.
    case opened(start: Int64, end: Int64)
    case closed
    /// The linked mode, in which the playhead pushes the handles outward, begins or ends.
    case linked(Bool)

    case panBegan(x: Double)
    case panMoved(x: Double)
    /// The finger has left at a velocity in pixels a second; the content goes on in its direction.
    case panEnded(velocity: Double)
    case tapped(x: Double)
    case grabbed(TimelineHandle, x: Double)
    case dragged(x: Double)
    case released
    /// The strip is enlarged by a factor, about an x or about its centre.
    case zoomed(by: Double, aboutX: Double?)

    /// A target is moved by a number of steps, back if that is negative.
    case stepped(TimelineTarget, TimelineStep, Int)
    /// A target is moved as near to a position in units as it can be.
    case moved(TimelineTarget, to: Int64)
    case snapped(TimelineTarget, SnapDirection, kinds: Set<SnapPoint.Kind>, among: SnapPoints)

    /// The session has reported a position in units, the speed at which it moves (0 while nothing is heard), and how
    /// many seconds ago that was.
    case followed(position: Int64, rate: Double, age: Double)
    /// The session has carried out a seek, or refused it.
    case answered
    /// The session is gone: nobody knows how the position goes on.
    case stopped
    /// Seconds have passed since the last frame.
    case frame(seconds: Double)
}

/// A wish of a timeline.
public enum TimelineEffect: Hashable, Sendable {
    /// The session shall play from a position in units; ``TimelineEvent/answered`` is expected for each.
    case seek(to: Int64)
    /// The clip has new bounds.
    case selected(TimelineSelection)
}
