// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write one file for a bug report: versions, doctor and logs.",
        discussion:
            "Titles, names of files and addresses are replaced by marks, unless --titles is given. Read the file "
            + "before you pass it on.")

    @Option(help: ArgumentHelp("The file to write, or - for standard output.", valueName: "path"))
    var output = "rostrum-report.txt"
    @Flag(help: "Keep titles, names of files and addresses.")
    var titles = false

    func run() throws {
        var report = Report(try UserFolders.current(), keepsTitles: titles)
        let bytes = Array(report.text().utf8)
        guard output != "-" else { return try StandardOutput.write(bytes) }
        let file = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let cause = errno
            throw SessionError(
                .cannotCreate,
                "cannot write the report: \(output): \(String(cString: strerror(cause))); give another --output")
        }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw SessionError(.io, "cannot write the report: \(output): \(String(cString: strerror(errno)))")
            }
            rest = rest.dropFirst(count)
        }
        try StandardOutput.write("\(output)\n")
    }
}
