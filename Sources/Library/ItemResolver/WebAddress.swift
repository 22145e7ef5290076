// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

/// An http or https URL without its credentials, which are sent in a header instead.
struct WebAddress: Equatable {
    /// The identity of the item, which has no query and may appear in the log, the status and the library.
    let uri: String
    /// The URL that opens the item, with the query.
    let location: String
    /// The header `Authorization: Basic …`, if the URL has credentials.
    let authorization: String?
    /// The last part of the path, decoded, or else the host.
    let name: String

    /// Parses a URL, or returns `nil` if `text` is no http or https URL.
    init?(_ text: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        // Spaces and control characters are not allowed in a URL, and could add lines to the request.
        guard scheme == "http" || scheme == "https",
            text.dropFirst(scheme.count).hasPrefix("://"),
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        let rest = text.dropFirst(scheme.count + 3).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        var host = authority
        var credentials: Substring?
        if let at = authority.lastIndex(of: "@") {
            credentials = authority[..<at]
            host = authority[authority.index(after: at)...]
        }
        guard let first = host.first, first != ":" else { return nil }
        let path = target.first == "/" ? String(target) : "/" + target
        location = "\(scheme)://\(host.lowercased())\(path)"
        uri = WebIdentity.uri(of: location)
        authorization = credentials.flatMap { credentials in
            if credentials.isEmpty { return nil }
            let parts = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                .map { PercentEncoding.decode($0) ?? String($0) }
            let pair = parts[0] + ":" + (parts.count > 1 ? parts[1] : "")
            return "Authorization: Basic " + Base64.encode(Array(pair.utf8))
        }
        let last = path.prefix { $0 != "?" }.split(separator: "/").last
        name = last.map { PercentEncoding.decode($0) ?? String($0) } ?? String(host)
    }

    static func looksLikeOne(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}

enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var encoded: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                let letter = alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)]
                encoded.append(index <= group.count ? letter : UInt8(ascii: "="))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
