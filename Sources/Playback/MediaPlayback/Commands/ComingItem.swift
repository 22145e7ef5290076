// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The controller's part of a command that is being looked up.
///
/// It holds the requests that need a timeline or an engine. The machine's `LookUp` holds the others.
struct ComingItem {
    var command: UInt64
    /// The request, if the command is `play` of an item that it names.
    var request: PlayRequest?
    /// The kind of content that the command asks for, until the item is found; `nil` if it takes any.
    var kind: ContentKind?
    /// The moves to make, in order, from the place at which the item starts.
    var moves: [SeekTarget] = []
    /// The engine that is to open the item in place of the chosen one.
    var engine: InstalledEngine?
    var voice: String?
    /// The place to stop at.
    var until: SeekTarget?
    /// The sleep timer to set when the item is opened.
    var sleep: SleepRequest?

    init(command: UInt64, request: PlayRequest? = nil, kind: ContentKind? = nil) {
        self.command = command
        self.request = request
        self.kind = request.map { $0.item.asText ? .text : .audio } ?? kind
    }

    /// Returns a request with the options that were added since.
    func applied(to request: PlayRequest) -> PlayRequest {
        var request = request
        request.voice = voice ?? request.voice
        request.until = until ?? request.until
        return request
    }
}
