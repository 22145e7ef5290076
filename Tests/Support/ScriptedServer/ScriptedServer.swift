// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
public import WaitTestSupport

/// A server of the web on a port of 127.0.0.1, which answers as a test says and notes what it is asked.
public final class ScriptedServer: Sendable {
    public struct Request: Sendable {
        public var method: String
        /// The words between the method and the version: a path, or a whole address if the server is used as a proxy.
        public var target: String
        /// The headers, by names in lower case.
        public var headers: [String: String]
        /// The body, which is as long as `Content-Length` says.
        public var body: [UInt8]

        /// The path without the query.
        public var path: String { String(target.prefix { $0 != "?" }) }
    }

    public struct Answer: Sendable {
        /// The server's conduct after the answer, before it closes.
        public enum End: Sendable {
            case close
            /// Sends these bytes until the client is gone, so many milliseconds apart.
            case sends([UInt8], every: UInt32)
            /// Waits until the client is gone.
            case waits
        }

        public var bytes: [UInt8]
        public var end: End = .close

        /// An answer with these header lines, whose body is as long as the connection.
        public init(_ status: String, _ headers: [String] = [], body: [UInt8] = [], end: End = .close) {
            let head = (["HTTP/1.1 \(status)"] + headers + ["Connection: close", "", ""]).joined(separator: "\r\n")
            bytes = Array(head.utf8) + body
            self.end = end
        }

        public init(raw: String, end: End = .close) {
            bytes = Array(raw.utf8)
            self.end = end
        }

        public static func page(_ text: String, type: String = "text/html") -> Answer {
            Answer("200 OK", ["Content-Type: \(type)"], body: Array(text.utf8))
        }

        public static func json(_ text: String, _ status: String = "200 OK", _ headers: [String] = []) -> Answer {
            Answer(status, ["Content-Type: application/json; charset=utf-8"] + headers, body: Array(text.utf8))
        }

        public static func redirect(_ location: String, _ status: String = "302 Found") -> Answer {
            Answer(status, ["Location: \(location)", "Content-Type: text/html"], body: Array("moved".utf8))
        }
    }

    /// The reason why there is no server: the number of the error.
    public struct NoServer: Error { var code: Int32 }

    private final class State: Sendable {
        let requests = Watched<[Request]>([])
        let answer: @Sendable (Request) -> Answer

        init(_ answer: @escaping @Sendable (Request) -> Answer) { self.answer = answer }
    }

    public let port: Int
    private let descriptor: Int32
    private let state: State

    /// The requests so far; a test can wait for one.
    public var watched: Watched<[Request]> { state.requests }
    public var requests: [Request] { state.requests.value }
    public var address: String { "http://127.0.0.1:\(port)" }

    /// - Parameter answer: Returns the answer to a request; it is called on a thread of each connection and may wait.
    public init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        state = State(answer)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound else { throw NoServer(code: errno) }
        Thread.detachNewThread { [state] in
            while true {
                let client = accept(descriptor, nil, nil)
                if client < 0 { break }
                Thread.detachNewThread { Self.serve(client, state) }
            }
            close(descriptor)
        }
    }

    /// Returns a port on which nothing listens.
    public static func freePort() throws -> Int { try ScriptedServer { _ in .page("") }.port }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ state: State) {
        defer { close(client) }
        guard let request = read(client) else { return }
        state.requests.change { $0.append(request) }
        let answer = state.answer(request)
        guard send(answer.bytes, to: client) else { return }
        switch answer.end {
        case .close: shutdown(client, Int32(SHUT_WR))
        case .sends(let bytes, let pause):
            while send(bytes, to: client) { usleep(pause * 1000) }
            return
        case .waits: break
        }
        var rest = [UInt8](repeating: 0, count: 4096)
        while Glibc.read(client, &rest, rest.count) > 0 {}
    }

    private static func read(_ client: Int32) -> Request? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard Glibc.read(client, &byte, 1) == 1 else { return nil }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        var body: [UInt8] = []
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        var part = [UInt8](repeating: 0, count: 65_536)
        while body.count < length {
            let count = Glibc.read(client, &part, min(part.count, length - body.count))
            guard count > 0 else { return nil }
            body += part.prefix(count)
        }
        return Request(method: String(words[0]), target: String(words[1]), headers: headers, body: body)
    }

    private static func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                // MSG_NOSIGNAL, whose type in Swift depends on what else is imported.
                Glibc.send(client, $0.baseAddress, $0.count, 0x4000)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
