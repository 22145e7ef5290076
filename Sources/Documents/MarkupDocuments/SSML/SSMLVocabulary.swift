// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The elements of the Speech Synthesis Markup Language.
struct SSMLVocabulary: MarkupVocabulary {
    func role(_ name: String) -> ElementRole {
        switch name {
        case "speak": .container
        case "p", "paragraph": .block(.paragraph)
        case "break": .pause
        case "sub": .sub
        case "say-as": .sayAs
        case "phoneme": .phoneme
        case "metadata", "meta", "lexicon", "desc", "mark": .skipped
        default: .inline
        }
    }
}
