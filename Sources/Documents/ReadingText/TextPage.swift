// SPDX-License-Identifier: Apache-2.0

/// A page of the printed book, or of the file, where a document says it.
public struct TextPage: Sendable, Hashable {
    /// The number as it is printed, such as `12` or `xii`.
    public var label: String
    /// The offset in the text at which the page begins.
    ///
    /// It ends where the next page begins.
    public var start: Int

    public init(label: String, start: Int) {
        self.label = label
        self.start = start
    }
}

extension TextPage {
    /// The longest label in bytes; nobody prints or types a longer one.
    public static let longestLabel = 32
    /// The longest text that is looked through for a label, in bytes.
    private static let longestMark = 256
    /// The most pages of a document.
    public static let most = 20_000

    /// The words in front of a number.
    private static let words: Set<String> = ["page", "pages", "pg", "p", "pp", "seite", "s", "página", "pag", "pág"]

    /// Returns the number in what a document says of a page, such as `12` of `[Pg 12]`; `nil` if there is none to name.
    public static func label(_ text: String) -> String? {
        // An attribute may be as long as the file.
        guard text.utf8.count <= longestMark else { return nil }
        var parts = text.split { $0.isWhitespace || "[](){}".contains($0) }[...]
        while parts.count > 1, let first = parts.first,
            words.contains(first.lowercased().filter { $0 != "." && $0 != ":" })
        {
            parts.removeFirst()
        }
        let label = parts.joined(separator: " ")
        return isLabel(label) ? label : nil
    }

    /// Returns `true` if a label can be printed as it is, and typed.
    public static func isLabel(_ label: String) -> Bool {
        !label.isEmpty && label.utf8.count <= longestLabel
            && label.unicodeScalars.allSatisfy {
                !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 32 && !(127...159).contains($0.value)
            }
    }

    /// Returns pages in the order of the text, those of a text of a size: nothing can be heard behind its end.
    public static func ordered(_ pages: [TextPage], size: Int) -> [TextPage] {
        let within = pages.enumerated().filter { $0.element.start >= 0 && $0.element.start < size }
        let ordered = within.sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        return ordered.prefix(most).map(\.element)
    }
}
