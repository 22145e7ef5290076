// SPDX-License-Identifier: Apache-2.0

/// The tokens of a sentence, as the readers of numbers and abbreviations look at them.
struct TokenView {
    let text: ScalarText
    var tokens: [Token] = []

    func core(_ index: Int) -> String {
        guard tokens.indices.contains(index) else { return "" }
        return text.string(tokens[index].core)
    }

    func isIsland(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].traits.contains(.island) }

    func hasLead(_ index: Int) -> Bool { tokens[index].start < tokens[index].core.lowerBound }

    func hasTail(_ index: Int) -> Bool { tokens[index].core.upperBound < tokens[index].end }

    /// Returns `true` if a token follows the one before with white space alone between, or with a full stop that
    /// abbreviates.
    func followsClosely(_ index: Int, afterStop: Bool = false) -> Bool {
        guard index > 0, index < tokens.count, !isIsland(index), !isIsland(index - 1), !hasLead(index) else {
            return false
        }
        let before = tokens[index - 1]
        guard before.core.upperBound < before.end else { return true }
        return afterStop && before.traits.contains(.stop) && before.end == before.core.upperBound + 1
    }

    /// The core of the next token if it follows closely.
    func next(after index: Int, afterStop: Bool = false) -> String {
        followsClosely(index + 1, afterStop: afterStop) ? core(index + 1) : ""
    }

    func context(_ index: Int) -> NumberContext {
        NumberContext(
            previous: index > 0 ? core(index - 1).lowercased() : "", next: core(index + 1),
            isNextClose: followsClosely(index + 1))
    }

    /// Returns `true` if a token begins with a capital letter.
    func isCapitalised(_ index: Int) -> Bool {
        guard tokens.indices.contains(index), !tokens[index].core.isEmpty else { return false }
        let core = tokens[index].core
        return text.scalar(at: core.lowerBound, before: core.upperBound).scalar.isUpper
    }

    /// The single mark of which a token without a core consists.
    func mark(_ index: Int) -> Unicode.Scalar? {
        guard tokens.indices.contains(index), tokens[index].core.isEmpty else { return nil }
        let token = tokens[index]
        let (scalar, size) = text.scalar(at: token.start, before: token.end)
        return token.start + size == token.end ? scalar : nil
    }
}

/// The words that a reader makes of one token or several.
struct Reading {
    var words: String
    /// The number of tokens.
    var count = 1
    /// `true` if a full stop behind the last core is part of what was read, and not the end of a sentence.
    var takesStop = false
}
