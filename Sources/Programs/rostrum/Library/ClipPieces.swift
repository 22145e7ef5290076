// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The clips of a list in pieces, each small enough for one message.
struct ClipPieces {
    /// The bytes of a message that are left for its clips.
    private static let room = LineFramer.requestLimit - 4096

    /// The imports of the pieces, in order; each is valid.
    let actions: [ClipAction]

    init(_ clips: [ClipInfo]) throws(SessionError) {
        var actions: [ClipAction] = []
        var piece: [ClipInfo] = []
        var size = 0
        for clip in clips {
            let bytes = try JSONLine.encode(clip).count
            guard bytes <= Self.room else {
                throw SessionError(
                    .badContent,
                    "clip import: clip \(clip.id.debugDescription) takes more than a message holds; shorten it")
            }
            if size + bytes > Self.room || piece.count == ClipAction.mostClips {
                actions.append(try Self.action(piece))
                (piece, size) = ([], 0)
            }
            piece.append(clip)
            size += bytes
        }
        if !piece.isEmpty { actions.append(try Self.action(piece)) }
        self.actions = actions
    }

    private static func action(_ clips: [ClipInfo]) throws(SessionError) -> ClipAction {
        var action = ClipAction(.import)
        action.clips = clips
        try SessionCommand.manageClips(action).validate()
        return action
    }
}
