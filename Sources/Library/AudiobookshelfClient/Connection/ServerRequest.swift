// SPDX-License-Identifier: Apache-2.0

public import HTTPExchange

/// A request to a server's API, which a connection completes with its address and its token.
public struct ServerRequest: Sendable {
    public var method: HTTPRequest.Method
    /// The parts of the path, unescaped, such as `["api", "items", id]`.
    public var path: [String]
    public var query: [(name: String, value: String)]
    /// A JSON text, which is sent as that.
    public var json: [UInt8]?
    public var fields: [HTTPField]
    /// The limit of `HTTPRequest`.
    public var timeLimit: Duration
    public var mostBytes: Int64

    public init(
        _ method: HTTPRequest.Method, _ path: [String], query: [(name: String, value: String)] = [],
        json: [UInt8]? = nil, fields: [HTTPField] = [], timeLimit: Duration = .seconds(30), mostBytes: Int64 = 16 << 20
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.json = json
        self.fields = fields
        self.timeLimit = timeLimit
        self.mostBytes = mostBytes
    }

    func completed(at address: ServerAddress, bearer: String) -> HTTPRequest {
        var all = fields
        if json != nil { all.append(HTTPField("Content-Type", "application/json")) }
        all.append(HTTPField("Authorization", "Bearer \(bearer)"))
        var request = HTTPRequest(method, address.url(path, query: query), fields: all, body: json, allowsPrivate: true)
        request.timeLimit = timeLimit
        request.mostBytes = mostBytes
        return request
    }
}
