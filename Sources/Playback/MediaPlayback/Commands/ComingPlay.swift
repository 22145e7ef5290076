// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The controller's part of a `play` whose item is being looked up.
///
/// It holds the requests that need a timeline or an engine. The machine's `LookUp` holds the others.
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
