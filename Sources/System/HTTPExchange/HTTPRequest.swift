// SPDX-License-Identifier: Apache-2.0

/// A field of a request or an answer.
public struct HTTPField: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// One request to a server of http or https.
public struct HTTPRequest: Sendable, Hashable {
    public enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public var method: Method
    /// The address, without user and password.
    public var url: String
    /// The fields, which are sent to the origin of ``url`` and to no other, wherever it redirects.
    public var fields: [HTTPField]
    /// The body of a POST or PATCH; a field `Content-Type` says what it is.
    public var body: [UInt8]?
    /// `true` if the server may be this machine or in a network of its own.
    public var allowsPrivate: Bool
    /// The time from the request to the last byte of an answer; a transfer into a file has none, but must not stand still.
    public var timeLimit = Duration.seconds(30)
    /// The most bytes of the answer's body, after decompression.
    public var mostBytes: Int64 = 16 << 20

    public init(
        _ method: Method = .get, _ url: String, fields: [HTTPField] = [], body: [UInt8]? = nil,
        allowsPrivate: Bool = false
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.allowsPrivate = allowsPrivate
    }
}
