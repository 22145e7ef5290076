// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SessionProtocol
import SpeechScript

/// The line that `rostrum text --json` prints of an utterance: all offsets are bytes, those of words in `spoken`
/// included.
struct SpokenLine: Encodable {
    struct Span: Encodable {
        var start: Int
        var end: Int

        init(_ range: Range<Int>) { (start, end) = (range.lowerBound, range.upperBound) }
    }

    struct Word: Encodable {
        var spoken: Span
        var text: Span
        var phonemes: String?
    }

    /// The bytes of the source from which the text comes.
    struct Source: Encodable {
        /// The name within an archive; empty for any other file.
        var member: String
        var start: Int
        var end: Int
    }

    var text: Span
    var sentence: Span
    var section: String?
    var kind: String?
    var language: String?
    var spoken: String
    var pauseMs: Int
    var words: [Word]
    var sources: [Source]

    init(_ utterance: Utterance, _ script: ScriptFileReader, _ members: [String]) throws(ScriptFileError) {
        text = Span(utterance.range)
        sentence = Span(utterance.sentence)
        if let index = try script.sectionIndex(at: utterance.range.lowerBound) {
            section = try script.section(index)?.title
        }
        kind = try script.block(utterance.block)?.kind.rawValue
        language = utterance.language
        spoken = utterance.spoken
        pauseMs = utterance.pause
        words = utterance.words.map { Word(spoken: Span($0.spoken), text: Span($0.range), phonemes: $0.phonemes) }
        sources = try script.origins(of: utterance.range).map { origin in
            Source(
                member: members.indices.contains(origin.member) ? members[origin.member] : "",
                start: origin.source.lowerBound, end: origin.source.upperBound)
        }
    }

    var encoded: [UInt8] { (try? JSONLine.encode(self)) ?? [] }
}
