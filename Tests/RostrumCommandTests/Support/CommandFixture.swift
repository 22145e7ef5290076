// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import FakeSession
import SessionProtocol

/// A fake session, and a program that finds it.
struct CommandFixture {
    let temporary: TemporaryFolders
    let session: FakeSession
    let server: ControlServer
    let program: Program

    init(answer: @escaping FakeSession.Answer = { _, _, _ in .done }) throws {
        temporary = try TemporaryFolders()
        session = FakeSession(answer: answer)
        server = try ControlServer(ListeningSocket.open(in: temporary.folders), service: session)
        program = Program(temporary)
    }

    /// Returns the path of a file in the program's folder.
    func file(_ name: String, _ text: String = "x") throws -> String { try temporary.file(name, text) }
}
