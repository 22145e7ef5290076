// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// An item with its content, and the engine that is to play it.
struct FoundItem {
    var item: ItemReference
    var content: Content
    var engine: EngineID
    /// Lines that say what was left out, and what else there is to say about the item.
    var notes: [String] = []
    /// The engine that would play it, if the language of the text had not decided; `nil` if it did not.
    var usualEngine: EngineID?

    /// Returns a part of the item, identified by a media fragment (W3C Media Fragments 1.0).
    func clipped(to range: ClipRange) -> FoundItem {
        var part = self
        part.content.clip = range
        part.content.uri += "#t=\(range.name)"
        part.item.uri = part.content.uri
        return part
    }
}
