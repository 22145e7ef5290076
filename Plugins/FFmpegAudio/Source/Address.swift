// SPDX-License-Identifier: Apache-2.0

/// A web address in the form that may be shown: without user, password, query and fragment.
enum Address {
    static func shown(_ url: String) -> String {
        var rest = Substring(url)
        if let end = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) { rest = rest[..<end] }
        guard let scheme = range(of: "://", in: rest) else { return String(rest) }
        let authority = rest[scheme.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(rest) }
        return String(rest[..<scheme.upperBound]) + rest[rest.index(after: at)...]
    }

    /// Returns the last part of the path, which is a hint about the format.
    static func fileName(_ url: String) -> String {
        String(shown(url).split(separator: "/").last ?? "")
    }

    static func isWeb(_ url: String) -> Bool {
        let start = url.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private static func range(of part: String, in text: Substring) -> Range<Substring.Index>? {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(part) { return start..<text.index(start, offsetBy: part.count) }
            start = text.index(after: start)
        }
        return nil
    }
}
