// SPDX-License-Identifier: Apache-2.0

/// The choice of what of a document is spoken, and how.
public struct SpeechSettings: Sendable, Hashable {
    /// The parts that are left out.
    ///
    /// They keep their places in the text.
    public var skipped: Set<Part> = [.frontMatter, .backMatter]
    /// The most characters of one utterance, which a voice says in one breath.
    ///
    /// Neural voices get slower and less sure beyond about 200. Characters of East Asian scripts, which take longer to
    /// say, count three. A single expression, such as a long number, may exceed it.
    public var longestUtterance = 200
    /// `true` if an emoji is said by its name; otherwise it is silent.
    public var saysEmoji = false
    public var pauses = SpeechPauses()
    /// The language of the whole text, a BCP 47 tag, if the listener knows better than document and detector.
    public var language: String?

    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// Title page, imprint, table of contents, licence.
        case frontMatter
        case backMatter
        case notes
        case code
        case formulas
        case tables
        case captions
    }

    public init() {}
}
