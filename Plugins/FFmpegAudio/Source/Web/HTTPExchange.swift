// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// One request and its answer (RFC 9110, RFC 9112), on a connection of its own.
///
/// It is a class because the connection is one. It is used on the engine's thread only.
final class HTTPExchange {
    let status: Int
    /// The header fields, with names in lower case.
    private let fields: [(name: String, value: String)]
    private let input: WebInput
    private var body: Body

    private enum Body {
        /// The number of bytes that are left.
        case length(Int64)
        /// The number of bytes that are left of the chunk; `nil` if the next chunk's size follows.
        case chunk(Int64?)
        case untilClose
        case ended
    }

    /// Sends a request and reads the head of the answer.
    ///
    /// - Parameter lines: Further fields of the request, without line ends.
    init(
        _ url: WebURL, from offset: Int64, _ lines: [String], _ trust: ServerTrust?, _ patience: Patience
    ) throws(WebFault) {
        input = WebInput(try WebConnection(to: url, trust, patience))
        var request = ["GET \(url.target) HTTP/1.1"]
        for (name, value) in [("Host", url.authority), ("User-Agent", "Rostrum/1"), ("Accept", "*/*")]
        where !lines.contains(where: { Self.name(of: $0) == name.lowercased() }) {
            request.append("\(name): \(value)")
        }
        request += ["Range: bytes=\(offset)-", "Accept-Encoding: identity", "Connection: close"]
        request += lines
        try input.connection.send(Array((request.joined(separator: "\r\n") + "\r\n\r\n").utf8), patience)
        var head = try Self.head(input, patience)
        // Interim answers; no server sends this many in good faith.
        var interim = 0
        while (100..<200).contains(head.status) {
            interim += 1
            guard interim < 16, head.status != 101 else { throw .wrong("the server does not speak HTTP") }
            head = try Self.head(input, patience)
        }
        status = head.status
        fields = head.fields
        body = .ended
        body = try bodyKind()
    }

    /// Returns the field name in a line of a head, in lower case.
    static func name(of line: String) -> String {
        line.prefix { $0 != ":" }.lowercased()
    }

    private static func head(
        _ input: WebInput, _ patience: Patience
    ) throws(WebFault) -> (status: Int, fields: [(name: String, value: String)]) {
        let first = try input.line(patience).split(separator: " ", maxSplits: 2)
        guard first.count > 1, first[0].hasPrefix("HTTP/1.") || first[0] == "ICY", let status = Int(first[1]),
            (100...999).contains(status)
        else { throw .wrong("the server does not speak HTTP") }
        var fields: [(name: String, value: String)] = []
        while true {
            let line = try input.line(patience)
            if line.isEmpty { return (status, fields) }
            guard fields.count < 256 else { throw .wrong("the server's answer has too many fields") }
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields.append((name(of: line), String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())))
        }
    }

    subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    private func bodyKind() throws(WebFault) -> Body {
        if let encoding = self["content-encoding"]?.lowercased(), encoding != "identity", !encoding.isEmpty {
            throw .wrong("the server compresses content that was requested uncompressed (\(encoding.prefix(32)))")
        }
        if status == 204 || status == 304 { return .ended }
        if let transfer = self["transfer-encoding"]?.lowercased() {
            guard transfer == "chunked" else { throw .wrong("the server encodes its answer (\(transfer.prefix(32)))") }
            return .chunk(nil)
        }
        let lengths = Set(fields.filter { $0.name == "content-length" }.map(\.value))
        guard let text = lengths.first else { return .untilClose }
        guard lengths.count == 1, let length = Int64(text), length >= 0, text.utf8.first != UInt8(ascii: "+") else {
            throw .wrong("the server states an invalid length")
        }
        return length == 0 ? .ended : .length(length)
    }

    /// The length of the body, if the server gave one.
    var length: Int64? {
        switch body {
        case .length(let left): left
        case .ended: 0
        default: nil
        }
    }

    /// The parsed `bytes FIRST-LAST/TOTAL`; `nil` if there is none, or it makes no sense.
    var range: (first: Int64, last: Int64, total: Int64?)? {
        guard let text = self["content-range"]?.lowercased(), text.hasPrefix("bytes") else { return nil }
        let parts = text.dropFirst(5).drop { $0 == " " }.split(separator: "/", omittingEmptySubsequences: false)
        let ends = (parts.first ?? "").split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0,
            last >= first
        else { return nil }
        if parts[1] == "*" { return (first, last, nil) }
        guard let total = Int64(parts[1]), total > last else { return nil }
        return (first, last, total)
    }

    /// Reads at most `count` bytes of the body; returns 0 at its end.
    func read(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int, _ patience: Patience) throws(WebFault) -> Int {
        switch body {
        case .ended: return 0
        case .untilClose:
            let read = try input.read(buffer, count, patience)
            guard read > 0 || !input.connection.isCut else { throw .broken() }
            return read
        case .length(let left):
            let read = try some(buffer, count, left, patience)
            body = left == Int64(read) ? .ended : .length(left - Int64(read))
            return read
        case .chunk(let left):
            var size = left
            if size == nil { size = try nextChunk(patience) }
            guard let left = size else {
                body = .ended
                return 0
            }
            let read = try some(buffer, count, left, patience)
            if left == Int64(read) {
                guard try input.line(patience).isEmpty else { throw .wrong("the server's answer is garbled") }
                body = .chunk(nil)
            } else {
                body = .chunk(left - Int64(read))
            }
            return read
        }
    }

    private func some(
        _ buffer: UnsafeMutablePointer<UInt8>, _ count: Int, _ left: Int64, _ patience: Patience
    ) throws(WebFault) -> Int {
        let read = try input.read(buffer, Int(min(Int64(count), left)), patience)
        guard read > 0 else { throw .broken() }
        return read
    }

    /// Returns the size of the next chunk; `nil` after the last one and its trailer.
    private func nextChunk(_ patience: Patience) throws(WebFault) -> Int64? {
        let digits = try input.line(patience).prefix { $0.isHexDigit }
        guard (1...15).contains(digits.utf8.count), let size = Int64(digits, radix: 16) else {
            throw .wrong("the server's answer is garbled")
        }
        if size > 0 { return size }
        for _ in 0..<256 {
            if try input.line(patience).isEmpty { return nil }
        }
        throw .wrong("the server's answer has too many fields")
    }
}

/// A connection's input, read by lines and by bytes.
final class WebInput {
    let connection: WebConnection
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    private var next = 0
    private var end = 0

    /// The maximum number of bytes in one line, without its end.
    private static let longestLine = 16 * 1024

    init(_ connection: WebConnection) {
        self.connection = connection
    }

    private func fill(_ patience: Patience) throws(WebFault) -> Bool {
        next = 0
        end = 0
        let size = buffer.count
        let result = buffer.withUnsafeMutableBufferPointer { bytes -> Result<Int, WebFault> in
            guard let start = bytes.baseAddress else { return .success(0) }
            return Result { () throws(WebFault) in try connection.receive(start, size, patience) }
        }
        end = try result.get()
        return end > 0
    }

    /// Returns the next line without its end.
    func line(_ patience: Patience) throws(WebFault) -> String {
        var line: [UInt8] = []
        while true {
            if next == end {
                guard try fill(patience) else { throw .broken() }
            }
            let part = buffer[next..<end]
            let stop = part.firstIndex(of: UInt8(ascii: "\n"))
            line += part[..<(stop ?? end)]
            next = stop.map { $0 + 1 } ?? end
            guard line.count <= Self.longestLine else { throw .wrong("the server's answer has a line without end") }
            if stop != nil {
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return String(decoding: line, as: UTF8.self)
            }
        }
    }

    /// Reads some bytes; returns 0 at the end.
    func read(_ destination: UnsafeMutablePointer<UInt8>, _ count: Int, _ patience: Patience) throws(WebFault) -> Int {
        guard next < end else { return try connection.receive(destination, count, patience) }
        let size = min(count, end - next)
        buffer.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { destination.update(from: start + next, count: size) }
        }
        next += size
        return size
    }
}
