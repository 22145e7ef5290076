// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The times in a token of the form JWT, which nobody here verifies: they only say when to renew it.
struct AccessToken {
    /// Milliseconds since 1970, in the server's clock.
    var expires: Int64
    var issued: Int64?

    private struct Claims: Decodable {
        var exp: Double
        var iat: Double?
    }

    /// Returns `nil` for a token without an end, and for any other text.
    init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].utf8.count <= 16_384 else { return nil }
        var base64 = parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        while base64.count % 4 != 0 { base64.append("=") }
        guard let bytes = Data(base64Encoded: String(base64)),
            let claims = try? JSONDecoder().decode(Claims.self, from: bytes),
            let expires = Self.milliseconds(claims.exp)
        else { return nil }
        self.expires = expires
        issued = claims.iat.flatMap(Self.milliseconds)
    }

    /// The time at which to renew it: a minute before its end, or less for one that lives shortly.
    var due: Int64 {
        let life = issued.map { max(0, expires - $0) } ?? .max
        return expires - min(60_000, life / 10)
    }

    private static func milliseconds(_ seconds: Double) -> Int64? {
        seconds >= 0 && seconds < 1e12 ? Int64(seconds * 1000) : nil
    }
}
