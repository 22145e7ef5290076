// SPDX-License-Identifier: Apache-2.0

import CICUBreaks

/// Numbers in the words of a language, by ICU's rules.
final class NumberSpeller {
    private let speller: OpaquePointer?
    private var known: [String: [Int64: String]] = [:]
    private var bytes = [CChar](repeating: 0, count: 2048)

    init(language: String) { speller = icu_speller_open(language) }

    deinit { icu_speller_close(speller) }

    /// The words of a number by a rule set such as "%spellout-ordinal"; its digits if ICU has no such rules.
    func words(_ number: Int64, _ rules: String) -> String {
        // Small numbers are most of those in a book.
        let isCached = number >= -1 && number < 2200
        if isCached, let words = known[rules]?[number] { return words }
        guard let speller else { return String(number) }
        let count = icu_speller_spell(speller, number, rules, &bytes, Int32(bytes.count))
        guard count > 0 else { return String(number) }
        let spelled = bytes[..<Int(count)].map { UInt8(bitPattern: $0) }
        // ICU marks the parts of long words with soft hyphens.
        let words = String(decoding: Self.withoutSoftHyphens(spelled), as: UTF8.self)
        if isCached { known[rules, default: [:]][number] = words }
        return words
    }

    private static func withoutSoftHyphens(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0xC2) else { return bytes }
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0xC2, index + 1 < bytes.count, bytes[index + 1] == 0xAD {
                index += 2
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return kept
    }
}
