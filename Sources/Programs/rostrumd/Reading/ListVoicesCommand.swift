// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EngineBridge
import EngineCatalog
import EngineTransport
import Glibc
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// The command that `rostrum voices` starts: it has engines list their voices, each in a process of its own.
///
/// It runs no session, but this program knows the catalog. It prints one ``EngineVoiceLine`` per line.
struct ListVoicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list-voices", abstract: "Started by rostrum voices.", shouldDisplay: false)

    /// The engines to ask; without any, all that read texts.
    @Option(help: .hidden)
    var engine: [String] = []
    /// The engines that are not asked.
    @Option(help: .hidden)
    var except: [String] = []

    func run() async throws {
        do throws(SessionError) {
            let engines = try Self.engines()
            for id in await ids(engines) { try await list(id, engines) }
        } catch {
            let line = Array("rostrum: \(error.message)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            throw ExitCode(error.code.rawValue)
        }
    }

    private static func engines() throws(SessionError) -> InstalledEngines {
        let folders = try UserFolders.current()
        let reactor: EngineReactor
        do throws(SystemError) {
            reactor = try EngineReactor()
        } catch {
            throw SessionError(.defect, "cannot wait for engines: \(error)")
        }
        let registry = EngineRegistry(path: folders.config + "/engines.json")
        return InstalledEngines(
            EngineCatalog(SearchPath.current(), registry: registry),
            runner: ProgramFolder.beside("rostrum-engine-runner"), reactor: reactor)
    }

    private func ids(_ engines: InstalledEngines) async -> [EngineID] {
        guard engine.isEmpty else { return engine.map { EngineID($0) } }
        return await engines.installed()
            .filter { $0.state == .available && $0.kinds.contains(.text) && !except.contains($0.id.rawValue) }
            .map(\.id)
    }

    private func list(_ id: EngineID, _ engines: InstalledEngines) async throws(SessionError) {
        let voices: [EngineVoice]
        do throws(EngineError) {
            voices = try await Self.voices(of: id, engines)
        } catch {
            return try print(.failed(engine: id.rawValue, SessionError(PlaybackError(error))))
        }
        for voice in voices {
            try print(.voice(engine: id.rawValue, name: voice.name, language: voice.language, about: voice.about))
        }
    }

    private static func voices(of id: EngineID, _ engines: InstalledEngines) async throws(EngineError) -> [EngineVoice]
    {
        let engine = try await engines.start(id)
        guard let speaking = engine as? any SpeakingEngine else {
            await engine.shutDown()
            return []
        }
        do throws(EngineError) {
            let voices = try await speaking.voices()
            await engine.shutDown()
            return voices
        } catch {
            await engine.shutDown()
            throw error
        }
    }

    private func print(_ line: EngineVoiceLine) throws(SessionError) {
        var rest = try JSONLine.encode(line)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw SessionError(.io, "cannot write the voices") }
            rest = rest.dropFirst(written)
        }
    }
}
