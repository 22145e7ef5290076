// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text", abstract: "Print what would be read aloud of a document, sentence by sentence.")

    @Argument(help: "A document, or - for standard input.")
    var document: String
    @Flag(help: "Print one JSON object a line, with the bytes of the text and of the document for everything said.")
    var json = false

    func run() throws {
        let program = try SessionLauncher.program()
        let words = [program, "read-text"] + (json ? ["--json"] : []) + ["--", document]
        var arguments = words.map { strdup($0) } + [nil]
        execv(program, &arguments)
        throw SessionError(.unavailable, "cannot start \(program): \(String(cString: strerror(errno)))")
    }
}
