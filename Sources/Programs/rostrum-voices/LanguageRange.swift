// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A language with all of its regions, or one region of it.
struct LanguageRange: Hashable {
    private let parts: [String]

    init(_ tag: String) { parts = Self.parts(tag) }

    /// `true` for the tag itself, and for tags that say more.
    func contains(_ tag: String) -> Bool { !parts.isEmpty && Self.parts(tag).starts(with: parts) }

    /// Returns the subtag of the language alone.
    static func primary(_ tag: String) -> String { parts(tag).first ?? "" }

    private static func parts(_ tag: String) -> [String] {
        tag.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    }

    /// The languages of the listener's environment, in whatever region; English if it names none.
    static var ofListener: Set<LanguageRange> { of(environment: { getenv($0).map { String(cString: $0) } }) }

    static func of(environment: (String) -> String?) -> Set<LanguageRange> {
        var tags: [String] = []
        for variable in ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"] {
            for locale in (environment(variable) ?? "").split(separator: ":") {
                let tag = primary(String(locale.prefix { $0 != "." && $0 != "@" }))
                if tag != "c", tag != "posix" { tags.append(tag) }
            }
        }
        return Set((tags.isEmpty ? ["en"] : tags).map { LanguageRange($0) })
    }
}
