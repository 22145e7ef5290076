// SPDX-License-Identifier: Apache-2.0

import CTransport
import FakeSession
import Glibc
import SessionProtocol
import Testing

/// One client more than the session accepts.
@Suite(.timeLimit(.minutes(1)))
struct `A client that is turned away` {
    /// Opens as many idle connections as the session accepts, and holds them.
    private func crowd(_ folders: UserFolders) throws -> [Int32] {
        try (0..<256).map { _ in
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = try #require(sockaddr_un(path: folders.socket))
            try #require(address.withSocketAddress { connect(descriptor, $0, $1) } == 0)
            return descriptor
        }
    }

    @Test(arguments: [["pause"], ["play", "/a.wav"], ["status", "--json"]])
    func `is told why, and to try again`(_ words: [String]) async throws {
        let fixture = try CommandFixture()
        let crowd = try crowd(fixture.temporary.folders)
        defer { for descriptor in crowd { close(descriptor) } }
        let file = try fixture.file("a.wav")
        let run = try await fixture.program.run(words.map { $0 == "/a.wav" ? file : $0 })
        #expect(run.code == 75 && run.errors.contains("more than 256 clients"), "\(run)")
        #expect(run.errors.count(where: \.isNewline) == 1)
        #expect(fixture.session.commands.isEmpty)
    }
}
