// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EngineCatalog
import Glibc
import SessionProtocol

/// The command that `rostrum doctor` starts: it examines what a session needs on this machine.
///
/// It changes nothing, and plays nothing. Each check has a time limit, so that a hung part is a finding.
struct ExaminationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Started by rostrum doctor.", shouldDisplay: false)

    @Flag(help: .hidden)
    var json = false

    func run() async throws {
        do throws(SessionError) {
            let findings = try await Self.examine()
            for finding in findings { try print(finding) }
            if findings.contains(where: { $0.level == .fault }) { throw SessionError(.unavailable, "") }
        } catch {
            guard error.message.isEmpty else {
                let line = Array("rostrum: \(error.message)\n".utf8)
                _ = write(STDERR_FILENO, line, line.count)
                throw ExitCode(error.code.rawValue)
            }
            throw ExitCode(1)
        }
    }

    private static func examine() async throws(SessionError) -> [Finding] {
        let folders = try UserFolders.current()
        let session = SessionCheck(folders)
        let catalog = EngineCatalog(
            SearchPath.current(), registry: EngineRegistry(path: folders.config + "/engines.json"))
        async let sound = SoundCheck.findings()
        async let desktop = DesktopCheck.findings(isSessionRunning: session.isRunning)
        var findings = session.findings() + FolderCheck(folders).findings()
        findings += await sound
        findings += await desktop
        findings += CatalogCheck(catalog).findings() + KernelCheck.findings()
        return findings
    }

    private func print(_ finding: Finding) throws(SessionError) {
        let bytes = json ? try JSONLine.encode(finding) : Array((finding.line + "\n").utf8)
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else {
            throw SessionError(.io, "cannot write: standard output: \(String(cString: strerror(errno)))")
        }
    }
}
