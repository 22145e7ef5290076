// SPDX-License-Identifier: Apache-2.0

import TimelineGeometry

/// The mouse while its button is down on the strip.
struct ClipPointer: Sendable {
    /// The handle that it holds; `nil` if it holds the strip.
    let handle: TimelineHandle?
    let column: Int
    var hasMoved = false
    var velocity = DragVelocity()

    init(_ handle: TimelineHandle?, column: Int) {
        self.handle = handle
        self.column = column
    }
}

// What the mouse does.
extension ClipScreen {
    /// Returns the x of the middle of a column of the screen.
    private func x(_ column: Int) -> Double {
        (Double(column - ClipLayout.left) + 0.5) * Double(style.dotsAcross)
    }

    mutating func press(_ layout: ClipLayout, _ row: Int, _ column: Int, _ now: Int64) -> [PlayerEffect] {
        guard timeline.selection != nil, layout.strip.contains(row), layout.columns.contains(column) else { return [] }
        edit.gestures += 1
        let handle = canMoveBounds ? handle(near: column) : nil
        var pointer = ClipPointer(handle, column: column)
        pointer.velocity.note(x: x(column), at: Double(now) / 1000)
        self.pointer = pointer
        if let handle { edit.target = .handle(handle) }
        return handle.map { self.handle(.grabbed($0, x: x(column)), nil, now) }
            ?? self.handle(
                .panBegan(x: x(column)), nil, now)
    }

    /// Returns the handle that is drawn within a column of this one; the nearer one, or else the start.
    private func handle(near column: Int) -> TimelineHandle? {
        guard let selection = timeline.selection else { return nil }
        let distances = TimelineHandle.allCases.map { handle in
            (handle, abs(timeline.geometry.x(of: selection[handle]) - x(column)) / Double(style.dotsAcross))
        }
        return distances.filter { $0.1 <= 1.5 }.min { $0.1 < $1.1 }?.0
    }

    mutating func drag(_ column: Int, _ now: Int64) -> [PlayerEffect] {
        guard var pointer else { return [] }
        let x = x(column)
        pointer.hasMoved = pointer.hasMoved || column != pointer.column
        pointer.velocity.note(x: x, at: Double(now) / 1000)
        self.pointer = pointer
        guard pointer.hasMoved else { return [] }
        return handle(pointer.handle == nil ? .panMoved(x: x) : .dragged(x: x), .gesture(edit.gestures), now)
    }

    mutating func lift(_ column: Int, _ now: Int64) -> [PlayerEffect] {
        let effects = drag(column, now)
        guard let pointer else { return effects }
        self.pointer = nil
        if pointer.handle != nil { return effects + handle(.released, .gesture(edit.gestures), now) }
        guard pointer.hasMoved else {
            return effects + handle(.panEnded(velocity: 0), nil, now) + handle(.tapped(x: x(column)), nil, now)
        }
        return effects
            + handle(
                .panEnded(velocity: pointer.velocity.velocity(at: Double(now) / 1000)), .gesture(edit.gestures), now)
    }
}
