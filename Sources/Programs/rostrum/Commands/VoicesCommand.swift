// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

struct VoicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voices", abstract: "List, install, choose and remove neural voices.",
        discussion:
            "`rostrum voices help` says more: `list`, `install NAME`, `add FOLDER`, `use NAME`, `sample NAME`, `remove NAME`."
    )

    @Argument(parsing: .captureForPassthrough, help: "A command about voices; without one, they are listed.")
    var arguments: [String] = []

    func run() throws { try VoicesProgram.start(arguments) }
}

/// The program `rostrum-voices`, which lies beside this one.
enum VoicesProgram {
    /// Runs it in place of this program; returns only to fail.
    static func start(_ arguments: [String]) throws(SessionError) {
        let session = try SessionLauncher.program()
        let program = session.dropLast("rostrumd".count) + "rostrum-voices"
        var words = ([String(program)] + arguments).map { strdup($0) } + [nil]
        execv(String(program), &words)
        throw SessionError(.unavailable, "cannot start \(program): \(String(cString: strerror(errno)))")
    }
}
