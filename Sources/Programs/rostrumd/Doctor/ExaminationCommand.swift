// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BlockingCalls
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
        async let session = within("session") { SessionCheck(folders).findings() }
        async let files = within("folders") { FolderCheck(folders).findings() }
        async let engines = within("engines") {
            let registry = EngineRegistry(path: folders.config + "/engines.json")
            return CatalogCheck(EngineCatalog(SearchPath.current(), registry: registry)).findings()
        }
        async let sound = SoundCheck.findings(isSessionRunning: folders.hasSession)
        async let desktop = DesktopCheck.findings(isSessionRunning: folders.hasSession)
        return await session + files + sound + desktop + engines + KernelCheck.findings()
    }

    /// Examines what a disk may keep waiting.
    private static func within(
        _ subject: String, _ examine: @escaping @Sendable () -> [Finding]
    ) async -> [Finding] {
        let findings = await BlockingQueue(label: "rostrum.doctor." + subject).run(within: .seconds(30), examine)
        return findings ?? [.fault(subject, "no answer within 30 s", do: "check disks and network file systems")]
    }

    private func print(_ finding: Finding) throws(SessionError) {
        let bytes = json ? try JSONLine.encode(finding) : Array((finding.line + "\n").utf8)
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else {
            throw SessionError(.io, "cannot write: standard output: \(String(cString: strerror(errno)))")
        }
    }
}
