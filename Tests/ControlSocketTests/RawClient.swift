// SPDX-License-Identifier: Apache-2.0

import CTransport
import ControlSocket
import FakeSession
import Glibc
import SessionProtocol
import Synchronization
import Testing

/// A client that sends raw bytes, so that it can misbehave.
final class RawClient: Sendable {
    struct TimedOut: Error {}

    private let descriptor: Int32
    // The lock is needed because reads come from threads of `blocking`; a test waits for one line of a client at a
    // time.
    private let received = Mutex([UInt8]())

    init(_ folders: UserFolders) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = try #require(sockaddr_un(path: folders.socket))
        try #require(address.withSocketAddress { connect(descriptor, $0, $1) } == 0)
    }

    deinit { close(descriptor) }

    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
    func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends bytes; returns `false` if the other side is gone.
    @discardableResult
    func send(_ text: String, descriptors: [Int32] = []) async throws -> Bool {
        try await send(Array(text.utf8), descriptors: descriptors)
    }

    @discardableResult
    func send(_ bytes: [UInt8], descriptors: [Int32] = []) async throws -> Bool {
        try await blocking { [descriptor] in
            var sent = 0
            while sent < bytes.count {
                let passed = sent == 0 ? descriptors : []
                let count = bytes[sent...].withUnsafeBytes {
                    ctransport_send(descriptor, $0.baseAddress, $0.count, passed, passed.count, 0)
                }
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }

    func request(_ method: String, id: Int, params: String? = nil, descriptors: [Int32] = []) async throws {
        let params = params.map { ",\"params\":\($0)" } ?? ""
        try await send(
            "{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"id\":\(id)\(params)}\n", descriptors: descriptors)
    }

    /// Returns the next line; `nil` if the session has closed the connection.
    func line() async throws -> String? {
        try await blocking { [self] in
            while true {
                if let line = takeLine() { return line }
                var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&wait, 1, 30_000) == 1 else { throw TimedOut() }
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count <= 0 { return nil }
                received.withLock { $0 += buffer[..<count] }
            }
        }
    }

    private func takeLine() -> String? {
        received.withLock { bytes in
            guard let end = bytes.firstIndex(of: JSONLine.newline) else { return nil }
            defer { bytes.removeFirst(end + 1) }
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
    }
}

/// A server over a fake session, in folders of its own.
struct Fixture {
    let temporary: TemporaryFolders
    let session: FakeSession
    let server: ControlServer

    init(answer: @escaping FakeSession.Answer = { _, _, _ in .done }) throws {
        try self.init(FakeSession(answer: answer))
    }

    init(_ session: FakeSession, runtime: String = "run") throws {
        temporary = try TemporaryFolders(runtime: runtime)
        self.session = session
        server = try ControlServer(ListeningSocket.open(in: temporary.folders), service: session)
    }

    func client() throws -> RawClient { try RawClient(temporary.folders) }
}
