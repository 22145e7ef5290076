// SPDX-License-Identifier: Apache-2.0

public import EngineTransport
public import HTTPExchange

/// A message of the session to the process that asks servers.
public enum NetworkOrder: Sendable, Hashable {
    /// The first message; the listener's file of certificates may come with it.
    case hello(Hello)
    /// A request, which comes with one or two descriptors: the output, and the body if that is long.
    case start(Start)
    case cancel(id: UInt64)

    /// The values that hold for every request.
    public struct Hello: Sendable, Hashable {
        /// The SHA-256 of certificates that are accepted as they are.
        public var fingerprints: [String]
        /// The reason why the listener's certificates cannot be read, or nothing.
        public var problem: String
        /// A transfer slower than so many bytes a second, over so many seconds, is given up.
        public var slowest: Int64
        public var slowestSeconds: Int64
        /// The time after which a process with requests says something, in milliseconds.
        public var beat: Int64

        public init(fingerprints: [String], problem: String, slowest: Int64, slowestSeconds: Int64, beat: Int64) {
            self.fingerprints = fingerprints
            self.problem = problem
            self.slowest = slowest
            self.slowestSeconds = slowestSeconds
            self.beat = beat
        }
    }

    public struct Start: Sendable, Hashable {
        public var id: UInt64
        public var method: HTTPRequest.Method
        public var url: String
        public var fields: [HTTPField]
        public var body: Body
        public var allowsPrivate: Bool
        /// `true` if the output is a file that a body has its place in.
        public var isFile: Bool
        public var mostBytes: Int64
        /// The time for all of it, in milliseconds; 0 for no limit.
        public var milliseconds: Int64

        public init(
            id: UInt64, method: HTTPRequest.Method, url: String, fields: [HTTPField], body: Body, allowsPrivate: Bool,
            isFile: Bool, mostBytes: Int64, milliseconds: Int64
        ) {
            self.id = id
            self.method = method
            self.url = url
            self.fields = fields
            self.body = body
            self.allowsPrivate = allowsPrivate
            self.isFile = isFile
            self.mostBytes = mostBytes
            self.milliseconds = milliseconds
        }
    }

    /// The body of a request.
    public enum Body: Sendable, Hashable {
        case none
        case bytes([UInt8])
        /// So many bytes in the second descriptor.
        case descriptor(Int64)
    }

    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .patch, .delete]

    public var encoded: [UInt8] {
        var writer = WireWriter()
        switch self {
        case .hello(let hello):
            writer.put(UInt8(0))
            writer.put(UInt32(hello.fingerprints.count))
            for fingerprint in hello.fingerprints { writer.put(fingerprint) }
            writer.put(hello.problem)
            writer.put(hello.slowest)
            writer.put(hello.slowestSeconds)
            writer.put(hello.beat)
        case .start(let start):
            writer.put(UInt8(1))
            writer.put(start.id)
            writer.put(UInt8(Self.methods.firstIndex(of: start.method) ?? 0))
            writer.put(start.url, limit: Limits.url)
            writer.put(fields: start.fields)
            switch start.body {
            case .none: writer.put(UInt8(0))
            case .bytes(let bytes):
                writer.put(UInt8(1))
                writer.put(bytes)
            case .descriptor(let count):
                writer.put(UInt8(2))
                writer.put(count)
            }
            writer.put(start.allowsPrivate)
            writer.put(start.isFile)
            writer.put(start.mostBytes)
            writer.put(start.milliseconds)
        case .cancel(let id):
            writer.put(UInt8(2))
            writer.put(id)
        }
        return writer.bytes
    }

    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = WireReader(bytes[...])
        switch try reader.integer(UInt8.self) {
        case 0:
            let fingerprints = try reader.list { (list) throws(WireError) in try list.string() }
            self = .hello(
                Hello(
                    fingerprints: fingerprints, problem: try reader.string(), slowest: try reader.integer(),
                    slowestSeconds: try reader.integer(), beat: try reader.integer()))
        case 1: self = .start(try Self.start(&reader))
        case 2: self = .cancel(id: try reader.integer())
        default: throw WireError("an order that is not known")
        }
        try reader.finish()
    }

    private static func start(_ reader: inout WireReader) throws(WireError) -> Start {
        let id = try reader.integer(UInt64.self)
        let method = Int(try reader.integer(UInt8.self))
        guard methods.indices.contains(method) else { throw WireError("a method that is not known") }
        let url = try reader.string(limit: Limits.url)
        let fields = try reader.fields()
        let body: Body
        switch try reader.integer(UInt8.self) {
        case 0: body = .none
        case 1: body = .bytes(try reader.bytes(limit: Limits.message))
        case 2: body = .descriptor(try reader.integer())
        default: throw WireError("a body that is not known")
        }
        return Start(
            id: id, method: methods[method], url: url, fields: fields, body: body, allowsPrivate: try reader.bool(),
            isFile: try reader.bool(), mostBytes: try reader.integer(), milliseconds: try reader.integer())
    }
}

extension WireWriter {
    mutating func put(fields: [HTTPField]) {
        put(UInt32(fields.count))
        for field in fields {
            put(field.name, limit: Limits.message)
            put(field.value, limit: Limits.message)
        }
    }
}

extension WireReader {
    mutating func fields() throws(WireError) -> [HTTPField] {
        try list { (list) throws(WireError) in
            HTTPField(try list.string(limit: Limits.message), try list.string(limit: Limits.message))
        }
    }
}
