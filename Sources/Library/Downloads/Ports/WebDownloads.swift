// SPDX-License-Identifier: Apache-2.0

public import HTTPExchange
import MediaPlayback

/// Files of the web, by their address alone: an episode of a podcast, or a book that is one file.
public struct WebDownloads: DownloadSource {
    private let identity: @Sendable (String) -> String?

    /// - Parameter identity: Returns the identity under which an address is played; `nil` for what is no address.
    public init(identity: @escaping @Sendable (String) -> String?) { self.identity = identity }

    public func server(of item: String) async -> String? {
        guard identity(item) != nil, let colon = item.firstIndex(of: ":") else { return nil }
        let rest = item[colon...].dropFirst()
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        // A password would stand in the manifest.
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        return "\(item[..<colon].lowercased())://\(authority.lowercased())"
    }

    public func identity(of item: String) async -> String? { identity(item) }

    public func plan(_ item: String) async throws(DownloadFault) -> DownloadPlan {
        guard let uri = identity(item), let server = await server(of: item) else {
            throw DownloadFault(.unsupported, "this is no address that can be downloaded; give one of http or https")
        }
        let path = item.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").dropFirst(2).last.map(String.init) ?? "sound"
        let decoded = Self.decoded(name)
        let host = server.split(separator: "/").last.map(String.init)
        return DownloadPlan(
            uri: uri, title: FileTitle.title(decoded), author: host,
            files: [DownloadPlan.File(relPath: decoded, address: item)])
    }

    public func request(
        for file: DownloadPlan.File, of item: String, refused: HTTPRequest?
    ) async throws(DownloadFault) -> HTTPRequest {
        if refused != nil { throw DownloadFault(.refused, "\(file.relPath): the server refuses it") }
        // The listener named it, and may name a server at home.
        return HTTPRequest(.get, file.address, allowsPrivate: true)
    }

    /// Returns a name with `%20` and the like in plain text.
    private static func decoded(_ name: String) -> String {
        var (bytes, rest) = ([UInt8](), Array(name.utf8)[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
