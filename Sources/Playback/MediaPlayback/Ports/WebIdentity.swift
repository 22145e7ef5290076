// SPDX-License-Identifier: Apache-2.0

/// The part of a web address that identifies an item: scheme, host, port and path, and nothing readable of the query.
///
/// Places, status, log and history know an item by this; only what opens it has the query.
public enum WebIdentity {
    /// Returns the identity of a web address, without its query.
    ///
    /// - Parameter address: an address without credentials.
    /// - Returns: the identity. Anything but a web address with a query is returned unchanged.
    public static func uri(of address: String) -> String {
        let start = address.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://"),
            let mark = address.firstIndex(where: { $0 == "?" || $0 == "#" }), address[mark] == "?"
        else { return address }
        let path = address[..<mark]
        let query = address[address.index(after: mark)...].prefix { $0 != "#" }
        let fragment = address[query.endIndex...]
        if namesFile(path) { return String(path + fragment) }
        let telling = query.split(separator: "&").filter { !isSecret($0.prefix { $0 != "=" }) }
        if telling.isEmpty { return String(path + fragment) }
        return "\(path)#q=\(digest(telling.sorted()))" + fragment
    }

    /// Returns an address to be shown, without query and fragment.
    public static func shown(_ address: String) -> String {
        guard address.contains("://") else { return address }
        return String(address.prefix { $0 != "?" && $0 != "#" })
    }

    /// Returns the URI of an item for which the user gave a name.
    public static func uri(named name: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array("identity:".utf8)
        for byte in name.utf8 {
            if byte > 0x20, byte < 0x7F, !#"%"<>?#"#.utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether the name was given by the user, and so cannot be derived from the address again.
    public static func isGiven(_ uri: String) -> Bool { uri.hasPrefix("identity:") }

    /// The extensions of programs, whose query decides what they return.
    private static let programs: Set<String> = [
        "php", "php5", "asp", "aspx", "ashx", "jsp", "do", "cgi", "fcgi", "pl", "py", "rb", "exe", "dll", "cfm", "htm",
        "html",
    ]

    /// Returns whether the path names a file by itself, as `/books/a.mp3` does.
    private static func namesFile(_ path: Substring) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 3, let name = parts.last, let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            return false
        }
        let ending = name[name.index(after: dot)...].lowercased()
        return (2...5).contains(ending.utf8.count)
            && ending.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
            && !programs.contains(ending)
    }

    private static let secrets: Set<String> = [
        "token", "access_token", "accesstoken", "id_token", "auth", "authtoken", "auth_token", "authorization",
        "apikey",
        "api_key", "api-key", "key", "sig", "sign", "signature", "hmac", "hash", "md5", "hdnts", "hdnea", "e", "exp",
        "expire",
        "expires", "expiry", "st", "se", "sp", "sv", "sr", "policy", "key-pair-id", "credential", "session",
        "session_id",
        "sessionid", "sid", "jwt", "secret", "password", "passwd", "pass", "pwd", "user", "username", "login", "ticket",
        "nonce", "t", "ts", "time", "timestamp", "_", "rand", "random",
    ]

    /// Returns whether a parameter says who asks, or when, and not for what.
    static func isSecret(_ name: Substring) -> Bool {
        let name = name.lowercased()
        return secrets.contains(name) || ["x-amz-", "x-goog-", "x-oss-", "utm_"].contains(where: name.hasPrefix)
    }

    /// Returns the FNV-1a hash, twice 64 bits with different bases.
    ///
    /// That is enough to tell items apart, and too little to read what was there.
    private static func digest(_ parts: [Substring]) -> String {
        var (a, b): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x6C62_272E_07BB_0142)
        for part in parts {
            for byte in part.utf8 + [0x26] {
                a = (a ^ UInt64(byte)) &* 0x100_0000_01B3
                b = (b ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return [a, b].map { String($0, radix: 16) }.joined(separator: "-")
    }
}
