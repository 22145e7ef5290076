// SPDX-License-Identifier: Apache-2.0

/// Orders names as a person does: `2` before `10`, regardless of case and Unicode normalisation.
struct NaturalOrder: Comparable {
    private enum Part: Hashable {
        /// A number without leading zeros, as text, so that no number is too long.
        case number(String)
        case text(String)
    }

    private let parts: [Part]
    /// The name itself, which decides between names that are otherwise equal.
    private let name: String

    init(_ name: String) {
        self.name = name
        var parts: [Part] = []
        var rest = Substring(name.lowercased())
        while let first = rest.first {
            let isNumber = first.isASCIIDigit
            let part = rest.prefix { $0.isASCIIDigit == isNumber }
            parts.append(isNumber ? .number(String(part.drop { $0 == "0" })) : .text(String(part)))
            rest = rest[part.endIndex...]
        }
        self.parts = parts
    }

    static func < (a: Self, b: Self) -> Bool {
        for (x, y) in zip(a.parts, b.parts) where x != y {
            switch (x, y) {
            case (.number(let x), .number(let y)):
                return x.utf8.count == y.utf8.count ? x < y : x.utf8.count < y.utf8.count
            case (.text(let x), .text(let y)): return x < y
            case (.number, .text): return true
            case (.text, .number): return false
            }
        }
        return a.parts.count == b.parts.count ? a.name < b.name : a.parts.count < b.parts.count
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
