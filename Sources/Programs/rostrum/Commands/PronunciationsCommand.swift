// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct PronunciationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pronunciations", abstract: "List the pronunciations, and the mistakes in their file.",
        discussion: "`rostrum say WORDS` says words with them.")
    @Flag(help: "Print JSON Lines, one object per entry and per mistake.")
    var json = false

    func run() throws { try VoicesProgram.start(["pronunciations"] + (json ? ["--json"] : [])) }
}
