// SPDX-License-Identifier: Apache-2.0

public import EngineTransport
public import HTTPExchange

/// A message of the process that asks servers to the session.
///
/// It comes from a process that foreign servers talk to: decoding checks what can be checked without the request.
public enum NetworkReply: Sendable, Hashable {
    /// Requests are being carried out, whether or not anything comes.
    case alive
    /// A file is written up to this byte.
    case progress(id: UInt64, end: Int64)
    /// The answer, whose body is in the output; `bytes` is the end of what was written.
    case answered(id: UInt64, answer: HTTPAnswer, bytes: Int64)
    case failed(id: UInt64, failure: HTTPFailure)

    /// The most bytes of a line that foreign text is part of.
    private static let longestLine = 1000

    public var encoded: [UInt8] {
        var writer = WireWriter()
        switch self {
        case .alive: writer.put(UInt8(0))
        case .progress(let id, let end):
            writer.put(UInt8(1))
            writer.put(id)
            writer.put(end)
        case .answered(let id, let answer, let bytes):
            writer.put(UInt8(2))
            writer.put(id)
            writer.put(Int32(clamping: answer.status))
            writer.put(answer.url, limit: Limits.url)
            writer.put(answer.permanentURL, limit: Limits.url)
            writer.put(fields: answer.fields)
            writer.put(bytes)
        case .failed(let id, let failure):
            writer.put(UInt8(3))
            writer.put(id)
            writer.put(failure.reason.rawValue)
            writer.put(failure.message, limit: Self.longestLine)
            writer.put(failure.isFull)
        }
        return writer.bytes
    }

    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = WireReader(bytes[...])
        switch try reader.integer(UInt8.self) {
        case 0: self = .alive
        case 1:
            let id = try reader.integer(UInt64.self)
            self = .progress(id: id, end: try Self.size(&reader))
        case 2:
            let id = try reader.integer(UInt64.self)
            let status = Int(try reader.integer(Int32.self))
            let url = try reader.string(limit: Limits.url)
            let permanent = try reader.optionalString(limit: Limits.url)
            let fields = try reader.fields()
            guard (100...999).contains(status), Self.isWeb(url), permanent.map(Self.isWeb) ?? true,
                fields.allSatisfy({ Self.isLine($0.name) && Self.isLine($0.value) })
            else { throw WireError("an answer that cannot be") }
            self = .answered(
                id: id,
                answer: HTTPAnswer(status: status, fields: fields, url: url, permanentURL: permanent),
                bytes: try Self.size(&reader))
        case 3:
            let id = try reader.integer(UInt64.self)
            let reason = HTTPFailure.Reason(rawValue: try reader.string())
            let message = try reader.string(limit: Self.longestLine)
            guard let reason, Self.isLine(message), !message.isEmpty else {
                throw WireError("a failure that cannot be")
            }
            self = .failed(id: id, failure: HTTPFailure(reason, message, isFull: try reader.bool()))
        default: throw WireError("a reply that is not known")
        }
        try reader.finish()
    }

    private static func size(_ reader: inout WireReader) throws(WireError) -> Int64 {
        let size = try reader.integer(Int64.self)
        guard size >= 0 else { throw WireError("a negative size") }
        return size
    }

    private static func isWeb(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private static func isLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
