// SPDX-License-Identifier: Apache-2.0

/// The outcome of fetching a document of the web.
public enum FetchReply: Sendable, Hashable {
    /// The content type is in lower case and without parameters; `nil` if the server states none.
    ///
    /// The address is the last one after all redirects, without user and password.
    case fetched(contentType: String?, charset: String?, address: String, bytes: Int64)
    /// The message does not name the address that was asked for.
    case failed(kind: Kind, message: String)

    public enum Kind: String, Sendable, CaseIterable {
        /// The server has no such document.
        case missing
        /// The server wants to know who asks, or the address is none that is fetched.
        case refused
        /// An address of this machine or of its networks.
        case privateAddress = "private"
        case tooLarge = "large"
        /// A content type that is not read aloud.
        case type
        case timedOut = "time"
        case network
        case certificate
        /// Any other status than success.
        case status
    }

    /// The most bytes of a line that foreign text is part of.
    private static let longestLine = 1000
    private static let longestAddress = 16_384
    private static let longestName = 127

    public var encoded: [UInt8] {
        switch self {
        case .fetched(let contentType, let charset, let address, let bytes):
            var lines = ["fetched", "address \(address)", "bytes \(bytes)"]
            if let contentType { lines.append("type \(contentType)") }
            if let charset { lines.append("charset \(charset)") }
            return MessageLines.encode(lines)
        case .failed(let kind, let message):
            let line = String(decoding: message.utf8.prefix(Self.longestLine), as: UTF8.self)
            return MessageLines.encode(["failed \(kind.rawValue)", "message \(line)"])
        }
    }

    /// Returns `nil` for a message that is no reply: it comes from a process that a foreign server talks to.
    public init?(decoding bytes: [UInt8]) {
        let lines = MessageLines.decode(bytes)
        func value(_ key: String) -> String? { lines.first { $0.key == key }?.value }
        switch lines.first?.key {
        case "fetched":
            guard let address = value("address"), Self.isWeb(address), let count = value("bytes").flatMap(Int64.init),
                count >= 0
            else { return nil }
            let names = [value("type"), value("charset")]
            guard names.allSatisfy({ $0.map(Self.isName) ?? true }) else { return nil }
            self = .fetched(contentType: names[0], charset: names[1], address: address, bytes: count)
        case "failed":
            guard let kind = Kind(rawValue: lines[0].value), let message = value("message"), !message.isEmpty,
                message.utf8.count <= Self.longestLine + 3
            else { return nil }
            self = .failed(kind: kind, message: message)
        default: return nil
        }
    }

    private static func isWeb(_ address: String) -> Bool {
        guard address.utf8.count <= longestAddress else { return false }
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// Returns whether the text can be a content type or the name of an encoding.
    public static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
