// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import PlaybackCore

/// Clips whose book or own file is gone.
extension ClipAdministration {
    /// Returns `true` if the clip's own file is there.
    func hasFile(_ clip: Clip) async -> Bool {
        if let name = clip.file?.name { await files.has(name) } else { false }
    }

    /// Returns the error for a clip whose own file is not there and whose book cannot be opened.
    func isLost(_ clip: Clip, _ cause: PlaybackError) -> PlaybackError {
        // A book that is there and cannot be played is no loss.
        guard cause.kind == .noInput else { return cause }
        let own = clip.file == nil ? "and it has no file of its own" : "and so is its own file"
        return PlaybackError(
            .noInput,
            message:
                "clip \(clip.id) has no audio: its passage of \(clip.place) is gone, \(own); put the book back, or delete the clip"
        )
    }
}

extension Clip {
    /// Throws if the library has missed a file of the book: what is in its place is another recording.
    func checkSource() throws(PlaybackError) {
        guard isSourceThere else { throw PlaybackError(.noInput, message: "a file of “\(title)” is missing") }
    }

    /// The path of the source; the title of one that is no file, since its address may hold a secret.
    fileprivate var place: String {
        items.first.flatMap { $0.hasPrefix("/") || $0.hasPrefix("file:") ? $0 : nil } ?? "“\(title)”"
    }
}
