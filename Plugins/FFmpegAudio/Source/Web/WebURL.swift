// SPDX-License-Identifier: Apache-2.0

/// The parts of an http or https address, without credentials and fragment.
struct WebURL: Equatable {
    let isSecure: Bool
    /// The host in lower case; an IPv6 address has no brackets.
    let host: String
    let port: UInt16
    /// The path and query, escaped for a request.
    let target: String

    init?(_ text: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix("://") else { return nil }
        let rest = text.dropFirst(scheme.count + 3).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        guard let parts = Self.hostAndPort(place) else { return nil }
        isSecure = scheme == "https"
        host = parts.host.lowercased()
        port = parts.port ?? (isSecure ? 443 : 80)
        let path = rest[authority.endIndex...]
        target = Self.escaped(path.first == "/" ? path : "/" + path)
    }

    private static func hostAndPort(_ place: Substring) -> (host: Substring, port: UInt16?)? {
        var host = place
        var end: Substring = ""
        if place.first == "[" {
            guard let close = place.firstIndex(of: "]") else { return nil }
            host = place[place.index(after: place.startIndex)..<close]
            end = place[place.index(after: close)...]
            guard end.isEmpty || end.first == ":" else { return nil }
        } else if let colon = place.firstIndex(of: ":") {
            host = place[..<colon]
            end = place[colon...]
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let digits = end.dropFirst()
        if digits.isEmpty { return (host, nil) }
        guard let port = UInt16(digits), port > 0 else { return nil }
        return (host, port)
    }

    /// Escapes what would end a request's line or is not ASCII.
    private static func escaped(_ path: Substring) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if byte > 0x20, byte < 0x7F {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value of the `Host` field.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// Returns `true` if both have the same origin, so that what may be sent to one may be sent to the other.
    func hasOrigin(of other: WebURL) -> Bool {
        isSecure == other.isSecure && host == other.host && port == other.port
    }

    /// Returns the target of a `Location` relative to this address; `nil` if it is no http or https address.
    func following(_ location: String) -> WebURL? {
        let scheme = location.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        if !scheme.isEmpty, location[scheme.endIndex...].first == ":" { return WebURL(location) }
        let root = isSecure ? "https:" : "http:"
        if location.hasPrefix("//") { return WebURL(root + location) }
        let path = target.prefix { $0 != "?" }
        let whole: String
        if location.hasPrefix("/") {
            whole = location
        } else if location.isEmpty || location.hasPrefix("#") {
            whole = target
        } else if location.hasPrefix("?") {
            whole = path + location
        } else {
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
            whole = folder + location
        }
        return WebURL("\(root)//\(authority)\(Self.withoutDots(whole))")
    }

    private static func withoutDots(_ path: String) -> String {
        let query = path.firstIndex { $0 == "?" || $0 == "#" } ?? path.endIndex
        let parts = path[..<query].split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return kept.joined(separator: "/") + path[query...]
    }
}
