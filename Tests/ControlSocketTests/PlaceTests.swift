// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import FakeSession
import Glibc
import SessionProtocol
import Synchronization
import Testing
import WaitTestSupport

@testable import ControlSocket

@Suite(.timeLimit(.minutes(2)))
struct `The place of the session in its folder` {
    @Test func `is waited for until the last session has left, and is then free`() async throws {
        let temporary = try TemporaryFolders()
        let lock = Mutex<SessionLock?>(try SessionLock(in: temporary.folders))
        let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
        async let next = blocking {
            waiting.yield()
            return try ListeningSocket.open(in: temporary.folders, milliseconds: 60_000)
        }
        for await _ in waits { break }
        // It finds the lock taken or free, and succeeds either way.
        lock.withLock { $0 = nil }
        let socket = try await next
        #expect(access(temporary.folders.socket, F_OK) == 0)
        withExtendedLifetime(socket) {}
    }

    @Test func `is not waited for after the timeout`() throws {
        let temporary = try TemporaryFolders()
        let lock = try SessionLock(in: temporary.folders)
        let error = try #require(throws: SessionError.self) {
            try ListeningSocket.open(in: temporary.folders, milliseconds: 50)
        }
        #expect(error.code == .busy)
        withExtendedLifetime(lock) {}
    }

    @Test func `is left to another session as soon as that answers`() async throws {
        let temporary = try TemporaryFolders()
        let lock = try SessionLock(in: temporary.folders)
        async let outcome = blocking {
            do throws(SessionError) {
                _ = try ListeningSocket.open(in: temporary.folders, milliseconds: 60_000)
                return SessionError.Code(rawValue: 0)
            } catch {
                return error.code
            }
        }
        // The holder of the lock listens a moment later, as a starting session does.
        let temporaryPath = temporary.folders.runtime + "/x"
        var address = try #require(sockaddr_un(path: temporaryPath))
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(other) }
        try #require(address.withSocketAddress { bind(other, $0, $1) } == 0 && listen(other, 8) == 0)
        try #require(rename(temporaryPath, temporary.folders.socket) == 0)
        #expect(try await outcome == .busy)
        withExtendedLifetime(lock) {}
    }

    @Test func `is taken even if its holder cannot be recorded`() throws {
        let temporary = try TemporaryFolders()
        let lock = try SessionLock(
            in: temporary.folders,
            write: { _, _ in
                errno = ENOSPC
                return -1
            })
        let error = try #require(throws: SessionError.self) { try SessionLock(in: temporary.folders) }
        #expect(error.code == .busy && error.message.contains("process unknown"))
        withExtendedLifetime(lock) {}
    }

    @Test func `a session that leaves removes only its own socket`() throws {
        let temporary = try TemporaryFolders()
        let socket = try ListeningSocket.open(in: temporary.folders)
        let other = try temporary.file("run/rostrum/other", "another one's")
        try #require(rename(other, temporary.folders.socket) == 0)
        socket.remove()
        #expect(access(temporary.folders.socket, F_OK) == 0)
    }

    @Test func `a socket that was removed is created again`() async throws {
        let fixture = try Fixture()
        try #require(unlink(fixture.temporary.folders.socket) == 0)
        try await answers(fixture)
        await fixture.server.stop()
        #expect(access(fixture.temporary.folders.socket, F_OK) != 0)
    }

    @Test func `a socket that was replaced is created again`() async throws {
        let fixture = try Fixture()
        let other = try fixture.temporary.file("run/rostrum/other", "x")
        try #require(rename(other, fixture.temporary.folders.socket) == 0)
        try await answers(fixture)
        await fixture.server.stop()
    }

    @Test func `a folder that was moved away is created again, with its lock`() async throws {
        let fixture = try Fixture()
        let folder = fixture.temporary.folders.runtime
        try #require(rename(folder, folder + ".old") == 0)
        try await answers(fixture)
        #expect(throws: SessionError.self) { try SessionLock(in: fixture.temporary.folders) }
        // Once more, because the folder must still be watched.
        try #require(unlink(fixture.temporary.folders.socket) == 0)
        try await answers(fixture)
        await fixture.server.stop()
    }

    @Test(arguments: [1, 2]) func `a parent folder that was moved away is created again`(
        _ levels: Int
    ) async throws {
        let fixture = try Fixture(FakeSession(), runtime: "run/user")
        let folders = fixture.temporary.folders
        var moved = folders.runtime
        for _ in 0..<levels { moved = String(moved[..<(moved.lastIndex(of: "/") ?? moved.endIndex)]) }
        try #require(rename(moved, moved + ".old") == 0)
        try await answers(fixture)
        #expect(throws: SessionError.self) { try SessionLock(in: folders) }
        // Once more, because the folders must still be watched.
        try #require(rename(moved, moved + ".older") == 0)
        try await answers(fixture)
        await fixture.server.stop()
    }

    @Test func `a session whose lock another one has taken ends`() async throws {
        let fixture = try Fixture()
        let folders = fixture.temporary.folders
        try #require(rename(folders.runtime, folders.runtime + ".old") == 0)
        // Either it is restored before the other one comes, or it ends because of the other one.
        let other = try? SessionLock(in: folders)
        if other == nil {
            try await answers(fixture)
        } else {
            await fixture.server.isOver()
        }
        await fixture.server.stop()
        withExtendedLifetime(other) {}
    }

    // MARK: The library

    /// Returns the folders of a session with the same library and another runtime folder.
    private func elsewhere(_ temporary: TemporaryFolders) -> UserFolders {
        var folders = temporary.folders
        folders.runtime += "-elsewhere"
        return folders
    }

    @Test func `is refused to a second session on one library, which is told the first`() throws {
        let temporary = try TemporaryFolders()
        let first = try ListeningSocket.open(in: temporary.folders)
        let error = try #require(throws: SessionError.self) {
            try ListeningSocket.open(in: elsewhere(temporary), milliseconds: 60_000)
        }
        #expect(error.code == .busy)
        #expect(error.message.contains("process \(getpid())") && error.message.contains(temporary.folders.socket))
        // The refused session leaves nothing behind that would obstruct the next one.
        let own = try SessionLock(in: elsewhere(temporary))
        withExtendedLifetime((first, own)) {}
    }

    @Test func `is taken once a session that leaves has released the library`() async throws {
        let temporary = try TemporaryFolders()
        let lock = Mutex<SessionLock?>(try SessionLock.ofLibrary(in: temporary.folders))
        #expect(lock.withLock { $0 != nil })
        let other = elsewhere(temporary)
        let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
        async let next = blocking {
            waiting.yield()
            return try ListeningSocket.open(in: other, milliseconds: 60_000)
        }
        for await _ in waits { break }
        lock.withLock { $0 = nil }
        let socket = try await next
        #expect(access(other.socket, F_OK) == 0)
        withExtendedLifetime(socket) {}
    }

    @Test func `is taken even if the library cannot be locked`() throws {
        let temporary = try TemporaryFolders()
        var folders = temporary.folders
        folders.data = try temporary.file("no-folder", "x") + "/rostrum"
        let socket = try ListeningSocket.open(in: folders)
        #expect(access(folders.socket, F_OK) == 0)
        withExtendedLifetime(socket) {}
    }

    /// Connects repeatedly until the session is there again.
    private func answers(_ fixture: Fixture) async throws {
        await until { isListening(fixture.temporary.folders.socket) }
        let client = try fixture.client()
        try await client.request("pause", id: 1)
        #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":null}"#)
    }

    private func isListening(_ path: String) -> Bool {
        guard var address = sockaddr_un(path: path) else { return false }
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        return address.withSocketAddress { connect(client, $0, $1) } == 0
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `A system that cannot wait` {
    @Test func `for a moment does not end the session`() async throws {
        let temporary = try TemporaryFolders()
        let left = Mutex(3)
        let server = try ControlServer(
            ListeningSocket.open(in: temporary.folders), service: FakeSession(),
            calls: SystemCalls(poll: { waits, timeout in
                let fails = left.withLock { left in
                    defer { left -= 1 }
                    return left > 0
                }
                guard fails else { return Glibc.poll(&waits, nfds_t(waits.count), timeout) }
                errno = ENOMEM
                return -1
            }))
        let client = try RawClient(temporary.folders)
        try await client.request("pause", id: 1)
        #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":null}"#)
        #expect(left.withLock { $0 } < 0)
        await server.stop()
    }

    @Test func `at all ends the session, which no client could reach`() async throws {
        let temporary = try TemporaryFolders()
        let server = try ControlServer(
            ListeningSocket.open(in: temporary.folders), service: FakeSession(),
            calls: SystemCalls(poll: { _, _ in
                errno = ENOMEM
                return -1
            }))
        await server.isOver()
        await server.stop()
    }
}
