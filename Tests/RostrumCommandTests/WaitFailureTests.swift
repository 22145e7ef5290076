// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A client that cannot wait` {
    /// Begins an answer to a client that has no descriptor left to wait for, and ends the connection.
    private static func answer(_ listener: Int32, _ process: Int32) throws {
        let client = accept(listener, nil, nil)
        try #require(client >= 0)
        defer { close(client) }
        var request = [UInt8](repeating: 0, count: 4096)
        try #require(recv(client, &request, request.count, 0) > 0)
        let limit = try Process.run(
            URL(fileURLWithPath: "/usr/bin/prlimit"), arguments: ["--pid", "\(process)", "--nofile=0"])
        limit.waitUntilExit()
        try #require(limit.terminationStatus == 0)
        try #require(send(client, "{", 1, Int32(MSG_NOSIGNAL)) == 1)
        shutdown(client, Int32(SHUT_WR))
        // The client has left when its end is closed.
        while recv(client, &request, request.count, 0) > 0 {}
    }

    @Test func `says why, and does not take it for the session's silence or end`() async throws {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = try #require(sockaddr_un(path: temporary.folders.socket))
        try #require(address.withSocketAddress { bind(listener, $0, $1) } == 0 && listen(listener, 1) == 0)
        // The lock says that there is a session.
        let lock = open(temporary.folders.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let running = try Program(temporary).start(["pause"])
        let process = running.processIdentifier
        try await blocking { try Self.answer(listener, process) }
        let outcome = try await blocking { running.outcome() }
        #expect(
            outcome
                == .init(
                    output: "",
                    errors: "rostrum: cannot wait for the session: Invalid argument; check `ulimit -a`, try again\n",
                    code: 74))
    }
}
