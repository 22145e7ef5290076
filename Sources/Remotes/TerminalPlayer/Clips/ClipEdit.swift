// SPDX-License-Identifier: Apache-2.0

import TimelineGeometry

/// The editing of a clip beside its bounds: the note, what keys move, and what was before.
struct ClipEdit: Sendable {
    /// The changes that are to be saved.
    struct Draft: Sendable, Hashable {
        var start: Int64
        var end: Int64
        var note: String
    }

    /// A change, of which quick ones of one kind are undone at once.
    enum Change: Sendable, Hashable {
        case step(TimelineTarget)
        case set(TimelineHandle)
        /// A gesture of the mouse, by its number.
        case gesture(Int)
        case note

        var isGesture: Bool {
            if case .gesture = self { true } else { false }
        }
    }

    var note = ""
    var target = TimelineTarget.handle(.start)
    var history = EditHistory<Draft, Change>()
    /// The number of the last gesture of the mouse; what the strip does by itself belongs to it.
    var gestures = 0
    /// `true` from the save to its answer.
    var isSaving = false
}
