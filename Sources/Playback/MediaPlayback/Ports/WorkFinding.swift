// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// Finds the recording of a text, and the text of a recording.
public protocol WorkFinding: Sendable {
    /// Returns the other side of an item; `nil` if it has none, or if that cannot be told in time.
    ///
    /// Looks at the library and at the folder of the item, and opens no document.
    func counterpart(of uri: String, kind: ContentKind) async -> WorkSide?

    /// Takes note of a text that was opened: its title may be that of a recording.
    func learn(_ document: TextDocument, of uri: String) async

    /// Returns the work that an item and its other side are.
    ///
    /// Reads the document, unless what was made of it is kept.
    func work(of uri: String, kind: ContentKind, with other: WorkSide) async throws(PlaybackError) -> Work
}
