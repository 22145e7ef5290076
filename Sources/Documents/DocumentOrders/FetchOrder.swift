// SPDX-License-Identifier: Apache-2.0

/// The request of the session to the process that fetches a document of the web, in one message.
///
/// The descriptors come with it. They are a file, open for writing, for the document; and the listener's file of
/// certificates, open for reading, if there is one.
public struct FetchOrder: Sendable, Hashable {
    /// An http or https address, which may carry a user and a password.
    public var url: String
    /// Header lines as `NAME:VALUE`, which only the server of ``url`` gets.
    public var headers: [String]
    /// `true` if an address of this machine or of its networks may be asked.
    public var allowsPrivate: Bool
    /// The SHA-256 of certificates that are accepted as they are.
    public var fingerprints: [String]
    /// The most bytes of the document, decompressed.
    public var mostBytes: Int64
    /// The longest time that all of it may take, in milliseconds.
    public var milliseconds: Int64

    public static let defaultMostBytes: Int64 = 256 << 20
    public static let defaultMilliseconds: Int64 = 90_000

    public init(
        url: String, headers: [String] = [], allowsPrivate: Bool = false, fingerprints: [String] = [],
        mostBytes: Int64 = Self.defaultMostBytes, milliseconds: Int64 = Self.defaultMilliseconds
    ) {
        self.url = url
        self.headers = headers
        self.allowsPrivate = allowsPrivate
        self.fingerprints = fingerprints
        self.mostBytes = mostBytes
        self.milliseconds = milliseconds
    }

    /// One line for each member: its name, a space, its value.
    public var encoded: [UInt8] {
        var lines = ["url \(url)"]
        lines += headers.map { "header \($0)" }
        if allowsPrivate { lines.append("private") }
        lines += fingerprints.map { "fingerprint \($0)" }
        lines += ["bytes \(mostBytes)", "milliseconds \(milliseconds)"]
        return MessageLines.encode(lines)
    }

    public init(decoding bytes: [UInt8]) {
        self.init(url: "")
        for (key, value) in MessageLines.decode(bytes) {
            switch key {
            case "url": url = value
            case "header": headers.append(value)
            case "private": allowsPrivate = true
            case "fingerprint": fingerprints.append(value)
            case "bytes": mostBytes = Int64(value).map { max(0, $0) } ?? mostBytes
            case "milliseconds": milliseconds = Int64(value).map { max(1, $0) } ?? milliseconds
            default: break
            }
        }
    }
}
