// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
public import PlaybackCore

/// Finds the recording of a text, and the text of a recording.
public protocol WorkFinding: Sendable {
    /// The number of changes so far to what belongs together; what was found before the last one may be out of date.
    var revision: Int { get }

    /// Returns the other side of an item; `nil` if it has none, or if that cannot be told in time.
    ///
    /// Looks at the library and at the folder of the item, and opens no document.
    func counterpart(of uri: String, kind: ContentKind) async -> WorkSide?

    /// Returns the places in the files of a recording that are there at which others are missing.
    ///
    /// Looks at the library, and opens no document; empty for what it does not know.
    func missingParts(of recording: String) async -> [MediaPosition]

    /// Takes note of a text that was opened: its title may be that of a recording.
    func learn(_ document: TextDocument, of uri: String) async

    /// Returns the work that an item and its other side are.
    ///
    /// Reads the document, unless what was made of it is kept.
    func work(of uri: String, kind: ContentKind, with other: WorkSide) async throws(PlaybackError) -> Work
}
