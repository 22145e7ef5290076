// SPDX-License-Identifier: Apache-2.0

/// The base address of a server, with the path under which a proxy has put it.
///
/// Paths are joined to it as text: what the server says begins with `/` and knows nothing of a proxy's path.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// `https://HOST[:PORT][/PATH]`, without a slash at the end.
    public let text: String

    public var description: String { text }

    /// Creates an address from what a person writes; without a scheme it is https.
    ///
    /// Returns `nil` for what is no http or https address, and for one with a user, a query or a fragment.
    public init?(_ written: String) {
        var text = written.trimmed
        if text.firstRange(of: "://") == nil { text = "https://" + text }
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let isPlain = rest.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x5C }
        guard scheme == "http" || scheme == "https", !authority.isEmpty, text.utf8.count <= 2048, isPlain,
            !rest.contains(where: { $0 == "?" || $0 == "#" }), !authority.contains("@")
        else { return nil }
        var path = rest[authority.endIndex...]
        while path.last == "/" { path = path.dropLast() }
        self.text = scheme + "://" + authority.lowercased() + path
    }

    public var isSecure: Bool { text.hasPrefix("https:") }

    /// The host with its port and the path, as a name for a person.
    public var shortName: String { String(text.drop { $0 != ":" }.dropFirst(3)) }

    /// Returns the address of a path, whose parts are escaped.
    public func url(_ path: [String], query: [(name: String, value: String)] = []) -> String {
        let names = query.map { Self.escaped($0.name) + "=" + Self.escaped($0.value) }
        return text + path.map { "/" + Self.escaped($0) }.joined()
            + (names.isEmpty ? "" : "?" + names.joined(separator: "&"))
    }

    /// Returns the address of a path as the server gives it, such as `contentUrl`; `nil` if it is none.
    public func url(contentURL: String) -> String? {
        guard contentURL.first == "/", !contentURL.hasPrefix("//"),
            contentURL.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        return text + contentURL
    }

    /// Returns this address as it answers: the one behind the redirects of a request, without that request's path.
    func moved(to answered: String, path: String) -> ServerAddress? {
        answered.hasSuffix(path) ? ServerAddress(String(answered.dropLast(path.utf8.count))) : nil
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
            default: "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }.joined()
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        let end = reversed().drop { $0.isWhitespace }
        return String(String(end.reversed()).drop { $0.isWhitespace })
    }
}
