// SPDX-License-Identifier: Apache-2.0

import CICUBreaks

/// A regular expression of a dictionary, with ICU's limits of time and memory.
final class Pattern {
    enum Verdict: Equatable {
        case valid
        /// The verdict has the offset of the mistake, if it is known.
        case invalid(Int?)
        /// It fits an empty text, so that it would be everywhere.
        case matchesNothing
    }

    struct Match {
        var range: Range<Int>
        /// The whole match, then the groups.
        var groups: [Range<Int>?]
    }

    private let pattern: OpaquePointer
    private static let mostGroups: Int32 = 9

    init?(_ expression: String, ignoresCase: Bool) {
        var place: Int32 = -1
        guard let pattern = Self.open(expression, ignoresCase, &place) else { return nil }
        self.pattern = pattern
    }

    deinit { icu_pattern_close(pattern) }

    static func check(_ expression: String, ignoresCase: Bool) -> Verdict {
        var place: Int32 = -1
        guard let pattern = open(expression, ignoresCase, &place) else {
            return .invalid(place >= 0 ? Int(place) : nil)
        }
        defer { icu_pattern_close(pattern) }
        var start: Int32 = 0
        var end: Int32 = 0
        let isEmptyMatch = "".withCString {
            icu_pattern_begin(pattern, $0, 0) == 0 && icu_pattern_next(pattern, &start, &end) == 1
        }
        return isEmptyMatch ? .matchesNothing : .valid
    }

    private static func open(_ expression: String, _ ignoresCase: Bool, _ place: inout Int32) -> OpaquePointer? {
        let size = expression.utf8.count
        guard size > 0, size <= DictionaryParser.longestLine else { return nil }
        return expression.withCString { icu_pattern_open($0, Int32(size), ignoresCase ? 1 : 0, &place) }
    }

    /// Returns the matches in a text, at most `limit`; `nil` if the pattern takes too long.
    func matches(in bytes: ArraySlice<UInt8>, limit: Int) -> [Match]? {
        guard bytes.count <= Int(Int32.max) else { return nil }
        return bytes.withUnsafeBufferPointer { text in
            text.withMemoryRebound(to: CChar.self) { text in
                guard let base = text.baseAddress else { return [] }
                guard icu_pattern_begin(pattern, base, Int32(text.count)) == 0 else { return nil }
                var matches: [Match] = []
                var start: Int32 = 0
                var end: Int32 = 0
                while matches.count < limit {
                    let found = icu_pattern_next(pattern, &start, &end)
                    if found == 0 { break }
                    guard found > 0, start >= 0, end >= start, Int(end) <= text.count else { return nil }
                    let range = Int(start)..<Int(end)
                    let groups = (1...Self.mostGroups).map { group(Int32($0), text.count) }
                    if !range.isEmpty { matches.append(Match(range: range, groups: [range] + groups)) }
                }
                return matches
            }
        }
    }

    private func group(_ index: Int32, _ count: Int) -> Range<Int>? {
        var start: Int32 = 0
        var end: Int32 = 0
        guard icu_pattern_group(pattern, index, &start, &end) == 1, start >= 0, end >= start, Int(end) <= count else {
            return nil
        }
        return Int(start)..<Int(end)
    }
}
