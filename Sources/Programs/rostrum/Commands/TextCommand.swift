// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text", abstract: "Print what would be read aloud of a document, sentence by sentence.",
        discussion: """
            A PLACE is byte:N of the reading text, N%, sentence:N, paragraph:N, ch:N or page:N, counted from 1 but for \
            bytes. A document of the web is fetched and kept, as `rostrum read` does.
            """)

    @Argument(
        help:
            "A document, an http(s) URL, the ID or a part of the title of one of `rostrum reading`, or - for standard input."
    )
    var document: String
    @Flag(help: "Print one JSON object a line, with the bytes of the text and of the document for everything said.")
    var json = false
    @Flag(
        help: "Print START-END, the kind of the block and the words, with tabs between them; bytes of the reading text."
    )
    var spans = false
    @Option(help: ArgumentHelp("The place to begin at.", valueName: "place"))
    var from: String?
    @Option(help: ArgumentHelp("The place to end before.", valueName: "place"))
    var to: String?
    @Option(help: ArgumentHelp("The most sentences to print.", valueName: "n"))
    var count: Int?

    func validate() throws {
        if json, spans { throw ValidationError("give --json or --spans, not both") }
    }

    func run() throws {
        let program = try SessionLauncher.program()
        var words = [program, "read-text"]
        if json { words.append("--json") }
        if spans { words.append("--spans") }
        if let from { words.append("--from=\(from)") }
        if let to { words.append("--to=\(to)") }
        if let count { words.append("--count=\(count)") }
        var arguments = (words + ["--", document]).map { strdup($0) } + [nil]
        execv(program, &arguments)
        throw SessionError(.unavailable, "cannot start \(program): \(String(cString: strerror(errno)))")
    }
}
