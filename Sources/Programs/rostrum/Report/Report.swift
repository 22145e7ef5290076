// SPDX-License-Identifier: Apache-2.0

import Glibc
import ProgramRuns
import SessionProtocol
import TerminalPlayer

/// The parts of a report, as text: the system, what the doctor says, and what the logs hold.
struct Report {
    /// The number of the newest lines of a log that a report has.
    private static let mostLines = 2000

    let folders: UserFolders
    /// `true` to keep titles, names and addresses.
    let keepsTitles: Bool
    private var redaction = ReportRedaction()

    init(_ folders: UserFolders, keepsTitles: Bool) {
        self.folders = folders
        self.keepsTitles = keepsTitles
    }

    /// Returns the whole text; a part that fails has the error in its place.
    mutating func text() -> String {
        // The log is read first: what it names is removed everywhere.
        let transitions = lines { report throws(SessionError) in try report.transitions() }
        let session = lines { report throws(SessionError) in try report.sessionLog() }
        let doctor = lines { report throws(SessionError) in try report.doctor() }
        return "# Rostrum \(RostrumVersion.current)\n\n" + section("System", Self.system()) + section("Doctor", doctor)
            + section("Transition log", transitions) + section("Session log", session)
    }

    private mutating func lines(_ read: (inout Report) throws(SessionError) -> [String]) -> [String] {
        do throws(SessionError) {
            return try read(&self)
        } catch {
            return ["not readable: " + redaction.sentence(error.message)]
        }
    }

    private func section(_ title: String, _ lines: [String]) -> String {
        "## \(title)\n\n" + (lines.isEmpty ? ["nothing"] : lines).map { "    \($0.printable)\n" }.joined() + "\n"
    }

    private static func system() -> [String] {
        var names = utsname()
        uname(&names)
        let kernel = withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let machine = withUnsafeBytes(of: &names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let variables = ["XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "LANG", "TERM"].map { name in
            "\(name) \(getenv(name).map { String(cString: $0) } ?? "is not set")"
        }
        let release = (try? lines(of: "/etc/os-release"))?.first { $0.hasPrefix("PRETTY_NAME=") }
        return ["Linux \(kernel), \(machine)", release ?? "PRETTY_NAME is not known"] + variables
    }

    private mutating func doctor() throws(SessionError) -> [String] {
        let program = try SessionLauncher.program()
        let run: ProgramRun
        do throws(ProgramRunError) {
            run = try ProgramRun(program, ["doctor"])
        } catch {
            throw SessionError(.unavailable, "cannot run \(program): \(error.message)")
        }
        // It fails where it finds a fault: its lines count, whatever its exit code.
        let lines = run.output.split(separator: JSONLine.newline).map { String(decoding: $0, as: UTF8.self) }
        // The name of a device may be that of a person.
        return lines.map { line in
            if keepsTitles { return line }
            let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
            return words.count > 1 && words[1] == "sound" ? "\(words[0]) sound" : redaction.sentence(line)
        }
    }

    private mutating func transitions() throws(SessionError) -> [String] {
        var lines: [[UInt8]] = []
        if let file = try LogFile(path: folders.transitionLog) {
            try file.readLines { line in
                lines.append(line)
                if lines.count > 2 * Self.mostLines { lines.removeFirst(Self.mostLines) }
            }
        }
        if !keepsTitles { for line in lines.suffix(Self.mostLines) { redaction.learn(line) } }
        return lines.suffix(Self.mostLines).compactMap { line in
            (keepsTitles ? line : redaction.record(line)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private mutating func sessionLog() throws(SessionError) -> [String] {
        guard access(folders.sessionLog, F_OK) == 0 else { return [] }
        return try Self.lines(of: folders.sessionLog).suffix(Self.mostLines).map {
            keepsTitles ? $0 : redaction.sentence($0)
        }
    }

    private static func lines(of path: String) throws(SessionError) -> [String] {
        var lines: [String] = []
        try LogFile(path: path)?.readLines { line in lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }
}
