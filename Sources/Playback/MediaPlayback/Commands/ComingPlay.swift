// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// A `play` whose item or place is still being looked up, and what was asked for in the meantime and only the timeline or
/// the controller can judge; the rest is in the machine's `LookUp`.
struct ComingPlay {
    var command: UInt64
    /// The request, with the options that have been added since.
    var request: PlayRequest
    /// The kind of content that the command asks for, until the item is found.
    var kind: ContentKind
    /// The moves to make, in order, from the place at which the item starts.
    var moves: [SeekTarget] = []
    /// The engine that is to open the item in place of the chosen one.
    var engine: InstalledEngine?
    /// The sleep timer to set when the item is opened.
    var sleep: SleepRequest?

    init(command: UInt64, request: PlayRequest) {
        self.command = command
        self.request = request
        kind = request.item.asText ? .text : .audio
    }
}
