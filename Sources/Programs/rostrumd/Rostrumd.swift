// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioSession
import ControlSocket
import EngineBridge
import EngineCatalog
import FoundationEssentials
import Glibc
import ItemResolver
import LibraryStore
import MediaPlayback
import SessionProtocol
import TransitionLog

/// The session: the one place that knows every part and puts them together.
@main
struct Rostrumd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rostrumd",
        abstract: "The listening session. Started by rostrum when it is needed, or as a service.")

    @Option(help: "Where to play: auto, pulse[:SINK], alsa[:PCM] or null.")
    var output = "auto"

    @Flag(help: .hidden)
    var autostart = false

    @Option(name: .customLong("ready-fd"), help: .hidden)
    var readyDescriptor: Int32?

    func run() async throws {
        do throws(SessionError) {
            try await serve()
        } catch {
            fputs("rostrumd: \(error.message)\n", stderr)
            throw ExitCode(error.code.rawValue)
        }
    }

    private func serve() async throws(SessionError) {
        // Before any thread starts, so that every thread has them blocked.
        let signals = TerminationSignals()
        let folders = try UserFolders.current()
        let socket = try ListeningSocket.open(in: folders)
        if let readyDescriptor { close(readyDescriptor) }

        let mirror = StateMirror()
        let log = TransitionLog(path: folders.transitionLog) { mirror.snapshot }
        let engines = InstalledEngines(catalogue: EngineCatalogue(searchPath: .standard))
        let controller = MediaPlaybackController(
            engines: engines, outputs: DeviceOutputs(), store: LibraryStore(path: folders.data + "/library.sqlite"),
            resolver: ItemResolver(), recorder: log, mirror: mirror, outputName: output)
        let service = PlaybackService(
            controller: controller, log: log, logPath: folders.transitionLog, endsByItself: autostart)
        let server = try ControlServer(socket, service: service)

        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signals.first() }
            group.addTask { await service.ended() }
            await group.next()
            group.cancelAll()
        }
        // A part that hangs must not keep the session from ending.
        let watchdog = Task {
            try await Task.sleep(for: .seconds(8))
            _exit(0)
        }
        await server.stop()
        await controller.shutDown()
        await engines.shutDown()
        await log.close()
        watchdog.cancel()
    }
}
