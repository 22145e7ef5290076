// SPDX-License-Identifier: Apache-2.0

import ReadingText

/// The language of each block: what is declared for it, else what is detected, else that of the document.
///
/// The language changes only where detection is sure. The shorter a block is, the more of a doubt there is, and one that
/// leaves a doubt goes with its neighbours or the document.
struct BlockLanguages {
    private let text: ScalarText
    private let blocks: [TextBlock]
    /// The listener's word, which overrules everything but a script that it cannot be.
    private let chosen: String?
    private let declared: String?
    /// The language of the document as a whole.
    private let base: String?
    /// The language so far.
    private var current: String?
    /// The language that was found when looking ahead, by the index of the block.
    private var ahead: (index: Int, language: String?)?

    /// Letters in bytes from which a block tells its language, if that is what is expected.
    private static let sure = 80
    /// Letters in bytes from which it tells another one.
    private static let sureOfChange = 160
    /// Letters in bytes from which it tells one beyond doubt.
    private static let certain = 40
    /// Letters in bytes from which an undeclared document tells its language.
    private static let leastOfDocument = 20
    /// The language that engines speak where nothing tells one.
    private static let usual = "en"
    /// Letters in bytes from which languages that are alike are told apart.
    private static let sureOfClose = 600
    /// The most blocks to look ahead for one that is long enough.
    private static let lookahead = 16
    /// Bytes of the text from which the language of an undeclared document is told.
    private static let sample = 4096

    init(_ document: ReadingDocument, text: ScalarText, chosen: String?) {
        self.text = text
        blocks = document.blocks
        self.chosen = LanguageTag.valid(chosen)
        declared = LanguageTag.valid(document.language)
        base = self.chosen ?? declared ?? Self.detected(document, text)
        current = base
    }

    /// The language of a document that declares none, by text of its first blocks.
    private static func detected(_ document: ReadingDocument, _ text: ScalarText) -> String? {
        var sample: [UInt8] = []
        for block in document.blocks where block.kind == .paragraph && block.language == nil {
            let range = block.range.clamped(to: 0..<text.bytes.count)
            sample += text.bytes[range].prefix(Self.sample - sample.count)
            sample.append(0x0A)
            if sample.count >= Self.sample { break }
        }
        guard let verdict = LanguageDetector.detect(sample[...], hint: nil), verdict.isReliable,
            verdict.size >= leastOfDocument,
            verdict.size >= sureOfChange || LanguageDetector.withstands(verdict, sample[...], expected: usual)
        else { return nil }
        return verdict.language
    }

    /// Returns the language of a block; blocks are asked for in order.
    mutating func language(ofBlock index: Int, _ range: Range<Int>) -> String? {
        let block = blocks[index]
        let script = WritingScript.of(text, range)
        if let chosen { return script?.fits(LanguageTag.primary(chosen)) ?? true ? chosen : script?.language ?? chosen }
        if let own = LanguageTag.valid(block.language) { return own }
        // Code and formulas are in no language.
        guard block.kind != .code, block.kind != .formula else { return current }
        if let language = told(range, script) {
            current = language
            return language
        }
        if let current, let script, !script.fits(LanguageTag.primary(current)) { return script.language ?? current }
        // Behind a stretch in another language a short block may belong to either side.
        if current != base, next(behind: index) != current, !isToldApart(range) { current = base }
        return current ?? script?.language
    }

    /// The language of the next block that tells one.
    private mutating func next(behind index: Int) -> String? {
        if let ahead, ahead.index > index { return ahead.language }
        for next in blocks.indices.dropFirst(index + 1).prefix(Self.lookahead) {
            let range = text.trimmed(blocks[next].range.clamped(to: 0..<text.bytes.count))
            guard blocks[next].language == nil, let language = told(range, WritingScript.of(text, range)) else {
                continue
            }
            ahead = (next, language)
            return language
        }
        return nil
    }

    /// Returns `true` if a short block by itself looks like the language so far.
    private func isToldApart(_ range: Range<Int>) -> Bool {
        let hint = base.map { LanguageTag.primary($0) }
        guard let current, let verdict = LanguageDetector.detect(text.bytes[range], hint: hint), verdict.isReliable
        else { return false }
        return LanguageTag.primary(verdict.language) == LanguageTag.primary(current)
    }

    /// The language of a block, if it is sure.
    private func told(_ range: Range<Int>, _ script: WritingScript?) -> String? {
        guard range.count >= Self.certain else { return nil }
        let bytes = text.bytes[range]
        let hint = declared.map { LanguageTag.primary($0) }
        guard let verdict = LanguageDetector.detect(bytes, hint: hint), verdict.isReliable, verdict.size >= Self.certain
        else { return nil }
        let isLong = verdict.size >= Self.sure
        let found = LanguageTag.primary(verdict.language)
        var language = verdict.language
        // What the document says holds for the language that it says, and keeps its region.
        if let declared, let hint, found == hint || LanguageDetector.areClose(found, hint) { language = declared }
        guard let current else { return isLong ? language : nil }
        let known = LanguageTag.primary(current)
        if found == known || LanguageTag.primary(language) == known { return current }
        if LanguageDetector.areClose(found, known), verdict.size < Self.sureOfClose { return isLong ? current : nil }
        // A few words in another language have to be more than a name or a title to count.
        if verdict.size >= Self.sureOfChange || isLong && script.map({ !$0.fits(known) }) ?? false { return language }
        // Back to the language of the document less is enough.
        let isBase = found == base.map { LanguageTag.primary($0) }
        if isBase, isLong, LanguageDetector.withstands(verdict, bytes, expected: known) { return language }
        return LanguageDetector.isCertain(verdict, bytes, expected: known) ? language : nil
    }
}
