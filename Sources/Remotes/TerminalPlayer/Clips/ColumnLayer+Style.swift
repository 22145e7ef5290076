// SPDX-License-Identifier: Apache-2.0

import TimelineGeometry

extension ColumnLayer {
    /// The handle or the playhead that the column is; `nil` for sound.
    var target: TimelineTarget? {
        switch self {
        case .playhead: .playhead
        case .handle(let handle): .handle(handle)
        case .outside, .played, .unplayed, .selected: nil
        }
    }

    var style: Style {
        switch self {
        case .outside: .faint
        case .played: .played
        case .unplayed: .unplayed
        case .selected: .chosen
        case .handle: .handle
        case .playhead: .playhead
        }
    }
}
