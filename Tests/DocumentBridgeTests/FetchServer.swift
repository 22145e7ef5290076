// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Testing

/// A server of the web on a port of 127.0.0.1, which answers as a test says and notes what it is asked.
final class FetchServer: Sendable {
    struct Request: Sendable {
        /// What follows the method: a path, or a whole address if the server is used as a proxy.
        var target: String
        /// By names in lower case.
        var headers: [String: String]
    }

    struct Answer: Sendable {
        /// What the server does after the answer, before it closes.
        enum End: Sendable {
            case close
            /// Sends these bytes until the client is gone, so many milliseconds apart.
            case sends([UInt8], every: UInt32)
            /// Waits until the client is gone.
            case waits
        }

        var bytes: [UInt8]
        var end: End = .close

        /// An answer with these header lines, whose body is as long as the connection.
        init(_ status: String, _ headers: [String] = [], body: [UInt8] = [], end: End = .close) {
            let head = (["HTTP/1.1 \(status)"] + headers + ["Connection: close", "", ""]).joined(separator: "\r\n")
            bytes = Array(head.utf8) + body
            self.end = end
        }

        init(raw: String) { bytes = Array(raw.utf8) }

        static func page(_ text: String, type: String = "text/html") -> Answer {
            Answer("200 OK", ["Content-Type: \(type)"], body: Array(text.utf8))
        }

        static func redirect(_ location: String, _ status: String = "302 Found") -> Answer {
            Answer(status, ["Location: \(location)", "Content-Type: text/html"], body: Array("moved".utf8))
        }
    }

    private final class State: Sendable {
        let requests = Mutex<[Request]>([])
        let answer: @Sendable (Request) -> Answer

        init(_ answer: @escaping @Sendable (Request) -> Answer) { self.answer = answer }
    }

    let port: Int
    private let descriptor: Int32
    private let state: State

    var requests: [Request] { state.requests.withLock { $0 } }
    var address: String { "http://127.0.0.1:\(port)" }

    init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
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
        try #require(isBound)
        Thread.detachNewThread { [state] in
            while true {
                let client = accept(descriptor, nil, nil)
                if client < 0 { break }
                Thread.detachNewThread { Self.serve(client, state) }
            }
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ state: State) {
        defer { close(client) }
        guard let request = read(client) else { return }
        state.requests.withLock { $0.append(request) }
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
        return Request(target: String(words[1]), headers: headers)
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
