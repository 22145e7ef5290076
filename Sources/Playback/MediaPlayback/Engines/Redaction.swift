// SPDX-License-Identifier: Apache-2.0

/// Redaction of engine messages: removes the secrets of the addresses that the engine was given.
extension EngineEvent {
    /// Returns the event without secrets.
    ///
    /// - Parameter content: the content that the engine was to open last.
    func redacted(of content: Content?) -> EngineEvent {
        func redacted(_ text: String) -> String { WebIdentity.redacted(text, of: content?.tracks ?? []) }
        func redacted(_ error: EngineError) -> EngineError {
            EngineError(error.kind, message: redacted(error.message), number: error.number)
        }
        switch self {
        case .log(let level, let message): return .log(level: level, message: redacted(message))
        case .failed(let generation, let error, let leavesSound):
            return .failed(generation: generation, redacted(error), leavesSound: leavesSound)
        case .gone(let error, let leavesSound, let end):
            return .gone(redacted(error), leavesSound: leavesSound, end: end)
        case .mark, .track, .damaged: return self
        }
    }
}

extension TrackSource {
    /// The address that an engine got last, with what must not be shown.
    fileprivate var lastAddress: TrackAddress? {
        switch self {
        case .url(let url, let headers): TrackAddress(url: url, headers: headers)
        case .served(let track): track.lastAddress
        case .file, .descriptor: nil
        }
    }
}

extension WebIdentity {
    /// The length below which a value is kept, because it may be part of any word.
    private static let shortestSecret = 4

    /// Returns a text in which only scheme, host, port and path are left of any address.
    ///
    /// - Parameter sources: parts of their queries, and the values of their headers, are also removed where they stand
    ///   alone.
    static func redacted(_ text: String, of sources: [TrackSource] = []) -> String {
        var text = text
        for source in sources {
            guard let address = source.lastAddress else { continue }
            for secret in secrets(of: address.url, address.headers) { text = text.replacing(secret, with: "…") }
        }
        return withoutQueries(text)
    }

    /// Returns the secrets, the longest first, because a part of one may be another.
    private static func secrets(of address: String, _ headers: [String]) -> [String] {
        var found = headers.flatMap { header in
            let value = header.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
            return [String(value), String(value.drop { $0 != " " }.dropFirst())]
        }
        let query = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        found.append(String(query))
        for part in query.split(separator: "&") where isSecret(part.prefix { $0 != "=" }) {
            found.append(String(part.drop { $0 != "=" }.dropFirst()))
        }
        return found.filter { $0.count >= shortestSecret }.sorted { $0.count > $1.count }
    }

    /// Returns the text with every address as in ``shown(_:)``, without user name and password.
    private static func withoutQueries(_ text: String) -> String {
        var (rest, shown) = (text[...], "")
        while let scheme = rest.firstRange(of: /[Hh][Tt][Tt][Pp][Ss]?:\/\//) {
            shown += rest[..<scheme.upperBound]
            let address = rest[scheme.upperBound...].prefix { !$0.isWhitespace && !"\"'<>“”‘’".contains($0) }
            rest = rest[address.endIndex...]
            let authority = address.prefix { !"/?#".contains($0) }
            let host = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
            let plain = address[host...].prefix { $0 != "?" && $0 != "#" }
            shown += plain
            // This character ends the sentence, not the address.
            if plain.endIndex < address.endIndex, let last = address.last, ".,:;)".contains(last) { shown.append(last) }
        }
        return shown + rest
    }
}
