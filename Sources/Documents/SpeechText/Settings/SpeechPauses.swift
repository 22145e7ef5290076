// SPDX-License-Identifier: Apache-2.0

/// The silences between utterances, in milliseconds at rate 1.
///
/// They follow what narrators do: about a third of a second between sentences, twice that between paragraphs, a second
/// around a heading, and longer at a break of scene. Screen readers wait less, as their listeners navigate; a listener
/// of a book has only the silence to tell where a part ends. A voice adds none of its own, as engines trim what they
/// make.
public struct SpeechPauses: Sendable, Hashable {
    public var sentence = 350
    /// Twice that of a sentence, so that the two are told apart at 3× as well.
    public var paragraph = 700
    public var listItem = 450
    /// A row of a table or a line of code: a sentence without its fall of voice.
    public var row = 300
    /// The end of a line of verse within a sentence: heard, but not an end.
    public var verseLine = 180
    public var beforeHeading = 1200
    /// The pause behind a heading, so that the title stands alone.
    public var heading = 900
    /// A break between scenes is silence alone, as its ornament is not spoken.
    public var sceneBreak = 1600
    /// The pause within a long sentence, at a comma or a dash: what a reader's breath takes.
    public var clause = 120
    /// The pause within a long sentence that had to be cut between words: none, so that it sounds like one.
    public var words = 0
    /// The longest pause that a document can ask for.
    public var longest = 10_000

    public init() {}
}
