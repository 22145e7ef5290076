// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol
import SpeechText

/// The command that `rostrum pronunciations` starts: it lists the entries of the listener's dictionary.
struct PronunciationList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pronunciations", abstract: "Started by rostrum pronunciations.", shouldDisplay: false)
    @Flag(help: .hidden)
    var json = false

    private static let largestFile = 4 << 20

    /// An entry or a mistake, as it is printed.
    private struct Line: Encodable {
        var line: Int?
        var entry: String?
        var language: String?
        var mistake: String?
    }

    func run() throws {
        let path: String
        do throws(SessionError) {
            path = try UserFolders.current().config + "/pronunciations.txt"
        } catch {
            throw VoiceFailure(error.message, error.code.rawValue)
        }
        guard let bytes = try Self.read(path) else {
            guard !json else { return }
            let hint = "there are none: \(path) does not exist; a line of it is such as gif = jif\n"
            return VoicesProgram.write(STDOUT_FILENO, hint)
        }
        let (dictionary, mistakes) = PronunciationDictionary.examine(bytes)
        for line in dictionary.lines {
            try print(Line(line: line.number, entry: line.text, language: line.language))
        }
        for mistake in mistakes where json {
            try print(Line(line: mistake.line > 0 ? mistake.line : nil, mistake: mistake.message))
        }
        guard let first = mistakes.first else { return }
        for mistake in mistakes.dropFirst() where !json {
            VoicesProgram.write(STDERR_FILENO, "rostrum: \(Self.place(mistake, path)): \(mistake.message)\n")
        }
        throw VoiceFailure.data(
            "\(Self.place(first, path)): \(first.message); nothing of the file is used until it is mended")
    }

    private static func place(_ mistake: PronunciationDictionaryError.Mistake, _ path: String) -> String {
        path + (mistake.line > 0 ? ", line \(mistake.line)" : "")
    }

    private func print(_ line: Line) throws {
        if json {
            return try VoicesProgram.write(line)
        }
        let number = line.line.map { "\($0)" } ?? ""
        let space = String(repeating: " ", count: max(0, 5 - number.count))
        let language = line.language.map { "[\($0)] " } ?? ""
        VoicesProgram.write(STDOUT_FILENO, "\(space)\(number)  \(language)\(line.entry ?? "")\n")
    }

    /// Returns the bytes of the file; `nil` if there is none.
    private static func read(_ path: String) throws(VoiceFailure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .disk("\(path): \(String(cString: strerror(errno))); check its permissions")
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= largestFile {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .disk("\(path): \(String(cString: strerror(errno))); it must be a text file")
            }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
