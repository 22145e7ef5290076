// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DocumentBridge
import Glibc
import MediaPlayback
import PlaybackCore
import SessionProtocol
import SpeechScript

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
        // A pipe with a name is waited for, as any program of a shell does.
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else {
            let code = errno
            throw SessionError(
                code == ENOENT || code == ENOTDIR ? .notFound : .badContent,
                "\(path): \(String(cString: strerror(code)))")
        }
        let source = TrackSource.descriptor(SharedDescriptor(owning: file), name: path)
        let name = name ?? (path == "-" ? "standard input" : String(path.split(separator: "/").last ?? ""))
        let wishes = ReadingWishes(language: language, pronunciations: entry)
        do throws(ItemError) {
            let document = try await DocumentReader(folders, namesPronunciations: say)
                .read(source, name: name, charset: nil, wishes: wishes)
            for warning in document.warnings {
                let line = Array("rostrum: \(warning)\n".utf8)
                _ = Glibc.write(STDERR_FILENO, line, line.count)
            }
            try await write(document, name)
        } catch {
            throw SessionError(PlaybackError(error))
        }
    }

    /// Writes the utterances, those of a long document as they are made.
    private func write(_ document: TextDocument, _ name: String) async throws(ItemError) {
        var output = TextOutput()
        var block: Int?
        var end = 0
        repeat {
            try await document.reach(Int64(end))
            end = try write(document, name, from: end, &block, &output)
        } while output.isOpen && end < .max
        for line in document.pronunciations { output.write(Array("  \(line)\n".utf8)) }
        output.flush()
    }

    /// Writes the utterances from a byte of the text on that have been made; returns the byte behind them, or the largest
    /// number at the end of the text.
    private func write(
        _ document: TextDocument, _ name: String, from start: Int, _ block: inout Int?, _ output: inout TextOutput
    ) throws(ItemError) -> Int {
        do throws(ScriptFileError) {
            let script = try ScriptFileReader(descriptor: document.script.rawValue)
            let members = try script.members()
            guard let index = try script.index(at: start) else { return .max }
            var cursor = try script.cursor(at: index)
            var left = script.count - index
            while left > 0, let utterance = try cursor.next() {
                left -= 1
                if json {
                    output.write(try SpokenLine(utterance, script, members).encoded)
                } else {
                    output.write(Array((block.map { $0 != utterance.block } == true ? "\n" : "").utf8))
                    output.write(Array((say ? utterance.spokenWithSounds : utterance.spoken).utf8) + [0x0A])
                }
                block = utterance.block
                guard output.isOpen else { return .max }
            }
            output.flush()
            return script.isWhole ? .max : script.end
        } catch {
            throw ItemError(.unreadable, "\(name): \(error.message)")
        }
    }
}

extension Utterance {
    /// The words that are said, with sounds in place of the words for which they stand.
    fileprivate var spokenWithSounds: String {
        var bytes = Array(spoken.utf8)
        for word in words.reversed() {
            guard let phonemes = word.phonemes, bytes.indices.contains(word.spoken.lowerBound),
                word.spoken.upperBound <= bytes.count
            else { continue }
            bytes.replaceSubrange(word.spoken, with: Array("[[\(phonemes)]]".utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The standard output, until its reader closes it.
private struct TextOutput {
    private(set) var isOpen = true
    private var waiting: [UInt8] = []
    private static let most = 1 << 16

    mutating func write(_ bytes: [UInt8]) {
        waiting += bytes
        if waiting.count >= Self.most { flush() }
    }

    mutating func flush() {
        var rest = waiting[...]
        waiting = []
        while isOpen, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                isOpen = false
                return
            }
            rest = rest.dropFirst(count)
        }
    }
}
