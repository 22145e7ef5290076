// SPDX-License-Identifier: Apache-2.0

import CTransport
import FakeSession
import Glibc
import SessionProtocol
import Testing

/// One more than the session takes.
@Suite(.timeLimit(.minutes(1)))
struct `A client that is turned away` {
    /// As many connections as the session takes at most, idle and held.
    private func crowd(_ folders: UserFolders) throws -> [Int32] {
        try (0..<256).map { _ in
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = try #require(sockaddr_un(path: folders.socket))
            try #require(address.withSocketAddress { connect(descriptor, $0, $1) } == 0)
            return descriptor
        }
    }

    @Test(arguments: [["pause"], ["play", "/a.wav"], ["status", "--json"]])
    func `says why, and that it may try again`(_ words: [String]) async throws {
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
