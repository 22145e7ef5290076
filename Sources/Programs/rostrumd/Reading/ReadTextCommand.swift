// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DocumentBridge
import Glibc
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// The command that `rostrum text` and `rostrum say` start.
///
/// It runs no session, but this program knows how documents are read.
struct ReadTextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-text", abstract: "Started by rostrum text.", shouldDisplay: false)

    @Argument(help: .hidden)
    var path: String
    @Flag(help: .hidden)
    var json = false
    @Flag(help: .hidden)
    var spans = false
    @Option(help: .hidden)
    var from: String?
    @Option(help: .hidden)
    var to: String?
    @Option(help: .hidden)
    var count: Int?
    /// Prints sounds where they are said, and the pronunciations that were applied.
    @Flag(help: .hidden)
    var say = false
    /// The name of the text, in place of that of its file.
    @Option(help: .hidden)
    var name: String?
    @Option(help: .hidden)
    var language: String?
    @Option(help: .hidden)
    var entry: [String] = []

    func run() async throws {
        do throws(SessionError) {
            try await write()
        } catch {
            let line = Array("rostrum: \(error.message)\n".utf8)
            _ = Glibc.write(STDERR_FILENO, line, line.count)
            throw ExitCode(error.code.rawValue)
        }
    }

    private func write() async throws(SessionError) {
        let folders = try UserFolders.current()
        do throws(PlaybackError) {
            let (from, to) = (try Self.place(from), try Self.place(to))
            if let count, count < 1 { throw PlaybackError(.usage, message: "bad count: \(count); give 1 or more") }
            let reader = DocumentReader(folders, namesPronunciations: say)
            let source = try await SpokenSource(path, named: name, folders, reader)
            let wishes = ReadingWishes(language: language, pronunciations: entry)
            let document = try await source.document(reader, wishes)
            for warning in document.warnings {
                let line = Array("rostrum: \(warning)\n".utf8)
                _ = Glibc.write(STDERR_FILENO, line, line.count)
            }
            let selection = try SpokenSelection(from: from, to: to, count: count, of: document, named: source.name)
            var text = PrintedText(form: json ? .json : spans ? .spans : say ? .said : .plain, selection)
            try await text.write(document, source.name)
        } catch {
            throw SessionError(error)
        }
    }

    private static func place(_ text: String?) throws(PlaybackError) -> SpokenSelection.Place? {
        guard let text else { return nil }
        return try SpokenSelection.Place(text)
    }
}
