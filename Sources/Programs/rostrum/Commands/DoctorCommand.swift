// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examine what playback needs here, and say what to do.",
        discussion: "Looks at the session, folders, disk, settings, sound server, desktop bus, service, engines and "
            + "kernel. It changes and plays nothing. Exits with 1 if something is wrong.")

    @Flag(help: "Print JSON Lines.")
    var json = false

    /// Becomes `rostrumd doctor`, which has everything that a session has.
    func run() throws {
        let program = try SessionLauncher.program()
        let words = [program, "doctor"] + (json ? ["--json"] : [])
        var arguments = words.map { strdup($0) } + [nil]
        execv(program, &arguments)
        throw SessionError(.unavailable, "cannot run \(program): \(String(cString: strerror(errno)))")
    }
}
