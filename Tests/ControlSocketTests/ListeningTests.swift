// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import FakeSession
import Glibc
import SessionProtocol
import Synchronization
import Testing

@testable import ControlSocket

@Suite(.timeLimit(.minutes(1)))
struct `One session per user` {
    @Test func `listens where no other user has access`() throws {
        let temporary = try TemporaryFolders()
        let socket = try ListeningSocket.open(in: temporary.folders)
        defer { withExtendedLifetime(socket) {} }
        var found = stat()
        #expect(stat(temporary.folders.socket, &found) == 0)
        #expect(found.st_mode & 0o777 == 0o600 && found.st_mode & S_IFMT == S_IFSOCK)
        #expect(stat(temporary.folders.runtime, &found) == 0 && found.st_mode & 0o777 == 0o700)
    }

    @Test func `a second session is told which process the first one is`() throws {
        let temporary = try TemporaryFolders()
        let first = try ListeningSocket.open(in: temporary.folders)
        let error = try #require(throws: SessionError.self) { try ListeningSocket.open(in: temporary.folders) }
        #expect(error.code == .busy)
        #expect(error.message.contains("process \(getpid())") && error.message.contains(temporary.folders.socket))
        withExtendedLifetime(first) {}
    }

    @Test func `a stale socket of a killed session is replaced`() async throws {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        var address = try #require(sockaddr_un(path: temporary.folders.socket))
        let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(address.withSocketAddress { bind(stale, $0, $1) } == 0)
        close(stale)
        let session = FakeSession()
        let server = try ControlServer(ListeningSocket.open(in: temporary.folders), service: session)
        let client = try RawClient(temporary.folders)
        try await client.request("pause", id: 1)
        #expect(try await client.line() != nil)
        await server.stop()
    }

    @Test func `accepts connections before they are served`() async throws {
        let temporary = try TemporaryFolders()
        let socket = try ListeningSocket.open(in: temporary.folders)
        let client = try RawClient(temporary.folders)
        try await client.request("pause", id: 1)
        let server = try ControlServer(socket, service: FakeSession())
        #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":null}"#)
        await server.stop()
    }

    @Test func `serves clients of a socket that was handed over, and leaves it for the next session`() async throws {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        var address = try #require(sockaddr_un(path: temporary.folders.socket))
        let manager = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(manager) }
        #expect(address.withSocketAddress { bind(manager, $0, $1) } == 0 && listen(manager, SOMAXCONN) == 0)
        for _ in 0..<2 {
            // The client comes before the session.
            let client = try RawClient(temporary.folders)
            try await client.request("pause", id: 1)
            let socket = try ListeningSocket.open(in: temporary.folders, adopting: dup(manager))
            let server = try ControlServer(socket, service: FakeSession())
            #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":null}"#)
            await server.stop()
        }
        #expect(access(temporary.folders.socket, F_OK) == 0)
    }

    @Test func `a socket that was handed over is replaced after its file was removed`() async throws {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        var address = try #require(sockaddr_un(path: temporary.folders.socket))
        let manager = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(address.withSocketAddress { bind(manager, $0, $1) } == 0 && listen(manager, SOMAXCONN) == 0)
        let socket = try ListeningSocket.open(in: temporary.folders, adopting: manager)
        unlink(temporary.folders.socket)
        try socket.restore()
        #expect(access(temporary.folders.socket, F_OK) == 0)
        socket.remove()
        #expect(access(temporary.folders.socket, F_OK) != 0, "its own socket goes with it")
    }

    @Test func `listens itself if the socket that was handed over is not the one that clients find`() async throws {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        var address = try #require(sockaddr_un(path: temporary.folders.socket))
        let manager = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(address.withSocketAddress { bind(manager, $0, $1) } == 0 && listen(manager, SOMAXCONN) == 0)
        // Another session moved its own socket there, and is gone.
        unlink(temporary.folders.socket)
        let server = try ControlServer(
            ListeningSocket.open(in: temporary.folders, adopting: manager), service: FakeSession())
        let client = try RawClient(temporary.folders)
        try await client.request("pause", id: 1)
        #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":null}"#)
        await server.stop()
        #expect(access(temporary.folders.socket, F_OK) != 0)
    }

    @Test func `a session that leaves is none for a client that needs one`() throws {
        let temporary = try TemporaryFolders()
        #expect(!temporary.folders.hasSession && !temporary.folders.isInUse)
        let socket = try ListeningSocket.open(in: temporary.folders)
        #expect(temporary.folders.hasSession && temporary.folders.isInUse)
        socket.remove()
        #expect(!temporary.folders.hasSession && temporary.folders.isInUse)
    }

    @Test func `a second session on a socket that was handed over is told that there is one`() throws {
        let temporary = try TemporaryFolders()
        let first = try ListeningSocket.open(in: temporary.folders)
        let error = try #require(throws: SessionError.self) {
            try ListeningSocket.open(in: temporary.folders, adopting: dup(STDIN_FILENO), milliseconds: 50)
        }
        #expect(error.code == .busy)
        withExtendedLifetime(first) {}
    }

    @Test func `accepts connections again after it ran out of descriptors`() async throws {
        let temporary = try TemporaryFolders()
        let hasFailed = Mutex(false)
        let server = try ControlServer(
            ListeningSocket.open(in: temporary.folders), service: FakeSession(),
            calls: SystemCalls(accept: { listening in
                let fails = hasFailed.withLock { hasFailed in
                    defer { hasFailed = true }
                    return !hasFailed
                }
                guard fails else { return gnu_accept(listening) }
                errno = EMFILE
                return -1
            }))
        let client = try RawClient(temporary.folders)
        try await client.request("pause", id: 1)
        #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":null}"#)
        #expect(hasFailed.withLock { $0 })
        await server.stop()
    }

    @Test func `a second session that is refused leaves no descriptor open`() throws {
        let temporary = try TemporaryFolders()
        let first = try ListeningSocket.open(in: temporary.folders)
        for _ in 0..<3 {
            #expect(throws: SessionError.self) { try ListeningSocket.open(in: temporary.folders) }
        }
        let open = (0..<1024).filter { number in
            var name = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/fd/\(number)", &name, name.count)
            return count > 0
                && String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
                    == temporary.folders.lock
        }
        #expect(open.count == 1)
        withExtendedLifetime(first) {}
    }

    @Test func `leaves no socket behind, closes its connections, and the next session can start`() async throws {
        let temporary = try TemporaryFolders()
        let session = FakeSession()
        var server: ControlServer? = try ControlServer(ListeningSocket.open(in: temporary.folders), service: session)
        let client = try RawClient(temporary.folders)
        try await client.request("subscribe", id: 1)
        _ = try await client.line()
        session.tell(.finished(nil))
        await server?.stop()
        #expect(try await client.line()?.contains("finished") == true)
        #expect(try await client.line() == nil)
        #expect(access(temporary.folders.socket, F_OK) != 0)
        server = nil
        _ = try ListeningSocket.open(in: temporary.folders)
    }

    @Test func `reports a folder whose name is too long for a socket`() throws {
        let temporary = try TemporaryFolders()
        var folders = temporary.folders
        folders.runtime += "/" + String(repeating: "x", count: 100)
        let error = try #require(throws: SessionError.self) { try ListeningSocket.open(in: folders) }
        #expect(error.code == .cannotCreate && error.message.contains("XDG_RUNTIME_DIR"))
    }
}
