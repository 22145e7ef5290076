// SPDX-License-Identifier: Apache-2.0

/// A timeline that is panned, tapped, zoomed and followed, and on which a clip is edited.
///
/// An event goes in and effects come out. Time passes only by ``TimelineEvent/frame(seconds:)``, which the front end
/// sends while ``needsFrames``. A gesture that moves the playhead ends in one seek. Until the session has answered it,
/// and while a gesture holds the playhead, reports of the position wait.
public struct TimelineState: Hashable, Sendable {
    public internal(set) var geometry: TimelineGeometry
    public internal(set) var selection: TimelineSelection?
    public internal(set) var isLinked = false
    /// The handle that is held.
    public var held: TimelineHandle? { hold?.handle }

    /// `true` while a gesture moves the playhead, or what it has set in motion.
    public var isMoving: Bool { motion != .rest }

    var motion = PlayheadMotion.rest
    var hold: HandleHold?
    var follow = FollowedPosition()
    /// True while a gesture has moved the playhead to where no seek has gone yet.
    var isDisplaced = false
    private var reported: TimelineSelection?
    private var sinceReport: Double

    /// Creates a timeline whose playhead is at a position in units.
    public init(_ geometry: TimelineGeometry, position: Int64 = 0) {
        self.geometry = geometry
        self.geometry.movePlayhead(to: Double(position))
        sinceReport = geometry.rules.reportInterval
    }

    /// True while a further frame can differ from this one.
    public var needsFrames: Bool {
        switch motion {
        case .glide, .ease: return true
        case .rest where !follow.isSettled: return true
        // Reports that wait move on.
        case .rest, .pan: return follow.rate > 0 || selection != reported
        }
    }

    /// Carries an event out, and returns what it leads to.
    public mutating func handle(_ event: TimelineEvent) -> [TimelineEffect] {
        var effects: [TimelineEffect] = []
        // A selection that goes on changing is reported now and then, one that is done with at once.
        var goesOn = false
        switch event {
        case .resized(let width):
            if width.isFinite { geometry.resize(to: width) }
            retake()
        case .measured(let duration):
            geometry.setDuration(duration)
            selection?.shorten(to: geometry.end)
            retake()
        case .opened(let start, let end):
            hold = nil
            selection = TimelineSelection(
                start, end, least: geometry.units(geometry.rules.leastSelection), limit: geometry.end)
            // The front end knows what it has opened, but not what did not fit.
            reported = selection?.start == start && selection?.end == end ? selection : nil
        case .closed:
            (hold, selection, reported) = (nil, nil, nil)
        case .linked(let isLinked):
            self.isLinked = isLinked
        case .panBegan(let x): beginPan(x)
        case .panMoved(let x):
            pan(x)
            goesOn = true
        case .panEnded(let velocity): effects = endPan(velocity)
        case .tapped(let x): effects = tap(x)
        case .grabbed(let handle, let x): grab(handle, x)
        case .dragged(let x):
            drag(x)
            goesOn = true
        case .released: hold = nil
        case .zoomed(let factor, let x): effects = zoom(factor, x)
        case .stepped(let target, let step, let count): effects = self.step(target, step, count)
        case .moved(let target, let position): effects = move(target, to: position)
        case .snapped(let target, let direction, let kinds, let points):
            effects = snap(target, direction, kinds, points)
        case .followed(let position, let rate, let age): report(position, rate, age)
        case .answered:
            follow.unanswered = max(0, follow.unanswered - 1)
        case .stopped:
            follow.stop()
        case .frame(let seconds):
            guard seconds > 0, seconds.isFinite else { break }
            sinceReport = min(sinceReport + seconds, 3600)
            let wasResting = motion == .rest
            effects = advance(seconds)
            goesOn = wasResting || motion != .rest || hold != nil
        }
        catchUp()
        return effects + selectionReport(goesOn: goesOn)
    }

    private mutating func selectionReport(goesOn: Bool) -> [TimelineEffect] {
        guard let selection, selection != reported,
            !goesOn || sinceReport >= geometry.rules.reportInterval - 1e-9
        else { return [] }
        (reported, sinceReport) = (selection, 0)
        return [.selected(selection)]
    }

    // MARK: The playhead

    /// Moves the playhead; in linked mode it takes a handle along if it comes from the inside or goes further outward.
    mutating func movePlayhead(to position: Double, pushes: Bool = true) {
        let before = geometry.playhead
        geometry.movePlayhead(to: position)
        guard pushes, isLinked, let bounds = selection else { return }
        let (playhead, place) = (geometry.playhead, geometry.position)
        if playhead > before, place > bounds.end { selection?.move(.end, to: place, limit: geometry.end) }
        if playhead < before, place < bounds.start { selection?.move(.start, to: place, limit: geometry.end) }
    }

    /// Returns the seek to where the playhead is, or will be at the end of its way.
    mutating func seek() -> [TimelineEffect] {
        isDisplaced = false
        follow.unanswered += 1
        return [.seek(to: destination)]
    }

    /// The position at which the present movement of a tap ends, or the position that is shown.
    var destination: Int64 {
        if case .ease(let ease) = motion { ease.target } else { geometry.position }
    }

    private mutating func advance(_ seconds: Double) -> [TimelineEffect] {
        follow.age(seconds, geometry.unitsPerSecond)
        switch motion {
        case .pan: return []
        case .rest:
            followOn(seconds)
            return []
        case .ease(var ease):
            let (position, left) = ease.advance(seconds, geometry.rules)
            motion = left == nil ? .ease(ease) : .rest
            movePlayhead(to: position)
            if let left { followOn(left) }
            return []
        case .glide(var glide):
            let (pixels, hasEnded) = glide.advance(seconds, geometry.rules)
            let target = geometry.playhead - pixels * geometry.unitsPerPixel
            movePlayhead(to: target)
            isDisplaced = true
            // At an end of the content there is nowhere to go.
            guard hasEnded || geometry.playhead != target else {
                motion = .glide(glide)
                return []
            }
            motion = .rest
            return seek()
        }
    }

    // MARK: The session's position

    private mutating func report(_ position: Int64, _ rate: Double, _ age: Double) {
        let since = age.isFinite ? age.clamped(to: 0...3600) : 0
        follow.report(Double(position.clamped(to: 0...TimelineGeometry.farthest)), rate: rate)
        follow.age(since, geometry.unitsPerSecond)
    }

    private mutating func followOn(_ seconds: Double) {
        movePlayhead(to: geometry.playhead + follow.advance(seconds, geometry.unitsPerSecond))
    }

    /// Turns to what the session reported, unless something newer than that is shown.
    private mutating func catchUp() {
        guard motion == .rest, follow.unanswered == 0 else { return }
        // Nobody has moved there step by step: a jump pushes no handle.
        if let jump = follow.take(from: geometry.playhead, geometry) { movePlayhead(to: jump, pushes: false) }
    }
}
