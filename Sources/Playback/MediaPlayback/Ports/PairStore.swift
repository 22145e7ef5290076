// SPDX-License-Identifier: Apache-2.0

/// A recording and its text, as the user or the documents say.
public struct TextPair: Sendable, Hashable {
    /// The URI by which playback knows the recording.
    public var recording: String
    /// The URI of the text; `nil` if the recording has none, whatever lies beside it.
    public var text: String?

    public init(recording: String, text: String?) {
        self.recording = recording
        self.text = text
    }
}

/// Keeps the pairs of recordings and texts; a pair moves along with its book.
public protocol PairStore: Sendable {
    /// Returns the pair that a recording or a text is in.
    func pair(of uri: String) async throws(PlaceStoreError) -> TextPair?

    /// Returns those of some texts that are in a pair; at most 500 are asked for at a time.
    func paired(among texts: [String]) async throws(PlaceStoreError) -> Set<String>

    /// Adds a pair, in place of those in which its recording or its text was.
    ///
    /// - Parameter former: The recording from which the text may be taken; `nil` for none.
    /// - Returns: `false` if the text is that of another recording by now; then nothing is changed.
    func keep(_ pair: TextPair, from former: String?) async throws(PlaceStoreError) -> Bool

    /// Returns the books with this title, regardless of case; at most `limit`.
    func books(titled title: String, limit: Int) async throws(PlaceStoreError) -> [BookSummary]
}
