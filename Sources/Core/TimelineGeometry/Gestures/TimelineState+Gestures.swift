// SPDX-License-Identifier: Apache-2.0

/// A finger on a handle.
struct HandleHold: Hashable, Sendable {
    let handle: TimelineHandle
    /// The x where the finger was while the handle was at `bound` and the playhead at `playhead`.
    let from: Double
    let bound: Int64
    let playhead: Double
    /// The x where the finger is.
    var x: Double

    init(_ handle: TimelineHandle, x: Double, bound: Int64, playhead: Double) {
        (self.handle, from, self.x) = (handle, x, x)
        (self.bound, self.playhead) = (bound, playhead)
    }
}

extension TimelineState {
    // MARK: Pan and tap

    mutating func beginPan(_ x: Double) {
        guard x.isFinite else { return }
        // Whoever catches the strip on its way to a tapped place leaves the sound there behind.
        if case .ease = motion { isDisplaced = true }
        motion = .pan(Pan(x: x, playhead: geometry.playhead))
        follow.interrupt()
    }

    mutating func pan(_ x: Double) {
        guard x.isFinite, case .pan(var pan) = motion else { return }
        pan.x = x
        motion = .pan(pan)
        let before = geometry.playhead
        movePlayhead(to: pan.playhead - (x - pan.from) * geometry.unitsPerPixel)
        if geometry.playhead != before { isDisplaced = true }
    }

    mutating func endPan(_ velocity: Double) -> [TimelineEffect] {
        guard case .pan = motion else { return [] }
        if let glide = Glide(pixelsPerSecond: velocity, geometry.rules) {
            motion = .glide(glide)
            return []
        }
        motion = .rest
        return isDisplaced ? seek() : []
    }

    mutating func tap(_ x: Double) -> [TimelineEffect] {
        guard x.isFinite else { return [] }
        return ease(to: geometry.position(atX: x))
    }

    private mutating func ease(to target: Int64) -> [TimelineEffect] {
        guard target != destination || isDisplaced else { return [] }
        motion = .ease(Ease(from: geometry.playhead, target: target))
        follow.interrupt()
        return seek()
    }

    // MARK: Handles

    mutating func grab(_ handle: TimelineHandle, _ x: Double) {
        guard x.isFinite, let selection else { return }
        hold = HandleHold(handle, x: x, bound: selection[handle], playhead: geometry.playhead)
    }

    /// Moves the held handle so that what was under the finger is under it again, also if the content has moved.
    mutating func drag(_ x: Double) {
        guard x.isFinite, var hold else { return }
        hold.x = x
        self.hold = hold
        let way = (x - hold.from) * geometry.unitsPerPixel + (geometry.playhead - hold.playhead)
        move(hold.handle, to: hold.bound, plus: way)
    }

    private mutating func move(_ handle: TimelineHandle, to bound: Int64, plus way: Double) {
        let farthest = Double(TimelineGeometry.farthest)
        let units = Int64(way.clamped(to: -farthest...farthest).rounded())
        selection?.move(handle, to: bound &+ units, limit: geometry.end)
    }

    /// Lets a finger that pans or holds a handle go on from how things are now.
    mutating func retake() {
        if case .pan(let pan) = motion { motion = .pan(Pan(x: pan.x, playhead: geometry.playhead)) }
        hold = hold.flatMap { hold in
            selection.map {
                HandleHold(hold.handle, x: hold.x, bound: $0[hold.handle], playhead: geometry.playhead)
            }
        }
    }

    // MARK: Zoom

    mutating func zoom(_ factor: Double, _ x: Double?) -> [TimelineEffect] {
        let before = geometry.playhead
        guard x?.isFinite != false else { return [] }
        geometry.zoom(by: factor, aboutX: x)
        retake()
        guard geometry.playhead != before else { return [] }
        isDisplaced = true
        follow.interrupt()
        switch motion {
        case .pan, .glide: return []
        case .rest, .ease:
            motion = .rest
            return seek()
        }
    }

    // MARK: Keys

    mutating func step(_ target: TimelineTarget, _ step: TimelineStep, _ count: Int) -> [TimelineEffect] {
        let rules = geometry.rules
        let seconds =
            switch step {
            case .fine: rules.fineStep
            case .coarse: rules.coarseStep
            case .skip: count < 0 ? rules.skipBack : rules.skipForward
            }
        let way = Double(count) * seconds * geometry.unitsPerSecond
        switch target {
        case .playhead: return jump(to: geometry.whole(Double(destination) + way))
        case .handle(let handle):
            guard let bound = selection?[handle] else { return [] }
            move(handle, to: bound, plus: way)
            retake()
            return []
        }
    }

    mutating func move(_ target: TimelineTarget, to position: Int64) -> [TimelineEffect] {
        switch target {
        case .playhead: return jump(to: position.clamped(to: 0...geometry.end))
        case .handle(let handle):
            selection?.move(handle, to: position, limit: geometry.end)
            retake()
            return []
        }
    }

    /// Moves a target to a point that it can reach; without one nothing moves.
    mutating func snap(
        _ target: TimelineTarget, _ direction: SnapDirection, _ kinds: Set<SnapPoint.Kind>, _ points: SnapPoints
    ) -> [TimelineEffect] {
        switch target {
        case .playhead:
            let point = points.next(direction, from: destination, within: 0...geometry.end, kinds: kinds)
            return point.map { jump(to: $0.position) } ?? []
        case .handle(let handle):
            guard let selection else { return [] }
            let range = selection.range(of: handle, limit: geometry.end)
            guard let point = points.next(direction, from: selection[handle], within: range, kinds: kinds) else {
                return []
            }
            self.selection?.move(handle, to: point.position, limit: geometry.end)
            retake()
            return []
        }
    }

    private mutating func jump(to target: Int64) -> [TimelineEffect] {
        guard target != destination || isDisplaced else { return [] }
        motion = .rest
        follow.interrupt()
        movePlayhead(to: Double(target))
        return seek()
    }
}
