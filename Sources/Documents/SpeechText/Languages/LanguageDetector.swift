// SPDX-License-Identifier: Apache-2.0

import CCLD2

/// Tells the language of text: by its script where that is enough, else by Compact Language Detector 2.
enum LanguageDetector {
    struct Verdict: Hashable {
        var language: String
        var isReliable: Bool
        /// The letters that were judged, in bytes.
        var size: Int
    }

    /// More text makes it no surer.
    static let largestSample = 4096

    static func detect(_ bytes: ArraySlice<UInt8>, hint: String?) -> Verdict? {
        var code = [CChar](repeating: 0, count: Int(CLD2_CODE_SIZE))
        var percent: Int32 = 0
        var judged: Int32 = 0
        let sample = bytes.prefix(largestSample)
        // The detector reads behind a scalar that is cut, and wants valid UTF-8.
        let whole = Array(String(decoding: sample, as: UTF8.self).utf8)
        let verdict = whole.withUnsafeBufferPointer { text in
            text.withMemoryRebound(to: CChar.self) { text -> Int32 in
                guard let start = text.baseAddress else { return -1 }
                return cld2_detect(start, Int32(text.count), hint, &code, &percent, &judged)
            }
        }
        guard verdict >= 0 else { return nil }
        let name = String(decoding: code.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Writing of which only the script is known has a code of the detector's own.
        guard !name.hasPrefix("xx"), let language = LanguageTag.valid(outdated[name] ?? name) else { return nil }
        return Verdict(language: language, isReliable: verdict == 1 && percent >= 75, size: Int(judged))
    }

    /// Returns `true` if text is in the language of a verdict although another one was expected.
    ///
    /// A few words are easily taken for another language. They hardly are if the detector is told of the language that they
    /// would be in.
    static func withstands(_ verdict: Verdict, _ bytes: ArraySlice<UInt8>, expected: String) -> Bool {
        guard let other = detect(bytes, hint: LanguageTag.primary(expected)) else { return false }
        return other.isReliable && other.language == verdict.language
    }

    /// Returns `true` if text is in the language of a verdict beyond doubt: both halves of it are, whatever was expected.
    static func isCertain(_ verdict: Verdict, _ bytes: ArraySlice<UInt8>, expected: String) -> Bool {
        let middle = bytes.startIndex + bytes.count / 2
        guard withstands(verdict, bytes, expected: expected),
            let space = bytes[middle...].firstIndex(where: { $0 <= 0x20 })
        else { return false }
        return [bytes[..<space], bytes[space...]].allSatisfy { withstands(verdict, $0, expected: expected) }
    }

    /// Codes of the detector that tags have given up.
    private static let outdated = ["iw": "he", "jw": "jv"]

    /// Languages that are easily taken for one another in a paragraph.
    static func areClose(_ one: String, _ other: String) -> Bool {
        groups.contains { $0.contains(one) && $0.contains(other) }
    }

    private static let groups: [Set<String>] = [
        ["no", "nb", "nn", "da", "sv"], ["es", "gl", "pt", "ca"], ["id", "ms"], ["cs", "sk"], ["hr", "sr", "bs", "sl"],
        ["nl", "af"], ["ru", "uk", "be", "bg", "mk"], ["hi", "mr", "ne", "sa", "bh"], ["zh", "zh-Hant"], ["en", "sco"],
        ["de", "lb"], ["fr", "oc"], ["it", "co"], ["tr", "az"], ["fa", "ur", "ar", "ps"],
    ]
}
